# printf of OpenCL kernels: the same lines on every family of machines; a launch that prints too much says so.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
if [ ! -f "$BUILD/libsimtlab-opencl.so" ] || ! echo 'int main(void) { return 0; }' |
  gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  echo "no OpenCL in this build, or no loader"
  exit 77
fi
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE="$work/cache" SIMTLAB_OPENCL_MODE=fast
expect 0 gcc -O1 -Wall -Wextra -Werror -o print "$SOURCE/tests/cli/programs/opencl/print.c" -lOpenCL
sanitized "$BUILD/libsimtlab-opencl.so"
cat >wanted <<'END'
1,-2,3,4|0.500000,-1.000000|7,8,-9
inf -0.000000 1e+30
item 0: 3000000000 0  0.00 even a % 0 0.000000e+00
item 3: 3000000000 33  3.75 odd d % 3298534883328 2.999984e-40
item 6: 3000000000 66  7.50 even g % 6597069766656 5.999968e-40
plain
END
devices=opencl-sm7
[ ! -x "$BUILD/simtlab-clc" ] || devices="opencl-sm7 opencl-simtight opencl-simty opencl-vortex opencl-vortex64"
for device in $devices; do
  expect 0 env SIMTLAB_OPENCL_DEVICES=$device ./print
  sort out >lines
  cmp -s lines wanted || complain "$device prints: $(cat lines)"
done
if [ -x "$BUILD/simtlab-clc" ]; then
  expect 0 env SIMTLAB_OPENCL_DEVICES=opencl-vortex ./print many
  says "calls of printf are not shown: a launch prints at most 1048576 bytes"
  # A record has 16 bytes and one argument, rounded up to 32.
  [ "$(wc -l <out)" -eq 32768 ] || complain "prints $(wc -l <out) lines"
fi
finish
