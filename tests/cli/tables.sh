# tools/tables.sh formats the tables of docs/results/README.md and docs/papers/simtight.md from the records. The records
# equal actual runs: all benchmarks at their small sizes, the quick ones at the paper's.
. "$(dirname "$0")/_lib.sh"
records=$SOURCE/docs/results
tables=$SOURCE/tools/tables.sh
quick=VecAdd,Histogram,Reduce,Transpose
chosen="^\"?(VecAdd|Histogram|Reduce|Transpose)\"?,"

same() { cmp -s "$1" "$2" || { complain "$3; run make tables"; diff "$1" "$2" | head -6; }; }

expect 0 sh "$tables" print
same "$work/out" "$SOURCE/docs/results/README.md" "docs/results/README.md has other tables than the records give"
cp "$work/out" "$work/results"
expect 0 sh "$tables" print docs/papers/simtight.md
same "$work/out" "$SOURCE/docs/papers/simtight.md" "docs/papers/simtight.md has other tables than the records give"
grep -q "^| cycles with RV32E | +9.2 % |" "$work/out" || complain "no mean of the suite's fourteen integer programs"
for name in small paper simtight cfm-dmsl isa64; do
  grep -q "^<!-- table $name -->" "$SOURCE/docs/results/README.md" || complain "docs/results/README.md has no table $name"
done
[ "$(grep -c '](../../bench/.*/README.md) | [0-9,]* | ' "$work/results")" -eq 32 ] || complain "not sixteen benchmarks at both sizes"

expect 0 sh "$tables" bench "$BUILD" small
same "$work/out" "$records/small.csv" "other figures at the small sizes than recorded"

# The summary is the mean of the benchmarks.
awk -F, 'NR > 1 && $9 != "" { n++; sum += log(1 - $9 / 100) } END { printf "%.3f\n", 100 * (1 - exp(sum / n)) }' \
  "$records/suite.csv" >"$work/mean"
awk -F, '/^"Cycles saved by parallel/ { printf "%.3f\n", $2 }' "$records/simtight.csv" >"$work/summary"
same "$work/mean" "$work/summary" "the summary of the paper is not the mean of the benchmarks recorded"

if ! brief; then
  expect 0 sh "$tables" bench "$BUILD" paper "$quick"
  grep -E "$chosen" "$records/paper.csv" >"$work/recorded"
  same "$work/out" "$work/recorded" "other figures at the paper's sizes than recorded"
  expect 0 "$SIMTLAB" paper simtight -q --only "$quick" --out "$work/report"
  grep -E "$chosen" "$work/report/suite.csv" >"$work/rows"
  grep -E "$chosen" "$records/suite.csv" >"$work/recorded"
  same "$work/rows" "$work/recorded" "other figures of the paper's benchmarks than recorded"
fi
finish
