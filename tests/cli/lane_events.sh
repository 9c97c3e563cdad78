# Changes of a warp's lanes (divergence=scs, its) as events: traces show each, with the lanes that run next and their pc,
# and the profile books the cycles of scs.pop_delay to the instruction that makes them change.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
expect 0 "$SIMTLAB" cc -g --target vortex -o waits.elf "$SOURCE/tests/cli/programs/lane_waits.c"
small="-s warps=2 -s lanes=4"

for machine in vortex-scs vortex-its vortex-simx-scs; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q -m $machine $small --stats stats.json waits.elf 4 8 1
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" trace -q -m $machine $small -o trace.json waits.elf 4 8 1
  "$PYTHON" - $machine <<'P' || complain "$machine: events and counters differ"
import json, sys
counted = json.load(open('stats.json'))['totals']['counters']
changes = watchdog = 0
now = {}
for line in open('trace.json'):
    event = json.loads(line)
    warp = event.get('warp')
    if event.get('event') == 'switched':
        changes += 1
        watchdog += 'id' not in event
        now[warp] = event
    if event.get('event') == 'executed' and warp in now:
        last = now.pop(warp)
        assert (event['pc'], event['active']) == (last['next'], last['active']), (event, last)
        assert 'id' not in last or event['id'] != last['id']
assert changes == counted['scs.switches']['value'] > 0, changes
assert watchdog == counted['scs.timeouts']['value'], watchdog
assert (watchdog > 0) == (sys.argv[1] == 'vortex-simx-scs'), watchdog
if sys.argv[1] != 'vortex-its':
    assert (counted['cycles.switch']['value'] > 0), counted['cycles.switch']
P
done
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" trace -q -m vortex-scs $small -o trace.kanata waits.elf 0 8 1
grep -q "then lanes [0-9a-f] at 8000" trace.kanata || complain "konata: no change of lanes"
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" trace -q -m vortex-scs $small -o trace.pftrace waits.elf 0 8 1
grep -aq "warp 1: lanes [0-9a-f] at 8000" trace.pftrace || complain "perfetto: no change of lanes"

# A longer delay makes each change of a lone warp longer by as much, and the profile tells where: at the yield, and at the
# TMC of lanes that end.
cycles() {
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q -m vortex-scs -s warps=1 -s lanes=4 -s scs.pop_delay=$1 --stats $1.json waits.elf 0 4 1
  "$PYTHON" -c 'import json, sys
c = json.load(open(sys.argv[1]))["totals"]["counters"]
print(c["cycles.switch"]["value"])' $1.json
}
[ "$(cycles 0)" -eq 0 ] || complain "cycles of a delay of 0"
one=$(cycles 1) five=$(cycles 5)
[ "$five" -eq $((5 * one)) ] && [ "$one" -gt 0 ] || complain "delay 1: $one cycles, delay 5: $five"
expect 0 "$SIMTLAB" profile -m vortex-scs -s warps=1 -s lanes=4 -s scs.pop_delay=40 waits.elf 0 4 1
grep -q "switch [0-9]* % .*vx_yield" out || complain "the profile books no cycle to vx_yield: $(grep yield out)"
finish
