# simtlab bench --speed: one row per machine and mode, in 80 columns; JSON has null for values that the computer does
# not provide; no progress display in a pipe.
. "$(dirname "$0")/_lib.sh"
expect 0 env COLUMNS=80 "$SIMTLAB" bench --speed -m simtight --only VecAdd,Reduce --json "$work/speed.json"
silent
prints "results: $work/speed.json"
ways=4
grep -qw avx512vl /proc/cpuinfo && ways=5 # and machine code
[ $ways -eq 4 ] || grep -q "^simtight  *emitted .* thread instrs" "$work/out" || complain "the row of JIT code is missing"
for row in 'timed .* cycles' 'sampled .* cycles' 'instructions .* thread instrs' 'blocks .* thread instrs'; do
  [ "$(grep -c "^simtight  *$row" "$work/out")" -eq 1 ] || complain "row '$row' is missing"
done
awk 'length > 80 { exit 1 }' "$work/out" || complain "a line is wider than 80 columns"
awk '/^simtight / && !($3 > 0) { exit 1 }' "$work/out" || complain "a speed is not above 0"
has "$work/speed.json" '"schema": 1'
[ "$(grep -c '"run": "' "$work/speed.json")" -eq $ways ] || complain "not $ways speeds"
[ "$(grep -c '"name": "VecAdd"' "$work/speed.json")" -eq $ways ] || complain "a speed does not list its benchmarks"

# Counts that are unavailable are absent, never 0: the column exists only with values.
[ "$(grep -c '"host_instructions_per_event":' "$work/speed.json")" -eq $((ways * 3)) ] || complain "some rows lack instructions"
grep -Eq '"host_instructions_per_event": (0\.0|0),?$' "$work/speed.json" && complain "an unknown count is 0"
if grep -q '"host_instructions_per_event": [1-9]' "$work/speed.json"; then
  prints "host instrs/event"
else
  grep -q 'host instrs' "$work/out" && complain "a column without values"
fi

# Shares of the host's time: of the timed run only, if they could be sampled; they cover all of it.
[ "$(grep -c '"shares":' "$work/speed.json")" -eq $ways ] || complain "a speed has no shares, not even null"
[ "$(grep -c '"shares": null' "$work/speed.json")" -ge $((ways - 1)) ] || complain "a run without timing has shares"
if grep -q '"shares": {' "$work/speed.json"; then
  prints "% of host time"
  python3 - "$work/speed.json" <<'END' || complain "the shares are not those of a run"
import json, sys
shares = next(s["shares"] for s in json.load(open(sys.argv[1]))["speeds"] if s["run"] == "timed")
sys.exit(not (abs(sum(shares.values()) - 1) < 1e-6 and min(shares.values()) >= 0
              and shares["pipeline"] > 0 and shares["memory"] > 0 and shares["values"] > 0))
END
else
  grep -q '% of host time' "$work/out" && complain "a table without samples"
fi

# Machines without sampling have no row for it.
expect 0 "$SIMTLAB" bench --speed -m vortex-cfm --only VecAdd
! grep -q sampled "$work/out" || complain "vortex-cfm is sampled"

expect 2 "$SIMTLAB" bench --speed --fast
says "--speed goes with"
expect 2 "$SIMTLAB" bench --speed --size small
says "--speed goes with"
expect 2 "$SIMTLAB" bench --speed -s warps=4
says "needs the --machine"
expect 2 "$SIMTLAB" bench --speed --only NoSuch
says "unknown benchmark"
expect 2 "$SIMTLAB" bench --speed -m simtight --only VecAdd --json /dev/full
says "cannot be written"
finish
