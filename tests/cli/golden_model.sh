# docs/how-to/golden-model.md: runs its commands on a simtlab trace with one edited value, and its program in lock-step.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
program=$BUILD/reference/simtight/alu_vv_1w_r64.elf
machine="-s lanes=8 -s warps=4"

# Comparing logs: another order of warps, no cycles, no instructions, one wrong value.
expect 0 "$SIMTLAB" run -q $machine --trace-commits ours.trace "$program"
expect 0 "$SIMTLAB" run -q $machine --fast --trace-commits fast.trace "$program"
awk '/^[0-9]/ { last = $NF ~ /=/ ? $NF : ""; print "-", $2, $3, $4, "-", last }' fast.trace >rtl.log
expect 1 "$SIMTLAB" diff-commits ours.trace rtl.log
expect 0 "$SIMTLAB" diff-commits --by-warp --ignore cycle ours.trace rtl.log
line=$(grep -n '^- 2 ff .*=' rtl.log | sed -n 5p | cut -d: -f1)
sed "${line}s/,\([0-9a-f]*\)\$/,deadbeef/" rtl.log >wrong.log
expect 1 "$SIMTLAB" diff-commits --by-warp --ignore cycle ours.trace wrong.log
prints ", warp 2, after "
prints "differ in lane 7"
prints "theirs deadbeef"

# Lock-step: the program of the page against a log of the machine's own run.
sanitizers=
grep -q __asan_init "$BUILD/libsimtlab.so" && sanitizers=-fsanitize=address,undefined
sed -n '/^```c$/,/^```$/p' "$SOURCE/docs/how-to/golden-model.md" | sed '/^```/d' >lockstep.c
expect 0 cc -std=c17 -Wall -Wextra -Wconversion -Werror $sanitizers -I"$SOURCE/include" -o lockstep lockstep.c \
  "$BUILD/libsimtlab.so" -Wl,-rpath,"$BUILD"
expect 0 "$SIMTLAB" run -q --trace-commits ours.trace "$program"
awk '/^[0-9]/ { values = ""; if ($NF ~ /=/) { values = $NF; sub(/.*=/, "", values); gsub(/,/, " ", values) }
  print $2, $3, $4, values }' ours.trace >rtl.log
expect 0 ./lockstep "$program" rtl.log
[ ! -s out ] || complain "reports a difference"
line=$(($(wc -l <rtl.log) / 2))
sed "${line}s/^\([0-9]* [0-9a-f]* [0-9a-f]*\)[0-9a-f]/\1f/" rtl.log >wrong.log
expect 1 ./lockstep "$program" wrong.log
prints "differs at pc 0800"
expect 2 ./lockstep "$program"
says "usage: lockstep"
finish
