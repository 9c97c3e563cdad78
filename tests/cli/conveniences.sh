# Machine files with a base, whole machines as files, help by name, and lists whose reader closes the pipe.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
mkdir lab
printf 'base: simtight\nsummary: small\nkeys:\n  lanes: 8\n' >lab/tiny.yaml
printf 'base: ./tiny.yaml\nkeys:\n  warps: 4\n' >lab/tinier.yaml
expect 0 "$SIMTLAB" show lab/tinier.yaml lanes
prints "value:   8"
expect 0 "$SIMTLAB" show lab/tinier.yaml warps
prints "value:   4"
cd lab || exit 1
expect 0 "$SIMTLAB" show tinier.yaml lanes
prints "value:   8"
cd ..
printf 'base: ./b.yaml\n' >a.yaml
printf 'base: a.yaml\n' >b.yaml
expect 2 "$SIMTLAB" show a.yaml
says "based on each other"
printf 'base: none.yaml\n' >c.yaml
expect 2 "$SIMTLAB" show c.yaml
says "c.yaml:1: none.yaml: cannot be opened"
printf 'base: tiny.yaml\nkeys:\n  lanes: 9\n' >lab/bad.yaml
expect 2 "$SIMTLAB" show lab/bad.yaml
says "lab/bad.yaml:3: "

# A file with all keys describes the same machine.
for machine in simtight-rfc-pp-sb simty-plus vortex-cfm-dmsl vortex-simx; do
  expect 0 "$SIMTLAB" show --yaml -s warps=32 $machine
  cp out same.yaml
  expect 0 "$SIMTLAB" show -s warps=32 $machine
  tail -n +2 out >wanted
  expect 0 "$SIMTLAB" show same.yaml
  tail -n +2 out | cmp -s - wanted || complain "shows other keys"
done

expect 0 "$SIMTLAB" run --help
cp out wanted
expect 0 "$SIMTLAB" help run
cmp -s out wanted || complain "is not run --help"
expect 2 "$SIMTLAB" help rnu
says "did you mean 'run'?"

command="a list whose reader leaves"
for list in "disasm $BUILD/bench/MatMul.elf" "show vortex" machines; do
  { "$SIMTLAB" $list 2>err; echo $? >status; } | head -1 >out
  [ "$(cat status)" = 0 ] && [ ! -s err ] || complain "$list: $(cat status) $(cat err)"
done
finish
