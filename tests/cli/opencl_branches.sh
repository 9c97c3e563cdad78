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

# The branches of the final code keep their locations, by which they are mapped to those before code generation.
cat >loops.cl <<'END'
kernel void loops(global int *a, int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++) {
    if (a[i] == 7)
      continue;
    for (int k = 0; k < a[i]; k++) {
      if (a[k] < 0)
        break;
      sum += a[k] * a[k + 1];
      if (a[k] == n && a[k + 2] > sum)
        sum = a[k] / n;
    }
    while (sum > a[n])
      sum -= a[i & 3];
  }
  a[get_global_id(0)] = sum;
}
END
expect 0 "$SIMTLAB" cl -m opencl-simtight --code -o loops.elf loops.cl
riscv64-unknown-elf-objdump -d --disassemble=loops.thread loops.elf | awk '$3 ~ /^b/ { sub(":", "", $1); print $1 }' >at
xargs riscv64-unknown-elf-addr2line -e loops.elf <at >lines
[ "$(wc -l <at)" -gt 10 ] || complain "too few branches"
! grep ':[?0]$' lines || complain "a branch has no line"
finish
