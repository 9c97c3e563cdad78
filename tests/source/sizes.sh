#!/bin/sh
# No source file has more than 600 lines, and no folder more than 40 files.
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}/src"
status=0
find . -name '*.[ch]' -exec wc -l {} + |
  awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines, more than 600"; bad = 1 } END { exit bad }' >&2 || status=1
find . -type f | sed 's|/[^/]*$||' | sort | uniq -c |
  awk '$1 > 40 { print $2 ": " $1 " files, more than 40"; bad = 1 } END { exit bad }' >&2 || status=1
[ "$status" -eq 0 ] && echo "no file above 600 lines, no folder above 40 files"
exit "$status"
