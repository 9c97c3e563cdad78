# simtlab cl lists the kernels of an OpenCL file as a device compiles them, and writes their code.
. "$(dirname "$0")/_lib.sh"
no_leaks
cd "$work" || exit 1
[ -x "$BUILD/simtlab-cl" ] || { echo "skipped: no OpenCL in this build"; exit 77; }
export SIMTLAB_OPENCL_CACHE="$work/cache"
cat >k.cl <<'END'
#ifndef SIDE
#define SIDE 16
#endif
__kernel void tile(__global const float *in, __global float *out, int n)
{
  __local float part[SIDE];
  const int i = get_local_id(0);
  part[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n)
    out[i] = part[SIDE - 1 - i];
}
__kernel void none(void) {}
END
expect 0 "$SIMTLAB" cl k.cl
prints "kernel tile: groups of up to 1024 work-items"
prints "64 bytes of local memory"
prints "__global const float*"
prints "code of tile: about "
prints "kernel none: "
expect 0 "$SIMTLAB" cl -DSIDE=32 --code -o k.ptx k.cl
prints "128 bytes of local memory"
prints "st.shared"
has k.ptx ".entry tile"
if [ -x "$BUILD/simtlab-clc" ]; then
  expect 0 "$SIMTLAB" cl -m opencl-simtight --code -o k.elf k.cl
  grep -qE "^code of tile: [0-9]+ instructions, [0-9]+ registers, [1-9][0-9]* reconvergence annotations$" out ||
    complain "no annotations"
  prints "simt.push"
  expect 0 "$SIMTLAB" disasm k.elf
  prints "<tile"
fi

# Errors: in the file, of the file, of the machine.
echo '__kernel void k(__global int *p) { *p = q; }' >bad.cl
expect 1 "$SIMTLAB" cl -o old.ptx bad.cl
says "use of undeclared identifier 'q'"
says "bad.cl is not compiled for opencl-sm7"
[ ! -e old.ptx ] || complain "writes an output"
expect 1 "$SIMTLAB" cl missing.cl
says "cannot be read"
expect 2 "$SIMTLAB" cl
says "one file is needed"
expect 1 "$SIMTLAB" cl -m nothing k.cl
says "nothing"
finish
