# Every benchmark, at both sizes, passes its own check in cycle mode and in fast mode. Both leave the same memory.
. "$(dirname "$0")/_lib.sh"
for size in small paper; do
  programs=16 only=
  if brief && [ "$size" = paper ]; then
    programs=4 only="--only VecAdd,Histogram,Reduce,Transpose"
  fi
  expect 0 "$SIMTLAB" bench --size "$size" $only --jobs 2 --json "$work/cycle.json"
  expect 0 "$SIMTLAB" bench --size "$size" $only --jobs 2 --fast --json "$work/fast.json"
  for mode in cycle fast; do
    [ "$(grep -c '"ok": true' "$work/$mode.json")" -eq $programs ] || complain "$mode, $size: not all $programs pass"
    grep -E '"(name|memory_hash)"' "$work/$mode.json" >"$work/$mode"
  done
  [ "$(grep -c memory_hash "$work/cycle")" -eq $programs ] || complain "$size: no memory hashes to compare"
  cmp -s "$work/cycle" "$work/fast" || complain "$size: memory differs between the modes"
done
finish
