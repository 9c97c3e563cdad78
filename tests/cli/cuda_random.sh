# The device library's functions are within their bounds of MPFR, and random CUDA kernels give the host's results.
. "$SOURCE/tests/cli/_lib.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] && [ -f "$BUILD/libsimtlab-cudart.so" ] || { echo "skipped: no CUDA"; exit 77; }
sanitized "$BUILD/libsimtlab-cudart.so"
[ -f /usr/include/mpfr.h ] || { echo "skipped: no MPFR"; exit 77; }
expect 0 "$SIMTLAB" cuda -O1 -DPOINTS=${SIMTLAB_POINTS:-400} -o "$work/bounds" "$SOURCE/tests/cuda/math_bounds.cu" -lmpfr -lgmp
SIMTLAB_CUDA_MODE=fast expect 0 "$work/bounds"
prints "0 functions out of bounds"
# The sixth of this seed has a block that is never reached, which must not keep lanes apart.
PYTHON=${PYTHON:-python3} expect 0 sh "$SOURCE/tests/cuda/random_kernels.sh" 8 101
prints "8 random kernels: all equal"
finish
