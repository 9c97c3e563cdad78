#!/bin/sh
# Line coverage of src/ by all tests, per file and in total. Requires that the tests have run in a build with gcc
# --coverage: the sanitizer build of `make check-full`. FOLDER/coverage.txt lists the uncovered lines by file.
# Usage: tools/coverage.sh [FOLDER]. Exit status 1: less than THRESHOLD (95) percent is covered.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd -P)
build=${1:-build-coverage}
threshold=${THRESHOLD:-95}
status=0
[ -d "$build" ] || { echo "coverage: there is no $build; make check-full builds it" >&2; exit 1; }

# A source that is compiled several times (the lane functions) and a header have several reports: a line counts if any
# of them executed it. gcov's lines are "count:number:text", "#####" for a line that was never executed.
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
tail -n 1 "$build/coverage.txt"
echo "coverage: by file in $build/coverage.txt"
exit $status
