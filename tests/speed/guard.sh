#!/bin/sh
# The speed guard compares host instructions with tests/speed/baseline.json: those of a machine's cycle loop per
# simulated cycle, or of its functional engine per warp instruction.
# Usage: guard.sh NAME MACHINE [--fast|--emitted] PROGRAM [ARGUMENT]...
# A difference above 2 % fails in either direction: record improvements, too.
# ctest sets the environment. To record the figures of this compiler: cd BUILD && RENEW=1 ctest -R speed_guard -V
set -eu
baseline=$(dirname "$0")/baseline.json
KEY="$1, $KEY"
shift
[ -n "${VALGRIND:-}" ] && [ "${VALGRIND%NOTFOUND}" = "$VALGRIND" ] || { echo "skipped: no valgrind"; exit 77; }

# The C library selects functions by processor; force those for every x86-64.
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX2,-AVX2_Usable,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM,-SSSE3
counts=$(mktemp)
trap 'rm -f "$counts"' EXIT
cycles=$("$VALGRIND" -q --tool=callgrind --smc-check=all-non-file --callgrind-out-file="$counts" --toggle-collect="$COUNTED" "$MEASURE" "$@")
instructions=$(sed -n 's/^\(summary\|totals\): *\([0-9]*\).*/\2/p' "$counts" | head -1)
[ "${instructions:-0}" -gt 0 ] || { echo "callgrind counted nothing"; exit 1; }
figure=$(awk "BEGIN { printf \"%.2f\", $instructions / $cycles }")
echo "$figure host instructions per cycle or instruction ($instructions in $cycles; $KEY)"

recorded=$(awk -F'"' -v key="$KEY" '$2 == key { gsub(/[^0-9.]/, "", $3); print $3 }' "$baseline")
if [ -n "${RENEW:-}" ]; then
  awk -F'"' -v key="$KEY" -v figure="$figure" '
    /"baselines"/ { print; printf "    \"%s\": %s", key, figure; inside = 1; next }
    inside && /}/ { print ""; inside = 0 }
    inside { if ($2 != key) { sub(/,$/, ""); printf ",\n%s", $0 }; next }
    { print }' "$baseline" >"$counts"
  cat "$counts" >"$baseline"
  echo "recorded; it was ${recorded:-not there}"
  exit 0
fi
if [ -z "$recorded" ]; then
  echo "skipped: no figure is recorded for this compiler; RENEW=1 records it"
  exit 77
fi
awk "BEGIN { off = ($figure / $recorded - 1) * 100; printf \"recorded: %s, %+.1f %%\\n\", $recorded, off; exit off > 2 || off < -2 }" || {
  echo "more than 2 % off. If it is meant to be so, record it with RENEW=1 and say why in the commit"
  exit 1
}
