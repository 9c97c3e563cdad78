# Commit traces: the file name selects compression; options select a window and warps; files appear only when complete;
# readers detect truncated traces.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
program=$BUILD/bench/VecAdd.elf
run="$SIMTLAB run -q"

expect 0 $run --trace-commits plain "$program"
expect 0 $run --trace-commits packed.zst "$program"
[ -z "$(ls | grep '\.part$')" ] || complain "leaves its temporary file"
[ "$(wc -c <packed.zst)" -lt $(($(wc -c <plain) / 10)) ] || complain "is not a tenth of the size"
if command -v zstd >/dev/null; then
  zstd -q -d -c packed.zst >unpacked
  same unpacked plain || complain "the decompressed trace differs"
fi
instructions=$(grep -c '^[0-9]' plain)
[ "$(tail -1 plain)" = "# end: $instructions instructions" ] || complain "does not end with the number of instructions"
expect 0 "$SIMTLAB" diff-commits plain packed.zst
prints "equal: $instructions instructions"
command="diff-commits, from a pipe"
"$SIMTLAB" diff-commits plain /dev/stdin <packed.zst >out 2>err || complain "does not read a compressed pipe"

# A truncated trace is rejected, wherever it is cut.
cut="cut, its last line, \"# end\", is missing: the run that wrote it did not end"
for bytes in 0 1 $(($(wc -c <plain) / 2)); do
  head -c -$((bytes + 1)) plain >short
  expect 2 "$SIMTLAB" diff-commits plain short
  says "short: $cut"
done
sed 10d plain >missing
expect 2 "$SIMTLAB" diff-commits plain missing
says "missing: $((instructions - 1)) instructions, but its last line says $instructions: the file was modified"
for bytes in 1 100 $(($(wc -c <packed.zst) - 10)); do
  head -c -$bytes packed.zst >short.zst
  expect 2 "$SIMTLAB" diff-commits plain short.zst
  says "short.zst: truncated: the compressed file is incomplete"
done
{ head -c 1000 packed.zst; printf 'damage'; tail -c +1007 packed.zst; } >damaged.zst
expect 2 "$SIMTLAB" diff-commits plain damaged.zst
says "damaged.zst: damaged, it cannot be decompressed"

# Logs from other tools and earlier versions have no end marker.
sed '1s/commits 2/commits 1/; /^# end/d' plain >earlier
expect 0 "$SIMTLAB" diff-commits plain earlier
grep -v '^#' plain >others
expect 0 "$SIMTLAB" diff-commits plain others
sed '1s/commits 2/commits 3/' plain >later
expect 2 "$SIMTLAB" diff-commits plain later
says "of another version"

# A window of cycles and selected warps: the matching lines of the whole trace.
expect 0 $run --trace-commits part --trace-window 500:900 --trace-warps 0,3,8-11 "$program"
awk '!/^[0-9]/ || ($1 >= 500 && $1 <= 900 && ($2 == 0 || $2 == 3 || ($2 >= 8 && $2 <= 11)))' plain | grep '^[0-9]' >wanted
grep '^[0-9]' part >chosen
[ -s wanted ] && cmp -s wanted chosen || complain "the window's lines differ from the whole trace"
has part "# only cycles 500:900"
has part "# only warps 0,3,8-11"
expect 0 $run --trace-commits none --trace-window 99999999: "$program"
has none "# end: 0 instructions"
expect 2 $run --trace-commits x --trace-window 5 "$program"
says "a window of cycles is FROM:TO"
expect 2 $run --trace-commits x --trace-warps 3- "$program"
says "warps are numbers and ranges"
[ -z "$(ls | grep '^x')" ] || complain "leaves a file"
expect 2 $run --trace-window 1:2 "$program"
says "give --trace-commits too"

# On Vortex the warps of a core are numbered after those of the core before it.
vortex=$BUILD/bench-vortex/saxpy-plain.elf
expect 0 $run -m vortex -s cores=2 -s warps=64 -s lanes=4 --trace-commits cores.zst "$vortex"
expect 0 $run -m vortex -s cores=2 -s warps=64 -s lanes=4 --trace-commits core1 --trace-warps 64-127 "$vortex"
grep -q '^[0-9]* 64 ' core1 || complain "has no warp of the second core"
expect 0 "$SIMTLAB" diff-commits cores.zst cores.zst

# After a fault or a limit the trace contains everything up to that point. A killed run leaves the previous file.
expect 4 $run --max-cycles 1000 --trace-commits limit "$program"
tail -1 limit | grep -q '^# end: ' || complain "does not end"
echo before >kept
$run --trace-commits kept "$BUILD/bench/BitonicSortLarge.elf" paper >out 2>err &
process=$!
while [ -z "$(find . -name 'kept.*.part' -size +0)" ]; do sleep 0.05; done
kill -9 $process
wait $process 2>/dev/null
command="run that is killed"
[ "$(cat kept)" = before ] || complain "has overwritten the earlier file"
part=$(ls kept.*.part)
expect 2 "$SIMTLAB" diff-commits plain "$part"
says "$part: "
rm "$part"
expect 0 $run --trace-commits kept "$program"
same kept plain || complain "the trace differs"
finish
