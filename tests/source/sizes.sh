#!/bin/sh
# No source file has more than 600 lines, and no folder more than 40 files.
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}/src"
status=0
find . -name '*.[ch]' -exec wc -l {} \; | awk '$1 > 600 { print $2 ": " $1 " lines, more than 600"; bad = 1 } END { exit bad }' >&2 ||
  status=1
for folder in $(find . -type d); do
  files=$(find "$folder" -maxdepth 1 -type f | wc -l)
  [ "$files" -le 40 ] || { echo "$folder: $files files, more than 40" >&2; status=1; }
done
[ "$status" -eq 0 ] && echo "no file above 600 lines, no folder above 40 files"
exit "$status"
