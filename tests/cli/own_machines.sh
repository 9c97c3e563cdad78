# Custom machines by name, from the folders of SIMTLAB_MACHINES.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
mkdir lab other
printf 'base: simtight\nsummary: slow memory\nkeys:\n  dram.latency: 77\n' >lab/slow.yaml
printf 'base: slow\nkeys:\n  lanes: 16\n' >lab/slow-narrow.yaml
printf 'base: simtight\nkeys:\n  dram.latency: 99\n' >other/slow.yaml
printf 'base: simtight\nkeys:\n  lanse: 1\n' >other/broken.yaml
touch lab/notes.txt
expect 2 "$SIMTLAB" show slow
says "no machine named 'slow'"

export SIMTLAB_MACHINES=$work/lab:$work/other
expect 0 "$SIMTLAB" show slow dram.latency
prints "value:   77"
expect 0 "$SIMTLAB" show slow-narrow dram.latency
prints "value:   77"
expect 0 "$SIMTLAB" run -q -m slow-narrow "$BUILD/bench/VecAdd.elf"
expect 0 "$SIMTLAB" compare -m slow,simtight:lanes=16 "$BUILD/bench/VecAdd.elf"
prints "slow "
expect 0 env "SIMTLAB_MACHINES=:$work/other:$work/lab" "$SIMTLAB" show slow dram.latency
prints "value:   99"

# A base is found by name from any folder; circular bases are an error.
printf 'base: slow\n' >here.yaml
expect 0 "$SIMTLAB" show here.yaml dram.latency
prints "value:   77"
printf 'base: mine\n' >lab/mine.yaml
expect 2 "$SIMTLAB" show mine
says "based on each other"
rm lab/mine.yaml

expect 0 "$SIMTLAB" machines
prints "slow memory"
prints "$work/lab"
grep -q "^slow .* $work/lab " out || complain "does not name the file of slow"
grep -q "^slow .* $work/other .*not used: the name is taken" out || complain "does not name the shadowed slow"
grep -q "^simtight .* preset " out || complain "does not say that simtight is a preset"
grep -q "^broken .*unknown key 'lanse'; did you mean 'lanes'" out || complain "does not report the broken file"
! grep -q notes out || complain "lists a file that is not a machine"
expect 0 "$SIMTLAB" help --list machines
prints "slow-narrow"
expect 2 "$SIMTLAB" show slwo
says "did you mean 'slow'?"

# A custom machine cannot take a preset's name.
printf 'base: simty\n' >lab/simtight.yaml
expect 2 "$SIMTLAB" run "$BUILD/bench/VecAdd.elf"
says "'simtight' is both a preset and, by SIMTLAB_MACHINES, $work/lab/simtight.yaml; rename the file"
expect 0 "$SIMTLAB" show lab/simtight.yaml
prints "pipeline simty"
expect 0 "$SIMTLAB" machines
grep -q "^simtight .* $work/lab .*not used: the name is taken" out || complain "does not report that the file is ignored"

export SIMTLAB_MACHINES=$work/nowhere:$work/other
expect 2 "$SIMTLAB" machines
says "SIMTLAB_MACHINES: $work/nowhere cannot be read (No such file"
prints "$work/other"
finish
