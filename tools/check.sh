#!/bin/sh
# The check for every change. Its parts:
#   build           gcc, optimised: unit tests, and cheap tests of the command and the sources (tests/full.txt has the others)
#   build-sanitize  gcc, address and undefined-behaviour sanitizers, invariants checked: the library's unit tests and the
#                   fuzzers' seeds. Lane functions have one level, since each takes a minute to compile
#   build-clang     clang, syntax and warnings only
# Usage: tools/check.sh [JOBS]. Shows the current part and the time of each. The last line counts the tests; the tests'
# output is in FOLDER/ctest.log. tools/check_full.sh also runs all other tests.
set -eu
cd "$(dirname "$0")/.."
. tools/_stage.sh
. tools/_tests.sh
jobs=${1:-2}
began=$(date +%s)
echo "check: two builds and their tests, 5 to 15 minutes on 2 cores when everything is new"

tools/build.sh check build "$jobs" all -DCMAKE_BUILD_TYPE=Release -DSIMTLAB_TESTS=ON -DSIMTLAB_DEVICE_PROGRAMS=ON
run_tests check build "$jobs" -L check
count_one check "clang-14, warnings" build/clang.log tools/clang_warnings.sh "$jobs"
tools/build.sh check build-sanitize "$jobs" test_programs -DCMAKE_BUILD_TYPE=None -DSIMTLAB_TESTS=ON -DSIMTLAB_DEVICE_PROGRAMS=OFF \
  -DSIMTLAB_SANITIZE=address,undefined -DSIMTLAB_CHECK=ON -DSIMTLAB_LEVELS=baseline -DCMAKE_C_FLAGS="-O1 -g1"
run_tests check build-sanitize "$jobs" -L check -L 'unit|fuzz'
count_one check "costs of tests" build/costs.log tools/check_costs.sh build/test-costs.txt

echo "check: all of it took $((($(date +%s) - began + 30) / 60)) minutes"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
