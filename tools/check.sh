#!/bin/sh
# Builds simtlab in four ways and runs the tests in each:
#   build           gcc, optimised
#   build-sanitize  gcc, address and undefined-behaviour sanitizers, invariants checked; which lines are executed
#   build-thread    gcc, thread sanitizer: what runs on several threads
#   build-clang     clang, unit tests
# Usage: tools/check.sh [JOBS]. Ends with a line that counts the tests of all of them.
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-2}
passed=0
failed=0

configure_and_build() { # folder, cmake options
  folder=$1
  shift
  echo "check: building $folder"
  cmake -S . -B "$folder" "$@" >/dev/null
  make --no-print-directory -s -C "$folder" -j"$jobs"
}

run_tests() { # folder, ctest options
  folder=$1
  shift
  echo "check: testing $folder"
  log=$folder/ctest.log
  (cd "$folder" && ctest -j"$jobs" --output-on-failure "$@") >"$log" 2>&1 || true
  grep -v '^ *[0-9]*/[0-9]* Test .*Passed\|^ *Start ' "$log" || true
  all=$(sed -n 's/.*tests failed out of \([0-9]*\).*/\1/p' "$log")
  bad=$(sed -n 's/.*, \([0-9]*\) tests failed out of.*/\1/p' "$log")
  [ -n "$all" ] || { all=1; bad=1; }
  passed=$((passed + all - bad))
  failed=$((failed + bad))
}

configure_and_build build -DCMAKE_BUILD_TYPE=Release -DSIMTLAB_TESTS=ON -DSIMTLAB_DEVICE_PROGRAMS=ON
run_tests build

configure_and_build build-sanitize -DCMAKE_BUILD_TYPE=Release -DSIMTLAB_SANITIZE=address,undefined -DSIMTLAB_CHECK=ON \
  -DCMAKE_C_FLAGS="--coverage -fprofile-abs-path -fprofile-update=single"
find build-sanitize -name '*.gcda' -delete
run_tests build-sanitize
echo "check: coverage of src/"
if tools/coverage.sh build-sanitize; then passed=$((passed + 1)); else failed=$((failed + 1)); fi

configure_and_build build-thread -DCMAKE_BUILD_TYPE=Release -DSIMTLAB_SANITIZE=thread
run_tests build-thread -L threads

configure_and_build build-clang -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang-14 -DSIMTLAB_DEVICE_PROGRAMS=OFF
run_tests build-clang -L unit

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
