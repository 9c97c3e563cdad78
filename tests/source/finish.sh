#!/bin/sh
# Each command test ends with `finish`, which gives the exit status; without it no failure counts.
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}"
status=0
for test in tests/cli/[a-z]*.sh; do
  ! grep -q '_lib.sh' "$test" || grep -q '^ *finish' "$test" || { echo "$test does not end with finish" >&2; status=1; }
done
[ "$status" -eq 0 ] && echo "every command test ends with finish"
exit "$status"
