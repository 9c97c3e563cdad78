# Self-checking programs of warp control, on both pipelines, timed and functional, in both encodings.
. "$(dirname "$0")/_lib.sh"

count=0
for elf in "$BUILD"/tests/vortex/*.elf; do
  name=$(basename "$elf" .elf)
  encoding=${name##*-}.x
  for machine in vortex vortex-simx; do
    for mode in "" --fast; do
      status=0
      case $name in join_alone-*) status=3 ;; esac
      expect $status "$SIMTLAB" run -m $machine --set encoding="$encoding" $mode "$elf"
      [ $status = 0 ] || says "split"
      count=$((count + 1))
    done
  done
done
# With half as many lanes the first check that names all lanes fails and reports it.
expect 1 "$SIMTLAB" run -m vortex --set lanes=8 "$BUILD/tests/vortex/split-2.elf"
says "status 1)"
[ $count = 44 ] || complain "$count runs instead of 44"

# Each warp executes the same instructions in both modes.
for machine in vortex vortex-simx; do
  for name in split nested spawn; do
    elf=$BUILD/tests/vortex/$name-2.elf
    expect 0 "$SIMTLAB" run -q -m $machine --trace-commits "$work/timed" "$elf"
    expect 0 "$SIMTLAB" run -q -m $machine --fast --trace-commits "$work/fast" "$elf"
    expect 0 "$SIMTLAB" diff-commits --by-warp --ignore cycle "$work/timed" "$work/fast"
    prints "equal: "
    expect 0 "$SIMTLAB" profile -m $machine --set cores=2 "$elf"
    prints "cycles went: issue"
  done
done
finish
