# simtlab bench: results do not depend on --jobs; float benchmarks get an FPU; JSON follows its documentation.
. "$(dirname "$0")/_lib.sh"
names=VecAdd,Reduce,Transpose,MatMul_Float

expect 0 "$SIMTLAB" bench --only "$names" --json "$work/a.json"
prints "geometric mean"
prints "results: $work/a.json"
silent
grep -q '^MatMul_Float *simtight-fp *ok' "$work/out" || complain "MatMul_Float does not run with an FPU"
expect 0 "$SIMTLAB" bench --only "$names" --jobs 4 --json "$work/b.json"
without_host() { sed '/"host": {/,/}/d' "$1" | grep -Ev '"(host_seconds|total_seconds|cycles_per_second|thread_instrs_per_second)":'; }
without_host "$work/a.json" >"$work/a"
without_host "$work/b.json" >"$work/b"
cmp -s "$work/a" "$work/b" || complain "results differ under --jobs"
for text in '"schema": 1' '"benchmarks": [' '"size": "small"' '"ok": true' '"dram_beats":' '"cycles_per_second":'; do
  has "$work/a.json" "$text"
done

# Functional execution leaves the same memory.
expect 0 "$SIMTLAB" bench --fast --only "$names" --json "$work/c.json"
grep '"memory_hash"' "$work/a.json" >"$work/a"
grep '"memory_hash"' "$work/c.json" >"$work/c"
cmp -s "$work/a" "$work/c" || complain "memory differs between cycle mode and --fast"

# Variants run only on request. Each follows its benchmark, or is selected by name.
expect 0 "$SIMTLAB" bench -q --fast --variants
[ "$(grep -c ' ok ' "$work/out")" -eq 32 ] || complain "not sixteen benchmarks and as many variants"
grep -A 1 '^Scan ' "$work/out" | grep -q '^Scan-variant .* ok ' || complain "Scan-variant is not behind Scan"
expect 0 "$SIMTLAB" bench -q --fast --only Reduce-variant
[ "$(grep -c ' ok ' "$work/out")" -eq 1 ] || complain "a variant selected by name does not run alone"

expect 4 "$SIMTLAB" bench --only VecAdd --max-cycles 100 --json "$work/d.json"
has "$work/d.json" '"outcome": "limit"'
expect 2 "$SIMTLAB" bench --only VecAdd --json /dev/full
says "cannot be written"
expect 0 "$SIMTLAB" bench -q --only VecAdd --json -
prints '"schema": 1'
says "geometric mean"
command="bench without its programs"
SIMTLAB_HOME=$work "$SIMTLAB" bench --only VecAdd >"$work/out" 2>"$work/err"
[ $? -eq 2 ] || complain "exit status is not 2"
says "SIMTLAB_HOME"
finish
