# simtlab gdb on a program with kernels in several modules: two CUDA sources, and one that is loaded while it runs.
# Breakpoints by name and line in each, registers, and a launch script with two modules.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_host.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
sanitized "$BUILD/libsimtlab-cudart.so"

cat >first.cu <<'CUDA'
#include <cstdio>
__global__ void first(int *x)
{
  x[threadIdx.x] = 3 * x[threadIdx.x] + 1;
}
void second(int *x);
void third(int *x, const char *path);
int main(int argc, char **argv)
{
  int *x, y[32];
  cudaMalloc(&x, sizeof y);
  for (int k = 0; k < 2; k++) {
    first<<<1, 32>>>(x);
    second(x);
  }
  third(x, argv[1]);
  cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost);
  printf("%d\n", y[5]);
  return 0;
}
CUDA
cat >second.cu <<'CUDA'
#include <cuda.h>
__global__ void twice(int *x)
{
  float f = (float)x[threadIdx.x];
  x[threadIdx.x] = (int)(2 * f);
}
void second(int *x)
{
  twice<<<1, 32>>>(x);
}
void third(int *x, const char *path)
{
  CUmodule module;
  CUfunction function;
  void *arguments[] = {&x};
  if (cuModuleLoad(&module, path) == CUDA_SUCCESS && cuModuleGetFunction(&function, module, "later") == CUDA_SUCCESS)
    cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL);
}
CUDA
cat >later.ptx <<'PTX'
.version 6.4
.target sm_70
.address_size 64
.visible .entry later(.param .u64 x)
{
	.reg .b32 %q<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [x];
	mov.u32 %q1, %tid.x;
	mul.wide.u32 %rd2, %q1, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.u32 %q2, [%rd3];
	add.u32 %q3, %q2, 100;
	st.global.u32 [%rd3], %q3;
	ret;
}
PTX
expect 0 "$SIMTLAB" cuda -lineinfo -o all first.cu second.cu -lcuda

# Number 5 of x is 0, 1, 2, 7, 14 and 114.
for options in --fast "-m sm7-1"; do
  debugged 0 all later.ptx <<'GDB'
set breakpoint pending on
break second.cu:5 if $tid == 5
break first
break later if $tid == 5
continue
info symbol $pc
continue
print $f1
info symbol $pc
reverse-stepi
delete 1
reverse-continue
continue
printf "x is %d\n", *(int *)0xc0000014
delete 2
continue
info symbol $pc
print $q1
monitor registers %q1
continue
GDB
  in_order 'Breakpoint 3 (later if $tid == 5) pending.' "hit Breakpoint 2" "first(int*) + 8 in section .text" \
    "hit Breakpoint 1" "= 1" "twice(int*) + 28 in section .text" "No more reverse-execution history" "hit Breakpoint 2" "x is 2" "hit Breakpoint 3" \
    "later + 4 in section" "%q1        0x00000000 0" "exited normally"
  [ "$(cat program)" = 114 ] || complain "the program prints: $(cat program)"
done

# A launch script whose kernel's module is the second one.
cat >before.ptx <<'PTX'
.version 6.4
.target sm_70
.address_size 64
.visible .entry never()
{
	ret;
}
PTX
printf '%s\n' 'module before.ptx' 'ptx later.ptx' 'buffer x 128 zero' 'launch later 1 1 1 32 1 1 0 buf:x' >later.launch
expect 0 "$SIMTLAB" gdb --symbols later.sym later.launch
printf '%s\n' "set width 0" "file later.sym" "target remote | $SIMTLAB gdb -m sm7-1 --stdio later.launch" "info symbol \$pc" \
  "break later.ptx:13" "continue" 'print $q3' "reverse-stepi" "info line never" >script.gdb
LD_PRELOAD= timeout 60 gdb-multiarch -nx -batch -x script.gdb >out 2>&1 </dev/null || complain "gdb fails"
in_order "later in section .text" "hit Breakpoint 1, later () at later.ptx:13" "= 0" "ld.global.u32 %q2" \
  'Line 6 of "before.ptx" starts at address 0x1000000 <never>'
finish
