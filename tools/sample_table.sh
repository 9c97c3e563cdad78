#!/bin/sh
# Measures how often the confidence interval of sampled timing (docs/explanation/sampling.md) contains the cycles of the
# full run, with SEEDS seeds of every benchmark on every machine of MACHINES that supports sampling. Runs without an
# interval are counted separately.
#   MACHINES="simtight simtight-rfc-pp simty-plus vortex" SEEDS=20 SAMPLE=auto ARGUMENT=paper tools/sample_table.sh
set -eu
SIMTLAB=${SIMTLAB:-build/simtlab} BUILD=${BUILD:-build} SEEDS=${SEEDS:-20} SAMPLE=${SAMPLE:-auto}
MACHINES=${MACHINES:-simtight} ARGUMENT=${ARGUMENT-paper}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# line FILE: cycles, bar or null, seconds in kernels, 1 when a kernel drifts.
line() {
  awk '/"totals"/ { totals = 1 } /"cycles": \{/ && totals && !value { getline; gsub(/[^0-9]/, ""); value = $0 }
    /"sampled"/ { sampled = 1 } sampled && /"bar":/ { bar = $2; sub(",", "", bar) }
    /"drifting_kernels"/ { drifting = $2 + 0 > 0 } /"kernel_seconds"/ { seconds = $2 + 0 }
    END { print value, (bar == "" ? 0 : bar), seconds, drifting + 0 }' "$1"
}

printf '%-10s %-24s %7s %5s %7s %6s %9s %7s\n' machine benchmark covered of "no bar" drift "error %" speedup
for machine in $MACHINES; do
  folder=bench
  case $machine in vortex*) folder=bench-on-vortex ;; esac
  for program in "$BUILD/$folder"/*.elf; do
    name=$(basename "$program" .elf)
    set --
    case $folder/$name in
    *-variant) continue ;;
    bench/*_Float) set -- -s fpu=true ;;
    bench-on-vortex/Histogram) set -- -s atomics=true ;;
    esac
    "$SIMTLAB" run -q -m "$machine" "$@" --stats "$work/whole" "$program" $ARGUMENT >/dev/null
    line "$work/whole" >"$work/lines"
    seed=1
    while [ "$seed" -le "$SEEDS" ]; do
      "$SIMTLAB" run -q -m "$machine" "$@" --sample "$SAMPLE,$seed" --stats "$work/some" "$program" \
        $ARGUMENT >/dev/null
      line "$work/some" >>"$work/lines"
      seed=$((seed + 1))
    done
    awk -v machine="$machine" -v name="$name" '
      NR == 1 { whole = $1; seconds = $3; next }
      { error = $1 - whole; if (error < 0) error = -error
        sum += error; spent += $3; drift += $4; runs++
        if ($2 == "null") unknown++; else if (error <= $2 + 0.5) covered++ }
      END { printf "%-10s %-24s %7d %5d %7d %6d %9.2f %7.1f\n", machine, name, covered, runs - unknown, unknown,
            drift, 100 * sum / runs / whole, (spent > 0 ? seconds * runs / spent : 0) }' "$work/lines"
  done
done | tee "$work/table"
awk '{ covered += $3; known += $4; unknown += $5 }
  END { printf "%d of %d bars hold the cycles of the whole run; %d runs have no bar\n", covered, known, unknown }' \
  "$work/table"
