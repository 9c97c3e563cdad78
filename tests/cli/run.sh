# simtlab run: verdicts, statistics, limits, traces, and output errors.
. "$(dirname "$0")/_lib.sh"
program=$BUILD/bench/VecAdd.elf

expect 0 "$SIMTLAB" run "$program"
prints "VecAdd: PASSED"
says "cycles"
says "issue slots:"
expect 0 "$SIMTLAB" run -q "$program" small
silent
expect 0 "$SIMTLAB" run --quiet --fast "$program"
prints "VecAdd: PASSED"
expect 1 "$SIMTLAB" run -q "$program" enormous
says "the program's own check failed (status 1)"

# Statistics: two runs differ only in host speed; they list every effective key, also after a limit.
expect 0 "$SIMTLAB" run -q --stats "$work/a.json" "$program"
expect 0 "$SIMTLAB" run -q --stats="$work/b.json" "$program"
for text in '"schema": 1' '"outcome": "passed"' '"dram.latency": 30' '"function": "vec_add' '"unit": "cycles"'; do
  has "$work/a.json" "$text"
done
without_host() { sed '/"host": {/,$d' "$1"; }
without_host "$work/a.json" >"$work/a"
without_host "$work/b.json" >"$work/b"
cmp -s "$work/a" "$work/b" || complain "statistics of two runs differ"
expect 0 "$SIMTLAB" run -q --machine simtight --set dram.latency=60 --stats "$work/c.json" "$program"
has "$work/c.json" '"dram.latency": 60'
expect 4 "$SIMTLAB" run -q --max-cycles 1000000 --stats "$work/d.json" "$BUILD/bench/BitonicSortLarge.elf" paper
has "$work/d.json" '"outcome": "limit"'
expect 0 "$SIMTLAB" run -q --stats - "$program"
prints '"memory_hash": "0x'
if command -v jq >/dev/null; then
  jq . "$work/a.json" >"$work/out" 2>"$work/err" || complain "jq rejects the statistics"
fi

# The commit trace.
expect 0 "$SIMTLAB" run -q --trace-commits "$work/commits" "$program"
has "$work/commits" "# simtlab commits 2: cycle warp mask pc instruction [register=values]"
has "$work/commits" "launch 0"
sed -n 4p "$work/commits" | grep -Eq '^[0-9]+ [0-9]+ [0-9a-f]{8} [0-9a-f]{8} [a-z.]+ [^ ]+( [a-z0-9]+=([0-9a-f]{8},?)+)?$' ||
  complain "a line of the trace does not match the documentation"

# A full disk and a wrong path are errors for every output.
for option in --stats --trace-commits; do
  expect 2 "$SIMTLAB" run -q $option /dev/full "$program"
  says "/dev/full: cannot be written (No space left on device)"
  expect 2 "$SIMTLAB" run -q $option "$work/none/file" "$program"
  says "cannot be opened for writing"
done
command="run, standard output full"
"$SIMTLAB" run -q "$program" >/dev/full 2>"$work/err" </dev/null
[ $? -eq 2 ] || complain "exit status is not 2"
says "standard output: cannot be written"
command="run, standard output closed early"
(
  sleep 0.3
  "$SIMTLAB" run -q "$program" 2>"$work/err" </dev/null
  echo $? >"$work/status"
) | true
[ "$(cat "$work/status")" = 2 ] || complain "exit status is not 2"
says "Broken pipe"
finish
