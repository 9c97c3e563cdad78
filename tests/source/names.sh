#!/bin/sh
# File names in src/ are unique, so that a name in a message or a trace identifies the file.
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}/src"
twice=$(find . -type f | sed 's|.*/||' | sort | uniq -d)
for name in $twice; do
  echo "$name is the name of several files:" $(find . -name "$name") >&2
done
[ -z "$twice" ] || exit 1
echo "every file name is used once"
