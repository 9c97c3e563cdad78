# OpenCL kernels on machines with RISC-V instructions: results equal those of the host, with groups that fill warps and
# groups that do not, timed and without timing. Float needs an FPU; a machine without launches is refused.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
if [ ! -f "$BUILD/opencl/vortex.bc" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL for RISC-V machines in this build, or no loader"
  exit 77
fi
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE="$work/cache"
expect 0 gcc -O1 -Wall -Wno-unused-function -Werror -o machines "$SOURCE/tests/cli/programs/opencl/machines.c" -lOpenCL -lm
silent
sanitized "$BUILD/libsimtlab-opencl.so"
expect 0 env SIMTLAB_OPENCL_DEVICES=opencl-sm7,opencl-simtight,opencl-vortex,opencl-simty,opencl-vortex64 SIMTLAB_OPENCL_MODE=fast ./machines
for name in sm7 simtight vortex simty vortex64; do
  prints "simtlab opencl-$name (without timing): 0 failures"
done
silent
expect 0 env SIMTLAB_OPENCL_DEVICES=opencl-sm7,opencl-simtight,opencl-vortex-4 ./machines
prints "simtlab opencl-vortex-4: 0 failures"
silent
expect 1 env SIMTLAB_OPENCL_DEVICES=simtight ./machines
prints "kernel gemm uses float, and the machine has no floating-point unit"
expect 0 env SIMTLAB_OPENCL_DEVICES=opencl-vortex SIMTLAB_OPENCL_MODE=fast SIMTLAB_OPENCL_STATS="$work/stats" ./machines
grep -q '"kernel":"gemm","grid":\[9,1,1\],"block":\[256,1,1\]' "$work/stats" || complain "no statistics of gemm"
finish
