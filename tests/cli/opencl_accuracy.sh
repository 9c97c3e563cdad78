# Built-in functions of OpenCL C are within the standard's bounds on every family of machines, against MPFR.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
if [ ! -f "$BUILD/libsimtlab-opencl.so" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL in this build, or no loader"
  exit 77
fi
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE=0 SIMTLAB_OPENCL_MODE=fast
expect 0 gcc -O1 -Wall -Wextra -Werror -o accuracy "$SOURCE/tests/cli/programs/opencl/accuracy.c" -lOpenCL -lmpfr -lgmp -lm
sanitized "$BUILD/libsimtlab-opencl.so"
devices=opencl-sm7
[ ! -x "$BUILD/simtlab-clc" ] || devices=opencl-sm7,opencl-simtight,opencl-simty,opencl-vortex,opencl-vortex64
expect 0 env SIMTLAB_OPENCL_DEVICES=$devices ./accuracy
finish
