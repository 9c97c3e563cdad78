# Signals shut a long command down cleanly: it reports the console and partial results, leaves files unchanged, and its
# exit status encodes the signal.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
long="$BUILD/bench/BitonicSortLarge.elf paper"

# send SIGNAL STATUS SECONDS COMMAND...: runs the command in the background with its output in files.
send() {
  signal=$1 status=$2 after=$3
  shift 3
  command="$* ended by SIG$signal"
  # A shell without job control has its background commands ignore SIGINT.
  env --default-signal=INT "$@" >out 2>err </dev/null &
  process=$!
  sleep "$after"
  kill -"$signal" $process
  wait $process
  got=$?
  [ $got -eq "$status" ] || complain "exit status $got instead of $status"
}

cat >prints.c <<'C'
#include <simt.h>
#include <stdio.h>

int main(void)
{
  puts("before the loop");
  for (volatile unsigned i = 0;;)
    i++;
}
C
expect 0 "$SIMTLAB" cc -o prints.elf prints.c
for signal in "INT 130" "TERM 143" "HUP 129"; do
  echo old >stats
  send $signal 0.5 "$SIMTLAB" run --stats stats --trace-commits trace $long
  says "SIG${signal% *}: $BUILD/bench/BitonicSortLarge.elf was interrupted; its figures cover the part that ran"
  says "BitonicSortLarge.elf on simtight: interrupted"
  [ "$(cat stats)" = old ] || complain "the earlier statistics are lost"
  ! brief || break
done
send TERM 143 1 "$SIMTLAB" run -q prints.elf
prints "before the loop"
send TERM 143 0.4 "$SIMTLAB" bench -q --size paper --only BitonicSortLarge --jobs 1 --json stats
says "SIGTERM: 0 of 1 runs had ended"
send INT 130 0.4 "$SIMTLAB" profile --json stats $long
[ "$(cat stats)" = old ] || complain "the earlier profile is lost"
# A trace has an end after a signal, which its threads leave to the run.
send INT 130 0.5 "$SIMTLAB" trace --cycles 0:50000 -o ended.html $long
says "in ended.html"
grep -q '^</html>$' ended.html || complain "the page has no end"
python3 "$SOURCE/tests/cli/check_trace.py" html ended.html >found.json || complain "the page is not valid"

# A signal during a read of standard input.
mkfifo pipe
command="run that waits for input"
exec 5<>pipe
cat >reads.c <<'C'
#include <simt.h>
#include <stdio.h>

int main(void)
{
  puts("what now?");
  return getchar() == 'x';
}
C
expect 0 "$SIMTLAB" cc -o reads.elf reads.c
env --default-signal=INT "$SIMTLAB" run -q reads.elf <pipe >out 2>err &
process=$!
sleep 1
kill -INT $process
wait $process
[ $? -eq 130 ] || complain "exit status"
prints "what now?"
exec 5>&-

# cc deletes its temporary folder.
mkdir temporary
command="cc that is interrupted"
printf '#!/bin/sh\n: >%s/compiling\nsleep 2\nexit 1\n' "$work" >riscv64-unknown-elf-gcc
chmod +x riscv64-unknown-elf-gcc
TMPDIR=$work/temporary PATH=$work:$PATH "$SIMTLAB" cc -o never.elf prints.c >out 2>err &
process=$!
for _ in $(seq 100); do
  [ -e compiling ] && break
  sleep 0.1
done
sleep 0.2
kill -TERM $process
wait $process
[ $? -eq 143 ] || complain "exit status"
says "SIGTERM: nothing was made"
[ -z "$(ls temporary)" ] || complain "leaves $(ls temporary)"
[ ! -e never.elf ] || complain "writes output"
[ -z "$(find . -name '*.part')" ] || complain "leaves $(find . -name '*.part')"
finish
