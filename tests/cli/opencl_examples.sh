# The examples of examples/opencl: right on two devices, in C, in C++ and in Python.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
if [ ! -f "$BUILD/libsimtlab-opencl.so" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL in this build, or no loader"
  exit 77
fi
examples=$SOURCE/examples/opencl
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE="$work/cache" SIMTLAB_OPENCL_MACHINE=sm7-1,sm7-4
expect 0 gcc -O1 -Wall -Wextra -Werror -o gemm "$examples/gemm.c" -lOpenCL
hpp=$(echo '#include <CL/opencl.hpp>' | g++ -xc++ -E - >/dev/null 2>&1 && echo yes || true)
[ -z "$hpp" ] || expect 0 g++ -O0 -o histogram "$examples/histogram.cpp" -lOpenCL
sanitized "$BUILD/libsimtlab-opencl.so"
expect 0 ./gemm 16
prints "sm7-1"
prints "sm7-4"
! grep -q wrong out || complain "a product is wrong"
expect 2 ./gemm 7
says "usage: gemm"
if [ -n "$hpp" ]; then
  expect 0 ./histogram
  prints "histogram: right"
fi
if ! brief && "$PYTHON" -c "import pyopencl" 2>/dev/null; then
  expect 0 "$PYTHON" "$examples/saxpy.py"
  prints "saxpy: right"
fi
mkdir suite
cp "$examples/gemm.c" suite
echo 16 >suite/run.args
expect 0 sh "$SOURCE/tools/opencl-suite.sh" suite
prints "1 programs: 1 compiled, 1 ran, 1 right"
finish
