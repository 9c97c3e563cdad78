# CUDA programs that use managed memory, graphs, surfaces, threads and asynchronous copies check their results on the
# host, timed and fast.
. "$(dirname "$0")/_lib.sh"
programs=$SOURCE/tests/cli/programs/cuda
cd "$work" || exit 1
if ! "$SIMTLAB" cuda --root >root 2>/dev/null; then
  echo "no CUDA in this build"
  exit 77
fi
export LD_LIBRARY_PATH="$(cat root)/lib64"
names="managed graphs surfaces later threads async"
sanitized "$LD_LIBRARY_PATH/libsimtlab-cudart.so"
# Managed memory lies where the address sanitizer has its own.
[ -z "${LD_PRELOAD:-}" ] || names="surfaces threads async"

for name in $names; do
  expect 0 "$SIMTLAB" cuda -O1 --extended-lambda -o $name "$programs/$name.cu"
  silent
  for mode in timed fast; do
    expect 0 env SIMTLAB_CUDA_MODE=$mode ./$name
  done
done
finish
