# Lanes that spin for what only lanes of their own warp can do: a diagnosis with both, in both modes and in every scheme
# of convergence. Warps that wait for each other's stores are none of that.
. "$(dirname "$0")/_lib.sh"
source=$SOURCE/tests/cli/programs/livelock.c

# line NAME: where the source says so.
line() { grep -n "// $1\\b" "$source" | cut -d: -f1; }

for marks in "" --no-marks; do
  expect 0 "$SIMTLAB" cc $marks -o "$work/livelock$marks.elf" "$source"
done

# machine PROGRAM OPTION...: all that is to be said of one.
machine() {
  program=$work/$1
  shift
  for mode in "-q" "-qf"; do
    expect 3 "$SIMTLAB" run $mode "$@" --max-cycles 20000000 --stats "$work/stats.json" "$program" lanes
    says "simtlab: $name SM, block slot 0, warp 0, lanes 1-31, pc 0x0"
    says "(livelock.c:$(line SPIN)), \`"
    says "livelock: these lanes go round here for ever"
    says "; lane 0 of this warp waits at pc 0x0"
    says "(livelock.c:$(line HOLDER)), never selected while the others run. warp"
    says "waiting at the barrier at pc 0x0"
    [ "$(wc -l <"$work/err")" -eq 1 ] || complain "says more than a sentence"
    has "$work/stats.json" '"outcome": "fault"'
    expect 3 "$SIMTLAB" run $mode "$@" --max-cycles 20000000 "$program" forgotten
    says "lanes 0-31, pc 0x0"
    says "(livelock.c:$(line FORGOTTEN))"
    grep -q "never selected" "$work/err" && complain "tells of lanes that wait"
    # More than two looks for a livelock pass before the flag is written.
    expect 0 "$SIMTLAB" run $mode "$@" "$program" poll 600000
    silent
    expect 0 "$SIMTLAB" run $mode "$@" --max-cycles 20000000 "$program" warps
    silent
  done
}

name=simtight
machine livelock.elf
machine livelock--no-marks.elf -s convergence=depth-pc
machine livelock--no-marks.elf -s convergence=sorted-paths
name=simtight-rfc-pp
machine livelock.elf -m simtight-rfc-pp
machine livelock--no-marks.elf -m simtight-rfc-pp -s convergence=depth-pc

# Other commands tell the same, and a profile shows where it spun.
expect 3 "$SIMTLAB" profile "$work/livelock.elf" lanes
says "livelock: these lanes go round here"
prints "livelock.c:$(line SPIN)"
expect 3 "$SIMTLAB" compare "$work/livelock.elf" -m simtight,simtight:lanes=16 -- lanes
prints "fault"
finish
