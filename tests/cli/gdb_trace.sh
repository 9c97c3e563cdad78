# monitor trace: the trace of the whole run is that of simtlab trace; that of a part has its cycles, and the session goes
# on as without it.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb.sh"
tools=$SOURCE/tests/cli

# PART ALL KIND: both have the same events, but for a part its first and last cycles.
cat >same.py <<'PY'
import json, sys

lines = [[json.loads(line) for line in open(path)] for path in sys.argv[1:3]]
part, whole = [[e for e in of if e.get("event") in ("fetched", "executed", "retired")] for of in lines]
assert part, "no events"
if sys.argv[3] == "whole":
    waits = [sum(e["cycles"] for e in of if e.get("event") == "waited") for of in lines]
    assert part == whole and waits[0] == waits[1] > 0, (len(part), len(whole), waits)
else:
    first, last = part[0]["cycle"], part[-1]["cycle"]
    within = [e for e in whole if first < e["cycle"] < last]
    assert 0 < len(within) < len(whole)
    assert [e for e in part if first < e["cycle"] < last] == within, (first, last, len(part), len(within))
PY

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
  python3 same.py part.json all.json part 2>err || complain "the part: $(tail -1 err)"
  expect 0 python3 "$tools/check_trace.py" json part.json
  expect 0 python3 "$tools/check_trace.py" konata rest.kanata

  session scale.elf -m $machine <<'END'
monitor trace on whole.json
continue
END
  python3 same.py whole.json all.json whole 2>err || complain "the whole: $(tail -1 err)"
done

expect 0 "$SIMTLAB" cc -g -O1 -o scale.elf scale.c
session scale.elf --fast <<'END'
monitor trace on whole.json
END
prints "a trace needs timing"
finish
