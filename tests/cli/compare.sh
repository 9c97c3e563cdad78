# simtlab compare prints the numbers of simtlab run in every output format, and one row per machine even if a run fails.
. "$(dirname "$0")/_lib.sh"
program=$BUILD/bench/MatMul.elf

# cycles FILE: cycles of all launches in the statistics of simtlab run.
cycles() { sed -n '/"totals"/,$p' "$1" | sed -n '/"cycles": {/,/}/s/.*"value": \([0-9]*\).*/\1/p' | head -1; }

expect 0 "$SIMTLAB" run -q --stats "$work/run.json" "$program"
base=$(cycles "$work/run.json")
expect 0 "$SIMTLAB" run -q -s lanes=16 -s warps=32 --stats "$work/run.json" "$program"
small=$(cycles "$work/run.json")

# In a pipe there is no progress display. The table goes to standard output; the program's own output is discarded.
expect 0 "$SIMTLAB" compare "$program" -m simtight,simtight:lanes=16:warps=32 --json "$work/c.json" --html "$work/c.html"
silent
prints "memory transactions"
prints "simtight:lanes=16:warps=32"
prints "1.000"
grep -q "PASSED" "$work/out" && complain "shows the program's output"
[ "$(grep -c '^simtight.* passed ' "$work/out")" -eq 2 ] || complain "does not have a row per machine"
grep -q '^  simtight: issued [0-9.]*, ' "$work/out" || complain "does not attribute cycles to stall reasons"
has "$work/c.json" '"schema": 1'
has "$work/c.json" "\"cycles\": $base"
has "$work/c.json" "\"cycles\": $small"
for text in '<!DOCTYPE html>' 'simtight:lanes=16:warps=32' 'id="cycles"' 'id="lanes"' '</html>'; do
  has "$work/c.html" "$text"
done
grep -Eq '(src|href)="?(http|/)' "$work/c.html" && complain "the HTML refers to other files"

# --set applies to all machines, before their own settings. --jobs does not change results. Arguments reach the program.
expect 0 "$SIMTLAB" compare -m simtight,simtight:lanes=32:warps=64 -s lanes=16 -s warps=32 --json - "$program" -j 2 -- small
prints "\"cycles\": $base"
prints "\"cycles\": $small"
prints '"arguments": ['
prints '"small"'
says "lane utilisation"

# A machine on which the program fails has a row. The command returns the worst status.
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

# Several programs, each on every machine. Ratios are to the same program on the first machine. The page lists the
# programs and options.
expect 0 "$SIMTLAB" compare "$program" "$BUILD/bench/Scan.elf" -m simtight,simty-plus --json "$work/p.json" --html "$work/p.html"
[ "$(grep -c 'passed' "$work/out")" -eq 4 ] || complain "does not have a row per run"
python3 - "$work/p.json" "$base" <<'P' || complain "the rows do not match the programs"
import json, sys
runs = json.load(open(sys.argv[1]))['machines']
assert [(r['program']['file'].split('/')[-1], r['name']) for r in runs] == [
    ('MatMul.elf', 'simtight'), ('MatMul.elf', 'simty-plus'), ('Scan.elf', 'simtight'), ('Scan.elf', 'simty-plus')]
assert runs[0]['cycles'] == int(sys.argv[2]) and runs[0]['cycles_ratio'] == 1
assert runs[2]['cycles_ratio'] == 1
assert abs(runs[3]['cycles_ratio'] - runs[3]['cycles'] / runs[2]['cycles']) < 1e-9
for r in runs:
    assert sum(r['cycles_by_cause'].values()) == r['cycles'], r
P
python3 - "$work/p.json" "$work/out" <<'P' || complain "the mean is not the mean of the ratios"
import json, math, sys
c = [r['cycles'] for r in json.load(open(sys.argv[1]))['machines']]
mean = math.sqrt(c[1] / c[0] * c[3] / c[2])
assert f'  simty-plus               {mean:.3f}\n' in open(sys.argv[2]).read(), mean
P
has "$work/p.html" "simtlab compare --machines simtight,simty-plus"
has "$work/p.html" "program hash"
has "$work/p.html" "Where the cycles went"

# The greatest number of runs succeeds, with a page; one more is an error.
many=simtight
for i in $(seq 63); do many=$many,simtight:dram.latency=$i; done
expect 0 "$SIMTLAB" compare "$program" -m "$many" --jobs 2 --json "$work/many.json" --html "$work/many.html"
python3 - "$work" <<'P' || complain "not all runs are in both files"
import json, sys
page = open(sys.argv[1] + '/many.html').read()
assert len(json.load(open(sys.argv[1] + '/many.json'))['machines']) == 64
assert all(page.count('latency=%d' % i) > 2 for i in range(1, 64))
P
expect 2 "$SIMTLAB" compare "$program" -m "$many,simty-plus"
says "more than 64 machines"
programs=$(for i in $(seq 64); do echo "$program"; done)
# shellcheck disable=SC2086
expect 0 "$SIMTLAB" compare $programs -m simtight --html "$work/many.html"
# shellcheck disable=SC2086
expect 2 "$SIMTLAB" compare $programs "$program" -m simtight
says "more than 64 runs"

# Labels of charts keep the program and the machine.
cp "$program" "$work/a_program_with_a_name_of_many_letters.elf"
expect 0 "$SIMTLAB" compare "$work/a_program_with_a_name_of_many_letters.elf" "$program" \
  -m simtight:dram.latency=40,simtight:dram.latency=50 --html "$work/l.html"
python3 - "$work/l.html" <<'P' || complain "a label does not match its run"
import re, sys
labels = re.findall(r'rotate\(-40\)"[^>]*>([^<]*)<', open(sys.argv[1]).read())[:4]
assert len(set(labels)) == 4 and all(len(l) <= 24 for l in labels), labels
assert [l[:3] for l in labels] == ['a_p', 'a_p', 'Mat', 'Mat'] and [l[-2:] for l in labels] == ['40', '50'] * 2, labels
P

# A path that fills the terminal's width.
long=$work/$(printf 'p%.0s' $(seq $((79 - ${#work} - 5)))).elf
cp "$program" "$long"
COLUMNS=80 "$SIMTLAB" compare "$long" "$program" -n 2 -m simtight,simty-plus >"$work/out" 2>&1 || complain "fails"
awk 'length > 80 { exit 1 }' "$work/out" || complain "has a line of more than 80 columns"

# compare compiles a source file for each kind of machine.
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
