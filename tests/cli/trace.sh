# Traces: each format keeps its rules on every machine; a trace has the cycles and instructions that the machine counts.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
tools=$SOURCE/tests/cli

# number NAME FILE: a member of a line of JSON.
number() { python3 -c 'import json, sys; print(json.load(open(sys.argv[2])).get(sys.argv[1], 0))' "$1" "$2"; }

# counted NAME: the sum of a counter over the launches of stats.json.
counted() {
  python3 -c '
import json, sys
stats = json.load(open("stats.json"))
print(sum(launch["counters"][sys.argv[1]]["value"] for launch in stats["launches"]))' "$1"
}

# traces MACHINE PROGRAM: all formats; sets nothing.
traces() {
  machine=$1
  program=$2
  for format in konata perfetto vcd json; do
    expect 0 "$SIMTLAB" trace -q -m "$machine" -f $format -o trace.$format "$program"
    silent
    command="$machine, $format"
    python3 "$tools/check_trace.py" $format trace.$format >found.$format 2>err || complain "breaks a rule of the format"
  done
  executed=$(number executed found.json)
  [ "$executed" -gt 0 ] || complain "executes nothing"
  for pair in retired:konata executed:vcd retired:json; do
    [ "$(number "${pair%:*}" "found.${pair#*:}")" -le "$executed" ] || complain "${pair#*:} has too many instructions"
  done
  [ "$(number rows found.konata)" -eq "$(number fetched found.json)" ] || complain "konata: a fetch has no row"
}

traces simtight "$BUILD/bench/VecAdd.elf"
expect 0 "$SIMTLAB" run -q -S stats.json "$BUILD/bench/VecAdd.elf"
cycles=$(counted cycles)
all=$(number executed found.json)
command="the trace of simtight"
[ "$(number slots found.json)" -eq "$cycles" ] || complain "its slots are not the machine's $cycles cycles"
[ "$(number cycles found.konata)" -eq "$cycles" ] || complain "konata: not $cycles cycles"
grep -q 'VecAdd.c:[0-9]' trace.konata || complain "has no source lines"

traces simty-plus "$BUILD/bench/VecAdd.elf"
traces sm7-1 "$BUILD/bench-r2d2/atax.launch"
traces vortex "$BUILD/bench-vortex/saxpy-plain.elf"

# A part of a trace.
expect 0 "$SIMTLAB" trace -o part.json --cycles 100:200 --warps 1,3 "$BUILD/bench/VecAdd.elf"
says "trace of "
python3 -c '
import json
for line in open("part.json"):
    e = json.loads(line)
    assert "event" not in e or e["event"] in ("launched", "ended") or (100 <= e["cycle"] <= 200 and e["warp"] in (1, 3)), e
' || complain "has other warps or cycles"

# A kernel, and samples of 1,024 cycles.
expect 0 "$SIMTLAB" trace -q -o kernel.json --kernel vec_add "$BUILD/bench/VecAdd.elf"
cmp -s kernel.json trace.json || grep -q '"executed"' kernel.json || complain "has no instruction of the kernel"
expect 0 "$SIMTLAB" trace -q -o none.json --kernel other "$BUILD/bench/VecAdd.elf"
says "no launch is of kernel 'other'"
! grep -q '"executed"' none.json || complain "has instructions of other kernels"
expect 0 "$SIMTLAB" trace -q -o sampled.json --sample 2 "$BUILD/bench/VecAdd.elf"
python3 -c '
import json
events = [json.loads(line) for line in open("sampled.json")]
cycles = [e["cycle"] for e in events if e.get("event") == "executed"]
assert cycles and all(cycle // 1024 % 2 == 0 for cycle in cycles)' || complain "has cycles of other windows"

# A page has the slots and instructions that the machine counts, in pieces that unpack.
page() { expect 0 python3 "$tools/check_trace.py" html "$1"; }
expect 0 "$SIMTLAB" trace -q -o page "$BUILD/bench/VecAdd.elf"
page page
[ "$(number slots out)" -eq "$cycles" ] || complain "the page's slots are not the machine's $cycles cycles"
[ "$(number executed out)" -eq "$all" ] || complain "the page has not $all executed instructions"
[ "$(number valued out)" -gt 0 ] || complain "the page has no values"
expect 4 "$SIMTLAB" trace -q --max-cycles 1000 -o limit.html "$BUILD/bench/VecAdd.elf"
page limit.html

# The file name chooses the format and compression; standard output has the trace alone.
expect 0 "$SIMTLAB" trace -q -o named.kanata.zst "$BUILD/bench/VecAdd.elf"
expect 0 "$SIMTLAB" trace -q -o named.vcd "$BUILD/bench/VecAdd.elf"
[ "$(head -c 8 named.vcd)" = '$version' ] || complain "is no value change dump"
expect 0 "$SIMTLAB" trace -q -f json -o - "$BUILD/bench/VecAdd.elf"
cp out standard.json
python3 "$tools/check_trace.py" json standard.json >/dev/null || complain "standard output has more than the trace"

# After a limit the trace is valid and has the events so far. Errors name what is wrong, and leave no file.
expect 4 "$SIMTLAB" trace -q --max-cycles 1000 -o limit.kanata "$BUILD/bench/VecAdd.elf"
python3 "$tools/check_trace.py" konata limit.kanata >/dev/null || complain "the trace up to a limit breaks a rule"
expect 2 "$SIMTLAB" trace "$BUILD/bench/VecAdd.elf"
says "which file?"
expect 2 "$SIMTLAB" trace -f konta -o x "$BUILD/bench/VecAdd.elf"
says "konata"
expect 2 "$SIMTLAB" trace -o x --cycles 5 "$BUILD/bench/VecAdd.elf"
says "a window of cycles is FROM:TO"
expect 2 "$SIMTLAB" trace -o x no.elf
[ ! -e x ] || complain "leaves a file"
if [ -w /dev/full ]; then
  expect 2 "$SIMTLAB" trace -q -o /dev/full "$BUILD/bench/VecAdd.elf"
  says "No space left"
fi
finish
