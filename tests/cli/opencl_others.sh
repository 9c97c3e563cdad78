# Programs of others as their packages have them, on sm7 and on a machine with RISC-V instructions: clinfo, clpeak, and
# the examples of pyopencl that need neither a display nor further packages.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
if [ ! -f "$BUILD/opencl/vortex.bc" ] || ! command -v clinfo clpeak >/dev/null; then
  echo "no OpenCL for RISC-V machines in this build, or no clinfo and clpeak"
  exit 77
fi
export OCL_ICD_VENDORS="$BUILD/simtlab.icd" SIMTLAB_OPENCL_CACHE="$work/cache" XDG_CACHE_HOME="$work"
export SIMTLAB_OPENCL_MODE=fast PYOPENCL_CTX=0 PYTHONDONTWRITEBYTECODE=1
unsanitized "$BUILD/libsimtlab-opencl.so" "clinfo writes beyond its own buffer, and C++ of Python's modules cannot throw"

# clinfo asks a device for all that OpenCL 1.2 knows.
expect 0 env SIMTLAB_OPENCL_DEVICES=opencl-sm7,opencl-simtight,opencl-vortex-4 clinfo --raw
silent
prints "#DEVICES                                          3"
grep "CL_PLATFORM_EXTENSIONS" out | grep -q fp64 && complain "the platform has an extension that two devices lack"
for number in 0 1 2; do
  queries=$(sed -n "s/^\[SIMTLAB.$number\] *\(CL_[A-Z0-9_]*\) .*/\1/p" out | sort -u | wc -l)
  [ "$queries" -ge 55 ] || complain "device $number answers $queries queries"
done
! grep -q "CL_INVALID\|<.*error" out || complain "a query is refused"

for machine in sm7-1 opencl-simtight; do
  export SIMTLAB_OPENCL_DEVICES=$machine
  expect 0 clpeak --kernel-latency
  prints "Kernel launch latency"
  silent
done
expect 0 clpeak --compute-intfast --transfer-bandwidth
prints "int16 :"
prints "memcpy to mapped ptr"
silent

examples=/usr/share/doc/python-pyopencl-doc/examples
if [ -d $examples ] && /usr/bin/python3 -c 'import pyopencl, mako' 2>/dev/null; then
  for machine in opencl-sm7 opencl-simtight; do
    export SIMTLAB_OPENCL_DEVICES=$machine
    for name in demo demo_array demo_elementwise demo_elementwise_complex demo_mandelbrot demo_meta_template \
      demo-struct-reduce dump-properties narray; do
      expect 0 /usr/bin/python3 $examples/$name.py
    done
  done
fi
finish
