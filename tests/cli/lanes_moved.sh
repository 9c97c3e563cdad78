# Compilers neither hoist votes out of an if, nor sink them behind it, nor copy them: by every compiler and level, the
# final code has as many votes as the source, and the lanes of the if vote by themselves.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >k.c <<'C'
#include <simt.h>
#include <stdio.h>
SIMT_KERNEL(votes, (const unsigned *, in), (unsigned *, out), (unsigned, n))
{
  const unsigned t = threadIdx.x, odd = in[t] & 1, large = in[t] > 6;
  unsigned one = 0, sum = 0, two = 7;
  SIMT_IF (odd)
    one = simt_ballot(large); // used behind the if only, and depends on nothing in it
  SIMT_ENDIF
  for (unsigned i = 0; i < n; i++) {
    SIMT_IF (odd)
      sum += simt_ballot(large) + i; // the same in every turn
    SIMT_ENDIF
  }
  SIMT_IF (large)
    two = simt_any(odd);
  SIMT_ELSE
    two = simt_any(odd) + 2;
  SIMT_ENDIF
  out[3 * t] = one;
  out[3 * t + 1] = sum;
  out[3 * t + 2] = two;
}
int main(void)
{
  const unsigned lanes = simt_shape().lanes;
  unsigned *const in = simt_alloc(256), *const out = simt_alloc(1024), set = 0, bad = 0;
  for (unsigned i = 0; i < lanes; i++) {
    in[i] = i;
    set |= i % 2 && i > 6 ? 1u << i : 0;
  }
  if (simt_launch(votes, dim3(1), dim3(lanes), .in = in, .out = out, .n = 3) != SIMT_OK)
    return 1;
  for (unsigned i = 0; i < lanes; i++)
    bad += out[3 * i] != (i % 2 ? set : 0) || out[3 * i + 1] != (i % 2 ? 3 * set + 3 : 0) ||
           out[3 * i + 2] != (i > 6 ? lanes > 7 : 3);
  printf("%u bad\n", bad);
  return bad != 0;
}
C
tries() { # MACHINE OPTION...
  machine=$1
  shift
  expect 0 "$SIMTLAB" cc "$@" -o k.elf k.c
  expect 0 "$SIMTLAB" disasm k.elf
  [ "$(grep -c 'vx_vote_ballot' "$work/out")" -eq 2 ] || complain "has other ballots than the source"
  [ "$(grep -c 'vx_vote_any' "$work/out")" -eq 2 ] || complain "has other votes than the source"
  expect 0 "$SIMTLAB" run -q --fast -m "$machine" k.elf
}
for level in -O1 -O2 -Os; do
  tries simtight $level
  tries simtight --clang $level
  tries sm7-1 --target sm7 $level
  [ -x "$BUILD/simtlab-marks" ] || continue
  tries simtight --marks=auto $level
  tries vortex --target vortex $level
  tries vortex --target vortex --marks=user $level
  tries vortex-its --target vortex --marks=its $level
done
[ ! -x "$BUILD/simtlab-marks" ] || tries vortex64 --target vortex64
finish
