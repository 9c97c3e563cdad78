# The checker on all benchmarks, which have no races; the kernel bfs has one.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1

# clean MACHINE PROGRAM...: no findings, in another order of warps and blocks either.
count=0
clean() {
  machine=$1
  shift
  for program in "$@"; do
    count=$((count + 1))
    ! brief || [ $((count % 3)) -eq 0 ] || continue
    expect 0 "$SIMTLAB" check -q --schedules 1 -m "$machine" "$program"
  done
}

clean simtight-fp "$BUILD"/bench/*.elf
clean sm7 "$BUILD"/bench-on-sm7/*.elf
clean vortex-cfm-dmsl "$BUILD"/bench-vortex/*.elf
clean vortex-simx-cfm-dmsl "$BUILD"/bench-vortex/*.elf
for program in "$BUILD"/bench-vortex/*-plain.elf; do
  expect 0 "$SIMTLAB" check -q -m vortex -s cores=4 "$program"
done
for program in "$BUILD"/bench/*.elf; do
  case $program in
  *_Float*) ;;
  *) clean simtight "$program" && clean simty-plus "$program" ;;
  esac
done
for script in "$BUILD"/bench-r2d2/*.launch; do
  case $script in
  */bfs*)
    expect 1 "$SIMTLAB" check -q -m sm7 "$script"
    says "race: "
    ;;
  *) clean sm7 "$script" ;;
  esac
done
finish
