#!/bin/sh
# Fuzzes each harness of tests/fuzz, with clang's address and undefined-behaviour sanitizers and with the simulator's
# invariants checked, as many at once as there are processors. Usage: tools/fuzz.sh [SECONDS [NAME...]], by default 600
# seconds for each of elf object assembly config decode run vortex ptx restore. build-fuzz/corpus keeps the corpus for the
# next run. build-fuzz/findings receives failing inputs; after the fix they belong in tests/fuzz/corpus. Exit status 1: an
# input failed.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build-fuzz}
seconds=${1:-600}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- elf object assembly config decode run vortex ptx restore

# fuzz NAME: fuzzes one harness.
fuzz() {
  name=$1 log=$build/fuzz-$1.log
  mkdir -p "$build/corpus/$name"
  # Longer inputs find nothing new and cost time.
  case $name in elf | object | ptx) longest=8192 ;; config) longest=4096 ;; *) longest=1024 ;; esac
  status=0
  "$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -max_len=$longest -timeout=20 -rss_limit_mb=3000 \
    -print_final_stats=1 -artifact_prefix="$build/findings/$name-" "$build/corpus/$name" "tests/fuzz/corpus/$name" \
    >"$log" 2>&1 || status=1
  result="no finding"
  [ $status -eq 0 ] || result="FINDING, see $log and $build/findings"
  coverage=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -1)
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  echo "fuzz: $name: ${runs:-?} executions in $seconds s, ${coverage:-?} edges covered, $result"
  return $status
}

if [ -n "${FUZZ_BUILT:-}" ]; then # this script calls itself
  fuzz "$1"
  exit
fi
# clang vectorizes other loops than gcc, which does not matter here.
tools/build.sh fuzz "$build" "$(nproc)" fuzzers -DCMAKE_C_COMPILER=clang-19 -DCMAKE_C_FLAGS=-Wno-pass-failed -DSIMTLAB_FUZZ=ON \
  -DSIMTLAB_CHECK=ON -DSIMTLAB_SANITIZE=fuzzer-no-link,address,undefined -DSIMTLAB_DEVICE_PROGRAMS=OFF
mkdir -p "$build/findings"
printf '%s\n' "$@" | FUZZ_BUILT=1 BUILD=$build xargs -P "$(nproc)" -I{} tools/fuzz.sh "$seconds" {} || exit 1
