# The program of lanes.sh with more random cases, by every way of annotating, on all machines and numbers of lanes.
. "$(dirname "$0")/_lib.sh"
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
program=$SOURCE/tests/cli/programs/lanes.c
cd "$work" || exit 1
runs() { # LANES MACHINE... : the program on each machine, by each number of lanes
  numbers=$1
  shift
  for machine in "$@"; do
    for lanes in $numbers; do
      [ "$lanes" = - ] || set -- -s "lanes=$lanes"
      [ "$lanes" = - ] && set --
      for mode in timed fast; do
        [ $mode = timed ] || set -- "$@" --fast
        # shellcheck disable=SC2086
        expect 0 "$SIMTLAB" run -q -m $machine "$@" program.elf
        prints " 0 wrong of "
      done
    done
  done
}
compiled() { # OPTION...
  expect 0 "$SIMTLAB" cc -DSEED=${seed}u -DCASES=24 "$@" -o program.elf "$program"
  silent
}
seeds='1 77 4711'
! brief || seeds=77
for seed in $seeds; do
  compiled
  runs "1 2 4 8 16 32 64" simtight simtight-rfc simtight-rfc-pp
  runs "4 8 16 32 64" simty-plus
  compiled --marks=auto
  runs "1 4 16 32 64" simtight simtight-rfc-pp
  compiled --clang
  runs "1 4 16 32 64" simtight simtight-rfc
  compiled --no-marks
  runs "4 16 32 64" simty-plus
  compiled --target vortex
  runs "1 2 4 8 16 32" vortex vortex-simx
  compiled --target vortex --marks=user
  runs "1 4 16 32" vortex
  compiled --target vortex --marks=its
  runs "1 4 16 32" vortex-its
  compiled --target vortex64
  runs "1 4 16 32" vortex64
  compiled --target sm7
  runs - sm7-1
done
finish
