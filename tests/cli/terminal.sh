# A terminal shows a progress line and erases it; NO_COLOR, a dumb terminal and --quiet are respected.
. "$(dirname "$0")/_lib.sh"
command -v script >/dev/null || { echo "skipped: no script(1)"; exit 0; }
escape=$(printf '\033')
most=10000000
! brief || most=4300000
long="$SIMTLAB run --max-cycles $most $BUILD/bench/BitonicSortLarge.elf paper"

# on_terminal STATUS TERM COMMAND: stores the terminal's output in $work/out.
on_terminal() {
  command="$3, on a terminal"
  env TERM="$2" script -qec "$3" /dev/null >"$work/out" 2>"$work/err" </dev/null
  got=$?
  [ "$got" -eq "$1" ] || complain "exit status $got instead of $1"
}

on_terminal 4 xterm "$long"
prints "M cycles/s"
prints "$escape[2m"
prints "$escape[K"
prints "the limit of $most cycles was reached"
on_terminal 4 xterm "env NO_COLOR=1 $long"
prints "$escape[K"
grep -qF "$escape[2m" "$work/out" && complain "has colour"
if ! brief; then
  on_terminal 4 dumb "$long"
  grep -qF "$escape" "$work/out" && complain "redraws a dumb terminal"
  on_terminal 4 xterm "$(echo "$long" | sed 's/ run / run -q /')"
  grep -qF "$escape" "$work/out" && complain "is not quiet"
fi
on_terminal 4 xterm "$SIMTLAB bench --size paper --max-cycles $most --only BitonicSortLarge"
prints "$escape[K"
prints "BitonicSortLarge"
on_terminal 4 xterm "$SIMTLAB compare --machines simtight,simtight-rfc --max-cycles $most $BUILD/bench/BitonicSortLarge.elf -- paper"
prints "$escape[K"
prints "2 done"
on_terminal 0 xterm "$SIMTLAB paper simtight --only BlockedStencil --jobs 1 --out $work/paper"
grep -q "[0-9] done, 1 running, [0-9] left, 0 failed" "$work/out" || complain "does not tell the runs"
grep -q "slowest [0-9.]* s .*BlockedStencil" "$work/out" || complain "does not name the slowest run"
finish
