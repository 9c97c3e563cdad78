#!/bin/sh
# Runs random programs on random machines, kills them at a random time while they save checkpoints, and goes on from the last
# one: what that comes to must be what an uninterrupted run comes to, by all counters and the memory.
#
# Usage: tools/soak.sh [SECONDS [SEED]], by default 7200 seconds. BUILD is the build folder; of a sanitized build
# (build-sanitize of `make check`) the command in it is sanitized too. SEED makes the same choices again, but for the moment
# of the kill. Programs are the bundled ones: benchmarks of SIMTight and Simty, kernels of Vortex in all forms.
# Exit status 1: something differed, crashed or did not end; the command lines are printed.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd -P)
build=$(cd "${BUILD:-$source/build}" && pwd -P)
[ -x "$build/simtlab" ] || { echo "soak: $build has no simtlab; run make, or set BUILD" >&2; exit 2; }
seconds=${1:-7200}
state=${2:-$(date +%s)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
begun=$(date +%s)
rounds=0 killed=0 restored=0 failures=0
echo "soak: seed $state, $seconds s, $build/simtlab: $("$build/simtlab" --version)"

# choose WORD...: sets $choice to one of the words.
choose() {
  state=$(((state * 1103515245 + 12345) % 2147483648))
  shift $((state / 65536 % $#))
  choice=$1
}

# A machine with keys, in $machine, and a program with its argument, in $program.
hosted() {
  choose simtight simtight simtight-rfc simtight-rfc-pp simtight-rfc-pp-sb simty-plus
  machine="-m $choice"
  case $choice in
  simtight-rfc*) choose 256 384 512 && machine="$machine --set registers.slots=$choice" ;;
  esac
  choose 1 30 77 200 && machine="$machine --set dram.latency=$choice"
  choose VecAdd Histogram Reduce Scan Transpose MatVecMul BitonicSortSmall SparseMatVecMul StripedStencil VecGCD
  program="$build/bench/$choice.elf small"
}

vortex() {
  choose vortex vortex-simx
  kind=$choice
  choose plain predicated unroll4 cfm cfm-dmsl
  case $choice in
  cfm) kind=$kind-cfm ;;
  cfm-dmsl) kind=$kind-cfm-dmsl ;;
  esac
  form=$choice
  machine="-m $kind"
  choose 1 2 4 && machine="$machine --set cores=$choice"
  choose false true && machine="$machine --set l2=$choice"
  choose 1 2 3 4 && machine="$machine --threads $choice"
  choose saxpy sfilter conv2d knn
  program="$build/bench-vortex/$choice-$form.elf"
}

fail() {
  failures=$((failures + 1))
  echo "soak: FAILED in round $rounds: $*"
  echo "  simtlab run $machine $mode $program"
  head -5 "$work/err" | sed 's/^/  /'
}

run() { # OPTION...
  timeout 600 "$build/simtlab" run -q $machine $mode "$@" $program >"$work/out" 2>"$work/err" </dev/null
}

same() {
  for part in "$@"; do
    sed '/"host": {/,/}/d' "$work/$part" >"$work/$part.plain"
  done
  cmp -s "$work/$1.plain" "$work/$2.plain"
}

one() {
  choose hosted hosted vortex && $choice
  choose "" "" --fast && mode=$choice
  run --stats "$work/whole" || { fail "exit status $?"; return; }
  every=$(sed -n 's/.*"host_instructions": \([0-9]*\).*/\1/p' "$work/whole")
  choose 3 7 20 && every=$(((${every:-0} + 60000) / choice + 1))
  rm -f "$work"/kept-*
  "$build/simtlab" run -q $machine $mode --save-every $every --keep 2 --save-to "$work/kept" $program >/dev/null 2>&1 </dev/null &
  process=$!
  choose 0.05 0.1 0.2 0.5 1 2 && sleep "$choice"
  kill -KILL $process 2>/dev/null || true
  ended=0
  wait $process 2>/dev/null || ended=$?
  [ $ended -ne 137 ] || killed=$((killed + 1))
  [ $ended -eq 0 ] || [ $ended -eq 137 ] || fail "exit status $ended while saving"
  for file in "$work"/kept-*.checkpoint; do
    [ -e "$file" ] || continue
    run --restore "$file" --stats "$work/rest" || { fail "exit status $? from ${file##*/}"; return; }
    restored=$((restored + 1))
    same whole rest || fail "another outcome from ${file##*/}"
  done
}

while [ $(($(date +%s) - begun)) -lt "$seconds" ]; do
  rounds=$((rounds + 1))
  one
done
echo "soak: $(($(date +%s) - begun)) s, $rounds rounds, $killed killed, $restored checkpoints gone on from, $failures failures"
[ "$failures" -eq 0 ]
