# The final code of OpenCL kernels on machines whose lanes need annotations has no divergent branch without one: a kernel
# with such a branch is refused with its line. Simty's lanes have program counters of their own.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
if [ ! -f "$BUILD/opencl/vortex.bc" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL for RISC-V machines in this build, or no loader"
  exit 77
fi
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE=0
expect 0 gcc -O1 -Wall -Wno-unused-function -Werror -o branches "$SOURCE/tests/cli/programs/opencl/branches.c" -lOpenCL
sanitized "$BUILD/libsimtlab-opencl.so"
for machine in opencl-simtight opencl-vortex opencl-vortex64; do
  expect 0 env SIMTLAB_OPENCL_DEVICES=$machine ./branches
done
expect 0 env SIMTLAB_OPENCL_DEVICES=opencl-simty ./branches simty
finish
