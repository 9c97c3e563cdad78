#!/bin/sh
# Random OpenCL kernels on machines of all families: opencl_kernels.sh COUNT SEED BUILD [DEVICES]. They store the same as
# on the host, for which clang compiles them, too. Every tenth batch is timed. The final code has no branch without
# annotation. Every eighth batch again has doubles, for the devices that have them. A batch that differs stays in the
# folder that is named.
set -eu
count=$1 seed=$2 build=$(cd "$3" && pwd)
devices=${4:-opencl-sm7,opencl-simtight,opencl-simty,opencl-vortex}
source=$(cd "$(dirname "$0")" && pwd)
[ -f "$build/opencl/vortex.bc" ] || { echo "no OpenCL for RISC-V machines in this build"; exit 0; }
work=$(mktemp -d)
mkdir "$work/double"
clang='clang-19 -x cl --target=x86_64-linux-gnu -cl-std=CL1.2 -Xclang -finclude-default-header
  -Xclang -fdeclare-opencl-builtins -O1 -fPIC -w'
export OCL_ICD_VENDORS="$build/simtlab.icd" SIMTLAB_OPENCL_CACHE=0 SIMTLAB_OPENCL_MAX_CYCLES=200000000
gcc -O1 -Wall -o "$work/compare" "$source/opencl_compare.c" -rdynamic -lOpenCL -ldl
$clang -c "$source/opencl_host.cl" -o "$work/host.o"
cp "$source/opencl_found.cl" "$work/0.cl"
python3 "$source/opencl_kernels.py" "$seed" "$count" "$work"
python3 "$source/opencl_kernels.py" "$((seed + 500000000))" "$((count / 8))" "$work/double" double
batch=0 bad=0
for file in "$work"/*.cl "$work"/double/*.cl; do
  [ -f "$file" ] || continue
  base=${file%.cl}
  batch=$((batch + 1))
  case $file in
  */double/*) on=opencl-sm7 ;;
  */0.cl) on=$devices,opencl-vortex64 ;;
  *) on=$devices ;;
  esac
  # shellcheck disable=SC2086
  $clang -DSIMTLAB_HOST -c "$file" -o "$base.o"
  gcc -shared -o "$base.so" "$base.o" "$work/host.o" -lm
  mode=fast
  [ $((batch % 10)) -ne 0 ] || mode=timed
  if SIMTLAB_OPENCL_DEVICES=$on SIMTLAB_OPENCL_MODE=$mode "$work/compare" "$base"; then
    rm -f "$file"
  else
    echo "$file ($mode)"
    bad=$((bad + 1))
  fi
  rm -f "$base.o" "$base.so"
done
echo "$batch batches: $bad differ"
if [ "$bad" -eq 0 ]; then rm -rf "$work"; else exit 1; fi
