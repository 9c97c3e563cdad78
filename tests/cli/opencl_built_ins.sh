# Every built-in function of OpenCL C 1.2 is there for every type on every family of machines: programs that call them all
# leave no function undefined, and small ones compile to the end.
. "$(dirname "$0")/_lib.sh"
no_leaks
cd "$work" || exit 1
if [ ! -f "$BUILD/opencl/vortex.bc" ] || [ ! -x "$BUILD/simtlab-cl" ]; then
  echo "no OpenCL for RISC-V machines in this build"
  exit 77
fi
export SIMTLAB_OPENCL_CACHE=0
expect 0 "$PYTHON" "$SOURCE/tests/random/opencl_built_ins.py" .

# front TARGET LIBRARIES... PROGRAM: compiles as a device does, with the libraries' functions.
front() {
  program=$1 extensions=$2
  shift 2
  clang-19 -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Xclang -fdeclare-opencl-builtins -Xclang "$extensions" \
    -O2 -Xclang -disable-llvm-passes -emit-llvm -c -w -o code.bc "$@" "$program"
}
# undefined LIBRARY: functions that the program calls and neither it nor the library defines.
undefined() {
  llvm-nm-19 --defined-only "$1" | awk '{ print $NF }' | sort -u >defined
  llvm-nm-19 -u code.bc | awk '{ print $NF }' | grep -v '^llvm\.\|^printf$\|^vprintf$' | sort -u | comm -23 - defined
}
check() { # FAMILY LIBRARY
  missing=$(undefined "$2" | tr '\n' ' ')
  [ -z "$missing" ] || complain "$program on $1: undefined: $missing"
}

int32=+cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics
int32=$int32,+cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,+cl_khr_byte_addressable_store
for program in *.cl; do
  case $program in
  double_* | images.cl) ;;
  *)
    front "$program" "-cl-ext=-all,$int32" --target=nvptx-- -Xclang -mlink-builtin-bitcode -Xclang \
      "$BUILD/opencl/functions32.bc" -Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/nvptx--.bc ||
      complain "$program does not compile for 32 bits"
    for family in vortex vortex64 simt pc; do
      check $family "$BUILD/opencl/$family.bc"
    done
    ;;
  esac
  front "$program" "-cl-ext=-all,+cl_khr_fp64,+cl_khr_3d_image_writes,$int32" --target=nvptx64-- -march=sm_70 -Xclang \
    -target-feature -Xclang +ptx64 -D__IMAGE_SUPPORT__=1 -Xclang -mlink-builtin-bitcode -Xclang \
    "$BUILD/opencl/simtlab-opencl.bc" || complain "$program does not compile for 64 bits"
  check sm7 "$BUILD/opencl/simtlab-opencl.bc"
done
for device in opencl-sm7 opencl-simtight opencl-simty opencl-vortex opencl-vortex64; do
  for program in items atomics; do
    expect 0 "$SIMTLAB" cl -m $device $program.cl
  done
done
finish
