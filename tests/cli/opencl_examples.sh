# The examples of examples/opencl: right on two devices, in C, in C++ and in Python.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
if [ ! -f "$BUILD/libsimtlab-opencl.so" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL in this build, or no loader"
  exit 77
fi
examples=$SOURCE/examples/opencl
other=sm7-4
[ ! -f "$BUILD/opencl/simt.bc" ] || other=opencl-simtight
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE="$work/cache" SIMTLAB_OPENCL_DEVICES=sm7-1,$other
expect 0 gcc -O1 -Wall -Wextra -Werror -o gemm "$examples/gemm.c" -lOpenCL
hpp=$(echo '#include <CL/opencl.hpp>' | g++ -xc++ -E - >/dev/null 2>&1 && echo yes || true)
[ -z "$hpp" ] || expect 0 g++ -O0 -o histogram "$examples/histogram.cpp" -lOpenCL
sanitized "$BUILD/libsimtlab-opencl.so"
expect 0 ./gemm 16
prints "sm7-1"
prints "$other"
! grep -q wrong out || complain "a product is wrong"
expect 2 ./gemm 7
says "usage: gemm"
python=
for choice in "$PYTHON" /usr/bin/python3; do
  [ -n "$python" ] || ! "$choice" -c "import pyopencl" 2>/dev/null || python=$choice
done
for device in sm7-1 $other; do
  export SIMTLAB_OPENCL_DEVICES=$device
  if [ -n "$hpp" ]; then
    expect 0 ./histogram
    prints "histogram: right"
  fi
  if ! brief && [ -n "$python" ]; then
    expect 0 env XDG_CACHE_HOME="$work" PYOPENCL_CTX=0 "$python" "$examples/saxpy.py"
    prints "saxpy: right"
  fi
done
mkdir suite
cp "$examples/gemm.c" suite
echo 16 >suite/run.args
expect 0 sh "$SOURCE/tools/opencl-suite.sh" suite
prints "1 programs: 1 compiled, 1 ran, 1 right"
finish
