# simtlab gdb on a CUDA program: its runtime waits for gdb at the first kernel, which stops in kernels and changes them.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_host.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
sanitized "$BUILD/libsimtlab-cudart.so"

cat >add.cu <<'END'
#include <cstdio>
__global__ void add(int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 5;
}
int main(int argc, char **)
{
  int *x, y[100];
  for (int i = 0; i < 100; i++)
    y[i] = i;
  cudaMalloc(&x, sizeof y);
  cudaMemcpy(x, y, sizeof y, cudaMemcpyHostToDevice);
  for (int k = 0; k < 2; k++) {
    add<<<2, 64>>>(argc > 1 ? nullptr : x, 100);
    if (cudaDeviceSynchronize() != cudaSuccess)
      return 3;
    cudaMemcpy(y, x, sizeof y, cudaMemcpyDeviceToHost);
    printf("y[99] = %d\n", y[99]);
  }
  return 0;
}
END
expect 0 "$SIMTLAB" cuda -lineinfo -o add add.cu

for options in --fast "-m sm7-1"; do
  # The sum of thread 35 of block 1, number 99, is 99 + 5; in the second launch 5 more, unless gdb changes it.
  debugged 0 add <<'END'
break add.cu:6 if $block == 1 && $tid == 35
continue
monitor code
watch *(int *)(0xc0000000 + 4 * 99)
continue
printf "thread %d of block %d has stored %d\n", $tid, $block, *(int *)(0xc0000000 + 4 * 99)
set var *(int *)(0xc0000000 + 4 * 99) = 1000
delete
continue
END
  prints "add.gdb/module-0.ptx:"
  prints "New value = 104"
  prints "thread 35 of block 1 has stored 104"
  prints "exited normally"
  [ "$(cat program)" = "y[99] = 1000
y[99] = 1005" ] || complain "the program prints: $(cat program)"
done

# A fault of a kernel, gdb that leaves, and gdb that ends the kernel.
options=--fast
debugged 1 add fault <<'END'
continue
END
prints "simtlab: "
debugged 0 add <<'END'
detach
END
[ "$(wc -l <program)" -eq 2 ] || complain "the program prints: $(cat program)"
debugged 1 add <<'END'
kill
END

# Misuse.
expect 2 "$SIMTLAB" gdb --stdio ./add
says "leave --stdio out"
expect 3 env SIMTLAB_CUDA_GDB=x SIMTLAB_CUDA_CHECK=1 LD_LIBRARY_PATH="$BUILD/cuda/lib64" ./add
says "leave GDB or CHECK out"
finish
