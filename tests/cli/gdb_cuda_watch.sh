# simtlab gdb on a CUDA program: watchpoints on the local memory of a lane, on shared and on global memory, forwards and
# backwards, and changes of each.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_host.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
sanitized "$BUILD/libsimtlab-cudart.so"

# Thread t stores i * t to own[3 * i % 8], for i below 8; then adds 100. So own[1] is 3 * t, and then 3 * t + 100.
cat >own.cu <<'CUDA'
#include <cstdio>
__global__ void fill(int *out, int n, int at)
{
  __shared__ int last[64];
  int own[8];
  for (int i = 0; i < n; i++)
    own[i * 3 % 8] = i * (int)threadIdx.x;
  for (int i = 0; i < n; i++)
    own[i * 3 % 8] += 100;
  last[63 - threadIdx.x] = own[at];
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = last[threadIdx.x];
}
int main(int argc, char **)
{
  int *out, y[128];
  cudaMalloc(&out, sizeof y);
  fill<<<2, 64>>>(out, 7 + argc, argc);
  cudaMemcpy(y, out, sizeof y, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; i++)
    if (y[i] != 3 * (63 - i % 64) + 100)
      printf("y[%d] = %d\n", i, y[i]);
  return 0;
}
CUDA
expect 0 "$SIMTLAB" cuda -lineinfo -o own own.cu

for options in --fast "-m sm7-1"; do
  # Thread 37 of block 1: its own words, though all lanes of its warp store at the same time.
  debugged 0 own <<'GDB'
break own.cu:6 if $block == 1 && $tid == 37
continue
delete
watch *(int *)0xa0000004
continue
printf "thread %d of block %d\n", $tid, $block
continue
printf "thread %d of block %d\n", $tid, $block
reverse-continue
printf "back in thread %d of block %d\n", $tid, $block
reverse-continue
printf "back in thread %d of block %d\n", $tid, $block
continue
delete
awatch *(int *)0xa0000004
continue
continue
delete
set var *(int *)0xa0000004 = 1
watch *(int *)(0x90000000 + 4 * 26)
continue
printf "thread %d of block %d\n", $tid, $block
reverse-continue
continue
delete
watch *(int *)(0xc0000000 + 4 * 90)
continue
printf "thread %d of block %d\n", $tid, $block
set var *(int *)0xc0000000 = 5
delete
continue
GDB
  in_order "New value = 111" "thread 37 of block 1" "New value = 211" "thread 37 of block 1" "New value = 111" \
    "back in thread 37 of block 1" "Old value = 111" "back in thread 37 of block 1" "New value = 111" \
    "Value = 111" "New value = 211" "New value = 1" "thread 37 of block 1" "New value = 1" \
    "New value = 1" "thread 26 of block 1" "exited normally"
  # With timing, block 0 stores its own value later, or has ended.
  printf '%s\n' "y[0] = 5" "y[90] = 1" >right
  [ "$options" = --fast ] || { grep -v '^y\[0\]' program >rest && mv rest program && sed -i 1d right; }
  cmp -s right program || complain "the program prints: $(cat program)"
done
finish
