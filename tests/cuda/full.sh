#!/bin/sh
# All of tests/cli/cuda_random.sh: 2,000 random CUDA kernels, and 2,000 arguments for each mathematical function.
set -u
[ -f "$BUILD/cuda/simtlab-device.bc" ] && [ -f "$BUILD/libsimtlab-cudart.so" ] || { echo "skipped: no CUDA"; exit 77; }
if ldd "$BUILD/libsimtlab-cudart.so" | grep -q libasan; then
  export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}" LD_PRELOAD="$(gcc -print-file-name=libasan.so)"
fi
SIMTLAB_POINTS=2000 sh "$SOURCE/tests/cli/cuda_random.sh" || exit 1
sh "$SOURCE/tests/cuda/random_kernels.sh" 2000 1000
