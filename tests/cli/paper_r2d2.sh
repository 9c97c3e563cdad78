# simtlab paper r2d2: facts that the report's numbers must show, resumption after an interruption, edited records.
. "$(dirname "$0")/_lib.sh"
[ -s "$BUILD/bench-r2d2/gemm.ptx" ] || { echo "skipped: bench-r2d2 is not built"; exit 77; }
some="--size small --only backprop_forward,stencil -q"

# runs SIMULATED REUSED: the last command reports these counts.
runs() { prints "runs: $1 simulated, $2 reused"; }

expect 0 "$SIMTLAB" paper r2d2 $some --out "$work/a"
silent
runs 14 0
prints "report: $work/a/index.html"
grep -v '^report' "$work/out" | awk 'length($0) > 80 { bad = 1 } END { exit bad }' || complain "lines above 80 columns"
for file in index.html summary.csv energy.csv figure4.csv figure12.svg figure16.csv programs/stencil.ptx \
  programs/stencil.launch programs/stencil.elf \
  runs/base/stencil.json runs/dac/stencil.json runs/riscv-r2d2/stencil.json; do
  [ -s "$work/a/$file" ] || complain "$file is missing"
done
has "$work/a/index.html" "2 of 30 programs, 14 runs at the small sizes"

# The figures equal those of simtlab run on the same machines.
for machine in off on; do
  expect 0 "$SIMTLAB" run -q -m sm7-r2d2 --set clusters=1 --set r2d2=$machine --energy titanv \
    --stats "$work/stencil-$machine.json" "$work/a/programs/stencil.launch"
done
cd "$work" || exit 1
python3 - <<'P' || complain "the report's figures differ from those of run"
import csv, json
off, on = (json.load(open("stencil-%s.json" % s)) for s in ("off", "on"))
counter = lambda run, name: run["totals"]["counters"][name]["value"]
def column(figure, series):
  rows = list(csv.reader(open("a/%s.csv" % figure)))
  at = next(i for i, title in enumerate(rows[0]) if title.startswith(series))
  return {row[0]: float(row[at]) for row in rows[1:] if row[at]}
near = lambda a, b: abs(a - b) < 0.01
less = 100 * (1 - counter(on, "warp_instrs") / counter(off, "warp_instrs"))
assert near(column("figure12", "R2D2")["stencil"], less)
assert near(column("figure13", "R2D2")["stencil"], counter(off, "cycles") / counter(on, "cycles"))
linear = sum(counter(on, "linear." + n) for n in ("coefficients", "threads", "blocks"))
assert near(column("figure14", "linear")["stencil"], 100 * linear / counter(off, "warp_instrs"))
for part, name in ("coefficients", "coefficients"), ("threads'", "threads"), ("block's", "blocks"):
  assert near(column("figure14", part)["stencil"], 100 * counter(on, "linear." + name) / counter(off, "warp_instrs"))
rest = counter(on, "warp_instrs") - linear
assert near(column("figure14", "what is left")["stencil"], 100 * rest / counter(off, "warp_instrs"))
assert near(column("figure15", "linear")["stencil"], 100 * counter(on, "linear.cycles") / counter(off, "sm_cycles"))
rest = counter(on, "sm_cycles") - counter(on, "linear.cycles")
assert near(column("figure15", "what is left")["stencil"], 100 * rest / counter(off, "sm_cycles"))
energy = 100 * (1 - on["energy"]["picojoules"] / off["energy"]["picojoules"])
assert near(column("figure16", "R2D2")["stencil"], energy)
# Means as the paper has them: of shares arithmetic, of speed geometric.
for figure, mean in ("figure12", lambda a, b: (a + b) / 2), ("figure13", lambda a, b: (a * b) ** 0.5):
  of = column(figure, "R2D2")
  assert near(of["mean"], mean(of["stencil"], of["backprop_forward"]))
shares = list(csv.reader(open("a/energy.csv")))[1:]
assert near(sum(float(row[1]) for row in shares), 100)
P

# Finished runs are reused; a missing or edited run is repeated.
rm "$work/a/runs/base/stencil.json"
sed -i 's/"launches": 1/"launches": 2/' "$work/a/runs/r2d2/stencil.json"
cp "$work/a/summary.csv" "$work/before.csv"
expect 0 "$SIMTLAB" paper r2d2 $some --out "$work/a"
runs 2 12
says "the record has been changed"
cmp -s "$work/a/summary.csv" "$work/before.csv" || complain "the same runs give another summary"

expect 2 "$SIMTLAB" paper r2d2 --only gem --out "$work/c"
says "gemm"
expect 2 "$SIMTLAB" paper r2d2 --only "" --out "$work/c"
says "--only names no benchmark"
# Each difference from the paper has a reason.
has "$work/a/index.html" "The kernels are short here"
finish
