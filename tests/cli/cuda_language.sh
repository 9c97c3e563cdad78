# CUDA programs that use half precision, textures, atomics, grid barriers, services and shared memory check their results,
# timed and fast.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs/cuda
cd "$work" || exit 1
if ! "$SIMTLAB" cuda --root >root 2>/dev/null; then
  echo "no CUDA in this build"
  exit 77
fi
export LD_LIBRARY_PATH="$(cat root)/lib64"
sanitized "$LD_LIBRARY_PATH/libsimtlab-cudart.so"

for name in half textures atomics grid services shared; do
  expect 0 "$SIMTLAB" cuda -O1 --extended-lambda -o $name "$programs/$name.cu"
  silent
  for mode in timed fast; do
    expect 0 env SIMTLAB_CUDA_MODE=$mode ./$name
  done
done
finish
