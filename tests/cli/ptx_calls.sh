# Calls in PTX: recursion, directly and through others, with local arrays and structs; tables of functions, whose lanes
# diverge; functions as arguments. The same source on the host gives the expected results.
. "$SOURCE/tests/cli/_lib.sh"
cd "$work" || exit 1
command -v clang-19 >/dev/null || exit 77

cat >calls.h <<'H'
typedef unsigned u32;
struct pair { u32 a; float b; };
DEV NOINLINE u32 fib(u32 n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
DEV NOINLINE u32 odd(u32 n);
DEV NOINLINE u32 even(u32 n) { return n == 0 ? 7 : odd(n - 1) * 3 + n; }
DEV NOINLINE u32 odd(u32 n) { return n == 0 ? 9 : even(n - 1) * 5 + n; }
DEV NOINLINE u32 leaf(u32 *v, u32 n) { u32 s = 0; for (u32 i = 0; i < n; i++) s = s * 31 + v[i]; return s; }
DEV NOINLINE u32 deep(u32 n, u32 x)
{
  u32 v[8];
  for (u32 i = 0; i < 8; i++) v[i] = x * (i + 1) + n;
  u32 below = n == 0 ? 1 : deep(n - 1, x + n);
  v[n & 7] ^= below;
  return leaf(v, 8);
}
DEV NOINLINE struct pair both(u32 n, struct pair p)
{
  if (n == 0) return p;
  struct pair q = {p.a * 3 + n, p.b * 0.5f + (float)n};
  struct pair r = both(n - 1, q);
  r.a += p.a; r.b += p.b;
  return r;
}
DEV NOINLINE u32 f0(u32 a, u32 b) { return a + b; }
DEV NOINLINE u32 f1(u32 a, u32 b) { return a * b + 1; }
DEV NOINLINE u32 f2(u32 a, u32 b) { return a ^ (b << 3); }
DEV NOINLINE u32 f3(u32 a, u32 b) { return b ? fib(a % 7) + f0(a, b) : a; }
typedef u32 (*fn)(u32, u32);
DEV fn table[4] = {f0, f1, f2, f3};
DEV NOINLINE u32 twice(fn f, u32 a, u32 b) { return f(f(a, b), b); }
DEV u32 all(u32 t)
{
  struct pair p = {t, (float)t};
  p = both(t % 9, p);
  u32 s = fib(t % 11) * 17 + even(t % 13) + deep(t % 6, t) * 5 + p.a + (u32)(p.b * 16);
  s = s * 31 + table[(t * 7 + 3) % 4](t, s);
  fn g = t & 1 ? f1 : t & 2 ? f2 : f3;
  return s * 31 + twice(g, t, 5) + g(s, t);
}
H
printf '#define DEV __device__\n#define NOINLINE __attribute__((noinline))\n#include "calls.h"\nextern "C" __global__ void k(u32 *o) { u32 t = blockIdx.x * blockDim.x + threadIdx.x; o[t] = all(t); }\nextern "C" __global__ void endless(u32 *o) { o[0] = fib(threadIdx.x + 100); }\nextern "C" __global__ void wild(u32 *o, fn f) { o[0] = f(1, 2); }\nextern "C" __global__ void other(u32 *o) { o[0] = ((u32 (*)(u32))table[o[0]])(1); }\n' >calls.cu
printf '#include <stdio.h>\n#define DEV\n#define NOINLINE\n#include "calls.h"\nint main(void) { for (u32 t = 0; t < 256; t++) { u32 v = all(t); fwrite(&v, 4, 1, stdout); } return 0; }\n' >calls.c
clang-19 -O1 -ffp-contract=off -o calls calls.c && ./calls >want.bin || complain "the host does not run the program"
expect 0 "$SIMTLAB" cc --target ptx -o calls.ptx calls.cu
printf 'ptx calls.ptx\nbuffer o 1024 zero\nlaunch k 4 1 1 64 1 1 0 buf:o\ndump o o.bin\n' >k.launch
printf 'ptx calls.ptx\nbuffer o 1024 zero\nlaunch endless 1 1 1 32 1 1 0 buf:o\n' >endless.launch
printf 'ptx calls.ptx\nbuffer o 1024 zero\nlaunch wild 1 1 1 32 1 1 0 buf:o u64:4660\n' >wild.launch
printf 'ptx calls.ptx\nbuffer o 1024 zero\nlaunch other 1 1 1 32 1 1 0 buf:o\n' >other.launch
for how in --fast "-m sm7-4" "-m sm7-4 --threads 2"; do
  rm -f o.bin
  # shellcheck disable=SC2086
  expect 0 "$SIMTLAB" run -q $how k.launch
  cmp -s o.bin want.bin || complain "$how: other results than the host's"
  # shellcheck disable=SC2086
  expect 3 "$SIMTLAB" run -q $how endless.launch
  says "the stack of the thread is full: recursive calls are nested deeper than"
  # shellcheck disable=SC2086
  expect 3 "$SIMTLAB" run -q $how wild.launch
  says "the address 0x1234 is that of no function with the parameters of this call"
  # shellcheck disable=SC2086
  expect 3 "$SIMTLAB" run -q $how other.launch
  says "is that of no function with the parameters of this call"
done

# A checkpoint in the middle of calls.
expect 0 "$SIMTLAB" run -q -m sm7-4 --save-at 3000 half k.launch
expect 0 "$SIMTLAB" run -q -m sm7-4 --restore half k.launch
cmp -s o.bin want.bin || complain "other results behind a checkpoint"

# Modules compiled apart (-fgpu-rdc) are one module when their texts follow each other, in any order.
cat >apart.cu <<'C'
template <int N> __device__ __attribute__((noinline)) unsigned times(unsigned x) { return x * N + 1; }
#ifdef FIRST
__device__ unsigned shared_value = 5;
extern __constant__ unsigned scale[4];
extern __device__ unsigned other[4];
__device__ unsigned helper(unsigned x);
__device__ unsigned base(unsigned x) { return x + shared_value; }
extern "C" __global__ void k(unsigned *o) { o[threadIdx.x] = helper(threadIdx.x) * scale[threadIdx.x & 3] + other[2] + times<3>(0); }
#else
extern __device__ unsigned shared_value;
__constant__ unsigned scale[4] = {1, 10, 100, 1000};
__device__ unsigned other[4] = {7, 8, 11, 12};
__device__ unsigned base(unsigned x);
__device__ unsigned helper(unsigned x) { return base(x) + shared_value + times<3>(x) - 3 * x - 1; }
#endif
C
apart() { clang-19 -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -Wno-unknown-cuda-version -fgpu-rdc -O2 -S -I "$BUILD/runtime" -include "$BUILD/runtime/simt_ptx.h" "$@" apart.cu || complain "clang fails"; }
apart -DFIRST -o first.ptx
apart -o second.ptx
printf 'ptx one.ptx\nbuffer o 128 zero\nlaunch k 1 1 1 32 1 1 0 buf:o\ndump o o.bin\n' >one.launch
for order in "first.ptx second.ptx" "second.ptx first.ptx"; do
  # shellcheck disable=SC2086
  cat $order >one.ptx
  for how in --fast "-m sm7-4"; do
    # shellcheck disable=SC2086
    expect 0 "$SIMTLAB" run -q $how one.launch
    [ "$(od -An -v -tu4 -N20 o.bin | tr -s ' \n' ' ')" = " 22 122 1212 13012 26 " ] || complain "$order: $how: wrong results"
  done
done
expect 2 "$SIMTLAB" disasm first.ptx
says "'scale' is not defined in this module: link the modules into one"
finish
