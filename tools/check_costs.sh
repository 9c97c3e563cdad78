#!/bin/sh
# Compares the tests' CPU time with tests/costs.txt. The median of the ratios measures this computer's speed. A test of
# `make check` may take 5 s on a computer as fast as the recorded one. It fails above 6 s, since other work on the computer
# changes a measurement by a fifth. Prints the ten most expensive tests.
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
    for (name in cost)
      if (cost[name] / speed > 5 && !(name in full)) {
        printf "costs: %s takes %.1f s of CPU, more than 5 s. Make it cheaper, or say in tests/full.txt why it is not part of make check\n", name, cost[name] / speed
        if (cost[name] / speed > 6) bad = 1
      }
    exit bad
  }' tests/full.txt "$records" "$1"
