#!/bin/sh
# Each command test ends with `finish`, which gives the exit status; without it no failure counts.
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}"
without=$(grep -lE '/_[a-z_]+\.sh"' tests/cli/[a-z]*.sh | xargs grep -L '^ *finish') || true
for test in $without; do
  echo "$test does not end with finish" >&2
done
[ -z "$without" ] || exit 1
echo "every command test ends with finish"
