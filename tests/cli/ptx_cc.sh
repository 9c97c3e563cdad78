# simtlab cc --target ptx compiles CUDA kernels with Clang alone; the kernels compute the right results.
. "$SOURCE/tests/cli/_lib.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
cd "$work" || exit 1

cat >t.cu <<'END'
__constant__ int offset = 3;
__device__ __attribute__((noinline)) float mix(float a, float b) { return fmaf(a, b, sqrtf(fabsf(a))); }
extern "C" __global__ void t(unsigned *out, const unsigned *in, float *f, unsigned n)
{
  __shared__ unsigned s[64];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = i < n ? in[i] : 0;
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(~0u, v, d);
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = offset;
    for (unsigned k = 0; k < blockDim.x / 32; k++)
      sum += s[k];
    atomicAdd(out, sum);
    atomicMax(out + 1, blockIdx.x);
  }
  if (i < n)
    f[i] = mix(f[i], __expf(0.0f)) + (float)__popc(__ballot_sync(~0u, i & 1));
}
END
printf 'ptx t.ptx\nbuffer out 8 zero\nbuffer in 1024 iota\nbuffer f 1024 const 0x40800000\nlaunch t 2 1 1 128 1 1 0 buf:out buf:in buf:f u32:256\ndump out out.bin\ndump f f.bin\n' >t.launch

expect 0 "$SIMTLAB" cc --target ptx t.cu
expect 0 "$SIMTLAB" run -q --fast t.launch
# 0 + ... + 255, 3 per block; the greater of the blocks' numbers.
[ "$(od -An -tu4 out.bin | tr -s ' ')" = " 32646 1" ] || complain "out is $(od -An -tu4 out.bin)"
# 4 * 1 + 2, and 16 odd lanes of a warp.
[ "$(od -An -v -tf4 -w4 f.bin | sort -u | tr -d ' ')" = 22 ] || complain "f is not 22 everywhere"

expect 0 "$SIMTLAB" cc --target ptx -O1 -o other.ptx t.cu
[ -s other.ptx ] || complain "there is no other.ptx"
expect 2 "$SIMTLAB" cc --target ptx t.cu t.cu
says "one source is compiled at a time"
expect 2 "$SIMTLAB" cc --target ptx -c t.cu
says "without objects to link"
echo 'extern "C" __global__ void t() { nothing(); }' >wrong.cu
expect 1 "$SIMTLAB" cc --target ptx wrong.cu
says "undeclared identifier 'nothing'"
finish
