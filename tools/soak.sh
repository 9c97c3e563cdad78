#!/bin/sh
# Runs random programs on random machines, kills them at a random time while they save checkpoints, and resumes from the
# last checkpoint. Counters and memory must equal those of an uninterrupted run.
#
# Usage: tools/soak.sh [SECONDS [SEED]], by default 7200 seconds. BUILD is the build folder; in a sanitized build
# (build-sanitize of `make check`) the command is sanitized, too. SEED repeats all choices except the time of the kill.
# Programs are the bundled ones (benchmarks on SIMTight, Simty and sm7, all variants of Vortex kernels, PTX launches)
# and, if the build has tests, random ones. If the uninterrupted run ends with an error, so must the resumed run. Exit
# status 1: a run differed, crashed or did not end; the command lines are printed.
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

# key NAME VALUE...: adds a key with one of the values to the machine.
key() {
  name=$1
  shift
  choose "$@" && machine="$machine --set $name=$choice"
}

# Writes a random program of the tests' generator to $program, if this build has the generator and the cross-compiler
# exists.
generated() {
  generator=$build/tests/random/random_generate
  [ -x "$generator" ] && command -v riscv64-unknown-elf-gcc >/dev/null || return 1
  rm -f "$work"/random_*
  "$generator" timing "$state" 1 "$work"
  riscv64-unknown-elf-gcc -march=rv32ima_zicsr -mabi=ilp32 -O2 -mcmodel=medany -static -nostdlib -ffreestanding \
    -T "$source/reference/simtight/link.ld" -o "$work/random.elf" "$source/reference/simtight/host.c" "$work/random_$state.S"
  program=$work/random.elf
}

# Sets a machine with keys in $machine, and a program with its argument in $program.
hosted() {
  choose simtight simtight simtight-rfc simtight-rfc-pp simtight-rfc-pp-sb simty-plus
  machine="-m $choice"
  case $choice in
  simty-plus) ;;
  *) key divider sequential pipelined ;;
  esac
  case $machine in
  *-rfc*) key registers.slots 256 384 512 ;;
  esac
  key dram.latency 1 30 77 200
  key dram.outstanding 8 32
  key dram.beat_bytes 16 64
  key scratchpad.banks 1 16 32
  choose "" generated VecAdd Histogram Reduce Scan Transpose MatVecMul BitonicSortSmall SparseMatVecMul StripedStencil VecGCD
  case $choice in
  "" | generated) generated && return || choose VecAdd Histogram ;;
  esac
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
  key cores 1 2 4
  key l2 false true
  key registers.banks 1 4
  threaded=yes
  choose saxpy sfilter conv2d knn
  program="$build/bench-vortex/$choice-$form.elf"
}

sm7() {
  machine="-m sm7-4"
  key scheduler lrr gto oldest two-level
  key collectors 4 8 16
  key icache off on
  key ccache off on
  key dram.scheduler fifo fr-fcfs
  choose program launch
  if [ "$choice" = program ]; then
    choose VecAdd Histogram Reduce Transpose MatVecMul StripedStencil
    program="$build/bench-on-sm7/$choice.elf small"
  else
    threaded=yes
    choose bfs bitonic gemm hist lud reduce saxpy scan spmv stencil
    program="$source/reference/ptx/kernels/$choice.s.launch"
  fi
}

# threads: changes the number of host threads, where several are possible. Without timing, blocks of bfs run at the same
# time on several threads, and race for the levels of nodes: the number of instructions then differs from run to run.
threads() {
  threads=
  case $mode$program in --fast*/bfs.*) return ;; esac
  [ -z "$threaded" ] || { choose 1 2 3 4 && threads="--threads $choice"; }
}

fail() {
  failures=$((failures + 1))
  echo "soak: FAILED in round $rounds: $*"
  echo "  simtlab run $machine $threads $mode $program"
  head -5 "$work/err" | sed 's/^/  /'
}

run() { # OPTION...
  timeout 600 "$build/simtlab" run -q $machine $threads $mode "$@" $program >"$work/out" 2>"$work/err" </dev/null
}

same() {
  [ -e "$work/$1" ] || return 0 # the run failed before it had results
  for part in "$@"; do
    sed '/"host": {/,/}/d' "$work/$part" >"$work/$part.plain"
  done
  cmp -s "$work/$1.plain" "$work/$2.plain"
}

one() {
  threaded=
  choose hosted hosted vortex sm7 && $choice
  choose "" "" --fast && mode=$choice
  threads
  rm -f "$work/whole" "$work/rest"
  outcome=0
  run --stats "$work/whole" || outcome=$?
  case $outcome in
  0 | 3) ;;
  *) fail "exit status $outcome" && return ;;
  esac
  cp "$work/err" "$work/err.whole"
  every=$(sed -n 's/.*"host_instructions": \([0-9]*\).*/\1/p' "$work/whole" 2>/dev/null || true)
  choose 3 7 20 && every=$(((${every:-0} + 60000) / choice + 1))
  rm -f "$work"/kept-*
  "$build/simtlab" run -q $machine $threads $mode --save-every $every --keep 2 --save-to "$work/kept" $program >/dev/null 2>&1 </dev/null &
  process=$!
  choose 0.05 0.1 0.2 0.5 1 2 && sleep "$choice"
  kill -KILL $process 2>/dev/null || true
  ended=0
  wait $process 2>/dev/null || ended=$?
  [ $ended -ne 137 ] || killed=$((killed + 1))
  [ $ended -eq $outcome ] || [ $ended -eq 137 ] || fail "exit status $ended while saving"
  for file in "$work"/kept-*.checkpoint; do
    [ -e "$file" ] || continue
    ended=0
    threads
    run --restore "$file" --stats "$work/rest" || ended=$?
    [ $ended -eq $outcome ] || { fail "exit status $ended instead of $outcome from ${file##*/}"; return; }
    restored=$((restored + 1))
    cmp -s "$work/err" "$work/err.whole" || fail "another message from ${file##*/}"
    same whole rest || fail "another outcome from ${file##*/}"
  done
}

while [ $(($(date +%s) - begun)) -lt "$seconds" ]; do
  rounds=$((rounds + 1))
  one
done
echo "soak: $(($(date +%s) - begun)) s, $rounds rounds, $killed killed, $restored checkpoints gone on from, $failures failures"
[ "$failures" -eq 0 ]
