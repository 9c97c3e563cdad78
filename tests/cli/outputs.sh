# Output errors, for each output of each command: on a full disk or a closed pipe simtlab exits with status 2 and prints
# the name and the reason. It never reports success for truncated output.
. "$(dirname "$0")/_lib.sh"
vec_add=$BUILD/bench/VecAdd.elf
kernel=$BUILD/reference/simtight/empty_1w_r1.elf
[ -c /dev/full ] || complain "/dev/full is not a device on this computer"
full="cannot be written (No space left on device)"

# A file on a full disk, a file that cannot be created, and a pipe without a reader (a trace is larger than a pipe's
# buffer).
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

# A limit and a failed output: the status is the limit's, and simtlab reports both.
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

# unread COMMAND...: standard output is a pipe whose reader has closed it. Sets $status.
unread() {
  command="$*, standard output closed"
  (: <"$work/pipe") &
  exec 4>"$work/pipe"
  wait $!
  "$@" >&4 2>"$work/err" </dev/null
  status=$?
  exec 4>&-
}

# standard COMMAND...: both are errors.
standard() {
  full "$@"
  unread "$@"
  [ "$status" -eq 2 ] || complain "exit status is not 2"
  says "standard output: cannot be written (Broken pipe)"
}

# list COMMAND...: for a list a closed pipe is not an error.
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
