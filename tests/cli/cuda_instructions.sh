# CUDA programs that use matrices, the stack and video instructions check their results on the host, timed and fast. So
# does a program that calls the whole driver interface.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs/cuda
cd "$work" || exit 1
if ! "$SIMTLAB" cuda --root >root 2>/dev/null; then
  echo "no CUDA in this build"
  exit 77
fi
export LD_LIBRARY_PATH="$(cat root)/lib64"
sanitized "$LD_LIBRARY_PATH/libsimtlab-cudart.so"

for name in matrices stack video; do
  expect 0 "$SIMTLAB" cuda -O1 --extended-lambda -o $name "$programs/$name.cu"
  silent
  for mode in timed fast; do
    expect 0 env SIMTLAB_CUDA_MODE=$mode ./$name
  done
done

tree=$(cat root)
expect 0 gcc -Wall -Werror -I"$tree/include" -o driver_all "$programs/driver_all.c" -L"$tree/lib64" -lcuda
expect 0 env SIMTLAB_CUDA_MACHINE=sm7-1 ./driver_all
prints "0 failures"
finish
