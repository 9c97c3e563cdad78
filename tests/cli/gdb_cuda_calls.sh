# simtlab gdb on a CUDA program whose kernel calls functions: callers, finish and next, forwards and backwards.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_host.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
sanitized "$BUILD/libsimtlab-cudart.so"

cat >calls.cu <<'CUDA'
#include <cstdio>
__device__ __noinline__ int leaf(int a, const int *x)
{
  return x[a & 1] * a + 1;
}
__device__ __noinline__ int middle(int a, const int *x)
{
  int b = leaf(a, x) + 2;
  b = b + leaf(b, x);
  return b;
}
__device__ __noinline__ int fib(int n, const int *x)
{
  if (n < 2)
    return x[n];
  return fib(n - 1, x) + fib(n - 2, x);
}
__global__ void calls(const int *x, int *y)
{
  int i = blockIdx.x * 64 + threadIdx.x;
  int v = 0;
  if (i % 2 == 0)
    v = middle(i, x);
  y[i] = v + fib(i % 4, x);
}
int main()
{
  int *x, *y, ones[2] = {1, 1}, out[128];
  cudaMalloc(&x, sizeof ones);
  cudaMalloc(&y, sizeof out);
  cudaMemcpy(x, ones, sizeof ones, cudaMemcpyHostToDevice);
  calls<<<2, 64>>>(x, y);
  cudaMemcpy(out, y, sizeof out, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", out[0], out[42], out[43]);
  return 0;
}
CUDA
expect 0 "$SIMTLAB" cuda -lineinfo -o calls calls.cu

for options in --fast "-m sm7-1"; do
  debugged 0 calls <<'GDB'
break calls.cu:4 if $block == 0 && $tid == 42
continue
bt
up
finish
echo finished\n
bt
reverse-step
bt 1
reverse-finish
bt
delete
next
next
echo next\n
bt
break calls.cu:15 if $block == 1 && $tid == 43
continue
bt
delete
finish
echo again\n
bt
reverse-stepi
bt
reverse-finish
echo back\n
bt
continue
GDB
  in_order "#0  _Z4leafiPKi () at" "#1  0x" "#2  0x" "#1  0x" "hit Breakpoint 1" "finished" "calls.cu:4" "calls.cu:9" \
    "calls.cu:23" "calls.cu:3" "b = b + leaf(b, x);" "in _Z6middleiPKi" "in _Z5callsPKiPi" "return b;" "y[i] = v + fib" \
    "next" "#0  _Z5callsPKiPi" "hit Breakpoint 2" "#0  _Z3fibiPKi" "calls.cu:16" "calls.cu:16" "calls.cu:24" \
    "in _Z3fibiPKi" "again" "#0  0x" "#1  0x" "#2  0x" "#0  0x" "#1  0x" "#2  0x" "#3  0x" \
    "return fib(n - 1, x) + fib(n - 2, x);" "back" "#0  0x" "#1  0x" "#2  0x" "exited normally"
  [ "$(grep -c '^#3' out)" -eq 2 ] || complain "the deepest call has not four frames"
  [ "$(cat program)" = "8 93 3" ] || complain "the program prints: $(cat program)"
done
finish
