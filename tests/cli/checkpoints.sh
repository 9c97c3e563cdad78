# A run resumed from a checkpoint gives the results of an uninterrupted run, also after the first run was killed.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# same FILE FILE: statistics are equal except for host time.
same() {
  sed '/"host": {/,/}/d' "$1" >one
  sed '/"host": {/,/}/d' "$2" >other
  cmp -s one other || complain "results differ: $(diff one other | head -3)"
}

machines="simtight simtight-rfc-pp-sb simty-plus vortex"
! brief || machines="simtight vortex"
for machine in $machines; do
  program=$BUILD/bench/Scan-variant.elf at=90001
  [ $machine != vortex ] || { program=$BUILD/bench-vortex/saxpy-plain.elf; at=20001; }
  for fast in "" --fast; do
    expect 0 "$SIMTLAB" run -q $fast -m $machine --stats whole.json "$program"
    cp out whole.out
    expect 0 "$SIMTLAB" run -q $fast -m $machine --save-at $at half "$program"
    expect 0 "$SIMTLAB" run -q $fast -m $machine --restore half --stats rest.json "$program"
    same whole.json rest.json
  done
done

# Checkpoints at a given point: at the start of the second launch, which runs that kernel, and after some instructions.
machines="simtight simtight-rfc-pp-sb simty-plus vortex" places="launch=1 kernel=bitonic_merge_global instructions=0 instructions=50001"
! brief || { machines=simtight places="launch=1 kernel=bitonic_merge_global instructions=50001"; }
for machine in $machines; do
  program=$BUILD/bench/BitonicSortLarge.elf
  [ $machine != vortex ] || program=$BUILD/bench-on-vortex/BitonicSortLarge.elf
  for fast in "" --fast; do
    expect 0 "$SIMTLAB" run -q $fast -m $machine --stats whole.json "$program" small
    for place in $places; do
      expect 0 "$SIMTLAB" run -q $fast -m $machine --save-at $place "at-$place" "$program" small
      expect 0 "$SIMTLAB" run -q $fast -m $machine --restore "at-$place" --stats rest.json "$program" small
      same whole.json rest.json
    done
    for place in launch=1 kernel=bitonic_merge_global; do
      expect 2 "$SIMTLAB" run -q $fast -m $machine --restore at-$place --save-at 1 again "$program" small
      cp err "$place.err"
    done
    cmp -s launch=1.err kernel=bitonic_merge_global.err || complain "$machine $fast: launch 1 starts at two places"
  done
done
program=$BUILD/bench/BitonicSortLarge.elf
expect 0 "$SIMTLAB" run -q --save-at launch=2 second --save-every 100000 --keep 9 --save-to also "$program" small
expect 0 "$SIMTLAB" run -q --restore second --stats rest.json "$program" small
[ "$(find . -name 'also-*.checkpoint' | wc -l)" -ge 3 ] || complain "--save-every does not go with a place"
program=$BUILD/bench-vortex/saxpy-plain.elf
expect 0 "$SIMTLAB" run -q -m vortex --stats whole.json "$program"
expect 0 "$SIMTLAB" run -q -m vortex --save-at instructions=5000 half "$program"
expect 0 "$SIMTLAB" run -q -m vortex --restore half --stats rest.json "$program"
same whole.json rest.json
expect 2 "$SIMTLAB" run -q -m vortex --whole-program --save-at launch=0 half "$program"
says "the whole program is one launch, so that no launch can be chosen. Leave out --save-at"
expect 2 "$SIMTLAB" run -q --save-at launch=7 never "$BUILD/bench/VecAdd.elf"
says "--save-at launch=7: the run ended at cycle"
says "without reaching it, so no checkpoint was saved"
[ ! -e never ] || complain "saves it none the less"
expect 2 "$SIMTLAB" run -q --save-at kernel= half "$BUILD/bench/VecAdd.elf"
says "'kernel=' is no cycle"

# The run is killed: it resumes from the last checkpoint.
expect 0 "$SIMTLAB" run -q --stats whole.json "$BUILD/bench/MotionEst-variant.elf" small
expect 2 "$SIMTLAB" run -q --save-every 50000 --keep 3 --save-to kept/m "$BUILD/bench/MotionEst-variant.elf"
says "cannot be opened for writing"
mkdir kept
expect 0 "$SIMTLAB" run -q --save-every 50000 --keep 3 --save-to kept/m "$BUILD/bench/MotionEst-variant.elf" small
[ "$(ls kept | wc -l)" -eq 3 ] || complain "keeps $(ls kept)"
last=$(ls kept | sort -t- -k2n | tail -1)
expect 0 "$SIMTLAB" run -q --restore "kept/$last" --stats rest.json "$BUILD/bench/MotionEst-variant.elf" small
same whole.json rest.json
"$SIMTLAB" run -q --save-every 100000 --save-to long "$BUILD/bench/BitonicSortLarge.elf" paper >out 2>err &
process=$!
while [ "$(find . -name 'long-*.checkpoint' | wc -l)" -lt 2 ]; do sleep 0.05; done
kill -9 $process
wait $process 2>/dev/null
for file in long-*.checkpoint; do
  expect 4 "$SIMTLAB" run -q --max-cycles 9000000 --restore "$file" "$BUILD/bench/BitonicSortLarge.elf" paper
done

# Invalid combinations.
expect 2 "$SIMTLAB" run -q --restore half "$BUILD/bench/VecAdd.elf"
says "the checkpoint cannot be used: it was saved"
cp "$BUILD/bench/VecAdd.elf" v.elf
expect 2 "$SIMTLAB" run -q --restore v.elf --stats none.json v.elf
says "it is not a checkpoint of simtlab"
[ ! -e none.json ] || complain "has statistics of nothing"
expect 2 "$SIMTLAB" run -q --save-at 100 v.elf v.elf
says "would overwrite an input"
expect 2 "$SIMTLAB" run -q --save-at 1000000000 never v.elf
says "--save-at 1000000000: the run ended at cycle"
[ ! -e never ] || complain "saves it nevertheless"
expect 2 "$SIMTLAB" run -q --save-at soon half v.elf
says "'soon' is no cycle"
expect 2 "$SIMTLAB" run -q --keep 2 v.elf
says "give that too"
expect 2 "$SIMTLAB" run --save-at 5
says "--save-at needs two values: WHERE FILE"
expect 0 "$SIMTLAB" run -q --save-at 3000 half v.elf
expect 2 "$SIMTLAB" run -q --restore half --save-at 2000 again v.elf
says "the run resumes at cycle 3000 already"
expect 2 "$SIMTLAB" run -q --restore half --fast v.elf
says "in the other mode"
expect 2 "$SIMTLAB" run -q --restore half -s lanes=16 v.elf
says "different keys"
finish
