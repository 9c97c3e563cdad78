# With an observer, an SM examines each warp in each cycle. Without one it leaves out what would change nothing. Both count
# the same.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
for machine in sm7-4 v100 sm7-its; do
  for kernel in spmv lud bfs gemm_tiled; do
    launch=$BUILD/bench-r2d2/$kernel.launch
    expect 0 "$SIMTLAB" run -q -m $machine -S plain.json "$launch"
    expect 0 "$SIMTLAB" profile -q -m $machine --json observed.json "$launch"
    python3 - <<'PY' || complain "$kernel on $machine counts something else with an observer"
import json
def counters(path):
    return json.load(open(path))["totals"]["counters"]
assert len(counters("plain.json")) > 30
assert counters("plain.json") == counters("observed.json")
PY
  done
done
finish
