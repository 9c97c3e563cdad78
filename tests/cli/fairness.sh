# fairness=N: lanes of a warp that wait for each other get through, in every order of paths, with timing and without.
# Without the key the same loops are livelocks (livelock.sh).
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
for marks in "" --no-marks; do
  expect 0 "$SIMTLAB" cc $marks -o "waits$marks.elf" "$SOURCE/tests/cli/programs/waits.c"
done
expect 0 "$SIMTLAB" cc -g -o lanes.elf "$SOURCE/tests/cli/programs/livelock.c"

# ends OPTION...: the programs end with the right results.
ends() {
  for program in waits.elf waits--no-marks.elf "lanes.elf lanes"; do
    for mode in -q -qf; do
      # shellcheck disable=SC2086
      expect 0 timeout 30 "$SIMTLAB" run $mode -c 20000000 "$@" $program
      silent
    done
  done
}
ends -m simtight-fair
ends -m simtight-fair -s fairness=16 -s convergence=depth-pc
ends -m simtight-fair -s convergence=sorted-paths
ends -m simtight-rfc-pp-sb -s fairness=16
ends -m simty-fair
ends -m simty-fair -s fairness=16 -s memory=fixed -s paths.sorter=false
expect 3 "$SIMTLAB" run -q -c 20000000 waits.elf
says livelock

# Four warps spin while the scratchpad is full. The warp whose lane has the lock is served, too.
cat >spin.c <<'C'
#include "simt.h"
SIMT_KERNEL(spin, (volatile int *, w))
{
  SIMT_SHARED(int, lock, 1);
  *lock = 0;
  simt_barrier();
  for (;;)
    if (atomicExch(lock, 1) == 0) {
      ++*w;
      __asm__ volatile("fence" ::: "memory");
      *(volatile int *)lock = 0;
      break;
    }
}
int main(void)
{
  volatile int *const w = simt_alloc(4);
  return simt_launch(spin, dim3(1), dim3(128), .w = w) != SIMT_OK || *w != 128;
}
C
expect 0 "$SIMTLAB" cc --no-marks -o spin.elf spin.c
for machine in simty-fair simtight-fair; do
  expect 0 timeout 30 "$SIMTLAB" run -q -c 20000000 -m $machine -s lanes=16 -s fairness=16 spin.elf
done
# Not all lanes of a warp are at a barrier, and the last of them arrive there as the path that goes first.
cat >late.c <<'C'
#include "simt.h"
SIMT_KERNEL(late, (volatile unsigned *, w))
{
  SIMT_SHARED(int, words, 2);
  words[threadIdx.x & 1] = 0;
  simt_barrier();
  while (atomicExch(words, 1) != 0)
    ;
  ++*w;
  __asm__ volatile("fence" ::: "memory");
  atomicExch(words, 0);
  if (threadIdx.x % 2) {
    atomicAdd(words + 1, 1);
    while (((volatile int *)words)[1] < 32)
      ;
  }
}
int main(void)
{
  return simt_launch(late, dim3(1), dim3(64), .w = simt_alloc(1024)) != SIMT_OK;
}
C
expect 0 "$SIMTLAB" cc --no-marks -o late.elf late.c
for convergence in depth-pc sorted-paths; do
  expect 0 timeout 30 "$SIMTLAB" run -q -c 20000000 -m simtight-fair -s fairness=16 -s convergence=$convergence late.elf
done

# A loop that no order can end is still reported.
for machine in simtight-fair simty-fair; do
  for mode in -q -qf; do
    expect 3 timeout 30 "$SIMTLAB" run $mode -m $machine -c 20000000 lanes.elf forgotten
    says "livelock: these lanes loop forever"
  done
done

# A checkpoint holds whose turn it is.
for machine in simtight-fair simty-fair; do
  expect 0 "$SIMTLAB" run -q -m $machine --stats whole.json waits.elf
  for at in 2001 6007; do
    expect 0 "$SIMTLAB" run -q -m $machine --save-at $at half waits.elf
    expect 0 "$SIMTLAB" run -q -m $machine --restore half --stats rest.json waits.elf
    for file in whole rest; do
      sed '/"host": {/,/}/d; /"faint origin"\|"command"/d' $file.json >$file.said
    done
    cmp -s whole.said rest.said || complain "results differ: $(diff whole.said rest.said | head -3)"
  done
done

expect 2 "$SIMTLAB" run -q -s fairness=15 waits.elf
says "fairness is 15; it must be 0, for none, or 16 to 65536"
expect 2 "$SIMTLAB" run -q -m simty -s fairness=16 waits.elf
says "fairness needs the SoC with a host CPU; set host=true too"
finish
