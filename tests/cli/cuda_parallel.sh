# Thrust, CUB, random numbers and cuda::std of simtlab against the C++ library and against models of their own; timed and fast.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs/cuda
cd "$work" || exit 1
if ! "$SIMTLAB" cuda --root >root 2>/dev/null; then
  echo "no CUDA in this build"
  exit 77
fi
export LD_LIBRARY_PATH="$(cat root)/lib64"
sanitized "$LD_LIBRARY_PATH/libsimtlab-cudart.so"
for name in thrust sets random cub cub_more; do
  expect 0 "$SIMTLAB" cuda -O1 -w -std=c++11 --extended-lambda -o $name "$programs/$name.cu"
  for mode in timed fast; do
    expect 0 env SIMTLAB_CUDA_MODE=$mode ./$name
    prints PASSED
  done
done
for name in standard barrier; do
  # Managed memory lies where the address sanitizer has its own.
  [ -z "${LD_PRELOAD:-}" ] || ! grep -q Managed "$programs/$name.cu" || continue
  expect 0 "$SIMTLAB" cuda -O1 -w -std=c++17 -o $name "$programs/$name.cu"
  expect 0 ./$name
  prints "0 wrong"
done
finish
