# simtlab paper cfm-dmsl: the report and its numbers, resumption after an interruption, runs that are not reused, and
# errors.
. "$(dirname "$0")/_lib.sh"
# gcn_aggr, the only kernel without streams, takes most of the time.
kernels=saxpy,gcn_aggr count=2 all=109
! brief || { kernels=saxpy; count=1; all=80; }
some="--size small --only $kernels"

# runs SIMULATED REUSED: the last command reports these counts.
runs() {
  prints "$1 runs done in"
  prints "0 failed; $2 were recorded before"
}

# value FILE LINE COLUMN: a cell of a CSV file, in the line that begins with LINE.
value() { grep "^$2" "$work/a/$1" | cut -d, -f"$3"; }

# holds EXPRESSION: the numeric expression is true.
holds() { awk "BEGIN { exit !($1) }" || complain "$1 does not hold"; }

expect 0 "$SIMTLAB" paper cfm-dmsl $some --out "$work/a"
runs $all 0
prints "report: $work/a/index.html"
for file in index.html summary.csv table3.csv values.csv runs.csv figure8-shapes.csv figure8-shapes.svg \
  figure8-cores.csv figure7-speedup-slope.csv figure7-instructions-sweep.csv figure7-peak-whole.svg; do
  [ -s "$work/a/$file" ] || complain "$file is missing"
done
has "$work/a/index.html" "$all runs at the small sizes"
has "$work/a/index.html" "GFLOP/s per mm²"
[ "$(wc -l <"$work/a/runs.csv")" -eq $((all + 1)) ] || complain "runs.csv does not have a line per run"
[ "$(wc -l <"$work/a/figure7-speedup-slope.csv")" -eq $((count + 3)) ] || complain "Figure 7 does not have a line per kernel"

# The figures equal the numbers that the programs print.
"$SIMTLAB" run -q -m vortex-simx "$BUILD/bench-vortex/saxpy-plain.elf" 24 >"$work/line"
cycles=$(sed 's/.*kernel cycles \([0-9]*\),.*/\1/' "$work/line")
has "$work/a/runs.csv" "plain,saxpy,24,3072,$cycles,"
"$SIMTLAB" run -q -m vortex-simx-cfm-dmsl --set dcache.ports=2 "$BUILD/bench-vortex/saxpy-cfm-dmsl.elf" 24 >"$work/line"
has "$work/a/runs.csv" "cfm-dmsl-p2,saxpy,24,3072,$(sed 's/.*kernel cycles \([0-9]*\),.*/\1/' "$work/line"),"

# The extensions reduce instructions and cycles.
holds "$(value values.csv 'cfm-dmsl-p2,saxpy,"fewer instructions"' 5) > 9"
holds "$(value values.csv 'cfm-dmsl-p2,saxpy,speed-up' 5) > 6"
holds "$(value values.csv 'cfm-dmsl-p1,saxpy,speed-up' 5) > 4"
brief || holds "$(value values.csv 'cfm,gcn_aggr,"fewer instructions"' 5) > 1.6"
holds "$(value values.csv 'predicated,saxpy,speed-up' 5) == 1"
holds "$(value values.csv 'plain,saxpy,"speed-up over plain"' 5) == 1"
# Instructions per element: twelve without extensions, ten when optimised by hand, one with extensions.
holds "$(value values.csv 'cfm-dmsl-p3,saxpy,"fewer instructions"' 5) > 11.5"
holds "$(value values.csv 'cfm-dmsl-p3,saxpy,"fewer instructions than plain"' 5) < 10.5"

# The average of six is the average of seven without gcn_aggr, which has loops only.
if ! brief; then
  holds "$(value summary.csv '"Speed-up, mean of six' 4) > 2 * $(value summary.csv '"Speed-up of gcn_aggr' 4)"
  holds "$(value summary.csv '"Speed-up, mean of six' 4) > $(value summary.csv '"Speed-up, mean of seven' 4)"
fi

# Reuse does not change results.
cp "$work/a/values.csv" "$work/values.csv"
expect 0 "$SIMTLAB" paper cfm-dmsl $some --out "$work/a"
runs 0 $all
same "$work/a/values.csv" "$work/values.csv" || complain "reuse changes the report"

# Figure 8 omits kernels without streams.
if ! brief; then
  expect 0 "$SIMTLAB" paper cfm-dmsl --size small --only gcn_aggr --out "$work/a"
  runs 0 29
  grep -q "Speed-up of knn  *-  *-  *-  *2.5" "$work/out" || complain "lists a speedup without a run"
fi

expect 2 "$SIMTLAB" paper cfm-dmsl --only sgemmm
says "unknown program 'sgemmm'; did you mean 'sgemm'?"
expect 2 "$SIMTLAB" paper cfm-dmsl --only ""
says "--only names no program"
expect 0 "$SIMTLAB" paper --help
prints "cfm-dmsl "

# A missing program, and a program that does not print its kernel's cycles.
mkdir -p "$work/home/bench-vortex"
cp -r "$BUILD/studies" "$work/home/studies"
expect 2 env SIMTLAB_HOME="$work/home" "$SIMTLAB" paper cfm-dmsl --size small --only saxpy -q --out "$work/c"
says "bench-vortex/saxpy-predicated.elf"
[ ! -e "$work/c/index.html" ] || complain "writes a report of incomplete runs"
for form in predicated plain unroll4 unroll8 cfm cfm-dmsl; do
  cp "$BUILD/bench-vortex/saxpy-$form.elf" "$work/home/bench-vortex/"
done
printf '_start: .insn r 0x0b, 0, 0, x0, x0, x0\n' >"$work/end.s"
riscv64-unknown-elf-gcc -march=rv32imaf_zicsr -mabi=ilp32f -nostdlib -nostartfiles -Wl,-Ttext=0x80000000 \
  -o "$work/home/bench-vortex/saxpy-plain.elf" "$work/end.s" 2>/dev/null
expect 1 env SIMTLAB_HOME="$work/home" "$SIMTLAB" paper cfm-dmsl --size small --only saxpy -q --out "$work/c"
says "no report is written, because it needs every run"
"$SIMTLAB" query "$work/c/runs.db" --sql "select message from run where outcome != 'passed'" >"$work/out"
prints "the program does not print 'kernel cycles {kernel_cycles}"
finish
