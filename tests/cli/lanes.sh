# Votes and shuffles of the lanes that are active together, on every kind of machine, timed and fast: all lanes, both
# sides of a divergent if, and loops, against the host's own computation with random predicates and values.
. "$(dirname "$0")/_lib.sh"
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
program=$SOURCE/tests/cli/programs/lanes.c
cd "$work" || exit 1
build() { # NAME OPTION...
  name=$1
  shift
  expect 0 "$SIMTLAB" cc -DSEED=4711u -DCASES=3 "$@" -o $name.elf "$program"
  silent
}
build simt
build plain --no-marks
build vortex --target vortex
build its --target vortex --marks=its
build wide --target vortex64
build sm7 --target sm7
while read -r name machine lanes; do
  for mode in "" --fast; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q -m $machine -s lanes=$lanes $mode $name.elf
    prints " 0 wrong of $((lanes * 9))"
    silent
  done
done <<'END'
simt simtight 1
simt simtight 16
simt simtight 64
simt simtight-rfc 4
simt simtight-rfc 32
simt simtight-rfc-pp 32
simt simtight-rfc-pp 64
simt simty-plus 16
plain simty-plus 64
vortex vortex 4
vortex vortex 32
its vortex-its 16
wide vortex64 16
END
for mode in "" --fast; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q -m sm7-1 $mode sm7.elf
  prints "0 wrong of 288"
done
finish
