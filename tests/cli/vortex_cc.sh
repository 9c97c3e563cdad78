# simtlab cc --target vortex: divergent statements, loops and streams in their software variants.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs
cd "$work" || exit 1
mkdir tmp
export TMPDIR="$work/tmp"

# On this machine a divergent branch without marks is a fault.
strict="--fast -q -m vortex --set divergent_branch.faults=true"
for compiler in --marks=user "--marks=user --clang" --marks=auto; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" cc --target vortex $compiler -o divergence.elf "$programs/divergence.c"
  for shape in lanes=16 lanes=32 cores=3 "warps=4 --set cores=2"; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run $strict --set $shape divergence.elf
    prints "0 results wrong, sum 8010 of 8010"
  done
done
for marks in user auto; do
  expect 0 "$SIMTLAB" cc --target vortex --marks=$marks -o stream_loop.elf "$programs/stream_loop.c"
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run $strict stream_loop.elf
  prints "0 results wrong"
done
for options in --cfm --dmsl "--cfm --dmsl"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" cc --target vortex $options -o hardware.elf "$programs/stream_loop.c"
done

# A loop that needs code on its back edge is refused, not miscompiled.
cat >loop.c <<'C'
#include "simt.h"
void total(const float *a, float *sum_to);
void total(const float *a, float *sum_to)
{
  float sum = 0; // by SIMT_SUM(sum) it would stay in one register
  SIMT_LOOP_SET(turns, 0, 5, ~0u);
  SIMT_REPEAT(turns)
  {
    a++;
  }
  SIMT_REPEAT_SUM(turns, sum, a[-1], *sum_to, (void)0, 1);
  *sum_to = sum;
}
int main(void)
{
  return 0;
}
C
expect 1 "$SIMTLAB" cc --target vortex --cfm -o loop.elf loop.c
says "loop turns: the compiler has put code"

# Memory is zeroed, whatever it held, with any number of lanes.
cat >zero.c <<'C'
#include <simt.h>
#include <stdlib.h>
int main(void)
{
  int bad = 0;
  char *used = malloc(5000);
  for (int i = 0; i < 5000; i++)
    ((volatile char *)used)[i] = 1;
  free(used);
  for (unsigned words = 1; words < 3000; words = 3 * words + 1) {
    unsigned *a = simt_alloc(words * sizeof *a);
    bad += (uintptr_t)a % 256 != 0;
    for (unsigned i = 0; i < words; i++) {
      bad += a[i] != 0;
      a[i] = 7;
    }
  }
  return bad;
}
C
expect 0 "$SIMTLAB" cc --target vortex -o zero.elf zero.c
for machine in "vortex" "vortex --fast" "vortex -s lanes=4" "vortex -s lanes=64" "vortex-simx -s cores=2"; do
  expect 0 "$SIMTLAB" run -q -m $machine zero.elf
done

# A loop that lanes 0 to 15 and 32 to 47 enter: its end restores a mask of 32 bits, which cannot hold these.
cat >mask.c <<'C'
#include <simt.h>
#include <stdlib.h>
SIMT_KERNEL(sums, (unsigned *, out))
{
  unsigned sum = 0;
  if (threadIdx.x % 32 < 16)
    for (unsigned i = 0; i < threadIdx.x; i++)
      sum += out[i];
  out[threadIdx.x] = sum + 1;
}
int main(void)
{
  const unsigned lanes = simt_shape().lanes;
  return simt_launch(sums, dim3(1), dim3(lanes), .out = simt_alloc(4 * lanes)) != SIMT_OK;
}
C
expect 0 "$SIMTLAB" cc --target vortex -o mask.elf mask.c
for mode in "" --fast; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q -m vortex -s lanes=32 $mode mask.elf
  # shellcheck disable=SC2086
  expect 3 "$SIMTLAB" run -q -m vortex -s lanes=64 $mode mask.elf
  says "use at most 32 lanes"
done

expect 2 "$SIMTLAB" cc --target vertex -o x.elf loop.c
says "did you mean 'vortex'?"
expect 2 "$SIMTLAB" cc --cfm -o x.elf loop.c
says "add --target vortex"
expect 2 "$SIMTLAB" cc --target vortex --rv32e -o x.elf loop.c
says "--rv32e is not for --target vortex"
finish
