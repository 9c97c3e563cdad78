# Changes of a warp's lanes (divergence=scs, its; convergence=its of sm7) as events: traces show each, with the lanes that
# run next and their pc, and the profile books the cycles of scs.pop_delay to the instruction that makes them change.
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

# same_changes MACHINE... PROGRAM...: the page and the VCD show the changes of the events.
same_changes() {
  for format in json html vcd; do
    expect 0 "$SIMTLAB" trace -q -o changes.$format -m "$@"
  done
  "$PYTHON" "$SOURCE/tests/cli/check_trace.py" vcd changes.vcd >vcd.found || complain "$1: the VCD breaks a rule"
  "$PYTHON" - "$SOURCE/tests/cli" <<'P' || complain "$1: changes differ between formats"
import json, re, sys
sys.path.insert(0, sys.argv[1])
import check_trace
text = open('changes.html').read()
about = json.loads(re.search(r'id="description">([^<]*)</script>', text)[1])
masks, causes, shown = about['masks'].split(' '), {}, []
for kind, count, data in re.findall(r'data-kind="(rows|switches)" data-name="" data-rows="([0-9]+)"[^>]*>([^<]*)<', text):
    raw = check_trace.unpack(data)
    if kind == 'switches':
        shown += check_trace.switches(list(check_trace.numbers(raw)))
        continue
    for row in check_trace.rows(check_trace.Reader(raw), int(count), len(about['stages'])):
        causes[row[5] + 1] = about['code'][row[2]][0]
shown = sorted([(time, warp, causes.get(row), masks[mask], about['code'][code][0]) for time, warp, row, mask, code in shown],
               key=lambda change: (*change[:2], change[2] or 0, *change[3:]))
told, executed = [], {}
for line in open('changes.json'):
    event = json.loads(line)
    if event.get('event') == 'executed':
        executed[event['launch'], event['id']] = event['pc']
    if event.get('event') == 'switched':
        cause = executed[event['launch'], event['id']] if 'id' in event else None
        told.append((event['cycle'], event['warp'], cause, event['active'], event['next']))
assert told and shown == sorted(told, key=lambda change: (*change[:2], change[2] or 0, *change[3:])), (len(told), len(shown))
pulses = json.load(open('vcd.found'))['switched']
assert pulses == len({change[:2] for change in told}), (pulses, len(told))
P
}
for machine in vortex-scs vortex-its vortex-simx-scs; do
  # shellcheck disable=SC2086
  same_changes $machine $small waits.elf 4 8 1
  "$PYTHON" "$SOURCE/tests/cli/check_trace.py" html changes.html >page.found || complain "$machine: the page breaks a rule"
done
cat >lock.cu <<'C'
extern "C" __global__ void k(int *w)
{
  while (atomicExch(&w[0], 1) != 0)
    ;
  w[1] = w[1] + 1;
  __threadfence();
  atomicExch(&w[0], 0);
}
C
expect 0 "$SIMTLAB" cc --target ptx -o lock.ptx lock.cu
printf 'ptx lock.ptx\nbuffer w 8 zero\nlaunch k 1 1 1 8 1 1 0 buf:w\n' >lock.launch
same_changes sm7-its lock.launch
expect 0 "$SIMTLAB" cc --target sm7 -o waits-sm7.elf "$SOURCE/tests/cli/programs/lane_waits.c"
same_changes sm7-its waits-sm7.elf 0 8 1
sed 's/ 8 1 1 0 buf/ 1 1 1 0 buf/' lock.launch >plain.launch
expect 0 "$SIMTLAB" trace -q -m sm7-1 -o plain.vcd plain.launch
! grep -q switched plain.vcd || complain "a VCD has changes of lanes where there are none"

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
