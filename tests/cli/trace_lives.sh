# A page has the same instructions and cycles of slots as the events of the run, however the machine tells them: whole
# lives of instructions, from windows of cycles, and equal cycles once. A run that ends anywhere leaves no instruction out.
# It has the results of the commit trace, and the addresses that follow from these.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# same STATUS MACHINE PROGRAM [OPTION]...
same() {
  status=$1
  machine=$2
  program=$3
  shift 3
  expect "$status" "$SIMTLAB" trace -q -m "$machine" "$@" -o page.html "$program"
  expect "$status" "$SIMTLAB" trace -q -m "$machine" "$@" -o events.json "$program"
  expect 0 "$PYTHON" "$SOURCE/tests/cli/page_events.py" page.html events.json
}

# same_values PROGRAM
same_values() {
  expect 0 "$SIMTLAB" trace -q -m simtight -o page.html "$1"
  expect 0 "$SIMTLAB" run -q -m simtight -t commits "$1"
  expect 0 "$PYTHON" "$SOURCE/tests/cli/page_values.py" page.html commits
}

same 0 simtight "$BUILD/bench/VecGCD.elf" # divergent warps, and accesses that are refused
same 0 simtight "$BUILD/bench/Reduce.elf" # barriers
same 4 simtight "$BUILD/bench/VecGCD.elf" --max-cycles 4003 # within a window
same 0 simtight-fp "$BUILD/bench/VecAdd.elf"
same 0 simtight-rfc "$BUILD/bench/VecAdd.elf" # has no windows
same 0 vortex "$BUILD/bench-vortex/saxpy-plain.elf"
same_values "$BUILD/bench/VecGCD.elf"
finish
