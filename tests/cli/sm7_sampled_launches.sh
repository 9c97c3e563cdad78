# run --sample auto of a script of many launches: some are left out, memory and counts of instructions are those of the
# whole run, the interval contains its cycles, and a seed decides which launches are timed. With lowered code (v100),
# too.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
"$PYTHON" - "$SOURCE/tests/random" <<'PY' || complain "no programs"
import sys
sys.path.insert(0, sys.argv[1])
import sampled_launches as s
open("k.ptx", "w").write(s.PTX)
lines = ["ptx k.ptx", "buffer x 16400 randu 100 1", "buffer y 16400 zero"]
for i in range(40):
    x, y = ("x", "y") if i % 2 == 0 else ("y", "x")
    lines += [f"launch stencil 8 1 1 128 1 1 0 buf:{x} buf:{y}", s.grow(4, 2 + i % 3)]
open("many.launch", "w").write("\n".join([*lines, "sum x", ""]))
open("few.launch", "w").write("\n".join([*lines[:20], "sum x", ""]))
PY
for gpu in "sm7-1" "v100 -s clusters=1 -s sms_per_cluster=1"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q -m $gpu --stats whole.json many.launch
  cp "$work/out" sums
  for seed in 1 2; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q -m $gpu --sample "auto,$seed" --stats "$seed.json" many.launch
    cmp sums "$work/out" || complain "$gpu: memory differs with seed $seed"
  done
  "$PYTHON" - <<'PY' || complain "$gpu: the sampled launches are wrong"
import json
whole, one, two = (json.load(open(f + ".json")) for f in ("whole", "1", "2"))
exact = whole["totals"]["counters"]
for run in one, two:
    s, counters = run["sampled"], run["totals"]["counters"]
    for name in "warp_instrs", "thread_instrs", "blocks":
        assert counters[name] == exact[name], name
        assert s["bars"][name] == 0
    assert [a["counters"]["warp_instrs"] for a in run["launches"]] == [a["counters"]["warp_instrs"] for a in whole["launches"]]
    assert abs(s["cycles"]["value"] - exact["cycles"]["value"]) <= 2 * s["cycles"]["bar"], s["cycles"]
    assert s["cycles"]["percent"] < 15
    assert [(c["kernel"], c["launches"], c["blocks"]) for c in s["clusters"]] == [("stencil", 40, [8, 8]), ("grow", 40, [4, 4])]
    assert sum(c["timed"] for c in s["clusters"]) == 80 - s["untimed_launches"] and s["untimed_launches"] > 25
    assert abs(sum(c["cycles"] for c in s["clusters"]) / s["cycles"]["value"] - 1) < 0.001
assert one["sampled"]["cycles"] != two["sampled"]["cycles"]
PY
done
expect 0 "$SIMTLAB" run -m sm7-1 --sample auto many.launch
says "launches left out: "
says "95 % confidence interval"
expect 0 "$SIMTLAB" run -m sm7-1 --sample auto few.launch
says "cycles are exact"
finish
