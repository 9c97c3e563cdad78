# simtlab gdb on a CUDA program: backwards within a launch, by steps, breakpoints and watchpoints; faults.
. "$(dirname "$0")/_lib.sh"
. "$(dirname "$0")/_gdb_host.sh"
command -v clang-19 >/dev/null || { echo "skipped: no clang-19"; exit 77; }
[ -f "$BUILD/cuda/simtlab-device.bc" ] || { echo "skipped: no device library"; exit 77; }
sanitized "$BUILD/libsimtlab-cudart.so"

# Each block adds up 64 numbers in shared memory, by halves. Number i is i, so word 0 of block 0 is 0, and then the sums
# of 2, 4, 8, ... numbers: 32, 96, 224, 480, 992, 2016. Each launch adds its sums to y, counts in `launches` and prints.
cat >sum.cu <<'CUDA'
#include <cstdio>
__device__ int launches;
__global__ void sum(const int *x, int *y)
{
  __shared__ int part[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  part[threadIdx.x] = x[i];
  __syncthreads();
  for (int n = 32; n > 0; n /= 2) {
    if (threadIdx.x < n)
      part[threadIdx.x] += part[threadIdx.x + n];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    y[blockIdx.x] += part[0];
    int *own = (int *)malloc(4);
    if (own != nullptr && atomicAdd(&launches, 1) % 4 == 0)
      printf("a launch\n");
    free(own);
  }
}
int main(int argc, char **)
{
  int *x, *y, numbers[256], sums[4], n;
  for (int i = 0; i < 256; i++)
    numbers[i] = i;
  cudaMalloc(&x, sizeof numbers);
  cudaMalloc(&y, sizeof sums);
  cudaMemset(y, 0, sizeof sums);
  cudaMemcpy(x, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  for (int k = 0; k < 2; k++) {
    sum<<<4, 64>>>(argc > 1 ? nullptr : x, y);
    if (cudaDeviceSynchronize() != cudaSuccess) {
      printf("failed\n");
      return 3;
    }
    cudaMemcpy(sums, y, sizeof sums, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&n, launches, sizeof n);
    printf("%d %d %d %d of %d blocks\n", sums[0], sums[1], sums[2], sums[3], n);
  }
  return 0;
}
CUDA
expect 0 "$SIMTLAB" cuda -lineinfo -o sum sum.cu
printf '%s\n' "a launch" "2016 6112 10208 14304 of 4 blocks" "a launch" "4032 12224 20416 28608 of 8 blocks" >right

counters() { grep -o '"counters":.*' "$1"; }
for options in --fast "-m sm7-1"; do
  # The counters are those of a run without gdb, however often parts of the kernels execute again.
  mode=timed
  [ "$options" != --fast ] || mode=fast
  expect 0 env SIMTLAB_CUDA_STATS=plain.json SIMTLAB_CUDA_MACHINE=sm7-1 SIMTLAB_CUDA_MODE=$mode \
    LD_LIBRARY_PATH="$BUILD/cuda/lib64" ./sum
  cmp -s right out || complain "prints: $(cat out)"
  export SIMTLAB_CUDA_STATS=told.json

  # Forwards and backwards over the stores to a word of shared memory, to the beginning of the launch, and on.
  debugged 0 sum <<'GDB'
break sum.cu:15 if $block == 0 && $tid == 0
continue
watch *(int *)0x90000000 if $block == 0
delete 1
reverse-continue
reverse-continue
printf "lane %d of block %d\n", $tid, $block
continue
delete
reverse-continue
reverse-stepi
monitor cycle
continue
GDB
  in_order "Old value = 2016" "New value = 992" "Old value = 992" "New value = 480" "lane 0 of block 0" \
    "Old value = 480" "New value = 992" "No more reverse-execution history" "No more reverse-execution history" \
    "place 1 of" "exited normally"
  cmp -s right program || complain "the program prints: $(cat program)"
  counters plain.json >plain
  counters told.json >counted
  [ "$(wc -l <plain)" -eq 3 ] || complain "no counters"
  cmp plain counted || complain "counts other events"
  unset SIMTLAB_CUDA_STATS

  # Steps back pass the places of the steps forwards. History begins with the second launch.
  debugged 0 sum <<'GDB'
monitor stop-at-launch on
continue
monitor stop-at-launch off
break sum.cu:16 if $block == 2
continue
python
def here():
    names = ("pc", "block", "tid", "mask")
    return [str(gdb.parse_and_eval("$" + name)) for name in names]
def walk(command, count):
    places = [here()]
    for i in range(count):
        gdb.execute(command)
        places.append(here())
    return places
there = walk("stepi", 5)
back = walk("reverse-stepi", 5)
print("same places" if there == back[::-1] else "other places: %s %s" % (there, back))
print("places differ" if len(set(map(str, there))) == 6 else "no steps")
end
reverse-step
printf "a step back: %d\n", $block
reverse-continue
print *(int *)0xc0000400
set var *(int *)0xc0000400 = 1000
delete
continue
GDB
  in_order "same places" "places differ" "a step back: 2" "No more reverse-execution history" "= 2016" "exited normally"
  sed 's/^4032/3016/' right | cmp -s - program || complain "the program prints: $(cat program)"

  # A fault stops before its instruction, and the run goes back from there. Going on from there, the launch fails.
  debugged 1 sum fault <<'GDB'
continue
printf "fault in line 7 %d\n", $block
reverse-stepi
stepi
printf "at the fault %d\n", $pc
continue
continue
GDB
  in_order "received signal SIGSEGV" "part[threadIdx.x] = x[i];" "fault in line 7 0" "at the fault" \
    "received signal SIGSEGV" "exited with code 03"
  [ "$(cat program)" = "failed" ] || complain "the program prints: $(cat program)"

  # gdb may leave while the run is at an earlier place.
  debugged 0 sum <<'GDB'
break sum.cu:15 if $block == 3
continue
reverse-stepi
reverse-step
detach
GDB
  cmp -s right program || complain "the program prints: $(cat program)"
done
finish
