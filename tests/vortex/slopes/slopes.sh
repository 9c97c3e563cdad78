# Every slope of slopes.txt, measured with our programs on the machine vortex, is within the tolerance stated there.
set -u
failures=0

# total PROGRAM SHAPE: cycles of a complete run; SHAPE is warps x lanes
total() {
  "$SIMTLAB" run -q --whole-program -m vortex -s "warps=${2%x*}" -s "lanes=${2#*x}" --stats - "$PROGRAMS/$1.elf" |
    awk '/^ *"cycles": \{/ {getline; gsub(/[^0-9]/, ""); print; exit}'
}

rows=$(grep '^[a-z]' "$ROWS") || exit 1
if [ -n "${SIMTLAB_BRIEF:-}" ]; then rows=$(echo "$rows" | awk 'NR % 4 == 1'); fi
while read -r name warps shape wanted tolerance; do
  few=$(total "${name}_${warps}_4" "$shape")
  many=$(total "${name}_${warps}_8" "$shape")
  awk -v few="${few:-0}" -v many="${many:-0}" -v wanted="$wanted" -v tolerance="$tolerance" -v row="$name, $warps warps of $shape" '
    BEGIN {
      slope = (many - few) / 32 # 8 iterations, 4 groups more
      off = (slope - wanted) / wanted * 100
      printf "%-34s %8.2f cycles, recorded %8.2f: %+.2f %%\n", row, slope, wanted, off
      exit few == 0 || many == 0 || off > tolerance || off < -tolerance
    }' || {
    echo "FAILED: more than $tolerance % off"
    failures=$((failures + 1))
  }
done <<END
$rows
END
[ "$failures" -eq 0 ]
