#!/bin/sh
# Compares the tests' CPU time with tests/costs.txt. The median of the ratios measures this computer's speed. Each test of
# `make check` has a record, and may take 15 s on a computer as fast as the recorded one, which is slow: 2 cores of a virtual
# machine whose processes start slowly. A measurement is wrong by up to half when other work is on the computer, so that a
# test fails only above 30 s. Prints the ten most expensive tests.
# Usage: tools/check_costs.sh MEASURED   (lines NAME CPU-SECONDS; the last line of a name counts)
# RENEW=1 rewrites the records.
set -eu
cd "$(dirname "$0")/.."
records=tests/costs.txt
if [ -n "${RENEW:-}" ]; then
  new=$(mktemp)
  {
    grep '^#' "$records"
    awk '{ cost[$1] = $2 } END { for (name in cost) printf "%s %.1f\n", name, cost[name] }' "$1" | sort
  } >"$new"
  cat "$new" >"$records"
  rm -f "$new"
  exit 0
fi
awk '
  FILENAME ~ /full.txt$/ { if (/^[a-z]/) { sub(/:.*/, ""); full[$0] = 1 } next }
  /^#/ { next }
  FILENAME ~ /costs.txt$/ && FILENAME !~ /test-costs.txt$/ { recorded[$1] = $2; next }
  { cost[$1] = $2 }
  END {
    for (name in cost)
      if (recorded[name] >= 0.5 && cost[name] > 0) ratio[++n] = cost[name] / recorded[name]
    for (i = 2; i <= n; i++) { # insertion sort: the list is short
      r = ratio[i]
      for (j = i - 1; j > 0 && ratio[j] > r; j--) ratio[j + 1] = ratio[j]
      ratio[j + 1] = r
    }
    speed = n >= 5 ? ratio[int((n + 1) / 2)] : 1
    printf "costs: this computer takes %.2f times the CPU time of the records\n", speed
    for (k = 0; k < 10; k++) {
      most = ""
      for (name in cost) if (!(name in shown) && (most == "" || cost[name] > cost[most])) most = name
      if (most == "") break
      shown[most] = 1
      printf "costs: %7.2f s  %s\n", cost[most], most
    }
    for (name in cost) {
      if (name in full) continue
      if (!(name in recorded)) {
        printf "costs: %s has no record. Run make check, then RENEW=1 tools/check_costs.sh build/test-costs.txt\n", name
        bad = 1
      }
      if (cost[name] / speed > 15) {
        printf "costs: %s takes %.1f s of CPU, more than 15 s. Make it cheaper, or say in tests/full.txt why it is not part of make check\n", name, cost[name] / speed
        if (cost[name] / speed > 30) bad = 1
      }
    }
    exit bad
  }' tests/full.txt "$records" "$1"
