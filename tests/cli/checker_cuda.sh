# The checker in CUDA programs: findings at the right lines, its variables, leaks, orders of a seed, and simtlab check.
. "$(dirname "$0")/_checked.sh"

checked shared_no_barrier barrier_early_lanes_ok shared_one_thread_ok
expect 0 ./shared_no_barrier
silent
expect 0 env SIMTLAB_CUDA_CHECK=1 SIMTLAB_CUDA_CHECK_JSON=cuda.json ./shared_no_barrier
has cuda.json '"kind": "race"'
expect 0 "$SIMTLAB" cuda -lineinfo -o equal "$programs/cuda/global_equal_values_ok.cu"
expect 0 "$SIMTLAB" check -q ./equal
expect 1 "$SIMTLAB" check -q --equal-stores ./equal
says "race: "
expect 1 "$SIMTLAB" check -q --strict-barriers ./barrier_early_lanes_ok
says "barrier divergence: "
says "has ended at"
cat >leak.cu <<'C'
int main()
{
  int *a, *b;
  cudaMalloc(&a, 1000);
  cudaMalloc(&b, 2000);
  cudaFree(a);
}
C
expect 0 "$SIMTLAB" cuda -o leak leak.cu
expect 0 env SIMTLAB_CUDA_CHECK=1 SIMTLAB_CUDA_CHECK_EXIT=9 ./leak
silent
expect 9 env SIMTLAB_CUDA_CHECK=2 SIMTLAB_CUDA_CHECK_EXIT=9 ./leak
says "leak: the buffer of 2000 bytes"
cat >unwritten.cu <<'C'
__global__ void k(const int *in, int *out, int *nothing)
{
  __shared__ int t[32];
  if (threadIdx.x < 31)
    t[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = t[31 - threadIdx.x];
  out[32 + threadIdx.x] = in[threadIdx.x];
  if (in[32] == 0)
    *nothing = 1;
}
int main()
{
  int *in, *out, *nothing = nullptr;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 256);
  cudaMemset(in + 31, 0, 8);
  k<<<1, 32>>>(in, out, nothing);
  cudaDeviceSynchronize();
}
C
expect 1 "$SIMTLAB" check -q unwritten.cu
says "uninitialised read: "
says "unwritten.cu:7: thread (0,0,0)"
says "unwritten.cu:8: thread (0,0,0)"
says "null pointer: "
expect 1 "$SIMTLAB" check -q --no-uninitialised unwritten.cu
! grep -q uninitialised "$work/err" || complain "tells of uninitialised memory"
cat >order.cu <<'C'
__device__ int flag;
__global__ void k(int *data)
{
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    atomicExch(&flag, 1);
    data[0] = 2;
  }
  if (threadIdx.x == 0 && blockIdx.x == 1 && atomicAdd(&flag, 0) == 0)
    data[0] = 1;
}
int main()
{
  int *data;
  cudaMalloc(&data, 4);
  k<<<2, 32>>>(data);
  cudaDeviceSynchronize();
}
C
expect 0 "$SIMTLAB" cuda -lineinfo -o order order.cu
expect 0 env SIMTLAB_CUDA_CHECK=1 SIMTLAB_CUDA_CHECK_EXIT=9 ./order
expect 9 env SIMTLAB_CUDA_CHECK=1 SIMTLAB_CUDA_CHECK_SCHEDULE=1 SIMTLAB_CUDA_CHECK_EXIT=9 ./order
says "schedule 1"
expect 0 "$SIMTLAB" check ./order
says "no findings"
expect 1 "$SIMTLAB" check -q --schedules 2 order
says "; schedule 1; "
says "order: findings in "
expect 1 "$SIMTLAB" check -q --schedules 2 --json several.json ./order
python3 - <<'END' || complain "the JSON of several runs is wrong"
import json
findings = json.load(open("several.json"))
assert findings["findings"] == len(findings["list"]) >= 1, findings
assert all(finding["schedule"] in (1, 2) for finding in findings["list"]), findings
END
expect 1 "$SIMTLAB" check -q --json host.json ./shared_no_barrier
has host.json '"kind": "race"'
expect 2 "$SIMTLAB" check -m nothing ./order
says "no machine named 'nothing'"
expect 2 "$SIMTLAB" check -m simtight ./order
says "does not execute PTX"
# A source: it is built with lines, further words are those of simtlab cuda, and the program's arguments come after it.
cat >source.cu <<'C'
#include <cstdio>
__global__ void k(int *data)
{
  __shared__ int tile[64];
  tile[threadIdx.x] = 1;
  data[threadIdx.x] = tile[63 - threadIdx.x];
}
int main(int count, char **words)
{
  int *data;
  cudaMalloc(&data, 256);
  if (count == VALUE)
    k<<<1, 64>>>(data);
  cudaDeviceSynchronize();
  puts(words[count - 1]);
}
C
expect 1 env TMPDIR="$work" "$SIMTLAB" check --json source.json --build -DVALUE=2 source.cu argument
grep -q "race: .*source.cu:5: .*source.cu:6: no barrier" err || complain "not the lines of the source"
says "source.cu: findings in 1 of 1 run"
prints argument
has source.json '"line": 5'
[ -z "$(ls -d simtlab-cc-* 2>/dev/null)" ] || complain "files remain"
expect 0 "$SIMTLAB" check --build "-O1 -DVALUE=2" source.cu
says "no findings"
expect 2 "$SIMTLAB" check source.cu
says "source.cu: it does not compile"
expect 2 "$SIMTLAB" check --build -O1 ./order
says "is no CUDA source"
printf '#!/bin/sh\nexec ./shared_no_barrier\n' >script
chmod +x script
expect 1 "$SIMTLAB" check -q ./script
found "$programs/cuda/shared_no_barrier.cu"
echo 'race: *' >known
expect 0 env SIMTLAB_CUDA_CHECK=1 SIMTLAB_CUDA_CHECK_SUPPRESS=known SIMTLAB_CUDA_CHECK_EXIT=9 ./shared_no_barrier
silent
finish
