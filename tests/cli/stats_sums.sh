# Statistics are consistent: issue slots of a launch sum to its cycles, launches sum to the totals, for any number of
# threads.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
for what in simtight:bench simtight-rfc-pp:bench simty-plus:bench vortex:bench-on-vortex sm7-4:bench-on-sm7; do
  machine=${what%%:*}
  for program in BitonicSortSmall Scan; do
    expect 0 "$SIMTLAB" run -q -m "$machine" --stats a.json "$BUILD/${what##*:}/$program.elf"
    expect 0 "$SIMTLAB" run -q -m "$machine" --threads 2 --stats b.json "$BUILD/${what##*:}/$program.elf"
    python3 - >err <<'P' || complain "the figures do not sum to the total"
import json
a, b = json.load(open('a.json')), json.load(open('b.json'))
for run in (a, b):
    for part in ('host', 'made_by', 'provenance'):
        run.pop(part, None)
assert a == b, 'other figures with two threads'
for name, total in a['totals']['counters'].items():
    of = [launch['counters'][name]['value'] for launch in a['launches']]
    assert total['value'] in (sum(of), max(of)), (name, total, of)
for launch in a['launches']:
    counters = launch['counters']
    slots = [c['value'] for name, c in counters.items() if name.startswith(('slots.', 'slots_', 'cycles.'))]
    cycles = counters.get('sm_cycles', counters['cycles'])['value']
    assert slots and sum(slots) % cycles == 0, (sum(slots), cycles)
P
  done
done
finish
