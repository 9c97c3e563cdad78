#!/bin/sh
# clang-tidy reports nothing with the checks of .clang-tidy. Files *_unit.c and *_events_cycle.c only include others.
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}"
command -v clang-tidy >/dev/null || { echo "skipped: no clang-tidy"; exit 77; }
[ -e "$BUILD/compile_commands.json" ] || { echo "skipped: $BUILD has no compile_commands.json"; exit 77; }
found=$(find src -name '*.c' -not -name '*_unit.c' -not -name '*_events_cycle.c' | xargs -P 2 -n 40 clang-tidy -p "$BUILD" --quiet --extra-arg=-Wno-ignored-optimization-argument 2>/dev/null |
  grep -E ': (error|warning): ' | sort -u) || true
[ -z "$found" ] || { echo "$found" >&2; exit 1; }
echo "clang-tidy finds nothing"
