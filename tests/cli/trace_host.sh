# Programs of the host write traces: of CUDA with the lines of the source, of OpenCL on machine code; of a kernel; and
# what is wrong is told.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
tools=$SOURCE/tests/cli
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
export SIMTLAB_OPENCL_CACHE="$work/cache"
sanitized "$BUILD/libsimtlab-cudart.so"

# count FILE FORMAT MEMBER: a number that the format's checker finds.
count() { python3 "$tools/check_trace.py" "$2" "$1" | python3 -c "import json, sys; print(json.load(sys.stdin)['$3'])"; }

cat >two.cu <<'END'
#include <cstdio>
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
__global__ void more(int *x)
{
  x[threadIdx.x] += 1;
}
int main()
{
  int *x, h = 0;
  cudaMalloc(&x, 256);
  cudaMemset(x, 0, 256);
  twice<<<1, 64>>>(x);
  more<<<1, 64>>>(x);
  cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost);
  return h - 1;
}
END
expect 0 "$SIMTLAB" trace -o two.html two.cu
says "trace in two.html"
has two.html '"name":"'"$work"'/two.cu"'
[ "$(count two.html html executed)" -gt 20 ] || complain "the page has no instructions"
expect 0 "$SIMTLAB" cuda -lineinfo -o two two.cu
expect 0 "$SIMTLAB" trace -q -o all.json ./two
expect 0 "$SIMTLAB" trace -q -o more.json --kernel _Z4morePi ./two
[ "$(count all.json json ended)" -eq 2 ] || complain "two launches have not two ends"
[ "$(count more.json json executed)" -lt "$(count all.json json executed)" ] || complain "--kernel leaves nothing out"
expect 0 env SIMTLAB_CUDA_TRACE=two.kanata ./two
has two.kanata two.cu:5
count two.kanata konata retired >/dev/null

# Not a trace of this run
expect 1 "$SIMTLAB" trace -q -o all.json /bin/true
says "no trace"
expect 2 "$SIMTLAB" trace -o - ./two
says "give -o its name"
expect 2 "$SIMTLAB" trace -m simtight -o x.html ./two
expect 255 env SIMTLAB_CUDA_CHECK=1 SIMTLAB_CUDA_TRACE=x.json ./two
says "leave TRACE or CHECK out"

if [ -f "$BUILD/opencl/vortex.bc" ] && echo 'int main(void) { return 0; }' | gcc -xc -o loader - -lOpenCL 2>/dev/null; then
  expect 0 gcc -O1 -Wno-unused-function -o reduce "$SOURCE/tests/cli/programs/opencl/reduce.c" -lOpenCL
  expect 0 "$SIMTLAB" trace -q -m opencl-simtight -o reduce.html ./reduce
  has reduce.html "a[i] = a[i] + half_of[i & 1];"
  [ "$(count reduce.html html executed)" -gt 1000 ] || complain "the page has no instructions"
fi
finish
