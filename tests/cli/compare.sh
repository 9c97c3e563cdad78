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
[ "$(wc -l <"$work/out")" -eq 3 ] || complain "has not a row per machine"
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
  says "/dev/full: cannot be written (No space left on device); what is there is incomplete"
  expect 2 "$SIMTLAB" compare -m simtight $option "$work/none/file" "$program"
  says "cannot be opened for writing"
done
finish
