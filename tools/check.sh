#!/bin/sh
# Builds simtlab in four ways and runs the tests in each:
#   build           gcc, optimised
#   build-sanitize  gcc, address and undefined-behaviour sanitizers, invariants checked; which lines are executed
#   build-thread    gcc, thread sanitizer: what runs on several threads
#   build-clang     clang, unit tests
# Usage: tools/check.sh [JOBS]. Says what runs and how long it took, on a terminal also how far it is. Ends with a line
# that counts the tests of all of them; the tests' own output is in FOLDER/ctest.log.
set -eu
cd "$(dirname "$0")/.."
jobs=${1:-2}
passed=0
failed=0
began=$(date +%s)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# How far a log is: the last percentage of make, the last number of ctest.
progress() {
  tr '\r' '\n' <"$1" | sed -n 's/^\[ *\([0-9]*%\)\].*/\1/p; s/^ *\([0-9]*\/[0-9]*\) Test .*/\1/p' | tail -n 1
}

# stage TEXT LOG COMMAND...: runs it into the log; a line when it has ended.
stage() {
  text=$1 log=$2 start=$(date +%s) status=0
  shift 2
  : >"$log"
  "$@" >"$log" 2>&1 &
  child=$!
  if [ -t 1 ]; then
    while kill -0 "$child" 2>/dev/null; do
      printf '\rcheck: %s %s, %d s\033[K' "$text" "$(progress "$log")" $(($(date +%s) - start))
      sleep 1
    done
    printf '\r\033[K'
  fi
  wait "$child" || status=$?
  echo "check: $text: $(($(date +%s) - start)) s"
  return $status
}

make_targets() { # folder, targets
  folder=$1
  shift
  make --no-print-directory -C "$folder" -j"$jobs" "$@"
}

# What is cross-compiled does not depend on how simtlab is built: a build takes the programs of the first one, which make
# makes again where they are older than their sources.
take_programs() { # folder
  (cd build && find . -name '*.elf' -print0 | tar -c --null -T -) | tar -x --keep-newer-files -C "$1" 2>"$work/log" || true
}

# build FOLDER TARGETS CMAKE-OPTION...
build() {
  folder=$1 targets=$2
  shift 2
  cmake -S . -B "$folder" "$@" >"$work/log" || { cat "$work/log" >&2; exit 1; }
  [ "$folder" = build ] || take_programs "$folder"
  # shellcheck disable=SC2086
  stage "building $folder" "$folder/make.log" make_targets "$folder" $targets ||
    { grep -v '^\[' "$folder/make.log" | tail -n 40 >&2; echo "check: $folder does not build" >&2; exit 1; }
}

ctest_in() { # folder, options
  cd "$1"
  shift
  ctest -j"$jobs" --output-on-failure "$@"
}

run_tests() { # folder, ctest options
  folder=$1
  shift
  log=$folder/ctest.log
  stage "testing $folder" "$log" ctest_in "$folder" "$@" || true
  grep -v '^ *[0-9]*/[0-9]* Test .*Passed\|^ *Start ' "$log" | grep -v '^Label Time\|sec\*proc\|^Test project\|^$' |
    sed 's/^/  /' || true
  all=$(sed -n 's/.*tests failed out of \([0-9]*\).*/\1/p' "$log")
  bad=$(sed -n 's/.*, \([0-9]*\) tests failed out of.*/\1/p' "$log")
  [ -n "$all" ] || { all=1; bad=1; }
  passed=$((passed + all - bad))
  failed=$((failed + bad))
}

echo "check: four builds and their tests, half an hour on 2 cores when all is to be built"

build build all -DCMAKE_BUILD_TYPE=Release -DSIMTLAB_TESTS=ON -DSIMTLAB_DEVICE_PROGRAMS=ON
run_tests build

# -O1: the tests take as long as with more, the compiler half.
build build-sanitize all -DCMAKE_BUILD_TYPE=None -DSIMTLAB_SANITIZE=address,undefined -DSIMTLAB_CHECK=ON \
  -DCMAKE_C_FLAGS="-O1 --coverage -fprofile-abs-path -fprofile-update=single"
find build-sanitize -name '*.gcda' -delete
run_tests build-sanitize
coverage=0
stage "coverage of src/" build-sanitize/coverage.log tools/coverage.sh build-sanitize || coverage=1
sed 's/^/  /' build-sanitize/coverage.log
passed=$((passed + 1 - coverage))
failed=$((failed + coverage))

build build-thread "test_devices_in_threads test_vortex_threads test_sm7_threads bench_programs" -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_C_FLAGS=-O1 -DSIMTLAB_SANITIZE=thread
run_tests build-thread -L threads

build build-clang all -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=clang-14 -DSIMTLAB_DEVICE_PROGRAMS=OFF
run_tests build-clang -L unit

echo "check: all of it took $((($(date +%s) - began + 30) / 60)) minutes"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
