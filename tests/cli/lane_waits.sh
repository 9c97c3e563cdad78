# divergence=scs and its: lanes of a warp that wait for each other get through on Vortex, with timing and without; what
# the hardware does not support is a fault that names both places.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
program=$SOURCE/tests/cli/programs/lane_waits.c
expect 0 "$SIMTLAB" cc -g --target vortex -o waits.elf "$program"
expect 0 "$SIMTLAB" cc -g --target vortex64 -o waits64.elf "$program"

# count NAME FILE: a counter of a run.
count() {
  "$PYTHON" -c 'import json, sys; print(json.load(open(sys.argv[2]))["totals"]["counters"][sys.argv[1]]["value"])' "$@"
}

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
of vortex-simx-scs waits.elf 0 7
of "vortex64 -s divergence=scs" waits64.elf 0 0 4
of "vortex64 -s divergence=scs -s scs.pending=list -s scs.stack=split" waits64.elf 0 0 7
of "vortex64 -s divergence=its" waits64.elf 0 0 4 7
of "vortex-simx -s divergence=scs" waits.elf 0 0 4
of vortex-simx waits.elf 3 0 1 4
says "livelock: these lanes loop forever"
of "vortex-its -s its.yield=false" waits.elf 3 0
says "livelock: these lanes loop forever"
of "vortex64 -s divergence=its -s its.yield=false" waits64.elf 3 0
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
  unsigned *const w = simt_alloc(1024), lanes = simt_shape().lanes;
  int wrong = simt_launch(nest, dim3(1), dim3(lanes), .w = w) != SIMT_OK;
  for (unsigned i = 0; i < lanes; i++)
    wrong |= w[i] != i;
  return wrong;
}
C
expect 0 "$SIMTLAB" cc -g --target vortex -o hazard.elf hazard.c
expect 0 "$SIMTLAB" run -q -m vortex hazard.elf
expect 3 "$SIMTLAB" run -q -m vortex-scs hazard.elf
says ", \`vx_pred "
says "does not support this: lanes leave this loop while lanes that have left another one are parked"
says "lane 0 of this warp: pc 0x8"
expect 0 "$SIMTLAB" run -q -m vortex-scs -s scs.pending=list hazard.elf

# The watchdog parts lanes of a program without yields. Its library does not expect it, and main would go on without them.
expect 3 "$SIMTLAB" run -q -m vortex-simx-scs hazard.elf
says "\`vx_tmc t0\`: the convergence scheme does not support this: the mask is set while other lanes of the warp are parked"
{ cat hazard.c; echo "VX_LANES_PART"; } >part.c
expect 0 "$SIMTLAB" cc -g --target vortex -o part.elf part.c
expect 0 "$SIMTLAB" run -q -m vortex-simx-scs part.elf

# A pool that is full while lanes wait that have left a loop.
expect 3 "$SIMTLAB" run -q -m vortex-scs -s scs.pool=1 waits.elf 0 64 2
says ", \`vx_yield\`: the convergence scheme does not support this: the pool of parked lanes is full (key scs.pool)"
says "; lane"
says "of this warp: pc 0x8"
expect 3 timeout 20 "$SIMTLAB" run -q -m vortex-scs -s scs.pool=1 -s scs.hazard=silent --stats full.json waits.elf 0 64 2
says "livelock: these lanes loop forever"
[ "$(count scs.full full.json)" -gt 0 ] || complain "the pool was never full"

# Hazards with scs.hazard=silent: what the hardware does. Lanes of the outer loop resume in the inner one, and lanes run
# twice or not at all; the checks of the programs see it.
for program in "hazard.elf" "waits.elf 7 64 2"; do
  # shellcheck disable=SC2086
  timeout 20 "$SIMTLAB" run -q -m vortex-scs -s scs.hazard=silent -c 2000000 $program >out 2>err
  grep -q "does not support" err && complain "$program: a fault with scs.hazard=silent"
done

# Without yields, the watchdog makes the lanes change: the program with each vx_yield replaced by a nop.
"$PYTHON" -c 'import sys; sys.stdout.buffer.write(sys.stdin.buffer.read().replace(b"\x0b\0\0\x0a", b"\x13\0\0\0"))' \
  <waits.elf >unmarked.elf
for machine in vortex-simx-scs vortex-scs; do
  status=0
  [ $machine = vortex-scs ] && status=3
  expect $status timeout 20 "$SIMTLAB" run -q -m $machine --stats $machine.json unmarked.elf 0 64 2
done
[ "$(count scs.timeouts vortex-simx-scs.json)" -gt 0 ] || complain "the watchdog did nothing"
[ "$(count scs.backoffs vortex-simx-scs.json)" -gt 0 ] || complain "no warp backed off"

# A checkpoint holds the parked lanes, their stacks, the watchdog, and the lanes' own pcs.
for machine in vortex-scs vortex-its vortex-simx-scs; do
  way=4
  [ $machine = vortex-simx-scs ] && way=7
  expect 0 "$SIMTLAB" run -q -m $machine --stats whole.json waits.elf $way 64 2
  for at in 3001 9007; do
    expect 0 "$SIMTLAB" run -q -m $machine --save-at $at half waits.elf $way 64 2
    expect 0 "$SIMTLAB" run -q -m $machine --restore half --stats rest.json waits.elf $way 64 2
    for file in whole rest; do
      sed '/"host": {/,/}/d; /"faint origin"\|"command"/d' $file.json >$file.said
    done
    cmp -s whole.said rest.said || complain "results differ: $(diff whole.said rest.said | head -3)"
  done
done

# vx_tmc takes lanes that it switches off out of the convergence barriers; the others do not wait for them.
cat >narrow.s <<'S'
_start:
  li t0, -1
  .insn r 0x0b, 0, 0, x0, t0, x0 # all lanes
  .insn r 0x0b, 0, 6, x0, x0, x0 # join barrier 0
  li t0, 15
  .insn r 0x0b, 0, 0, x0, t0, x0 # four lanes
  .insn r 0x0b, 1, 6, x0, x0, x0 # wait
  .insn r 0x0b, 0, 0, x0, x0, x0
S
riscv64-unknown-elf-gcc -march=rv32imaf_zicsr -mabi=ilp32f -nostdlib -nostartfiles -Wl,-Ttext=0x80000000 -o narrow.elf \
  narrow.s 2>err || complain "narrow does not compile: $(cat err)"
expect 0 "$SIMTLAB" run -q -m vortex-its narrow.elf
expect 0 "$SIMTLAB" run -qf -m vortex-its narrow.elf

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
  for machine in vortex-its vortex-simx-scs; do
    expect 0 timeout 20 "$SIMTLAB" run -q -f -c 20000000 -m $machine locks.elf
  done
  for machine in vortex-scs "vortex -s atomics=true"; do
    # shellcheck disable=SC2086
    timeout 20 "$SIMTLAB" run -q -f -c 20000000 -m $machine locks.elf >out 2>err
    status=$?
    [ $status -eq 0 ] || [ $status -eq 3 ] || complain "seed $seed on $machine: status $status"
  done
done

# refused MACHINE_AND_KEYS SENTENCE: keys that do not apply, or need each other.
refused() {
  # shellcheck disable=SC2086
  expect 2 "$SIMTLAB" run -q -m $1 waits.elf
  says "$2"
}
for machine in vortex vortex-its; do
  for key in pool=4 pending=list stack=split watchdog=64 backoff=256 pop_delay=2; do
    refused "$machine -s scs.$key" "scs.${key%=*} needs divergence=scs"
  done
done
for machine in vortex vortex-scs; do
  for key in barriers=4 yield=false service=2; do
    refused "$machine -s its.$key" "its.${key%=*} needs divergence=its"
  done
done
refused "vortex -s scs.hazard=silent" "scs.hazard needs divergence=scs or its"
refused "vortex-its -s warps=16" "divergence=its needs one issue slice; set issue.slices=1"
refused "vortex-scs -s scs.stack=split" "scs.stack=split needs scs.pending=list"
refused "vortex-simx-scs -s scs.pool=4" "scs.stack=split has room for all groups of lanes; set scs.pool=0"
refused "vortex-scs -s scs.watchdog=64" "so it needs scs.stack=split"
refused "vortex-simx-scs -s loops.count=1" "hardware loops and streams belong to the warp"
refused "vortex-simx-scs -s scs.watchdog=0" "scs.backoff needs scs.watchdog"
expect 2 "$SIMTLAB" run -q -m vortex-its -s issue.slices=2 waits.elf
says "divergence=its needs one issue slice; set issue.slices=1"
expect 2 "$SIMTLAB" run -q -m vortex-scs -s encoding=1.x waits.elf
says "divergence=scs needs encoding=2.x"
finish
