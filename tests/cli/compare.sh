# simtlab compare: the same numbers as simtlab run, one row per machine whatever becomes of it, in all forms.
. "$(dirname "$0")/_lib.sh"
program=$BUILD/bench/MatMul.elf

# cycles FILE: of all launches, by the statistics of simtlab run.
cycles() { sed -n '/"totals"/,$p' "$1" | sed -n '/"cycles": {/,/}/s/.*"value": \([0-9]*\).*/\1/p' | head -1; }

expect 0 "$SIMTLAB" run -q --stats "$work/run.json" "$program"
base=$(cycles "$work/run.json")
expect 0 "$SIMTLAB" run -q -s lanes=16 -s warps=32 --stats "$work/run.json" "$program"
small=$(cycles "$work/run.json")

# Silent in a pipe, the table on standard output, the program's own output nowhere.
expect 0 "$SIMTLAB" compare "$program" -m simtight,simtight:lanes=16:warps=32 --json "$work/c.json" --html "$work/c.html"
silent
prints "memory transactions"
prints "simtight:lanes=16:warps=32"
prints "1.000"
grep -q "PASSED" "$work/out" && complain "shows the program's output"
[ "$(grep -c '^simtight.* passed ' "$work/out")" -eq 2 ] || complain "has not a row per machine"
grep -q '^  simtight: issued [0-9.]*, ' "$work/out" || complain "does not say where the cycles went"
has "$work/c.json" '"schema": 1'
has "$work/c.json" "\"cycles\": $base"
has "$work/c.json" "\"cycles\": $small"
for text in '<!DOCTYPE html>' 'simtight:lanes=16:warps=32' 'id="cycles"' 'id="lanes"' '</html>'; do
  has "$work/c.html" "$text"
done
grep -Eq '(src|href)="?(http|/)' "$work/c.html" && complain "the HTML refers to other files"

# --set is for all machines, and comes before their own settings; --jobs changes nothing; arguments reach the program.
expect 0 "$SIMTLAB" compare -m simtight,simtight:lanes=32:warps=64 -s lanes=16 -s warps=32 --json - "$program" -j 2 -- small
prints "\"cycles\": $base"
prints "\"cycles\": $small"
prints '"arguments": ['
prints '"small"'
says "lane utilisation"

# A machine on which the program fails has a row, and the worst status is the command's.
expect 3 "$SIMTLAB" compare "$BUILD/bench/MatMul_Float.elf" -m simtight-fp,simtight --json "$work/f.json" --html "$work/f.html"
grep -Eq '^simtight +fault .* - ' "$work/out" || complain "has no row for the fault"
grep -Eq '^simtight-fp +passed ' "$work/out" || complain "has no row for the machine that passes"
says "simtlab: simtight: simtight host CPU, pc 0x"
has "$work/f.json" '"outcome": "fault"'
has "$work/f.json" '"message": "simtight host CPU'
has "$work/f.html" "floating point needs a machine with fpu=true"
expect 4 "$SIMTLAB" compare "$program" -m simtight,simtight:dram.latency=90 --max-cycles 20000
prints "limit"
expect 1 "$SIMTLAB" compare "$program" -m simtight -- enormous
prints "check failed"
says "its output there ended with:"

# Programs beside each other, each on every machine; ratios are to the first run; the page says what was run and how.
expect 0 "$SIMTLAB" compare "$program" "$BUILD/bench/Scan.elf" -m simtight,simty-plus --json "$work/p.json" --html "$work/p.html"
[ "$(grep -c 'passed' "$work/out")" -eq 4 ] || complain "has not a row per run"
python3 - "$work/p.json" "$base" <<'P' || complain "the rows are not those of the programs"
import json, sys
runs = json.load(open(sys.argv[1]))['machines']
assert [(r['program']['file'].split('/')[-1], r['name']) for r in runs] == [
    ('MatMul.elf', 'simtight'), ('MatMul.elf', 'simty-plus'), ('Scan.elf', 'simtight'), ('Scan.elf', 'simty-plus')]
assert runs[0]['cycles'] == int(sys.argv[2]) and runs[0]['cycles_ratio'] == 1
assert abs(runs[2]['cycles_ratio'] - runs[2]['cycles'] / runs[0]['cycles']) < 1e-9
for r in runs:
    assert sum(r['cycles_by_cause'].values()) == r['cycles'], r
P
python3 - "$work/p.json" "$work/out" <<'P' || complain "the mean of the machines is not that of the ratios"
import json, math, sys
c = [r['cycles'] for r in json.load(open(sys.argv[1]))['machines']]
mean = math.sqrt(c[1] / c[0] * c[3] / c[2])
assert f'  simty-plus               {mean:.3f}\n' in open(sys.argv[2]).read(), mean
P
has "$work/p.html" "simtlab compare --machines simtight,simty-plus"
has "$work/p.html" "program hash"
has "$work/p.html" "Where the cycles went"

# A source is compiled for each kind of machine.
cat >"$work/k.c" <<'C'
#include <simt.h>
SIMT_KERNEL(fill, (int *, a))
{
  a[blockIdx.x * blockDim.x + threadIdx.x] = (int)threadIdx.x;
}
int main(void)
{
  int *a = simt_alloc(1024 * sizeof *a);
  return simt_launch(fill, dim3(8), dim3(128), .a = a) != SIMT_OK || a[1023] != 127;
}
C
expect 0 "$SIMTLAB" compare "$work/k.c" -m simtight,simty-plus,simtight-fp,vortex,vortex-simx --json "$work/k.json"
[ "$(grep -c ' passed ' "$work/out")" -eq 5 ] || complain "the source does not run everywhere"
expect 2 "$SIMTLAB" compare "$program" small -m simtight
says "arguments of the programs come after --"

# Usage.
expect 2 "$SIMTLAB" compare "$program"
says "which machines?"
expect 2 "$SIMTLAB" compare -m simtight
says "which program?"
expect 2 "$SIMTLAB" compare "$program" -m simtight,simtigth
says "--machines: "
says "did you mean 'simtight'?"
expect 2 "$SIMTLAB" compare "$program" -m simtight:dram.latncy=1
says "did you mean 'dram.latency'?"
expect 2 "$SIMTLAB" compare "$program" -m simtight,,simtight
says "a name is missing"
for option in --html --json; do
  expect 2 "$SIMTLAB" compare -m simtight $option /dev/full "$program"
  says "/dev/full: cannot be written (No space left on device); its contents are incomplete"
  expect 2 "$SIMTLAB" compare -m simtight $option "$work/none/file" "$program"
  says "cannot be opened for writing"
done
finish
