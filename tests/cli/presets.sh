# Every benchmark passes on every machine with a compressed register file, also with the fewest slots possible. Cycle
# mode and fast mode leave the same memory, except in the area of spilled registers.
. "$(dirname "$0")/_lib.sh"

# BitonicSortLarge and its float variant take two thirds of the time.
programs=16 only=
if brief; then
  programs=14 only=$(cd "$BUILD/bench" && ls *.elf | grep -vE 'BitonicSortLarge|-variant' | sed 's/\.elf//' | paste -s -d ,)
fi

# bench OPTION...: writes the names and memory hashes to $work/cycle and $work/fast.
bench() {
  expect 0 "$SIMTLAB" bench --jobs 2 ${only:+--only "$only"} --json "$work/cycle.json" "$@"
  expect 0 "$SIMTLAB" bench --jobs 2 ${only:+--only "$only"} --fast --json "$work/fast.json" "$@"
  for mode in cycle fast; do
    [ "$(grep -c '"ok": true' "$work/$mode.json")" -eq $programs ] || complain "$mode: not all $programs pass"
    grep -E '"(name|memory_hash)"' "$work/$mode.json" >"$work/$mode"
  done
  [ "$(grep -c memory_hash "$work/cycle")" -eq $programs ] || complain "no memory hashes to compare"
  cmp -s "$work/cycle" "$work/fast" || complain "memory differs between the modes: $*"
}

for machine in simtight-rfc simtight-rfc-pp simtight-rfc-pp-sb; do
  bench --machine "$machine"
  bench --machine "$machine" --set registers.slots=256
  bench --machine "$machine" --set registers.slots=0
done
finish
