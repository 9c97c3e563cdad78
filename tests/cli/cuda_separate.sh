# Device code in several files (-rdc=true, -dc): functions and variables of other files, also of files that have nothing
# else; what no file defines is an error of the link, and of the checker if another linker has linked.
. "$(dirname "$0")/_lib.sh"
cd "$work" || exit 1
if ! "$SIMTLAB" cuda --root >root 2>/dev/null; then
  echo "no CUDA in this build"
  exit 77
fi
export LD_LIBRARY_PATH="$(cat root)/lib64"
sanitized "$LD_LIBRARY_PATH/libsimtlab-cudart.so"
cat >main.cu <<'END'
#include <cstdio>
extern __device__ int twice(int x);
#ifdef OFFSET
extern __device__ int offset;
#else
#define offset 100
#endif
__global__ void kernel(int *p) { p[threadIdx.x] = twice(threadIdx.x) + offset; }
int main()
{
  int *d, h[32] = {};
  cudaMalloc(&d, sizeof h);
  kernel<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[31]);
}
END
echo '__device__ int twice(int x) { return 2 * x; }' >function.cu # a file without kernels and variables
echo '__device__ int offset = 100;' >variable.cu

# right PROGRAM: it prints 2 * x + 100 for the threads 0 and 31.
right() {
  expect 0 "$1"
  prints "100 162"
  expect 0 "$SIMTLAB" check -q "$1"
}

expect 0 "$SIMTLAB" cuda -dc main.cu function.cu variable.cu
expect 0 "$SIMTLAB" cuda -dc -DOFFSET -o both.o main.cu
expect 0 "$SIMTLAB" cuda -o two main.o function.o
right ./two
expect 0 "$SIMTLAB" cuda -o three variable.o function.o both.o
right ./three
expect 0 "$SIMTLAB" check -q --build "-rdc=true function.cu" main.cu
prints "100 162"

# What is not defined
expect 1 "$SIMTLAB" cuda -o bad main.o
says "no file of the program defines the device function _Z5twicei"
[ ! -e bad ] || complain "a program appears in spite of the error"
expect 1 "$SIMTLAB" cuda -o bad both.o function.o
says "no file of the program defines the device variable offset"
expect 0 clang++-19 -o bad main.o -L"$LD_LIBRARY_PATH" -lcudart
expect 0 ./bad
says "'_Z5twicei' is called, but is not in this module"
expect 1 "$SIMTLAB" check --json bad.json ./bad
says "fault: a module of the program"
grep -q "no findings" err && complain "no findings in a program whose module is not loaded"
[ "$(grep -c _Z5twicei err)" = 1 ] || complain "the error is not said once"
has bad.json '"findings": 1'
finish
