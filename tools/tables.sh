#!/bin/sh
# Result tables of docs/results/README.md and docs/papers/simtight.md, generated from the records in docs/results/.
#
#   tables.sh run [BUILD]  runs the measurements with the simtlab of a build folder (default build), renews the records and
#                          writes the pages. Half an hour, unless results/ has the runs
#   tables.sh write        writes the pages from the records
#   tables.sh print [PAGE] prints the page that it would write [docs/results/README.md]
#   tables.sh bench BUILD SIZE [NAME,...]  runs benchmarks and prints their records
#
# A table is the text between the lines `<!-- table NAME -->` and `<!-- end of table -->`. A table without a record is
# unchanged.
set -eu
cd "$(dirname "$0")/.."
records=docs/results
pages="docs/results/README.md docs/papers/simtight.md"

bench() { # BUILD SIZE [NAME,...]: a line per benchmark: name, cycles, thread instructions, IPC, DRAM beats
  COLUMNS=240 "$1/simtlab" bench -q --size "$2" ${3:+--only "$3"} | tr -d , | awk '$3 == "ok" { print $1 "," $4 "," $6 "," $7 "," $8 }'
}

run() { # BUILD
  mkdir -p $records results
  for size in small paper; do
    bench "$1" $size >results/$size.csv
    [ "$(wc -l <results/$size.csv)" -eq 16 ] || { echo "tables: not all benchmarks pass at size $size" >&2; exit 1; }
    cp results/$size.csv $records/$size.csv
  done
  for paper in simtight cfm-dmsl isa64 r2d2; do
    "$1/simtlab" paper $paper -q
    cp results/paper-$paper-paper/summary.csv $records/$paper.csv
  done
  cp results/paper-simtight-paper/suite.csv results/paper-simtight-paper/integer.csv $records/
  cp results/paper-isa64-paper/tiles.csv $records/isa64-tiles.csv
}

# "1234567" as "1,234,567".
grouped='
  function grouped(n, text) {
    for (text = ""; length(n) > 3; n = substr(n, 1, length(n) - 3))
      text = "," substr(n, length(n) - 2) text
    return n text
  }'

benchmarks() { # RECORD
  echo "| benchmark | cycles | thread instructions | IPC | DRAM beats |"
  echo "|---|--:|--:|--:|--:|"
  awk -F, "$grouped"'
    { printf "| [%s](../../bench/%s/README.md) | %s | %s | %s | %s |\n", $1, $1, grouped($2), grouped($3), $4, grouped($5) }' "$1"
}

# The following functions read a summary into value[measure, column] and define the row names.
summary=$grouped'
  { name = $0; sub(/^"/, "", name); rest = name; sub(/".*/, "", name); sub(/^[^"]*",/, "", rest)
    columns = split(rest, v, ","); for (i = 1; i <= columns; i++) value[name, i] = v[i] }
  # "12.3 %", with the sign for differences, and fewer digits for large values.
  function percent(name, column, sign) {
    if (value[name, column] == "") return ""
    if (value[name, column] < 0.05 && value[name, column] > -0.05) return "0.0 %"
    return sprintf((sign ? "%+" : "%") (value[name, column] >= 99.5 ? ".0f" : ".1f") " %%", value[name, column])
  }
  function three(what, column,  i, text, n) {
    n = split("1024 512 256", slots, " ")
    for (i = 1; i <= n; i++)
      text = text (i > 1 ? " / " : "") percent(what " with " slots[i] " slots", column, 1)
    return text
  }
  function row(title, name, sign) {
    print "| " title " | " percent(name, 1, sign) " | " percent(name, 2, sign) " | " percent(name, 3, sign) " |"
  }'

simtight() { # RECORD
  cat <<'T'
| measure | simtlab | paper | RTL |
|---|--:|--:|--:|
| register file storage with 1024 / 512 / 256 slots, Kbit (plain: 2,097) | 1,202 / 672 / 407 | 1,202 / 672 / 407 | |
T
  awk "$summary"'
    END {
      row("registers held as vectors at most", "Registers held as vectors at most", 0)
      print "| cycles with 1024 / 512 / 256 slots | " three("Cycles", 1) " | " three("Cycles", 2) " | " three("Cycles", 3) " |"
      print "| DRAM traffic with 1024 / 512 / 256 slots | " three("DRAM traffic", 1) " | " three("DRAM traffic", 2) " | " \
        percent("DRAM traffic with 256 slots", 3, 1) " (256) |"
      row("RV32E instead: cycles", "Cycles with RV32E", 1)
      row("RV32E instead: DRAM traffic", "DRAM traffic with RV32E", 1)
      row("DRAM traffic saved by the stack cache", "DRAM traffic saved by the stack cache", 0)
      row("instructions scalarised", "Instructions scalarised", 0)
      row("cycles saved by parallel pipelines", "Cycles saved by parallel pipelines", 0)
      row("time saved, at the paper\047s clock rates", "Time saved by parallel pipelines", 0)
    }' "$1"
}

integer() { # RECORD
  cat <<'T'
| geometric mean of 14 | suite on RTL | simtlab | paper (16) |
|---|--:|--:|--:|
T
  awk "$summary"'
    function two(name, column) { return sprintf("%.1f", value[name, column]) }
    function rates(column) {
      return two("Thread instructions per cycle", column) ", " two("The same with parallel pipelines", column)
    }
    function spilling(column) {
      return percent("Cycles with 512 slots", column, 1) " / " percent("Cycles with 256 slots", column, 1)
    }
    END {
      print "| IPC, with parallel pipelines | " rates(1) " | " rates(2) " | |"
      print "| cycles with 512 / 256 slots | " spilling(1) " | " spilling(2) " | " spilling(3) " |"
      row("cycles with RV32E", "Cycles with RV32E", 1)
      row("instructions scalarised", "Instructions scalarised", 0)
      row("cycles saved by parallel pipelines", "Cycles saved by parallel pipelines", 0)
      row("DRAM traffic saved by the stack cache", "DRAM traffic saved by the stack cache", 0)
    }' "$1"
}

cfm_dmsl() { # RECORD
  cat <<'T'
| measure | simtlab, mean over the sweep | as slope over the sweep | paper |
|---|--:|--:|--:|
T
  awk "$summary"'
    function times(title, name, paper) {
      printf "| %s | %.2f | %.2f | %s |\n", title, value[name, 1], value[name, 2], paper == "" ? value[name, 4] : paper
    }
    END {
      times("speedup with loops, streams and 3 ports, six kernels", "Speed-up, mean of six kernels", "")
      times("instruction reduction, six kernels", "Fewer instructions, mean of six", "")
      times("speedup over loops optimised by hand, six kernels", "Speed-up over hand-optimised, six", "")
      times("speedup, with gcn_aggr", "Speed-up, mean of seven", "7.0 (mean of its numbers)")
      printf "| share of peak, seven kernels | %.1f %% | %.1f %% | 50 %%; 36 %% by Table III |\n",
        value["Share of peak (%), mean of seven", 1], value["Share of peak (%), mean of seven", 2]
      without = "GFLOP/s without extensions"; with = "GFLOP/s, loops, streams, 3 ports"
      printf "| GFLOP/s at 800 MHz without and with | %.2f and %.2f | %.2f and %.2f | %s and %s |\n", value[without, 1],
        value[with, 1], value[without, 2], value[with, 2], value[without, 4], value[with, 4]
      fast = "Speed-up of gcn_aggr, loops only"; fewer = "Fewer of gcn_aggr, loops only"
      printf "| gcn_aggr, loops only: speedup, instruction reduction | %.2f, %.2f | %.2f, %.2f | %s, %s |\n",
        value[fast, 1], value[fewer, 1], value[fast, 2], value[fewer, 2], value[fast, 4], value[fewer, 4]
    }' "$1"
}

isa64() { # RECORD RECORD-OF-TILES
  cat <<'T'
| measure | simtlab: 32 registers | 128, unaware | 128, first-fit | 128, by cost | paper's three |
|---|--:|--:|--:|--:|--:|
T
  grep '^8,words,' "$2" | cat "$1" - | awk "$summary"'
    /^8,words,/ { split($0, v, ","); tile[++tiles] = grouped(v[9]) ", " grouped(v[10]) }
    function number(name, column, thousands) {
      return grouped(thousands ? sprintf("%.0f", value[name, column] / 1000) : value[name, column])
    }
    function line(title, name, thousands,  i) {
      printf "| %s |", title
      for (i = 2; i <= 5; i++) printf " %s |", number(name, i, thousands)
      printf " %s / %s / %s |\n", number(name, 6, thousands), number(name, 7, thousands), number(name, 8, thousands)
    }
    function both(i) { return number("gemm, loads of the stack", i) ", " number("gemm, stores of the stack", i) }
    END {
      line("bank conflicts", "gemm, bank conflicts", 0)
      line("conflicts in the code", "gemm, conflicts in the code", 0)
      line("register reads, thousand", "gemm, register reads", 1)
      printf "| stack loads and stores |"
      for (i = 2; i <= 5; i++) printf " %s |", both(i)
      printf " %s / %s / %s |\n", both(6), both(7), both(8)
      printf "| the same, tile of 8 x 8 |"
      for (i = 1; i <= 4; i++) printf " %s |", tile[i]
      print " |"
    }'
}

table() { # NAME
  case $1 in
  small | paper) benchmarks "$records/$1.csv" ;;
  simtight) simtight "$records/$1.csv" ;;
  isa64) isa64 "$records/isa64.csv" "$records/isa64-tiles.csv" ;;
  cfm-dmsl) cfm_dmsl "$records/$1.csv" ;;
  integer) integer "$records/$1.csv" ;;
  *) echo "tables: a page has a table '$1' that nobody makes" >&2; return 1 ;;
  esac
}

print() { # PAGE
  inside=
  while IFS= read -r line; do
    case $line in '<!-- end of table -->') inside= ;; esac
    [ -n "$inside" ] || printf '%s\n' "$line"
    case $line in
    '<!-- table '*)
      name=${line#<!-- table } name=${name% -->}
      [ ! -e "$records/$name.csv" ] || { table "$name"; inside=1; }
      ;;
    esac
  done <"$1"
}

write() {
  for page in $pages; do
    print "$page" >"$page.new"
    mv "$page.new" "$page"
  done
}

case ${1:-} in
run) run "${2:-build}" && write ;;
write) write ;;
print) print "${2:-docs/results/README.md}" ;;
bench) bench "$2" "$3" "${4:-}" ;;
*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
