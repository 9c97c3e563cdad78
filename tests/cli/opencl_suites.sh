# Host programs in the style of public suites, on a machine for PTX and on one with RISC-V instructions.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
if [ ! -f "$BUILD/opencl/vortex.bc" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL for RISC-V machines in this build, or no loader"
  exit 77
fi
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE="$work/cache"
for name in saved ranges; do
  expect 0 gcc -O1 -Wall -Wno-unused-function -Werror -o $name "$SOURCE/tests/cli/programs/opencl/$name.c" -lOpenCL
done
sanitized "$BUILD/libsimtlab-opencl.so"
for machine in opencl-sm7 opencl-vortex; do
  for name in saved ranges; do
    expect 0 env SIMTLAB_OPENCL_DEVICES=$machine ./$name
    prints "0 failures"
    silent
  done
done
finish
