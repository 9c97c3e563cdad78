#!/bin/sh
# All tests, in parts that can run in parallel in separate checkouts:
#   release    the release build (link-time optimisation, all processor levels): every test, packages, speed guards
#   sanitize   address and undefined-behaviour sanitizers, invariants checked: every test, and line coverage of src/
#   threads    thread sanitizer: the multi-threaded tests
#   clang      a complete build by clang-14, and its unit tests
#   random     thousands of random programs and C programs, kills and restores, fuzzers
# Usage: tools/check_full.sh [JOBS [PART]...], by default all parts. At the end it prints the time of each part and
# counts the tests. An issue is resolved only after this check has passed.
set -eu
cd "$(dirname "$0")/.."
. tools/_stage.sh
. tools/_tests.sh
jobs=${1:-2}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- release sanitize threads clang random
table=

release() {
  tools/build.sh check-full build-release "$jobs" "all full_programs" -DCMAKE_BUILD_TYPE=Release -DSIMTLAB_LTO=ON -DSIMTLAB_LEVELS=all
  run_tests check-full build-release "$jobs"
}

# -O1: the tests run as fast as with higher levels, and compilation takes half the time. -no-pie: the loader need not
# relocate a hundred megabytes at each start, which takes a third of a short run.
sanitize() {
  tools/build.sh check-full build-coverage "$jobs" "all full_programs" -DCMAKE_BUILD_TYPE=None -DSIMTLAB_SANITIZE=address,undefined \
    -DSIMTLAB_CHECK=ON -DSIMTLAB_LEVELS=all -DCMAKE_EXE_LINKER_FLAGS=-no-pie \
    -DCMAKE_C_FLAGS="-O1 --coverage -fprofile-abs-path -fprofile-update=single"
  find build-coverage -name '*.gcda' -delete
  run_tests check-full build-coverage "$jobs"
  count_one check-full "coverage of src/" build-coverage/coverage.log tools/coverage.sh build-coverage
}

threads() {
  tools/build.sh check-full build-thread "$jobs" "test_devices_in_threads test_driver_threads test_opencl_threads test_vortex_threads test_sm7_threads test_trace_threads timed_test bench_programs" \
    -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O1 -DSIMTLAB_SANITIZE=thread
  run_tests check-full build-thread "$jobs" -L threads
}

clang() {
  tools/build.sh check-full build-clang "$jobs" all -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang-14 \
    -DSIMTLAB_DEVICE_PROGRAMS=OFF
  run_tests check-full build-clang "$jobs" -L unit
}

# Programs other than the tests', and different ones each day.
random() {
  [ -x build-release/simtlab ] || release
  seed=$(($(date +%s) / 86400 * 10000))
  echo "check-full: random programs from seed $seed"
  count_one check-full "10,000 random programs" build-release/many.log tests/random/many.sh 10000 "$seed" build-release
  count_one check-full "400 random C programs" build-release/csmith.log env SIMTLAB="$PWD/build-release/simtlab" SOURCE="$PWD" \
    tests/backend/csmith.sh 400 "$seed"
  count_one check-full "500 random OpenCL kernels" build-release/kernels.log tests/random/parallel.sh \
    tests/random/opencl_kernels.sh 500 "$seed" build-release
  count_one check-full "1,000 programs with locks" build-release/locks.log tests/random/parallel.sh \
    tests/random/locks.sh 1000 "$seed" build-release 3
  count_one check-full "five minutes of kills and restores" build-release/soak.log env BUILD=build-release \
    tests/random/parallel.sh tools/soak.sh 300 "$seed"
  count_one check-full "fuzzers, 20 s each" build-release/fuzz.log tools/fuzz.sh 20
}

for part; do
  case $part in
  release | sanitize | threads | clang | random) ;;
  *) echo "check-full: there is no part $part; the parts are release, sanitize, threads, clang and random" >&2; exit 2 ;;
  esac
done
for part; do
  began=$(date +%s)
  $part
  table="$table$(printf '%-10s %5d s' "$part" $(($(date +%s) - began)))
"
done
echo "check-full: time of each part"
printf '%s' "$table" | sed 's/^/  /'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
