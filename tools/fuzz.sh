#!/bin/sh
# Fuzzes each harness of tests/fuzz, with clang's address and undefined-behaviour sanitizers and with the simulator's
# invariants checked. Usage: tools/fuzz.sh [SECONDS [NAME...]], by default 600 seconds for each of elf object assembly
# config decode run vortex ptx restore. build-fuzz/corpus keeps the corpus for the next run. build-fuzz/findings
# receives failing inputs; after the fix they belong in tests/fuzz/corpus. Exit status 1: an input failed.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build-fuzz}
seconds=${1:-600}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- elf object assembly config decode run vortex ptx restore

echo "fuzz: building $build"
# clang vectorizes other loops than gcc, which does not matter here.
cmake -S . -B "$build" -DCMAKE_C_COMPILER=clang-19 -DCMAKE_C_FLAGS=-Wno-pass-failed -DSIMTLAB_FUZZ=ON \
  -DSIMTLAB_CHECK=ON -DSIMTLAB_SANITIZE=fuzzer-no-link,address,undefined -DSIMTLAB_DEVICE_PROGRAMS=OFF >/dev/null
make --no-print-directory -s -C "$build" fuzzers >/dev/null

mkdir -p "$build/findings"
status=0
for name in "$@"; do
  mkdir -p "$build/corpus/$name"
  log=$build/fuzz-$name.log
  echo "fuzz: $name for $seconds s"
  # Longer inputs find nothing new and cost time.
  case $name in elf | object | ptx) longest=8192 ;; config) longest=4096 ;; *) longest=1024 ;; esac
  if "$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -max_len=$longest -timeout=20 -rss_limit_mb=3000 \
    -print_final_stats=1 -artifact_prefix="$build/findings/$name-" "$build/corpus/$name" "tests/fuzz/corpus/$name" \
    >"$log" 2>&1; then
    result="no finding"
  else
    result="FINDING, see $log and $build/findings"
    status=1
  fi
  coverage=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -1)
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  echo "fuzz: $name: ${runs:-?} executions, ${coverage:-?} edges covered, $result"
done
exit $status
