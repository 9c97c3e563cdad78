# Votes and shuffles on Vortex, in both instruction sets, with timing and without.
. "$(dirname "$0")/_lib.sh"
[ -x "$BUILD/simtlab-marks" ] || { echo "skipped: no simtlab-marks"; exit 77; }
for target in vortex vortex64; do
  expect 0 "$SIMTLAB" cc --target $target -o "$work/votes.elf" "$SOURCE/tests/cli/programs/votes.c"
  for options in "-m $target" "-f -m $target -s lanes=4" "-m $target -s lanes=32"; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q $options "$work/votes.elf"
    silent
  done
done
finish
