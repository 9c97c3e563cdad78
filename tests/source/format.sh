#!/bin/sh
# Sources are formatted with clang-format 14 (`make format`).
# Usage: format.sh [FOLDER]..., by default src
set -eu
cd "${SOURCE:-$(dirname "$0")/../..}"
command -v clang-format >/dev/null || { echo "skipped: no clang-format"; exit 77; }
clang-format --version | grep -q 'version 14\.' || { echo "skipped: $(clang-format --version) formats differently"; exit 77; }
[ $# -gt 0 ] || set -- src
find "$@" \( -name '*.c' -o -name '*.h' \) -not -path '*/corpus/*' |
  xargs clang-format --dry-run -Werror 2>&1 | sed -n 's/: error: .*//p' | sort -u >"${TMPDIR:-/tmp}/format.$$" || true
wrong=$(cat "${TMPDIR:-/tmp}/format.$$")
rm -f "${TMPDIR:-/tmp}/format.$$"
[ -z "$wrong" ] || { echo "not formatted; run make format:" >&2; echo "$wrong" | head -20 >&2; exit 1; }
echo "all sources are formatted"
