#!/bin/sh
# Cost of compiler-inserted annotations compared with those in the source, as the tables of
# docs/explanation/convergence.md. SIMTight runs the variants of the sixteen benchmarks at their small sizes (cycles of
# the launches). Vortex runs the plain variants of its benchmarks (cycles of the kernel). The optional argument is a
# build folder with all programs; default build.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
simtlab=$build/simtlab
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

row() { # NAME GCC CLANG AUTO
  echo "$@" | awk '{ printf "| %s | %d | %d | %d | %.3f | %.3f |\n", $1, $2, $3, $4, $4 / $2, $4 / $3 }'
}
head_of() {
  echo "| $1 | by hand, GCC | by hand, Clang | auto | auto / GCC | auto / Clang |"
  echo "|---|--:|--:|--:|--:|--:|"
}
means() { # of the last two columns
  awk -F'|' '/\|/ { print } $6 > 0 { n++; g += log($6); c += log($7) }
    END { printf "| geometric mean | | | | %.3f | %.3f |\n", exp(g / n), exp(c / n) }'
}

cycles() { # MACHINE PROGRAM: of all launches
  "$simtlab" run -q -m "$1" --stats "$work/stats" "$2" small >/dev/null 2>&1
  python3 -c 'import json, sys; print(sum(l["counters"]["cycles"]["value"] for l in json.load(open(sys.argv[1]))["launches"]))' \
    "$work/stats"
}
head_of SIMTight
for folder in bench/*/; do
  name=$(basename "$folder")
  [ -e "$folder/$name-variant.c" ] || continue
  machine=simtight fp=
  case $name in *_Float) machine=simtight-fp fp=--fp ;; esac
  # shellcheck disable=SC2086
  "$simtlab" cc $fp --clang -o "$work/clang.elf" "$folder/$name-variant.c"
  # shellcheck disable=SC2086
  "$simtlab" cc $fp --marks=auto -o "$work/auto.elf" "$folder/$name-variant.c"
  row "$name" "$(cycles $machine "$build/bench/$name-variant.elf")" "$(cycles $machine "$work/clang.elf")" \
    "$(cycles $machine "$work/auto.elf")"
done | means

kernel_cycles() { "$simtlab" run -q -m "$1" --set divergent_branch.faults=true "$2" | sed -n 's/.*kernel cycles \([0-9]*\),.*passed/\1/p'; }
for machine in vortex vortex-simx; do
  echo
  head_of $machine
  for name in saxpy sgemv sgemm knn sfilter conv2d gcn_aggr; do
    more=
    [ $name = gcn_aggr ] && more=$build/bench-vortex/gcn_graphs.S
    compiled() {
      output=$1
      shift
      # shellcheck disable=SC2086
      "$simtlab" cc --target vortex "$@" -o "$work/$output.elf" "bench-vortex/$name/$name.c" $more
    }
    compiled gcc --marks=user
    compiled clang --marks=user --clang
    compiled auto --marks=auto
    row $name "$(kernel_cycles $machine "$work/gcc.elf")" "$(kernel_cycles $machine "$work/clang.elf")" \
      "$(kernel_cycles $machine "$work/auto.elf")"
  done | means
done
