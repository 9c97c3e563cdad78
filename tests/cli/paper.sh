# simtlab paper: the study's report and its numbers, resumption after an interruption, runs that are not reused, and
# errors.
. "$(dirname "$0")/_lib.sh"
some="--size small --only VecAdd,Reduce,MatMul_Float"

# runs NEW RECORDED: the last command reports these counts.
runs() {
  prints "$1 runs done in"
  prints "0 failed; $2 were recorded before"
}

expect 0 "$SIMTLAB" paper simtight $some --out "$work/a"
silent
runs 24 0
prints "report: $work/a/index.html"
for file in index.html summary.csv figure6.csv figure7.csv figure8-cycles.csv figure8-dram.csv figure8-storage.csv \
  stack-cache.csv figure9.csv figure9.svg; do
  [ -s "$work/a/$file" ] || complain "$file is missing"
done
has "$work/a/index.html" "3 of 16 benchmarks at their small sizes on 8 configurations"
has "$work/a/index.html" "<td>1,202,176</td>"
has "$work/a/figure8-storage.csv" "rfc-512,672256"
has "$work/a/figure8-storage.csv" "rfc-256,407552"
[ "$(wc -l <"$work/a/figure6.csv")" -eq 5 ] || complain "figure6.csv does not have a line per benchmark"

# The figures equal those of the runs: IPC is that of bench.
"$SIMTLAB" bench --only VecAdd --json "$work/bench.json" >/dev/null
ipc=$(sed -n 's/.*"ipc": \([0-9]*\.[0-9]\{3\}\).*/\1/p' "$work/bench.json")
has "$work/a/figure6.csv" "\"VecAdd\",$ipc"

# --jobs and reuse do not change results. The study's own commands give the same.
expect 0 "$SIMTLAB" paper simtight $some --out "$work/b" --jobs 4
for file in summary.csv figure8-dram.csv; do
  same "$work/a/$file" "$work/b/$file" || complain "$file depends on --jobs"
done
expect 0 "$SIMTLAB" paper simtight $some --out "$work/a"
runs 0 24
same "$work/a/summary.csv" "$work/b/summary.csv" || complain "reuse changes the report"
expect 0 "$SIMTLAB" paper simtight --size small --only VecAdd,Scan --out "$work/a"
runs 8 8
study=$BUILD/studies/simtight.yaml
expect 0 "$SIMTLAB" sweep -q --scale small --only VecAdd,Reduce,MatMul_Float -d "$work/own.db" "$study"
expect 0 "$SIMTLAB" report --scale small --only VecAdd,Reduce,MatMul_Float -d "$work/own.db" -o "$work/own/index.html" "$study"
for file in summary.csv figure7.csv figure9.csv; do
  same "$work/own/$file" "$work/b/$file" || complain "$file of the study is another"
done

# Killed after some runs: finished runs are reused.
command="paper, killed"
"$SIMTLAB" paper simtight --size small --jobs 1 --out "$work/killed" >/dev/null 2>&1 &
process=$!
tries=0
while [ ! -s "$work/killed/runs.db" ] && [ $tries -lt 600 ]; do
  sleep 0.02
  tries=$((tries + 1))
done
sleep 0.2
kill -9 $process 2>/dev/null
wait $process 2>/dev/null
expect 0 "$SIMTLAB" paper simtight --size small --out "$work/killed"
awk '/runs done in/ { if ($1 > 128) exit 1; n = 1 } END { exit !n }' "$work/out" ||
  complain "no summary of the runs"

expect 2 "$SIMTLAB" paper
says "which paper?"
expect 2 "$SIMTLAB" paper simtigth
says "unknown paper 'simtigth'; did you mean 'simtight'?"
expect 2 "$SIMTLAB" paper simtight simtight
says "which paper?"
expect 2 "$SIMTLAB" paper simtight --size large
says "--size is small or paper, not 'large'"
expect 2 "$SIMTLAB" paper simtight --only VecSub
says "--only: unknown program 'VecSub'"
expect 2 "$SIMTLAB" paper simtight $some --out ""
says "--out names no folder"
expect 2 "$SIMTLAB" paper simtight $some --out "$work/$(head -c 5000 /dev/zero | tr '\0' x)"
says "the folder's name is longer than 3000 letters"
touch "$work/file"
expect 2 "$SIMTLAB" paper simtight $some --out "$work/file/x"
says "the folder cannot be made (Not a directory)"
expect 0 "$SIMTLAB" paper --help
prints "simtight "

# A full disk for the report, and for standard output.
rm "$work/a/index.html"
ln -s /dev/full "$work/a/index.html"
expect 2 "$SIMTLAB" paper simtight $some --out "$work/a"
says "index.html: cannot be written (No space left on device)"
[ -c /dev/full ] || complain "/dev/full was deleted"
command="paper, standard output full"
"$SIMTLAB" paper simtight $some --out "$work/b" >/dev/full 2>"$work/err"
[ $? -eq 2 ] || complain "exit status is not 2"
says "standard output: cannot be written (No space left on device)"

# A missing program, and one that fails: no report.
mkdir "$work/home"
cp -r "$BUILD/studies" "$work/home/studies"
ln -s "$BUILD/bench" "$work/home/bench"
expect 2 env SIMTLAB_HOME="$work/home" "$SIMTLAB" paper simtight $some --out "$work/c"
says "bench-rv32e/VecAdd.elf"
[ ! -e "$work/c/index.html" ] || complain "writes a report of incomplete runs"

# Sampled: runs have confidence intervals and are recorded by sampling plan. A run that was timed completely is exact.
expect 0 "$SIMTLAB" paper simtight $some --sample 200,500,2000 --out "$work/s"
runs 24 0
prints "sampled (200,500,2000): cycles and timing counters are estimates"
has "$work/s/index.html" "sampled (200,500,2000): cycles and timing counters are estimates"
[ "$(wc -l <"$work/s/samples.csv")" -eq 25 ] || complain "samples.csv does not have a line per run"
grep -q '^baseline,MatMul_Float,[0-9]*,[0-9.]*,[0-9.]*,[1-9]' "$work/s/samples.csv" || complain "samples.csv has no confidence interval"
cp "$work/s/samples.csv" "$work/samples.csv"
expect 0 "$SIMTLAB" paper simtight $some --sample 200,500,2000 --out "$work/s"
runs 0 24
same "$work/s/samples.csv" "$work/samples.csv" || complain "reuse changes samples.csv"
expect 0 "$SIMTLAB" paper simtight $some --sample auto --out "$work/s"
runs 24 0
expect 0 "$SIMTLAB" paper simtight $some --sample 200,500,2000 --out "$work/s"
same "$work/s/samples.csv" "$work/samples.csv" || complain "another plan changes samples.csv"
expect 0 "$SIMTLAB" paper simtight $some --sample auto --out "$work/s"
same "$work/s/figure6.csv" "$work/b/figure6.csv" || complain "a completely timed run is not exact"
expect 0 "$SIMTLAB" paper simtight $some --out "$work/s"
runs 24 0
expect 2 "$SIMTLAB" paper simtight $some --sample 200 --out "$work/s"
says "--sample takes U,W,K or auto"
expect 2 "$SIMTLAB" paper r2d2 --sample auto --out "$work/s"
says "runs of r2d2 cannot be timed in part yet"

expect 0 "$SIMTLAB" show simtight-rfc
prints "register file storage: 672,256 bits (32 % of a plain one's 2,097,152)"
expect 0 "$SIMTLAB" show simtight
prints "register file storage: 2,097,152 bits"
# Hardware results exist for the paper's sizes only: reports at smaller sizes omit them.
expect 0 "$SIMTLAB" paper simtight --size small --only VecAdd,Scan --out "$work/sizes"
prints "paper: at its own sizes, which are larger; RTL: recorded only at those"
awk '/measure/ { on = 1; next } /^paper:/ { on = 0 } on && $NF != "-" { bad = 1 } END { exit bad }' "$work/out" ||
  complain "a hardware number is compared with another size"
grep -q "suite on RTL" "$work/sizes/index.html" && complain "the page compares runs of different sizes"
finish
