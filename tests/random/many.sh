#!/bin/sh
# Compares many more random programs with qemu-riscv32 than `make check` does, on all processors.
# Usage: tests/random/many.sh [COUNT [FIRST_SEED [BUILD_FOLDER]]], by default 100000 from seed 1000000 with build/.
# Every tenth program computes with single-precision numbers, too. Stops with status 1 at the first difference.
set -eu
cd "$(dirname "$0")/../.."
count=${1:-100000}
first=${2:-1000000}
program=${3:-build}/tests/random/random_function
[ -x "$program" ] || { echo "$program is missing: configure with -DSIMTLAB_TESTS=ON and build" >&2; exit 2; }

# One job per line: how many programs, from which seed.
jobs() {
  done=0
  while [ "$done" -lt "$count" ]; do
    size=$((count - done < 1000 ? count - done : 1000))
    if [ $((done / 1000 % 10)) -eq 9 ]; then float=--float; else float=; fi
    echo "--count $size --first $((first + done)) $float"
    done=$((done + size))
  done
}

jobs | xargs -P "$(nproc)" -I{} sh -c "'$program' {} || exit 255"
