# simtlab compare on launch scripts: rows include the recorded cycles of GPGPU-Sim.
. "$(dirname "$0")/_lib.sh"
kernels=$SOURCE/reference/ptx/kernels
one=$kernels/saxpy.s.launch
two=$kernels/stencil.s.launch

# Selected by the name of the kernel's variant.
cat >"$work/check.py" <<'PY'
import json, sys
run, source = json.load(open(sys.argv[1])), sys.argv[2]
records = json.load(open(source + "/reference/ptx/cycles.json"))["kernels"]
rows = [(r["program"]["file"].split("/")[-1].split(".")[0], r) for r in run["machines"]]
assert [(k, r["name"]) for k, r in rows] == [(k, m) for k in ("saxpy", "stencil") for m in ("sm7-1", "sm7-1:scheduler=gto")]
for kernel, row in rows:
    variants = records[kernel]["s"]["variants"]
    recorded = variants["sm1gto" if "gto" in row["name"] else "sm1"]
    assert row["cycles"] == recorded["cycles"], (kernel, row["name"], row["cycles"], recorded)
    assert row["outcome"] == "passed" and row["program"]["hash"] is None
    assert sum(row["cycles_by_cause"].values()) == 4 * row["counters"]["sm_cycles"]
    assert sum(k["cycles"] for k in row["kernels"]) == row["cycles"]
assert abs(rows[1][1]["cycles_ratio"] - rows[1][1]["cycles"] / rows[0][1]["cycles"]) < 1e-9
PY
expect 0 "$SIMTLAB" compare -q -j 2 -m sm7-1,sm7-1:scheduler=gto --json "$work/c.json" --html "$work/c.html" "$one" "$two"
[ "$(grep -c passed "$work/out")" -eq 4 ] || complain "does not have a row per run"
grep -Eq 'sm7-1:scheduler=gto: issued ' "$work/out" || complain "does not attribute cycles to stall reasons"
has "$work/c.html" "saxpy.s.launch"
python3 "$work/check.py" "$work/c.json" "$SOURCE" || complain "the rows differ from the recorded ones"

expect 4 "$SIMTLAB" compare -q -m sm7-1 --max-cycles 100 "$one"
prints "limit"
expect 2 "$SIMTLAB" compare -m sm7-1,simtight "$one"
says "is for machines that run PTX, which simtight does not"
expect 2 "$SIMTLAB" compare -m sm7-1 --lines 3 "$one"
says "none of --kernel, --lines"
expect 2 "$SIMTLAB" compare -m sm7-1 "$one" -- small
says "launch scripts take no arguments"
finish
