# monitor trace: the trace of the whole run is that of simtlab trace; that of a part has its cycles, and the session goes
# on as without it.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb.sh"
tools=$SOURCE/tests/cli

for machine in simtight sm7 vortex; do
  target=simt
  [ $machine = simtight ] || target=$machine
  "$SIMTLAB" cc --target $target -g -O1 -o scale.elf scale.c 2>err || continue # without LLVM
  expect 0 "$SIMTLAB" trace -q -m $machine -o all.json scale.elf
  session scale.elf -m $machine <<'END'
monitor trace off
monitor trace
monitor trace on missing/whole.json
monitor trace on first.json
monitor trace on other.json
break twice if $warp == 3
continue
monitor trace off
delete
monitor trace on part.json
break twice if $warp == 5
continue
monitor cycle
monitor trace off
monitor cycle
printf "at warp %d\n", $warp
monitor trace on rest.kanata
reverse-continue
delete
continue
END
  prints "no trace is on"
  prints "monitor trace takes on FILE or off"
  prints "no trace: missing/whole.json"
  prints "a trace is on since tick 0"
  prints "at warp 5"
  [ "$(grep '^tick' out | sort | uniq -c | awk '{ print $1 }')" = 2 ] || complain "is elsewhere after the trace"
  [ "$(grep -c 'total [0-9]' out)" -eq 1 ] || complain "prints the program's output not once"
  prints "exited normally"
  python3 "$tools/same_trace.py" part.json all.json part 2>err || complain "the part: $(tail -1 err)"
  expect 0 python3 "$tools/check_trace.py" json part.json
  expect 0 python3 "$tools/check_trace.py" konata rest.kanata

  session scale.elf -m $machine <<'END'
monitor trace on whole.json
continue
END
  python3 "$tools/same_trace.py" whole.json all.json whole 2>err || complain "the whole: $(tail -1 err)"
done

expect 0 "$SIMTLAB" cc -g -O1 -o scale.elf scale.c
session scale.elf --fast <<'END'
monitor trace on whole.json
END
prints "a trace needs timing"
finish
