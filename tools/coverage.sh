#!/bin/sh
# Line coverage of src/ by all tests: builds in build-coverage with gcc --coverage, runs the tests, and reports per file
# and in total. What is left is named, by file and lines, in build-coverage/coverage.txt and on standard output.
# Usage: tools/coverage.sh [JOBS]. Exit status 1: a test failed, or less than THRESHOLD (95) percent is covered.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd -P)
build=${BUILD:-build-coverage}
jobs=${1:-2}
threshold=${THRESHOLD:-95}

echo "coverage: building $build"
# Not optimised, so that lines are what they are in the source. The lane functions keep their own flags.
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Coverage -DCMAKE_C_COMPILER=gcc -DCMAKE_C_FLAGS="--coverage -fprofile-abs-path" \
  -DSIMTLAB_CHECK=ON -DSIMTLAB_TESTS=ON -DSIMTLAB_DEVICE_PROGRAMS=ON >/dev/null
find "$build" -name '*.gcda' -delete
make --no-print-directory -s -C "$build" -j"$jobs" >/dev/null
echo "coverage: testing"
status=0
# What checks the shipped library and the package has nothing to check here: this is another library.
(cd "$build" && ctest -j"$jobs" --output-on-failure -E '^api_(globals|install|deb)$') >"$build/ctest.log" 2>&1 || status=1
grep -E 'tests passed|Failed|Timeout' "$build/ctest.log" || true

# A source compiled several times (the lane functions) and a header have several reports: a line counts if one of
# them executed it. gcov's lines are "count:number:text", "#####" for a line that was never executed.
find "$build" -name '*.gcno' -not -path '*/tests/*' | while read -r notes; do
  gcov --stdout --object-directory "$(dirname "$notes")" "$notes" 2>/dev/null
done | awk -F: -v prefix="$root/src/" -v threshold="$threshold" '
  $3 == "Source" { file = $4; mine = index(file, prefix) == 1; sub(prefix, "", file); next }
  !mine || $1 ~ /^ *-$/ { next }
  $2 + 0 > 0 {
    line = $2 + 0
    count = $1 ~ /[#=]/ ? 0 : 1
    if (!((file, line) in hit)) { hit[file, line] = 0; lines[file]++; if (line > last[file]) last[file] = line }
    if (count && !hit[file, line]) { hit[file, line] = 1; covered[file]++ }
  }
  function left(file,   text, line, from, to) {
    for (line = 1; line <= last[file]; line++) {
      if (!((file, line) in hit) || hit[file, line]) continue
      for (from = to = line; line <= last[file] && (!((file, line) in hit) || !hit[file, line]); line++)
        if ((file, line) in hit) to = line
      text = text (text == "" ? "" : ",") from (to > from ? "-" to : "")
    }
    return text
  }
  END {
    for (file in lines) {
      all += lines[file]; done += covered[file]
      printf "%-34s %5d %6.1f %%  %s\n", file, lines[file], 100 * covered[file] / lines[file], left(file) | "sort"
    }
    close("sort")
    if (all == 0) { print "no coverage data"; exit 1 }
    printf "%-34s %5d %6.1f %%  of lines executed by the tests; %s %% are asked for\n", "total", all, 100 * done / all, threshold
    exit 100 * done / all < threshold
  }' >"$build/coverage.txt" || status=1
echo "file                               lines covered   lines left"
cat "$build/coverage.txt"
echo "coverage: the report is in $build/coverage.txt"
exit $status
