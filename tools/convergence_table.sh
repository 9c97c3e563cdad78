#!/bin/sh
# Cycles and lane utilisation of the benchmarks with and without reconvergence annotations, by reconvergence scheme, as
# Markdown tables: one per compiler and optimisation level.
#
# usage: tools/convergence_table.sh [COMPILER-LEVEL]...    such as gcc-O2; without: gcc and clang at -O0, -O2, -Os
#
# BUILD is the build folder (build), SIZE the problem size (small).
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
size=${SIZE:-small}
simtlab=$build/simtlab
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -x "$simtlab" ] || { echo "$simtlab is missing: make builds it" >&2; exit 2; }
[ $# -gt 0 ] || set -- gcc-O0 gcc-O2 gcc-Os clang-O0 clang-O2 clang-Os

# rows PROGRAM MACHINE: prints "cycles utilisation" of each scheme, a dash where the program does not pass.
rows() {
  "$simtlab" compare -q "$1" -m "$2:convergence=nesting,$2:convergence=depth-pc,$2:convergence=sorted-paths" \
    --max-cycles 200000000 -- "$size" 2>/dev/null >"$work/table" || true
  awk 'NR > 1 { gsub(",", "", $3); print ($2 == "passed" ? $3 " " $(NF - 2) : "- -") }' "$work/table"
}

# compiled NAME OPTION...: compiles a benchmark.
compiled() {
  name=$1
  shift
  case $name in *_Float) set -- --fp "$@" ;; esac
  "$simtlab" cc "$@" -o "$work/$name.elf" "bench/$name/$name-variant.c"
}

table() {
  compiler=
  [ "${1%%-*}" = gcc ] || compiler=--clang
  : >"$work/all"
  for folder in bench/*/; do
    name=$(basename "$folder")
    [ -f "$folder/$name.c" ] || continue
    machine=simtight
    case $name in *_Float) machine=simtight-fp ;; esac
    compiled "$name" $compiler "-${1#*-}"
    with=$(rows "$work/$name.elf" "$machine")
    compiled "$name" --no-marks $compiler "-${1#*-}"
    without=$(rows "$work/$name.elf" "$machine")
    echo "$name" $with $without >>"$work/all"
  done
  awk -v title="$1" '
    function cell(i) { return $i == "-" ? "fault" : $i " (" $(i + 1) " %)" }
    BEGIN {
      print "| " title " | marks: nesting | depth-pc | sorted-paths | no marks: nesting | depth-pc | sorted-paths |"
      print "|---|--:|--:|--:|--:|--:|--:|"
    }
    {
      line = "| " $1
      for (c = 0; c < 6; c++) {
        line = line " | " cell(2 + 2 * c)
        if ($(2 + 2 * c) != "-") { ratio[c] += log($(2 + 2 * c) / $2); lanes[c] += $(3 + 2 * c); n[c]++ }
      }
      print line " |"
    }
    END {
      line = "| of those that pass: number, cycles by the first, mean utilisation"
      for (c = 0; c < 6; c++)
        line = line sprintf(" | %d, %.3f, %.1f %%", n[c], n[c] ? exp(ratio[c] / n[c]) : 0, n[c] ? lanes[c] / n[c] : 0)
      print line " |"
    }' "$work/all"
  echo
}

for what; do
  table "$what"
done
