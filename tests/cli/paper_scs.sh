# simtlab paper scs: its runs, facts of the report, and the programs with convergence barriers (--marks=its).
. "$(dirname "$0")/_lib.sh"
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
cd "$work" || exit 1
expect 0 "$SIMTLAB" paper scs --only diverge,lockht --out a
prints "5 runs done in"
prints "report: a/index.html"
python3 - <<'P' || complain "the report's figures are not as expected"
import csv
rows = {r['kernel']: r for r in csv.DictReader(open('a/cycles.csv'))}
assert rows['diverge']['ipdom'] == rows['diverge']['scs'] != '', rows
assert 0.6 <= int(rows['lockht']['its']) / int(rows['lockht']['scs']) <= 1, rows
ends = {list(r.values())[0]: list(r.values())[1:] for r in csv.DictReader(open('a/ends.csv'))}
assert ends['lockht'] == '3 0 3 0 3 0 3 0 3'.split(), ends
P

# Each way in which lanes wait, with barriers at deeper levels too.
expect 0 "$SIMTLAB" cc --target vortex --marks=its -o its.elf "$SOURCE/tests/cli/programs/lane_waits.c"
silent
for way in 0 1 2 3 4 5 6 7; do
  expect 0 timeout 20 "$SIMTLAB" run -q -m vortex-its -c 20000000 its.elf "$way" 64 2
done
"$SIMTLAB" disasm its.elf | grep -q 'vx_bar_wait' || complain "no convergence barriers"
expect 2 "$SIMTLAB" cc --marks=its -o x.elf "$SOURCE/tests/cli/programs/lane_waits.c"
says "--marks=its is for --target vortex and vortex64"
finish
