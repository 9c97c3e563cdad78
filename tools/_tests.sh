# Sourced by check.sh and check_full.sh: runs tests and counts them in $passed and $failed.
passed=0
failed=0
# A sanitized program that stops because of undefined behaviour says where.
export ASAN_OPTIONS="handle_sigill=1:${ASAN_OPTIONS:-}"

ctest_in() { # folder, jobs, options
  cd "$1"
  rm -f test-costs.txt
  tests=$2
  shift 2
  ctest -j"$tests" --output-on-failure "$@"
}

# run_tests NAME FOLDER JOBS CTEST-OPTION...: prints failed and skipped tests.
run_tests() {
  name=$1 folder=$2 tests=$3
  shift 3
  log=$folder/ctest.log
  stage "$name" "testing $folder" "$log" ctest_in "$folder" "$tests" "$@" || true
  grep -v '^ *[0-9]*/[0-9]* Test .*Passed\|^ *Start ' "$log" | grep -v '^Label Time\|sec\*proc\|^Test project\|^$' |
    sed 's/^/  /' || true
  all=$(sed -n 's/.*tests failed out of \([0-9]*\).*/\1/p' "$log")
  bad=$(sed -n 's/.*, \([0-9]*\) tests failed out of.*/\1/p' "$log")
  [ -n "$all" ] || { all=1; bad=1; }
  passed=$((passed + all - bad))
  failed=$((failed + bad))
}

# count_one NAME TEXT LOG COMMAND...: runs a command that counts as one test, and prints its output.
count_one() {
  one=0
  stage "$@" || one=1
  sed 's/^/  /' "$3"
  passed=$((passed + 1 - one))
  failed=$((failed + one))
}
