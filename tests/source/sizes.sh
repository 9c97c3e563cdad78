#!/bin/sh
# Size limits: no file above 500 lines, half of them at most 100, no folder of more than 40 files.
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}/src"
status=0
sizes=$(find . -name '*.[ch]' -exec wc -l {} \; | sort -n)
echo "$sizes" | awk '$1 > 500 { print $2 ": " $1 " lines, more than 500"; bad = 1 } END { exit bad }' >&2 || status=1
median=$(echo "$sizes" | awk '{ n[NR] = $1 } END { print n[int((NR + 1) / 2)] }')
[ "$median" -le 100 ] || { echo "the median file has $median lines, more than 100" >&2; status=1; }
for folder in $(find . -type d); do
  files=$(find "$folder" -maxdepth 1 -type f | wc -l)
  [ "$files" -le 40 ] || { echo "$folder: $files files, more than 40" >&2; status=1; }
done
[ "$status" -eq 0 ] && echo "no file above 500 lines, median $median, no folder above 40 files"
exit "$status"
