#!/bin/sh
# Random OpenCL kernels on machines of all families, without timing: opencl_kernels.sh COUNT SEED BUILD. Results equal
# those of sm7, whose code comes from another back end, and the final code has no branch without annotation. A kernel
# that differs stays in the folder that is named.
set -eu
count=$1 seed=$2 build=$(cd "$3" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
[ -f "$build/opencl/vortex.bc" ] || { echo "no OpenCL for RISC-V machines in this build"; exit 0; }
python3 "$source/tests/random/opencl_kernels.py" "$seed" "$count" "$work"
gcc -O1 -Wall -o "$work/same" "$source/tests/cli/programs/opencl/same.c" -lOpenCL
cd "$work"
if find . -name '*.cl' -print0 | sort -z |
  OCL_ICD_VENDORS="$build/simtlab.icd" SIMTLAB_OPENCL_CACHE=0 SIMTLAB_OPENCL_MODE=fast SIMTLAB_OPENCL_MAX_CYCLES=20000000 \
    SIMTLAB_OPENCL_DEVICES=opencl-sm7,opencl-simtight,opencl-vortex,opencl-simty,opencl-vortex64 xargs -0 -n 1000 ./same; then
  rm -rf "$work"
else
  echo "the kernels are in $work"
  exit 1
fi
