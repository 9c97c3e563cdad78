#!/bin/sh
# Builds and runs a tree of CUDA programs and prints a table: which compiled, ran to the end, and are right by their own
# check. Usage: tools/cuda-suite.sh FOLDER [SECONDS per program, 60]. SIMTLAB: the command. Status 1: some are not right.
# tools/_suite.sh says what a program is.
set -u
simtlab=${SIMTLAB:-simtlab}
[ $# -ge 1 ] && [ -d "$1" ] || { echo "usage: tools/cuda-suite.sh FOLDER [SECONDS]" >&2; exit 2; }
tree=$(cd "$1" && pwd -P)
seconds=${2:-60}
environment=$("$simtlab" cuda --env 2>/dev/null) || { "$simtlab" cuda --env; exit 2; }
eval "$environment"
sources=cu
compile() { # FOLDER OUTPUT SOURCE...
  include=$1 output=$2
  shift 2
  "$simtlab" cuda -O2 -I"$include" -o "$output" "$@"
}
. "$(dirname "$0")/_suite.sh"
