# simtlab paper isa64: facts that the report's numbers must show, programs that are built once, wrong results, missing
# tools.
. "$(dirname "$0")/_lib.sh"
for tool in clang-19 llc-19 llvm-objcopy-19; do
  command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
some="--size small --only gemm,saxpy"

# runs SIMULATED REUSED: the last command reports these counts.
runs() {
  prints "$1 runs done in"
  prints "0 failed; $2 were recorded before"
}

# value FILE LINE COLUMN: a cell of a CSV file, in the line that begins with LINE.
value() { grep "^$2" "$work/a/$1" | cut -d, -f"$3"; }

# holds EXPRESSION: the numeric expression is true.
holds() { awk "BEGIN { exit !($1) }" || complain "$1 does not hold"; }

made=$work/a/runs.db.programs
expect 0 "$SIMTLAB" paper isa64 $some --out "$work/a"
runs 20 0
prints "report: $work/a/index.html"
COLUMNS=80 "$SIMTLAB" report --scale small --database "$work/a/runs.db" --output "$work/a/index.html" \
  "$BUILD/studies/isa64.yaml" | grep -v '^report' >"$work/out"
awk 'length($0) > 80 { bad = 1 } END { exit bad }' "$work/out" || complain "lines above 80 columns"
for file in index.html summary.csv kernels.csv figure2.csv figure3.svg figure4.csv kernels-time.svg kernels-banks.csv \
  runs.db.programs/gemm-cost.elf runs.db.programs/saxpy-first-fit-r32-b4.elf; do
  [ -s "$work/a/$file" ] || complain "$file is missing"
done
[ ! -e "$work/a/tiles.csv" ] || complain "has a table without runs"
has "$work/a/index.html" "20 runs at the small sizes"

# The paper's claims: reads of registers with known banks have no conflicts; stock code spills.
conflicts='"gemm, bank conflicts"'
holds "$(value summary.csv "$conflicts" 7) == 0" # cost; the commas in names count
holds "2 * $(value summary.csv "$conflicts" 6) <= $(value summary.csv "$conflicts" 5)"
holds "$(value summary.csv '"gemm, conflicts in the code"' 7) == 0"
holds "$(value summary.csv '"gemm, loads of the stack"' 4) > 1000"
holds "$(value summary.csv '"gemm, loads of the stack"' 6) == 0"
# Stock code executes more instructions only because it spills.
stock=$(value summary.csv '"gemm, lane instructions"' 4) cost=$(value summary.csv '"gemm, lane instructions"' 7)
holds "$cost <= $stock && $stock < 1.01 * $cost"

# The figures equal the machine's, whose counts do not depend on the contents of the buffers.
"$SIMTLAB" run -q -m cyclotron --stats "$work/stats" "$made/gemm-unaware.elf"
counted=$(sed -n '/"bank_conflicts"/,/"value"/s/.*"value": \([0-9]*\).*/\1/p' "$work/stats" | head -1)
[ "$counted" = "$(value summary.csv "$conflicts" 5)" ] || complain "the machine counts $counted conflicts"

# Table 1 counts the listing's instructions with three registers, marked by their bank.
listed=$("$SIMTLAB" disasm "$made/gemm-unaware.elf" | grep '# bank' |
  grep -c '	[a-z]*	[a-z0-9]*,[a-z0-9]*,[a-z][a-z0-9]*  #')
holds "$listed == $(value summary.csv '"gemm, conflicts in the code"' 5)"

# A machine with one bank has a conflict for every pair; the kernels assume four banks.
holds "$(value kernels.csv saxpy,saxpy-cost-r128-b4 9) < $(value kernels.csv saxpy,saxpy-cost-r128-b1 9)"
holds "$(value kernels.csv saxpy,saxpy-rv32-b4 6) > 0"

# --jobs and reuse do not change results. Existing programs are not compiled again.
cp "$work/a/index.html" "$work/first.html"
mkdir "$work/b"
brief && cp -r "$made" "$work/b/"
expect 0 "$SIMTLAB" paper isa64 $some --out "$work/b" --jobs 4
runs 20 0
for file in summary.csv kernels.csv figure3.svg; do
  same "$work/a/$file" "$work/b/$file" || complain "$file depends on --jobs"
done
touch "$work/before"
expect 0 env PATH=/nonexistent "$SIMTLAB" paper isa64 $some --out "$work/a"
runs 0 20
same "$work/a/index.html" "$work/first.html" || complain "reuse changes the report"

# A program that is lost, and one of other sources, are built again; the latter is run again.
mkdir -p "$work/home"
cp -rL "$BUILD/runtime" "$BUILD/bench-isa64" "$BUILD/studies" "$work/home/"
rm "$made/gemm-cost.elf"
expect 0 "$SIMTLAB" paper isa64 --size small --only gemm --out "$work/a"
runs 0 4
[ "$made/gemm-cost.elf" -nt "$work/before" ] || complain "a lost program is not built"
[ ! "$made/gemm-stock.elf" -nt "$work/before" ] || complain "a program is built for nothing"
sed -i 's/= sum\[i\]\[j\]/= sum[i][j] + (i + j == 3)/' "$work/home/bench-isa64/gemm.c"
expect 1 env SIMTLAB_HOME="$work/home" "$SIMTLAB" paper isa64 --size small --only gemm -q --out "$work/a"
says "no report is written"
"$SIMTLAB" query "$work/a/runs.db" --sql "select distinct message from run where outcome != 'passed'" >"$work/out"
prints "1024 of 4096 results are wrong; the first at 0xc000000c is 0x"

# A missing tool is reported once.
mkdir "$work/bin"
for tool in sh rm grep cat sed mv; do ln -s "$(command -v $tool)" "$work/bin/"; done
expect 2 env PATH="$work/bin" "$SIMTLAB" paper isa64 $some --out "$work/c"
says "isa64.yaml:"
says "clang-19"
[ "$(grep -c clang-19 "$work/err")" -eq 1 ] || complain "says more than once that clang-19 is missing"
expect 2 "$SIMTLAB" paper isa64 --only gem --out "$work/c"
says "unknown program 'gem'; did you mean 'gemm'?"
expect 2 "$SIMTLAB" paper isa64 --only "" --out "$work/c"
says "--only names no program"
expect 0 "$SIMTLAB" paper --help
prints "isa64 "
brief && finish

# Beyond the paper: 128 registers hold tiles that 32 do not, of integers and of floats.
expect 0 "$SIMTLAB" paper isa64 --size small --only words,floats,blocks,steps -q --out "$work/a"
stack() { awk -F, -v at="$1" '$1","$2","$3 == at { print $9 + $10 }' "$work/a/$2"; }
holds "$(stack 8,words,stock tiles.csv) > 400000"
holds "$(stack 8,words,cost tiles.csv) <= 1300"
holds "$(stack 6,floats,stock tiles.csv) > 100000"
holds "$(stack 6,floats,first-fit tiles.csv) == 8" # the return address, of the warp that begins
# Code that fills the registers is faster with caller-saved registers; code that keeps values over calls is faster with
# callee-saved ones.
holds "$(stack blocks,cost,none calls.csv) < $(stack blocks,cost,32-127 calls.csv)"
holds "$(stack steps,cost,none calls.csv) > 10 * $(stack steps,cost,48-95 calls.csv)"
finish
