# divergence=scs and its: lanes of a warp that wait for each other get through on Vortex, with timing and without; what
# the hardware does not support is a fault that names both places.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
program=$SOURCE/tests/cli/programs/lane_waits.c
expect 0 "$SIMTLAB" cc -g --target vortex -o waits.elf "$program"
expect 0 "$SIMTLAB" cc -g --target vortex64 -o waits64.elf "$program"

# of MACHINE PROGRAM STATUS WAY...: each way, on half a dozen warps.
of() {
  machine=$1 elf=$2 status=$3
  shift 3
  for way in "$@"; do
    for mode in -q -qf; do
      # shellcheck disable=SC2086
      expect "$status" timeout 20 "$SIMTLAB" run $mode -m $machine -c 20000000 "$elf" "$way" 64 2
      [ "$status" -ne 0 ] || silent
    done
  done
}
of vortex-scs waits.elf 0 0 1 2 4 5
of vortex-its waits.elf 0 0 1 2 4 5 7
of "vortex-scs -s cores=2 -s lanes=4" waits.elf 0 0 1 4 5
of "vortex64 -s divergence=scs" waits64.elf 0 0 4
of "vortex64 -s divergence=its" waits64.elf 0 0 4 7
of "vortex-simx -s divergence=scs" waits.elf 0 0 4
of vortex-simx waits.elf 3 0 1 4
says "livelock: these lanes loop forever"
of "vortex-its -s its.yield=false" waits.elf 3 0
says "livelock: these lanes loop forever"

# A change of lanes between split and join; two loops that park lanes.
of vortex-scs waits.elf 3 7
says ", \`vx_yield\`: the convergence scheme does not support this: the lanes change between a split and its join"
says "; lane 0 of this warp: pc 0x8"
cat >hazard.c <<'C'
#include "simt.h"
SIMT_KERNEL(nest, (volatile unsigned *, w))
{
  const unsigned me = threadIdx.x, all = vx_active_threads();
  unsigned i = 0;
  while (vx_pred(i < me, all)) {
    unsigned j = 0;
    const unsigned those = vx_active_threads();
    while (vx_pred(j < me, those))
      j++;
    i += me;
  }
  w[me] = i;
}
int main(void)
{
  return simt_launch(nest, dim3(1), dim3(simt_shape().lanes), .w = simt_alloc(1024)) != SIMT_OK;
}
C
expect 0 "$SIMTLAB" cc -g --target vortex -o hazard.elf hazard.c
expect 0 "$SIMTLAB" run -q -m vortex hazard.elf
expect 3 "$SIMTLAB" run -q -m vortex-scs hazard.elf
says ", \`vx_pred "
says "does not support this: lanes leave this loop while lanes that have left another one are parked"
says "lane 0 of this warp: pc 0x8"
expect 0 "$SIMTLAB" run -q -m vortex-scs -s scs.pending=list hazard.elf

# A checkpoint holds the parked lanes, and the lanes' own pcs.
for machine in vortex-scs vortex-its; do
  expect 0 "$SIMTLAB" run -q -m $machine --stats whole.json waits.elf 4 64 2
  for at in 3001 9007; do
    expect 0 "$SIMTLAB" run -q -m $machine --save-at $at half waits.elf 4 64 2
    expect 0 "$SIMTLAB" run -q -m $machine --restore half --stats rest.json waits.elf 4 64 2
    for file in whole rest; do
      sed '/"host": {/,/}/d; /"faint origin"\|"command"/d' $file.json >$file.said
    done
    cmp -s whole.said rest.said || complain "results differ: $(diff whole.said rest.said | head -3)"
  done
done

# Programs without such loops take the same cycles as with the stack.
expect 0 "$SIMTLAB" cc --target vortex -o plain.elf "$SOURCE/tests/cli/programs/divergence.c"
expect 0 "$SIMTLAB" run -q -m vortex -s split.first=smaller --stats stack.json plain.elf
expect 0 "$SIMTLAB" run -q -m vortex-scs -s scs.pending=list --stats scs.json plain.elf
for file in stack scs; do
  "$PYTHON" - $file.json >$file.cycles <<'P'
import json, sys
print([l['counters']['cycles']['value'] for l in json.load(open(sys.argv[1]))['launches']])
P
done
cmp -s stack.cycles scs.cycles || complain "cycles differ: $(cat stack.cycles scs.cycles)"

# Random kernels with locks: the right sums, or on a scheme that cannot express them a fault or livelock. None hangs.
for seed in 1 2 3; do
  python3 "$SOURCE/tests/cli/programs/random_locks.py" $seed >locks.c
  expect 0 "$SIMTLAB" cc --target vortex -o locks.elf locks.c
  expect 0 timeout 20 "$SIMTLAB" run -q -f -c 20000000 -m vortex-its locks.elf
  for machine in vortex-scs "vortex -s atomics=true"; do
    # shellcheck disable=SC2086
    timeout 20 "$SIMTLAB" run -q -f -c 20000000 -m $machine locks.elf >out 2>err
    status=$?
    [ $status -eq 0 ] || [ $status -eq 3 ] || complain "seed $seed on $machine: status $status"
  done
done

expect 2 "$SIMTLAB" run -q -m vortex -s scs.pool=4 waits.elf
says "scs.pool needs divergence=scs"
expect 2 "$SIMTLAB" run -q -m vortex-its -s issue.slices=2 waits.elf
says "divergence=its needs one issue slice; set issue.slices=1"
expect 2 "$SIMTLAB" run -q -m vortex-scs -s encoding=1.x waits.elf
says "divergence=scs needs encoding=2.x"
finish
