#!/bin/sh
# Files of src/ and tests/ that the pages on the sources name are there.
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}"
status=0
names=$(sed -n 's/`/\n/gp' docs/ARCHITECTURE.md CONTRIBUTING.md | grep -E '^[a-z0-9_./-]+\.(c|h|def|sh|txt)$' | sort -u)
[ "$(echo "$names" | wc -l)" -gt 50 ] || { echo "the pages name too few files: the test does not see them" >&2; exit 1; }
for name in $names; do
  found=$(find src tests tools include runtime docs reference -path "*/$name" | head -1)
  [ -n "$found" ] || [ -e "$name" ] || { echo "a page names $name, which is not there" >&2; status=1; }
done
[ "$status" -eq 0 ] && echo "$(echo "$names" | wc -l) files named, all there"
exit "$status"
