# simtlab diff-commits prints the first difference of two traces. It ignores missing and incomparable fields.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

cat >ours <<'T'
# simtlab commits 1: cycle warp mask pc instruction [register=values]
launch 0
7 0 f 08000434 addi sp,zero,-8 sp=fffffff8,fffffff8,fffffff8,fffffff8
8 1 f 08000434 addi sp,zero,-8 sp=fffffff8,fffffff8,fffffff8,fffffff8
17 0 f 08000438 simt.push
18 1 f 08000438 simt.push
27 0 5 0800043c lw t4,28(a0) t4=00000001,00000003
28 1 5 0800043c lw t4,28(a0) t4=00000005,00000007
launch 1
7 0 f 08000440 csrrw zero,0x830,t6
8 1 f 08000440 csrrw zero,0x830,t6
T

# change SED-SCRIPT: `theirs` is a changed copy of ours.
change() { sed "$1" ours >theirs; }

expect 0 "$SIMTLAB" diff-commits ours ours
prints "equal: 8 instructions"
silent

# A different value: printed with the context and line number of both traces.
change 's/00000007/00000006/'
expect 1 "$SIMTLAB" diff-commits ours theirs
prints "first difference: launch 0, warp 1, after 5 equal instructions: values"
prints "values of t4 differ in lane 2"
prints "lane 2       ours 00000007   theirs 00000006"
prints ">       8  28 1 5 0800043c lw t4,28(a0) t4=00000005,00000007"
prints ">       8  28 1 5 0800043c lw t4,28(a0) t4=00000005,00000006"
prints "        5  17 0 f 08000438 simt.push"
prints "       11  8 1 f 08000440"
silent
expect 1 "$SIMTLAB" diff-commits --context 1 ours theirs
prints "        7  27 0 5"
grep -q "simt.push" "$work/out" && complain "more context than asked for"
expect 0 "$SIMTLAB" diff-commits --ignore values ours theirs

# The message names each field.
for case in 's/^28/29/:cycle:ours 28   theirs 29' 's/^28 1/28 0/:warp:ours 1   theirs 0' \
  's/^28 1 5/28 1 6/:mask:ours 00000005   theirs 00000006' 's/^\(28 1 5\) 0800043c/\1 0800044c/:pc:ours 0800043c   theirs 0800044c' \
  's/^\(28.*\)lw/\1lh/:instruction:ours lw t4,28(a0)   theirs lh t4,28(a0)' 's/^\(28.*\) t4=/\1 t5=/:register:ours t4   theirs t5' \
  's/^\(28.*\) t4=.*/\1/:register:ours t4   theirs none' 's/launch 1/launch 2/:launch:ours 1   theirs 2'; do
  change "${case%%:*}"
  rest=${case#*:}
  field=${rest%%:*}
  expect 1 "$SIMTLAB" diff-commits ours theirs
  prints "instructions: $field"
  prints "${rest#*:}"
  expect 0 "$SIMTLAB" diff-commits -i "$field" -i values ours theirs
done

# Fields that the other trace lacks are not compared.
change 's/^[0-9]* \([0-9]\) \([0-9a-f]*\) \([0-9a-f]*\) .*/- \1 - \3 -/;/^#/d'
expect 0 "$SIMTLAB" diff-commits ours theirs
change 's/ [^ ]*=.*/ -/;s/addi sp,zero,-8/-/'
expect 0 "$SIMTLAB" diff-commits ours theirs
change 's/00000005,00000007/-,00000007/'
expect 0 "$SIMTLAB" diff-commits ours theirs
change 's/00000005,00000007/-,00000006/'
expect 1 "$SIMTLAB" diff-commits ours theirs
prints "differ in lane 2"
change 's/$/\r/;s/^launch/\n  launch/'
expect 0 "$SIMTLAB" diff-commits ours theirs

# Warps interleaved in another order.
{ echo "launch 0"; grep ' 1 [f5] .*\(addi\|push\|lw\)' ours; grep ' 0 [f5] .*\(addi\|push\|lw\)' ours; sed -n '/launch 1/,$p' ours; } >mixed
expect 1 "$SIMTLAB" diff-commits ours mixed
expect 0 "$SIMTLAB" diff-commits --by-warp ours mixed
sed 's/00000003/00000004/' mixed >theirs
expect 1 "$SIMTLAB" diff-commits --by-warp ours theirs
prints "launch 0, warp 0, after 2 equal instructions of this warp: values"
grep -q ' 1 f' "$work/out" && complain "context of another warp"

# A trace that ends early, for all warps or for one.
head -7 ours >theirs
expect 1 "$SIMTLAB" diff-commits ours theirs
prints "after 5 equal instructions: theirs ends early"
prints "(ends here)"
expect 1 "$SIMTLAB" diff-commits theirs ours
prints "ours ends early"
expect 1 "$SIMTLAB" diff-commits -w ours theirs
prints "launch 0, warp 1, after 2 equal instructions of this warp: theirs ends early"
grep -v ' 1 [f5]' ours >theirs
expect 1 "$SIMTLAB" diff-commits -w ours theirs
prints "launch 0, warp 1, after 0 equal instructions of this warp: theirs ends early"
expect 1 "$SIMTLAB" diff-commits -w theirs ours
prints "ours ends early"

# A pipe, and inputs that cannot be compared.
mkfifo pipe
cat ours >pipe &
expect 0 "$SIMTLAB" diff-commits ours pipe
expect 2 "$SIMTLAB" diff-commits ours
says "two traces are needed"
expect 2 "$SIMTLAB" diff-commits ours missing
says "missing: cannot be opened"
expect 2 "$SIMTLAB" diff-commits ours .
says ".: cannot be read (Is a directory)"
: >theirs
expect 2 "$SIMTLAB" diff-commits ours theirs
says "theirs: contains no instruction"
expect 2 "$SIMTLAB" diff-commits ours ours -i valeus
says "unknown field 'valeus'; did you mean 'values'?"
for case in 's/commits 1/commits 3/:another version' 's/^28/x/:8: not a line of a commit trace: the cycle' \
  's/^28 1/28 8192/:the warp is not a warp number' 's/^28 1 5/28 1 5g/:the mask' 's/^\(28 1 5\) 0/\1 1230/:the pc' \
  's/^\(28 1 5 [^ ]*\).*/\1/:the instruction is missing' 's/0007/000x/:a value is no' 's/,00000007//:the number of values differs' \
  's/00000007/00000007,00000009/:the number of values differs'; do
  change "${case%%:*}"
  expect 2 "$SIMTLAB" diff-commits ours theirs
  says "theirs"
  says "${case#*:}"
done
head -c 4096 /dev/urandom >theirs
expect 2 "$SIMTLAB" diff-commits ours theirs
command="diff-commits, standard output full"
change 's/00000007/00000006/'
"$SIMTLAB" diff-commits ours ours >/dev/full 2>"$work/err"
[ $? -eq 2 ] || complain "exit status is not 2"
says "standard output: cannot be written"

# Traces of simtlab: timed runs, and the warp order of functional runs.
program=$BUILD/reference/simtight/barrier_1_r4.elf
expect 0 "$SIMTLAB" run -q --trace-commits a "$program"
expect 0 "$SIMTLAB" run -q --trace-commits b --set dram.latency=60 "$program"
expect 0 "$SIMTLAB" run -q --trace-commits c --fast "$program"
expect 0 "$SIMTLAB" diff-commits a a
expect 0 "$SIMTLAB" diff-commits --ignore cycle -w a b
expect 1 "$SIMTLAB" diff-commits a c
expect 0 "$SIMTLAB" diff-commits --ignore cycle -w a c
finish
