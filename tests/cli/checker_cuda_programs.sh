# The checker on all wrong CUDA programs, and on all others of the project, which have no races.
. "$(dirname "$0")/_checked.sh"

# passed_over: in a slow build two of three programs are.
count=0
passed_over() {
  count=$((count + 1))
  brief && [ $((count % 3)) -ne 0 ]
}

export SIMTLAB_CUDA_CHECK_EXIT=9
for source in "$programs"/cuda/*.cu; do
  ! passed_over || continue
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
  ! passed_over || continue
  # Managed memory lies where the address sanitizer has its own.
  [ -z "${LD_PRELOAD:-}" ] || ! grep -qi managed "$source" || continue
  expect 0 "$SIMTLAB" cuda -std=c++17 -lineinfo -O2 --extended-lambda -o program "$source"
  expect 0 env SIMTLAB_CUDA_CHECK=1 ./program
done
finish
