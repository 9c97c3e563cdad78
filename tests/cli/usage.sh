# Help is short and fits 80 columns. Usage errors give status 2 and a remedy.
. "$(dirname "$0")/_lib.sh"
unset COLUMNS

for topic in "" $("$SIMTLAB" help --list commands); do
  expect 0 "$SIMTLAB" $topic --help
  prints "usage: simtlab"
  silent
  [ "$(wc -l <"$work/out")" -le 40 ] || complain "help is too long"
  [ "$(awk '{ print length }' "$work/out" | sort -n | tail -1)" -le 80 ] || complain "help has lines over 80 columns"
done
expect 0 env COLUMNS=120 "$SIMTLAB" run --help
[ "$(awk '{ print length }' "$work/out" | sort -n | tail -1)" -gt 90 ] || complain "does not use COLUMNS"
expect 0 "$SIMTLAB" --version
prints "simtlab "

expect 2 "$SIMTLAB"
says "simtlab --help"
expect 2 "$SIMTLAB" rnu
says "unknown command 'rnu'; did you mean 'run'?"
expect 2 "$SIMTLAB" frobnicate
says "unknown command 'frobnicate'; there are run, profile, "
expect 2 "$SIMTLAB" run --frobnicate x.elf
says "unknown option '--frobnicate'; --help lists the options"
expect 2 "$SIMTLAB" run -m frobnicate x.elf
says "no machine named 'frobnicate'; simtlab machines lists them."
expect 2 "$SIMTLAB" run -s frobnicate=1 x.elf
says "unknown key 'frobnicate'; simtlab show MACHINE lists a machine's keys"
expect 2 "$SIMTLAB" show simty frobnicate
says "has no key 'frobnicate'; simtlab show simty lists its keys"
expect 2 "$SIMTLAB" run --machin simtight x.elf
says "did you mean '--machine'?"
expect 2 "$SIMTLAB" run -Z
says "unknown option '-Z'"
expect 2 "$SIMTLAB" run
says "which program?"
expect 2 "$SIMTLAB" run --stats
says "--stats needs a value: FILE"
expect 2 "$SIMTLAB" run --fast=1 x.elf
says "--fast takes no value"
for number in 0 -5 1e6 many 99999999999999999999999; do
  expect 2 "$SIMTLAB" run --max-cycles "$number" x.elf
  says "takes a number from 1"
done
expect 2 "$SIMTLAB" bench --size huge
says "--size is small or paper"
expect 2 "$SIMTLAB" bench --only VecAd
says "unknown benchmark 'VecAd'; did you mean 'VecAdd'?"
expect 2 "$SIMTLAB" bench VecAdd
says "--only VecAdd"
expect 2 "$SIMTLAB" verify
says "one machine is needed"
expect 2 "$SIMTLAB" verify simtight --only 'nothing*'
says "matches 'nothing*'"
expect 2 "$SIMTLAB" disasm
says "one program is needed"
expect 2 "$SIMTLAB" machines simtight
says "simtlab show simtight"
finish
