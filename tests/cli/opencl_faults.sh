# Faults and hostile cases on every family of machines: the standard's errors and a sentence, and the device works
# afterwards. Missing tools, damaged caches.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
if [ ! -f "$BUILD/opencl/vortex.bc" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL for RISC-V machines in this build, or no loader"
  exit 77
fi
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE="$work/cache"
for name in faults reduce; do
  expect 0 gcc -O1 -Wall -Wno-unused-function -Werror -o $name "$SOURCE/tests/cli/programs/opencl/$name.c" -lOpenCL
done
sanitized "$BUILD/libsimtlab-opencl.so"
for machine in sm7-1 opencl-simtight opencl-simty opencl-vortex opencl-vortex-4 opencl-vortex64; do
  export SIMTLAB_OPENCL_DEVICES=$machine
  for mode in timed fast; do
    expect 0 timeout 100 env SIMTLAB_OPENCL_MODE=$mode ./faults
    expect 0 timeout 100 env SIMTLAB_OPENCL_MODE=$mode SIMTLAB_OPENCL_MAX_CYCLES=200000 ./faults
  done
done
export SIMTLAB_OPENCL_MODE=fast

# Damaged entries of the cache are compiled again, and an empty or unreadable cache does no harm.
expect 0 env SIMTLAB_OPENCL_DEVICES=opencl-simtight ./reduce
for damage in "" damage "$(head -c 5000 /dev/zero | tr '\0' x)"; do
  for entry in cache/*; do
    printf %s "$damage" >"$entry"
  done
  expect 0 env SIMTLAB_OPENCL_DEVICES=opencl-simtight,opencl-vortex64 ./reduce
  prints "43668.8"
  silent
done
for entry in cache/*; do
  truncate -s -100 "$entry"
done
expect 0 env SIMTLAB_OPENCL_DEVICES=opencl-simtight ./reduce
expect 0 env SIMTLAB_OPENCL_CACHE=/dev/null/none SIMTLAB_OPENCL_DEVICES=opencl-simtight ./reduce
prints "43668.8"

# Each tool that is missing is named with its package.
mkdir tools
for tool in clang-19 llc-19 opt-19 llvm-link-19 llvm-dis-19 llvm-objcopy-19 riscv64-unknown-elf-ld; do
  expect 1 env PATH="$work/tools" SIMTLAB_OPENCL_CACHE=0 SIMTLAB_OPENCL_DEVICES=opencl-simtight ./reduce
  prints "build: -3"
  prints "$tool is not installed; install the Debian package "
  ln -s "$(command -v $tool)" tools
done
expect 0 env PATH="$work/tools:/bin" SIMTLAB_OPENCL_CACHE=0 SIMTLAB_OPENCL_DEVICES=opencl-simtight ./reduce
finish
