# simtlab paper r2d2: facts that the report's numbers must show, recorded runs, memory contents that differ.
. "$(dirname "$0")/_lib.sh"
[ -s "$BUILD/bench-r2d2/gemm.ptx" ] || { echo "skipped: bench-r2d2 is not built"; exit 77; }
some="--size small --only backprop_forward,stencil"

# runs SIMULATED REUSED: the last command reports these counts.
runs() {
  prints "$1 runs done in"
  prints "0 failed; $2 were recorded before"
}

expect 0 "$SIMTLAB" paper r2d2 $some --out "$work/a"
runs 16 0
prints "report: $work/a/index.html"
COLUMNS=80 "$SIMTLAB" report --scale small --database "$work/a/runs.db" --output "$work/a/index.html" \
  "$BUILD/studies/r2d2.yaml" | grep -v '^report' >"$work/out"
awk 'length($0) > 80 { bad = 1 } END { exit bad }' "$work/out" || complain "lines above 80 columns"
for file in index.html summary.csv energy.csv figure4.csv figure12.svg figure16.csv runs.db.programs/stencil.ptx \
  runs.db.programs/stencil.launch runs.db.programs/stencil.elf; do
  [ -s "$work/a/$file" ] || complain "$file is missing"
done
has "$work/a/index.html" "2 of 30 programs, 16 runs at the small sizes"

# The figures equal those of simtlab run on the same machines.
for machine in off on; do
  expect 0 "$SIMTLAB" run -q -m sm7-r2d2 --set clusters=1 --set r2d2=$machine --energy titanv \
    --stats "$work/stencil-$machine.json" "$work/a/runs.db.programs/stencil.launch"
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

cp "$work/a/summary.csv" "$work/before.csv"
expect 0 "$SIMTLAB" paper r2d2 $some --out "$work/a"
runs 0 16
cmp -s "$work/a/summary.csv" "$work/before.csv" || complain "the same runs give another summary"

# A machine that leaves other memory contents than the baseline: there is no report.
rm -r "$work/a/summary.csv"
python3 - "$work/a/runs.db" <<'P' || complain "no checksum of memory in the database"
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
run, table = db.execute("""select run.id, 'counters_' || run.counters from run join program on program.id = run.program
  join machine_config on machine_config.id = run.config
  where program.name = 'stencil' and machine_config.name = 'darsie'""").fetchone()
changed = db.execute('update "%s" set "memory.sum" = "memory.sum" + 1 where run = ? and "memory.sum" > 0' % table, (run,))
assert changed.rowcount == 1
db.commit()
P
expect 1 "$SIMTLAB" paper r2d2 $some --out "$work/a"
says "other memory contents than on the baseline: stencil on darsie"
[ ! -e "$work/a/summary.csv" ] || complain "writes a report"

expect 2 "$SIMTLAB" paper r2d2 --only gem --out "$work/c"
says "gemm"
expect 2 "$SIMTLAB" paper r2d2 --only "" --out "$work/c"
says "--only names no program"
# Each difference from the paper has a reason.
has "$work/a/index.html" "The kernels are short here"
finish
