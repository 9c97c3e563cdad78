#!/bin/sh
# Runs the tests of riscv-tests or riscv-arch-test on simtlab's machines, with one thread and with many, and prints a
# table.
#
# Usage: tools/conformance.sh SUITE [NAME...]. SUITE is a checkout of riscv-tests (isa/rv32ui, rv32um, rv32ua, rv32uf)
# or of riscv-arch-test with references (riscv-test-suite/rv32i_m/I/src and M/src beside references/). NAMEs select
# tests. BUILD is the build folder, MACHINES the machines (of the table below). FAST=1 runs without timing.
# tools/conformance/ has simtlab's platform headers for the tests. A cell of the table shows passed tests of tests run.
# Notes below the table list skipped tests with the reason. Exit status 1: a test failed. docs/how-to/conformance.md
# says more.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd -P)
build=$(cd "${BUILD:-$source/build}" && pwd -P)
[ $# -gt 0 ] || { sed -n 's/^# //; 2,9p' "$0" >&2; exit 2; }
suite=$(cd "$1" && pwd -P)
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
machines=${MACHINES:-simtight simtight-rfc-pp-sb simty-plus vortex vortex-simx sm7}
forms="host one-lane all-lanes all-warps lanes-apart"
env=$source/tools/conformance
: >"$work/failures" >"$work/left-out"

kind=tests sets="rv32ui rv32um rv32ua rv32uf"
if [ -d "$suite/riscv-test-suite/rv32i_m" ]; then
  kind=arch sets="I M"
elif [ ! -d "$suite/isa" ]; then
  echo "conformance: $suite has neither isa (riscv-tests) nor riscv-test-suite/rv32i_m (riscv-arch-test)" >&2
  exit 2
fi

files() { # SET: prints the names of its tests
  if [ $kind = tests ]; then ls "$suite/isa/$1"/*.S; else ls "$suite/riscv-test-suite/rv32i_m/$1/src"/*.S; fi 2>/dev/null
}

chosen() { # NAME LIST...
  wanted=$1
  shift
  [ $# -gt 0 ] || return 0
  for one in "$@"; do [ "$one" != "$wanted" ] || return 0; done
  return 1
}

compile() { # TARGET FILE: writes $work/TARGET.elf, or the error to $work/log.TARGET
  case $1 in
  simt) room="-DHARTS=2048 -Wl,--defsym=__instr_size=1047552" ;;
  vortex) room=-DHARTS=128 ;; # cleared by one lane
  sm7) room=-DHARTS=163840 ;;
  esac
  rm -f "$work/$1.elf"
  # The tests use gp themselves, so the linker must not address anything relative to it.
  "$build/simtlab" cc --target "$1" $room -Wl,--no-relax -DXLEN=32 -DTEST_CASE_1=True -I"$env" -I"$suite/isa/macros/scalar" \
    -I"$suite/riscv-test-suite/env" -o "$work/$1.elf" "$env/run.c" "$env/call.S" "$2" >"$work/log.$1" 2>&1
}

target() { # MACHINE
  case $1 in
  vortex*) echo vortex ;;
  sm7*) echo sm7 ;;
  *) echo simt ;;
  esac
}

# Whether a test applies to a set, a machine and a form; $why has the reason if not.
suits() { # SET NAME MACHINE FORM FILE
  why=
  case $1:$3:$4 in
  rv32uf:vortex*) ;;
  rv32uf:*) why="no registers for floating point" ;;
  rv32ua:simt*:host) ;;
  rv32ua:simt*) why="atomics are those of the scratchpad alone" ;;
  rv32ua:*:host | rv32ua:*:one-lane) ;;
  rv32ua:*) why="threads share the words that are changed" ;;
  rv32ui:*:all-warps | rv32ui:*:lanes-apart)
    grep -Eqi '^[^#]*(\b(sb|sh|sw)\b|TEST_ST)' "$5" "$suite/isa/rv64ui/$2.S" 2>/dev/null && why="threads share the words that are stored" ;;
  esac
  case $2:$3:$4 in
  fence_i:*) why="code is decoded when a program is loaded" ;;
  ma_data:vortex-simx:*) ;;
  ma_data:*) why="misaligned accesses are faults, or of the aligned word" ;;
  lrsc:sm7:one-lane) why="kernels have no lr.w and sc.w" ;;
  jal:sm7:host) ;;
  jal:sm7:* | jal:simty*:one-lane | auipc:simty*:one-lane) why="calls without a return, which lanes wait for" ;;
  esac
  [ -z "$why" ]
}

try() { # SET NAME MACHINE FORM: whether the test passes
  keys=
  case $3 in
  vortex*) [ "$1" != rv32ua ] || keys="-s atomics=true" ;;
  simt*) keys="-s code.words=262144" ;;
  esac
  [ -z "${FAST:-}" ] || keys="$keys --fast"
  signature=
  [ $kind = tests ] || signature=signature
  timeout 120 "$build/simtlab" run -q -m "$3" $keys --max-cycles 20000000 "$work/$(target "$3").elf" "$4" $signature \
    >"$work/out" 2>"$work/err" </dev/null || return 1
  [ $kind = arch ] || return 0
  tr -d '\r' <"$suite/riscv-test-suite/rv32i_m/$1/references/$2.reference_output" | tr A-F a-f >"$work/reference"
  # The printed signature may end with padding. Vortex prefixes the printing thread.
  sed 's/^#0: //' "$work/out" | head -n "$(wc -l <"$work/reference")" | cmp -s - "$work/reference" && return 0
  echo "the signature differs" >"$work/out"
  return 1
}

count() { # MACHINE FORM WHAT
  sed -n "s/^$1 $2 //p" "$work/$3" 2>/dev/null | wc -l
}

for set in $sets; do
  for file in $(files "$set"); do
    name=$(basename "$file" .S)
    chosen "$name" "$@" || continue
    if [ $kind = arch ] && [ ! -e "$suite/riscv-test-suite/rv32i_m/$set/references/$name.reference_output" ]; then
      echo "$set/$name: there is no reference output" >>"$work/left-out"
      continue
    fi
    for program in simt vortex sm7; do
      compile $program "$file" || true
    done
    for machine in $machines; do
      for form in $forms; do
        if ! suits "$set" "$name" "$machine" "$form" "$file"; then
          echo "$set/$name: $why" >>"$work/left-out"
        elif [ ! -e "$work/$(target "$machine").elf" ]; then
          echo "$set/$name on $machine: $(grep -m1 -i error "$work/log.$(target "$machine")" || echo 'does not compile')" >>"$work/failures"
          echo "$machine $form $name" >>"$work/run"
        else
          echo "$machine $form $name" >>"$work/run"
          if try "$set" "$name" "$machine" "$form"; then
            echo "$machine $form $name" >>"$work/passed"
          else
            echo "$set/$name on $machine, $form: $(cat "$work/out" "$work/err" | head -1 | cut -c1-200)" >>"$work/failures"
          fi
        fi
      done
    done
  done
done

[ -s "$work/run" ] || { echo "conformance: no test of $suite is of these names, or in the folders that are looked into" >&2; exit 2; }
echo "| machine | host or main | one lane | all lanes | all warps | lanes apart |"
echo "|---|--:|--:|--:|--:|--:|"
for machine in $machines; do
  row="| $machine |"
  for form in $forms; do
    row="$row $(count "$machine" "$form" passed) of $(count "$machine" "$form" run) |"
  done
  echo "$row"
done
if [ -s "$work/left-out" ]; then
  echo "left out, in some forms or all:"
  sort -u "$work/left-out" | sed 's/^/  /'
fi
[ ! -s "$work/failures" ] || { echo "failed:"; sort -u "$work/failures" | sed 's/^/  /'; exit 1; }
