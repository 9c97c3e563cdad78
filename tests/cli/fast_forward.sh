# run --fast-forward executes the first launches functionally and times the rest. Memory and console equal those of both
# full modes.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# hash FILE: the memory hash.
hash() { grep '"memory_hash"' "$1"; }
# count FILE KEY: the value of a top-level field.
count() { sed -n "s/^ *\"$2\": \([0-9]*\),\{0,1\}$/\1/p" "$1" | head -1; }
# total FILE COUNTER: the sum over all timed launches.
total() { sed -n '/"totals"/,$p' "$1" | grep -A1 "\"$2\": {" | sed -n 's/.*"value": \([0-9]*\).*/\1/p' | head -1; }

machines="simtight simtight-rfc-pp-sb simty-plus"
! brief || machines="simtight"
for machine in $machines; do
  program=$BUILD/bench/BitonicSortLarge.elf
  expect 0 "$SIMTLAB" run -q -m $machine --stats whole.json "$program" small
  cp out whole.out
  launches=$(sed -n '/"totals"/,$p' whole.json | sed -n 's/.*"launches": \([0-9]*\).*/\1/p')
  [ "$launches" -ge 2 ] || complain "$launches launches are too few to skip some"
  expect 0 "$SIMTLAB" run -q -m $machine --fast --stats fast.json "$program" small
  expect 0 "$SIMTLAB" run -q -m $machine --fast-forward launch=1 --stats some.json "$program" small
  cmp -s out whole.out || complain "$machine: console output differs"
  [ "$(hash some.json)" = "$(hash whole.json)" ] && [ "$(hash some.json)" = "$(hash fast.json)" ] ||
    complain "$machine: memory differs"
  [ "$(count some.json launches_skipped)" = 1 ] || complain "$machine: skips $(count some.json launches_skipped)"
  timed=$(total some.json thread_instrs) skipped=$(count some.json thread_instrs)
  [ $((timed + skipped)) -eq "$(total whole.json thread_instrs)" ] ||
    complain "$machine: $timed timed and $skipped skipped are not $(total whole.json thread_instrs) instructions"
  [ "$(total some.json cycles)" -gt 0 ] && [ "$(total some.json cycles)" -lt "$(total whole.json cycles)" ] ||
    complain "$machine: $(total some.json cycles) of $(total whole.json cycles) cycles"
  # Nothing to skip: the whole run is timed.
  expect 0 "$SIMTLAB" run -q -m $machine --fast-forward launch=0 --stats none.json "$program" small
  [ "$(total none.json cycles)" = "$(total whole.json cycles)" ] || complain "$machine: launch=0 is not a complete run"
  ! grep -q fast_forward none.json || complain "$machine: reports skipped launches though there are none"
done

# By name: the first launch sorts chunks, the second merges chunks.
expect 0 "$SIMTLAB" run --fast-forward kernel=bitonic_merge_global "$BUILD/bench/BitonicSortLarge.elf" small
says "skipped: the first 1 launch, without timing"
expect 0 "$SIMTLAB" run --fast-forward kernel=bitonic_sort_chunk "$BUILD/bench/BitonicSortLarge.elf" small
! grep -q "skipped:" "$work/err" || complain "skips something before the first kernel"

# By instructions, some of them in a launch that is then timed: none is lost or counted twice. On Simty only thread
# instructions are compared, because timed warps take more passes.
program=$BUILD/bench/BitonicSortLarge.elf
machines="simty-plus simtight-rfc-pp-sb simtight"
! brief || machines="simtight"
for machine in $machines; do
  expect 0 "$SIMTLAB" run -q -m $machine --stats whole.json "$program" small
  expect 0 "$SIMTLAB" run -q -m $machine --fast-forward launch=1 --stats first.json "$program" small
  first=$(count first.json warp_instrs)
  places="1 1000 $((first - 1)) $first $((first + 777))"
  ! brief || places="1000 $first $((first + 777))"
  for skip in $places; do
    at="$machine, instructions=$skip"
    expect 0 "$SIMTLAB" run -q -m $machine --fast-forward "instructions=$skip" --stats some.json "$program" small
    [ "$(hash some.json)" = "$(hash whole.json)" ] || complain "$at: memory differs"
    [ "$(count some.json warp_instrs)" = "$skip" ] || complain "$at: skips $(count some.json warp_instrs)"
    timed=$(total some.json thread_instrs) skipped=$(count some.json thread_instrs)
    [ $((timed + skipped)) -eq "$(total whole.json thread_instrs)" ] ||
      complain "$at: $timed timed and $skipped skipped thread_instrs"
    [ $machine = simty-plus ] || [ $(($(total some.json warp_instrs) + skip)) -eq "$(total whole.json warp_instrs)" ] ||
      complain "$at: $(total some.json warp_instrs) timed"
    cycles=$(total some.json cycles)
    [ "$cycles" -gt 0 ] && { [ "$skip" = 1 ] || [ "$cycles" -lt "$(total whole.json cycles)" ]; } ||
      complain "$at: $cycles cycles"
  done
done
[ "$(count first.json launches_skipped)" = 1 ] && grep -q '"launch_begun": true' some.json &&
  grep -q '"launch_begun": false' first.json || complain "does not report whether a launch had started"
expect 0 "$SIMTLAB" run --fast-forward instructions=1000 "$program" small
says "skipped: 0 launches and the begin of the next"
expect 0 "$SIMTLAB" run -q --fast-forward instructions=0 --stats none.json "$program" small
[ "$(total none.json cycles)" = "$(total whole.json cycles)" ] || complain "instructions=0 is not a complete run"

# A program that launches its kernels itself: the launches after the chosen one take the cycles of the whole run.
program=$BUILD/bench-on-vortex/BitonicSortLarge.elf
# cycles FILE: the cycles of each of the last eight launches.
cycles() { sed '/"totals"/,$d' "$1" | grep -A1 '"cycles": {' | sed -n 's/.*"value": //p' | tail -8; }
shapes="cores=1 cores=4" places="launch=0 launch=3 kernel=bitonic_merge_chunk instructions=1 instructions=100000"
! brief || { shapes=cores=1 places="launch=3 instructions=100000"; }
for shape in $shapes; do
  expect 0 "$SIMTLAB" run -q -m vortex -s $shape --stats whole.json "$program" small
  cp out whole.out
  for place in $places; do
    at="vortex, $shape, $place"
    expect 0 "$SIMTLAB" run -q -m vortex -s $shape --fast-forward $place --stats some.json "$program" small
    cmp -s out whole.out || complain "$at: console output differs"
    [ "$shape" = cores=4 ] || [ "$(cycles some.json)" = "$(cycles whole.json)" ] || complain "$at: cycles differ"
    timed=$(total some.json warp_instrs) skipped=$(count some.json warp_instrs)
    [ "$shape" = cores=4 ] || [ $((timed + ${skipped:-0})) -eq "$(total whole.json warp_instrs)" ] ||
      complain "$at: $timed timed and $skipped skipped"
  done
  [ "$skipped" = 100000 ] && grep -q '"launch_begun": true' some.json || complain "$shape: skips $skipped instructions"
done
expect 0 "$SIMTLAB" run -q -m vortex --whole-program --fast-forward instructions=5000 --stats some.json "$program" small
[ "$(count some.json warp_instrs)" = 5000 ] || complain "skips $(count some.json warp_instrs) of the whole program"

# Invalid options and combinations.
expect 2 "$SIMTLAB" run -q --fast-forward instructions=9999999999 "$BUILD/bench/VecAdd.elf"
says "instructions of warps in 1 launch, so nothing was timed"
expect 2 "$SIMTLAB" run -q --fast-forward instructions= "$BUILD/bench/VecAdd.elf"
says "takes kernel=NAME, launch=NUMBER or instructions=NUMBER"
expect 2 "$SIMTLAB" run -q -m sm7 --fast-forward instructions=9 "$BUILD/bench-on-sm7/VecAdd.elf"
says "on this machine timing can only begin with a launch"
expect 2 "$SIMTLAB" run -q --fast-forward kernel=nobody "$BUILD/bench/VecAdd.elf"
says "--fast-forward kernel=nobody: the program ended after 1 launch, none of that kernel"
expect 2 "$SIMTLAB" run -q --fast-forward launch=1 "$BUILD/bench/VecAdd.elf"
says "ended after 1 launch, which are numbered from 0"
expect 2 "$SIMTLAB" run -q --fast-forward cycles=7 "$BUILD/bench/VecAdd.elf"
says "or instructions=NUMBER, not 'cycles=7'"
expect 2 "$SIMTLAB" run -q --fast-forward launch=1 --fast "$BUILD/bench/VecAdd.elf"
says "leave out --fast"
expect 2 "$SIMTLAB" run -q --fast-forward launch=1 --trace-commits t "$BUILD/bench/VecAdd.elf"
says "leave out traces and profiles"
expect 2 "$SIMTLAB" run -q --fast-forward launch=1 --save-at 100 half "$BUILD/bench/VecAdd.elf"
says "leave out checkpoints"
expect 2 "$SIMTLAB" run -q -m vortex --whole-program --fast-forward launch=1 "$BUILD/bench-vortex/saxpy-plain.elf"
says "the whole program is one launch"
expect 2 "$SIMTLAB" run -q -m vortex-cfm --fast-forward launch=0 "$BUILD/bench-vortex/saxpy-plain.elf"
says "timing cannot begin within a program on a machine with hardware loops or streams"
finish
