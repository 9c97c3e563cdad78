# Outputs that cannot be written, each output of each command: a full disk and a pipe that nobody reads any more are
# errors, status 2 with the name and the reason, and never a truncated success.
. "$(dirname "$0")/_lib.sh"
vec_add=$BUILD/bench/VecAdd.elf
kernel=$BUILD/reference/simtight/empty_1w_r1.elf
[ -c /dev/full ] || complain "/dev/full is no device on this machine"
full="cannot be written (No space left on device)"

# A file: full, no file at all, and a pipe whose reader has gone (a trace is more than a pipe holds).
for words in "bench -q --only VecAdd --json" "verify simtight -q --only empty_1w_r1 --json"; do
  expect 2 "$SIMTLAB" $words /dev/full
  says "/dev/full: $full; its contents are incomplete"
  expect 2 "$SIMTLAB" $words "$work"
  says "cannot be opened for writing (Is a directory)"
done
for option in --stats --trace-commits; do
  expect 2 "$SIMTLAB" run -q $option /dev/full "$vec_add"
  says "/dev/full: $full; its contents are incomplete"
  prints "VecAdd: PASSED"
  expect 2 "$SIMTLAB" run -q $option "$work" "$vec_add"
  says "cannot be opened for writing (Is a directory)"
done
mkfifo "$work/pipe"
(: <"$work/pipe") &
expect 2 "$SIMTLAB" run -q --trace-commits "$work/pipe" "$vec_add"
says "pipe: cannot be written (Broken pipe); its contents are incomplete"
prints "VecAdd: PASSED"

# A limit and a failed output: the limit's status, and both are told.
expect 4 "$SIMTLAB" run -q --max-cycles 3000 --stats /dev/full "$vec_add"
says "the limit of 3000 cycles was reached"
says "/dev/full: $full"

# full COMMAND...: standard output is a full disk.
full() {
  command="$*, standard output full"
  "$@" >/dev/full 2>"$work/err" </dev/null
  [ $? -eq 2 ] || complain "exit status is not 2"
  says "standard output: $full"
}

# unread COMMAND...: it is a pipe that nobody reads any more. Its status is in $status.
unread() {
  command="$*, standard output closed"
  (: <"$work/pipe") &
  exec 4>"$work/pipe"
  wait $!
  "$@" >&4 2>"$work/err" </dev/null
  status=$?
  exec 4>&-
}

# standard COMMAND...: either is an error.
standard() {
  full "$@"
  unread "$@"
  [ "$status" -eq 2 ] || complain "exit status is not 2"
  says "standard output: cannot be written (Broken pipe)"
}

# list COMMAND...: whoever stops reading a list has read enough.
list() {
  full "$@"
  unread "$@"
  [ "$status" -eq 0 ] || complain "exit status is not 0"
  silent
}

standard "$SIMTLAB" run -q "$vec_add"
standard "$SIMTLAB" run -q --stats - "$kernel"
standard "$SIMTLAB" run -q --trace-commits - "$kernel"
standard "$SIMTLAB" profile "$vec_add"
standard "$SIMTLAB" profile -q --html - "$vec_add"
standard "$SIMTLAB" bench -q --only VecAdd
standard "$SIMTLAB" bench -q --only VecAdd --json -
standard "$SIMTLAB" verify simtight --only 'empty_1w_r1'
standard "$SIMTLAB" verify simtight -q --only 'empty_1w_r1' --json -
list "$SIMTLAB" machines
list "$SIMTLAB" show simtight
list "$SIMTLAB" show simtight lanes
list "$SIMTLAB" disasm "$vec_add"
list "$SIMTLAB" --help
standard "$SIMTLAB" run --help
list "$SIMTLAB" --version
"$SIMTLAB" run -q --trace-commits "$work/trace" "$kernel" >/dev/null
standard "$SIMTLAB" diff-commits "$work/trace" "$work/trace"
finish
