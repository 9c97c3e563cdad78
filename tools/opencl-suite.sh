#!/bin/sh
# Builds and runs a tree of OpenCL programs on simulated devices and prints a table: which compiled, ran to the end, and
# are right by their own check. Usage: tools/opencl-suite.sh FOLDER [SECONDS per program, 60]. BUILD: a build folder,
# whose client is used [build]; with OCL_ICD_VENDORS another client. SIMTLAB_OPENCL_DEVICES: the devices. Status 1: some
# are not right. tools/_suite.sh says what a program is; a Python file in a folder without a Makefile is one, too.
set -u
build=${BUILD:-$(dirname "$0")/../build}
[ $# -ge 1 ] && [ -d "$1" ] || { echo "usage: tools/opencl-suite.sh FOLDER [SECONDS]" >&2; exit 2; }
tree=$(cd "$1" && pwd -P)
seconds=${2:-60}
if [ -z "${OCL_ICD_VENDORS:-}" ]; then
  [ -f "$build/simtlab.icd" ] || { echo "opencl-suite: $build has no simtlab.icd; run make, or set BUILD" >&2; exit 2; }
  OCL_ICD_VENDORS=$(cd "$build" && pwd -P)/simtlab.icd
  export OCL_ICD_VENDORS
fi
sources="c cpp cc py"
compile() { # FOLDER OUTPUT SOURCE...
  include=$1 output=$2
  shift 2
  case $1 in
  *.c) gcc -O2 -I"$include" -o "$output" "$@" -lOpenCL -lm ;;
  *.py)
    printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "${PYTHON:-python3}" "$1" >"$output" && chmod +x "$output"
    ;;
  *) g++ -O2 -I"$include" -o "$output" "$@" -lOpenCL -lm ;;
  esac
}
. "$(dirname "$0")/_suite.sh"
