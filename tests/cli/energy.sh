# run --energy multiplies counts by the figures of an energy set. It names events outside all sums and reports errors in
# a set.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
program=$BUILD/bench/VecAdd.elf

set_of() { printf 'summary: "mine"\nsource: "made up"\npicojoules:\n%s\n' "$1" >mine.yaml; }

# value TEXT: the first number behind "TEXT": in the statistics. event NAME: the count of an event.
value() { sed -n "s/^ *\"$1\": \([0-9.]*\).*/\1/p" stats | head -1 | sed 's/\.0$//'; }
event() { sed -n "/^ *\"energy\"/,\$p" stats | grep -A1 "^ *\"$1\": {" | sed -n 's/^ *"count": \([0-9.]*\).*/\1/p' | head -1 | sed 's/\.0$//'; }
counter() { grep -A1 "^ *\"$1\": {" stats | sed -n 's/^ *"value": \([0-9]*\).*/\1/p' | tail -1; }
is() { [ "$1" = "$2" ] || complain "$3 is $1, not $2"; }

# One core: each cycle is one core cycle. A beat is two transfers of 32 bytes. 32 words of shared memory are one access.
set_of '  static: 3
  dram: 5'
expect 0 "$SIMTLAB" run --energy ./mine.yaml --stats stats "$program"
is "$(event static)" "$(counter cycles)" "the number of cycles"
is "$(event dram)" "$((2 * $(counter dram_beats)))" "the number of 32 bytes"
is "$(value picojoules)" "$((3 * $(counter cycles) + 10 * $(counter dram_beats)))" "the sum"
says "energy by set mine: mine"
says "not included, because simtight does not count them: icache, icache.miss, register.read, register.narrow, register.write, operand, lane.integer"
says "not included, because the set has no figure: $(counter warp_instrs) fetch"
has stats '"source": "made up"'
grep -A4 '"not_counted"' stats | grep -q '"register.read"' || complain "does not report that registers are missing"

# With four SMs each cycle counts four times. Register accesses are counted.
set_of '  static: 1
  register.read: 2'
expect 0 "$SIMTLAB" run -q -m sm7-4 --energy ./mine.yaml --stats stats "$BUILD/bench-on-sm7/VecAdd.elf"
is "$(value picojoules)" "$((4 * $(counter cycles) + 2 * $(counter registers.read)))" "the sum"
says "energy by set mine"

# PTX: the same.
kernels=$BUILD/reference/ptx/kernels
[ -d "$kernels" ] || kernels=$SOURCE/reference/ptx/kernels
expect 0 "$SIMTLAB" run -m sm7-4 --energy ./mine.yaml --stats stats "$kernels/saxpy.s.launch"
is "$(value picojoules)" "$((4 * $(counter cycles) + 2 * $(counter registers.read)))" "the sum"
says "energy by set mine"

# Every machine with every set; unknown names, with a list of the sets.
for set in v100 v100-sass titanv r2d2 45nm; do
  expect 0 "$SIMTLAB" run -m sm7-4 --energy $set "$kernels/saxpy.s.launch"
  says "energy by set $set"
  says "register.read"
done
for machine in simtight-rfc simty-plus; do
  expect 0 "$SIMTLAB" run -m $machine --energy 45nm "$program"
  says "energy by set 45nm"
done
expect 0 "$SIMTLAB" run -m vortex --energy 45nm "$BUILD/bench-on-vortex/VecAdd.elf"
says "energy by set 45nm"
says "l1 "

# Invalid sets and combinations.
expect 2 "$SIMTLAB" run --fast --energy titanv "$program"
says "leave out --fast"
expect 2 "$SIMTLAB" run --energy titanx "$program"
says "no set of energies named 'titanx'; there are 45nm, r2d2, titanv, v100-sass, v100"
expect 2 "$SIMTLAB" run --energy ./none.yaml "$program"
says "./none.yaml: cannot be opened"
set_of '  fetsh: 1'
expect 2 "$SIMTLAB" run --energy ./mine.yaml "$program"
says "./mine.yaml:4: no event 'fetsh'; did you mean 'fetch'?"
for bad in -1 much inf nan '""'; do
  set_of "  fetch: $bad"
  expect 2 "$SIMTLAB" run --energy ./mine.yaml "$program"
  says "is not an energy in picojoules"
done
printf 'picojoules:\n  fetch: 1\n' >mine.yaml
expect 2 "$SIMTLAB" run --energy ./mine.yaml "$program"
says "names no source of its energies"
printf 'source: "made up"\n' >mine.yaml
expect 2 "$SIMTLAB" run --energy ./mine.yaml "$program"
says "has no energies"
printf 'colour: red\n' >mine.yaml
expect 2 "$SIMTLAB" run --energy ./mine.yaml "$program"
says "a set of energies has summary, source, picojoules and watts"

# Parts count instead of their event, and each once.
set_of '  l2: 2
  l1: 1000
  l1.read_hit: 1
  l1.read_miss: 1
  l1.write_hit: 1
  l1.write_miss: 1'
expect 0 "$SIMTLAB" run -q -m sm7-4 --energy ./mine.yaml --stats stats "$kernels/saxpy.s.launch"
is "$(value picojoules)" "$((2 * $(counter l2.accesses) + $(counter l1.accesses)))" "the sum of parts"

# Power: 800 W constant of 80 SMs, 4 W an idle SM, 80 W static of the chip and nothing for further lanes, at 1200 MHz.
power() { # the picojoules in two thirds, which are whole numbers
  set_of '  fetch: 0
watts:
  sms: 80
  constant: 800
  idle_sm: 4'"$1"
  expect 0 "$SIMTLAB" run -q -m sm7-4 --energy ./mine.yaml --stats stats "$kernels/saxpy.s.launch"
  "$PYTHON" -c 'import json
e = json.load(open("stats"))["energy"]
assert abs(e["watts"] - e["picojoules"] * 1e-12 / e["seconds"]) < 1e-6
print(round(e["picojoules"] * 1.2e-3))'
}
all=$(power '') cycles=$(counter cycles) busy=$(counter sm_cycles)
is "$all" "$((4 * cycles * 10 + (4 * cycles - busy) * 4))" "constant and idle power"
says "mean power"
is "$(power '
  float.first: 80')" "$((all + busy))" "static power of integers and floats"
is "$(power '
  integer.first: 80')" "$all" "static power of another kind"
set_of '  fetch: 0
watts:
  constant: 1'
expect 2 "$SIMTLAB" run --energy ./mine.yaml "$program"
says "watts without the number of SMs"
for bad in 'sms: many' 'constant: -1' 'flaot.first: 1' 'float.second: 1'; do
  set_of "  fetch: 0
watts:
  $bad"
  expect 2 "$SIMTLAB" run --energy ./mine.yaml "$program"
  says "mine.yaml:6: "
done

# The page of the sets explains each event.
if [ -f "$SOURCE/docs/explanation/energy.md" ]; then
  for name in $(for set in "$SOURCE"/energy/*.yaml; do sed -n '/^watts/q; s/^  \([a-z0-9._]*\): [0-9.]*$/\1/p' "$set"; done | sort -u); do
    grep -qF "| \`$name\` |" "$SOURCE/docs/explanation/energy.md" || complain "docs/explanation/energy.md does not have $name"
  done
fi
finish
