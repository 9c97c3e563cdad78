# Small vectors, bool and structures of them as arguments and results of functions that are not inlined, and kernels that
# kernels call, on machines of all families, optimised and not.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
if [ ! -f "$BUILD/opencl/vortex.bc" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL for RISC-V machines in this build, or no loader"
  exit 77
fi
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE=0 SIMTLAB_OPENCL_MODE=fast
expect 0 gcc -O1 -Wall -Wno-unused-function -Werror -o vectors "$SOURCE/tests/cli/programs/opencl/vectors.c" -lOpenCL
sanitized "$BUILD/libsimtlab-opencl.so"
for options in -w -cl-opt-disable; do
  expect 0 env SIMTLAB_OPENCL_DEVICES=opencl-sm7 ./vectors $options
  prints "0 failures"
done
for machine in opencl-simtight opencl-simty opencl-vortex opencl-vortex64; do
  expect 0 env SIMTLAB_OPENCL_DEVICES=$machine ./vectors -w 1
  prints "0 failures"
done
finish
