# The checker on all wrong programs, on the machines that run them, and on all programs of the project, which have no
# races; the kernel bfs has one.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/check
cd "$work" || exit 1

# found SOURCE: the last command's findings are the marked lines of the source.
found() { python3 "$programs/compare.py" "$1" err >said || complain "$(python3 "$programs/compare.py" "$1" err 2>&1)"; }

# status SOURCE STATUS: STATUS if the source has marks, else 0.
status() { grep -qi '// [a-z]' "$1" && echo "$2" || echo 0; }

for source in "$programs"/c/*.c; do
  for target in simt sm7; do
    case $target$source in
    # Warps that end are not missing on sm7, and its lanes meet at barriers in several branches.
    sm7*/barrier_in_loop.c | sm7*/barrier_skipped.c | sm7*/barrier_in_lanes.c | sm7*/barrier_one_sided.c) continue ;;
    esac
    expect 0 "$SIMTLAB" cc --target $target -g -o program.elf "$source"
    machines=sm7
    [ $target = sm7 ] || machines="simtight simtight-rfc-pp-sb simty-plus"
    for machine in $machines; do
      expect "$(status "$source" 1)" "$SIMTLAB" check -q -m $machine program.elf
      found "$source"
    done
  done
done

# clean MACHINE PROGRAM...: no findings, in another order of warps and blocks either.
clean() {
  machine=$1
  shift
  for program in "$@"; do
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

if ! "$SIMTLAB" cuda --root >root 2>/dev/null; then
  finish
fi
export LD_LIBRARY_PATH="$(cat root)/lib64"
sanitized "$LD_LIBRARY_PATH/libsimtlab-cudart.so"
export SIMTLAB_CUDA_CHECK_EXIT=9
for source in "$programs"/cuda/*.cu; do
  expect 0 "$SIMTLAB" cuda -lineinfo --checkable -o program "$source"
  case $source in # with timing, lanes go on as the machine's SIMT stack has it: they do not wait for another branch
  */warp_sync_branches* | */barrier_early_store_ok.cu) modes=fast ;;
  *) modes="fast timed" ;;
  esac
  for mode in $modes; do
    expect "$(status "$source" 9)" env SIMTLAB_CUDA_CHECK=2 SIMTLAB_CUDA_MODE=$mode SIMTLAB_CUDA_MACHINE=sm7-4 ./program
    found "$source"
  done
  case $source in
  *_ok.cu) expect 0 "$SIMTLAB" check -q --schedules 2 ./program ;;
  esac
done
for source in "$SOURCE"/tests/cli/programs/cuda/*.cu "$SOURCE"/examples/cuda/*.cu; do
  case $source in
  */services.cu | */surfaces.cu | */stack.cu) continue ;; # they have faults
  esac
  # Managed memory lies where the address sanitizer has its own.
  [ -z "${LD_PRELOAD:-}" ] || ! grep -qi managed "$source" || continue
  expect 0 "$SIMTLAB" cuda -std=c++17 -lineinfo -O2 --extended-lambda -o program "$source"
  expect 0 env SIMTLAB_CUDA_CHECK=1 ./program
done
finish
