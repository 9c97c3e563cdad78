#!/bin/sh
# All of tests/cli/cuda_random.sh: 2,000 random CUDA kernels, and 2,000 arguments for each mathematical function;
# 100 kernels on each scheme under which groups of lanes take turns. A slow build has a tenth of the kernels.
set -u
tenth=1
[ -z "${SIMTLAB_BRIEF:-}" ] || tenth=10
[ -f "$BUILD/cuda/simtlab-device.bc" ] && [ -f "$BUILD/libsimtlab-cudart.so" ] || { echo "skipped: no CUDA"; exit 77; }
if ldd "$BUILD/libsimtlab-cudart.so" | grep -q libasan; then
  export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}" LD_PRELOAD="$(gcc -print-file-name=libasan.so)"
fi
SIMTLAB_POINTS=2000 sh "$SOURCE/tests/cli/cuda_random.sh" || exit 1
for machine in sm7-its sm7-hanoi; do
  SIMTLAB_CUDA_MACHINE=$machine SIMTLAB_CUDA_SET=fairness=16 sh "$SOURCE/tests/cuda/random_kernels.sh" $((100 / tenth)) 5000 || exit 1
done
sh "$SOURCE/tests/cuda/random_kernels.sh" $((2000 / tenth)) 1000
