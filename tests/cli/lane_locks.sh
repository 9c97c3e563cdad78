# The eight programs of lane_waits.c end with right answers, with and without timing, where lanes of a warp can wait for each
# other anywhere; on the stack of vortex-scs a lock inside of a divergent if is a fault.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
for target in vortex vortex64; do
  expect 0 "$SIMTLAB" cc -g --target $target -o $target.elf "$SOURCE/tests/cli/programs/lane_waits.c"
done

# all PROGRAM MACHINE WAY...: each way, on two warps of eight lanes, which all threads fit in.
all() {
  elf=$1 machine=$2
  shift 2
  for way in "$@"; do
    for mode in -q -qf; do
      # shellcheck disable=SC2086
      expect 0 timeout 20 "$SIMTLAB" run $mode -m $machine -s warps=2 -s lanes=8 -c 20000000 "$elf" "$way" 16 1
      silent
    done
  done
}
all vortex.elf vortex-simx-scs 0 1 2 3 4 5 6 7
all vortex64.elf "vortex64 -s divergence=its" 0 1 2 3 4 5 6 7
all vortex64.elf "vortex64 -s divergence=scs" 0 1 2 3 4 5 6
all vortex64.elf "vortex64 -s divergence=scs -s scs.pending=list -s scs.stack=split" 7
expect 3 "$SIMTLAB" run -q -m vortex64 -s divergence=scs vortex64.elf 7
says "the lanes change between a split and its join"
finish
