# simt_sync_lanes brings lanes together, or is a fault that names those elsewhere; a ballot that would lose lanes, and
# votes on a machine without them, are faults. A vote or shuffle takes a cycle more than an ALU instruction. Compilers do
# not merge the votes of two sides of an if. For the checker they order the lanes that execute them.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
cat >k.c <<'C'
#include <simt.h>
#include <stdio.h>
#include <stdlib.h>
SIMT_KERNEL(comes, (unsigned *, out))
{
  const unsigned t = threadIdx.x;
  unsigned x = t;
  for (unsigned i = 0; i < (t & 7); i++) // without a mark: lanes leave one after the other
    x += out[i];
  simt_sync_lanes(-1);
  out[64 + t] = __builtin_popcountll(simt_ballot64(1)) + (x & 0);
}
SIMT_KERNEL(apart, (unsigned *, out))
{
  SIMT_IF (threadIdx.x & 1) {
    simt_sync_lanes(-1);
    out[64 + threadIdx.x] = 1;
  }
  SIMT_ENDIF
  for (unsigned i = 0; i < 3; i++) // so that no lane has ended
    out[128 + threadIdx.x] += out[i] * threadIdx.x;
}
SIMT_KERNEL(high, (unsigned *, out))
{
  out[64 + threadIdx.x] = simt_ballot(threadIdx.x > 30);
}
SIMT_KERNEL(sides, (unsigned *, out))
{
  unsigned votes;
  SIMT_IF (threadIdx.x & 1)
    votes = simt_ballot(1);
  SIMT_ELSE
    votes = simt_ballot(1);
  SIMT_ENDIF
  out[64 + threadIdx.x] = votes;
}
// Some lanes wait for each other twice, then all meet.
SIMT_KERNEL(part, (unsigned *, out))
{
  const unsigned t = threadIdx.x;
  unsigned x = t;
  if (t < 4) {
    for (unsigned i = 0; i < t; i++)
      x += out[i];
    simt_sync_lanes(15);
    out[64 + t] = (unsigned)simt_ballot64(1);
    for (unsigned i = 0; i < t; i++)
      x += out[i] * i;
    simt_sync_lanes(15);
    out[96 + t] = (unsigned)simt_ballot64(1);
  } else {
    for (unsigned i = 0; i < 20 + t; i++)
      x += out[i];
  }
  simt_sync_lanes(-1);
  out[160 + t] = __builtin_popcountll(simt_ballot64(1)) + (x & 0);
}
SIMT_KERNEL(passes, (unsigned *, out), (unsigned, waits))
{
  out[threadIdx.x] = threadIdx.x;
  if (waits)
    simt_sync_lanes(-1);
  out[64 + threadIdx.x] = out[threadIdx.x ^ 1];
}
#define CHAIN(x) x x x x x x x x x x
SIMT_KERNEL(alu, (unsigned *, out))
{
  unsigned v = threadIdx.x;
  CHAIN(__asm__ volatile("addi %0, %0, 1" : "+r"(v));)
  out[64 + threadIdx.x] = v;
}
SIMT_KERNEL(vote, (unsigned *, out))
{
  unsigned v = threadIdx.x;
  CHAIN(__asm__ volatile(".insn r 0x0B, 3, 1, %0, %0, x0" : "+r"(v));)
  out[64 + threadIdx.x] = v;
}
SIMT_KERNEL(shuffle, (unsigned *, out))
{
  unsigned v = threadIdx.x;
  CHAIN(__asm__ volatile(".insn r 0x0B, 7, 1, %0, %0, x0" : "+r"(v));)
  out[64 + threadIdx.x] = v;
}
int main(int words, char **word)
{
  const unsigned lanes = simt_shape().lanes;
  unsigned *const out = simt_alloc(1024), bad = 0;
  const char what = words > 1 ? *word[1] : 'c';
#define RUN(k) simt_launch(k, dim3(1), dim3(lanes), .out = out)
  if (what == 't') {
    unsigned cycles[3];
    RUN(alu); // the first launch of a machine may differ
    RUN(alu), cycles[0] = simt_counter(SIMT_CYCLES);
    RUN(vote), cycles[1] = simt_counter(SIMT_CYCLES);
    RUN(shuffle), cycles[2] = simt_counter(SIMT_CYCLES);
    printf("%d %d\n", (int)(cycles[1] - cycles[0]), (int)(cycles[2] - cycles[0]));
    return 0;
  }
  if (what == 'p')
    return simt_launch(passes, dim3(1), dim3(lanes), .out = out, .waits = words > 2) != SIMT_OK;
  if (what == 'f') { // the first four
    if (RUN(part) != SIMT_OK)
      return 1;
    for (unsigned i = 0; i < lanes; i++)
      bad += (i < 4 && ((out[64 + i] & 15) != 15 || (out[96 + i] & 15) != 15)) + (out[160 + i] != lanes);
    printf("%u bad\n", bad);
    return bad != 0;
  }
  if ((what == 'c' ? RUN(comes) : what == 'a' ? RUN(apart) : what == 'h' ? RUN(high) : RUN(sides)) != SIMT_OK)
    return 1;
  for (unsigned i = 0; i < lanes; i++) {
    const unsigned odd = 0xAAAAAAAAu & (unsigned)((1ull << lanes) - 1), even = odd >> 1;
    bad += out[64 + i] != (what == 'c' ? lanes : what == 'h' ? 1u << 31 : i & 1 ? odd : even);
  }
  printf("%u bad\n", bad);
  return bad != 0;
}
C
# programs: TARGET OPTION...; each machine runs them timed and fast.
compiled() {
  expect 0 "$SIMTLAB" cc "$@" -o k.elf k.c
}
runs() { # STATUS MACHINE WORD
  for mode in "" --fast; do
    # shellcheck disable=SC2086
    expect "$1" "$SIMTLAB" run -q -m $2 $mode k.elf -- "$3"
    [ "$1" = 0 ] || says "${4:-other lanes of the mask are elsewhere and will not come}"
    [ -n "${4:-}" ] || [ "$1" = 0 ] || says "of this warp: pc 0x"
  done
}
levels=$(printf 'simtight\nsimtight-rfc-pp')
for compiler in "" --clang; do
  # shellcheck disable=SC2086
  compiled $compiler
  for machine in $levels simty-plus; do
    runs 0 $machine comes
    runs 0 $machine sides
  done
done
compiled
for machine in $levels simty-plus; do
  runs 3 $machine apart
done
for machine in simtight-rfc-pp simty-plus simtight-fair "simtight-fair -s fairness=16 -s convergence=sorted-paths" \
  "simty-fair -s fairness=16"; do
  runs 0 "$machine" first
done
runs 3 "simtight -s lanes=64" high "does not fit into a word: use simt_ballot64"
runs 3 "simtight -s warp_functions=false" sides "Votes and shuffles need warp_functions=true"
runs 3 "simty-plus -s warp_functions=false" sides "which has no vx_vote_ballot. "
for machine in simtight simty-plus; do
  expect 1 "$SIMTLAB" check --strict-lanes -m $machine k.elf -- passes
  says "race: "
  expect 0 "$SIMTLAB" check --strict-lanes -m $machine k.elf -- passes waits
done
# A cycle more for each of ten dependent ones.
for machine in simtight simtight-fp; do
  expect 0 "$SIMTLAB" run -q -m $machine k.elf -- times
  prints "10 10"
done
compiled --no-marks
runs 0 "simtight -s convergence=depth-pc" comes
runs 0 "simtight -s convergence=sorted-paths" first
runs 0 simty-plus comes
compiled --target sm7
runs 0 sm7-1 comes
runs 0 sm7-1 first
runs 0 sm7-1 sides
runs 3 sm7-1 apart
if [ -x "$BUILD/simtlab-marks" ]; then
  compiled --target vortex
  runs 0 vortex comes
  runs 0 vortex sides
  runs 3 vortex apart
  runs 3 "vortex -s lanes=64" high "does not fit into a word: use simt_ballot64"
  compiled --target vortex --marks=its
  runs 0 vortex-its comes
  runs 0 vortex-its first
  runs 0 vortex-its sides
  runs 3 vortex-its apart "livelock"
  compiled --target vortex64
  runs 0 vortex64 sides
fi
finish
