# CUDA functions in simtlab's own header for kernels: vectors, mathematics, atomics, local arrays, recursion.
. "$SOURCE/tests/cli/_lib.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
cd "$work" || exit 1

cat >math.cu <<'END'
extern "C" __global__ void math(float *e, float *l, const unsigned *in)
{
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  e[i] = expf((int)(in[i] - 2048) * 0.0425f);
  l[i] = logf((in[i] + 1) * 0.0137f);
}
END
printf 'ptx math.ptx\nbuffer in 16384 iota\nbuffer e 16384 zero\nbuffer l 16384 zero\nlaunch math 16 1 1 256 1 1 0 buf:e buf:l buf:in\ndump e e.bin\ndump l l.bin\n' >math.launch
expect 0 "$SIMTLAB" cc --target ptx math.cu
expect 0 "$SIMTLAB" run -q --fast math.launch
# Compared with awk's double precision. Rounding the argument adds an error: a relative error times a for e^a, an
# absolute error for log.
od -An -v -tf4 -w4 e.bin | awk '{ i = NR - 1; a = (i - 2048) * 0.0425; want = exp(a); off = $1 / want - 1; if (off < 0) off = -off
  if (a > -87 && a < 88 && off > 2 / 8388608 + (a < 0 ? -a : a) / 8388608) { print i, $1, want; exit 1 } }' ||
  complain "expf is not the exponential function"
od -An -v -tf4 -w4 l.bin | awk '{ i = NR; want = log(i * 0.0137); off = $1 - want; if (off < 0) off = -off
  if (off > (2 * (want < 0 ? -want : want) + 1.5) / 8388608) { print i, $1, want; exit 1 } }' ||
  complain "logf is not the logarithm"

cat >words.cu <<'END'
struct pair { float a, b; };
template <typename T, int N> __device__ T sum(const T *v)
{
  T s = 0;
  for (int i = 0; i < N; i++)
    s += v[i];
  return s;
}
__device__ __attribute__((noinline)) int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
extern "C" __global__ void words(float4 *v, double *d, int *w)
{
  unsigned i = threadIdx.x;
  float4 a = v[i];
  a.x += __ldg(&d[64]) + a.w;
  v[i] = make_float4(max(a.x, a.y), a.y, min(a.z, 1.0f), sum<float, 4>(&a.x));
  d[i] = sqrt(fma((double)i, (double)i, 0.0)) + floor(-0.5) + copysign(1.0, -3.0);
  int local[8];
  for (int j = 0; j < 8; j++)
    local[j] = (int)i * j;
  switch (i % 7) {
  case 0: w[i] = local[i % 8]; break;
  case 1: w[i] = factorial(i % 6); break;
  case 2: w[i] = __ffs(i) + __clzll(i) + __popcll(~0ull); break;
  case 3: w[i] = __float_as_int(1.0f); break;
  case 4: w[i] = __mulhi(-1, (int)i); break;
  case 5: w[i] = (int)atomicInc((unsigned *)w + 64, 3) < 4; break;
  default: w[i] = abs(-(int)i) + __activemask() * 0; break;
  }
  __syncwarp();
}
END
printf 'ptx words.ptx\nbuffer v 1024 const 0x40000000\nbuffer d 520 zero\nbuffer w 260 zero\nlaunch words 1 1 1 64 1 1 0 buf:v buf:d buf:w\ndump v v.bin\ndump d d.bin\ndump w w.bin\n' >words.launch
expect 0 "$SIMTLAB" cc --target ptx words.cu
for how in --fast "-m sm7-1"; do
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $how words.launch
  [ "$(od -An -v -tf4 -w16 v.bin | sort -u | tr -s ' ')" = " 4 2 1 10" ] || complain "$how: v is $(od -An -v -tf4 -w16 v.bin | sort -u)"
  [ "$(od -An -v -tf8 -w8 -N512 d.bin | awk '$1 != NR - 3' | wc -l)" = 0 ] || complain "$how: d is not i - 2"
  od -An -v -td4 -w4 -N256 w.bin | awk 'BEGIN { split("1 2 6 24 120", f); f[0] = 1 }
    function ffs(n, k) { for (k = 1; n % 2 == 0; n /= 2) k++; return k }
    function bits(n, k) { for (k = 0; n >= 1; n = int(n / 2)) k++; return k }
    { i = NR - 1; k = i % 7; want = k == 5 ? 1 : i
      if (k == 0) want = i * (i % 8)
      if (k == 1) want = f[i % 6]
      if (k == 2) want = ffs(i) + 64 - bits(i) + 64
      if (k == 3) want = 1065353216
      if (k == 4) want = i > 0 ? -1 : 0
      if ($1 != want) { print i, $1, want; exit 1 } }' || complain "$how: w is wrong"
done
finish
