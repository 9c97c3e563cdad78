# The checker in CUDA programs: findings at the right lines, its environment variables, leaks, and orders of a seed.
. "$(dirname "$0")/_checked.sh"

checked shared_no_barrier shared_one_thread_ok
expect 0 ./shared_no_barrier
silent
expect 0 env SIMTLAB_CUDA_CHECK=1 SIMTLAB_CUDA_CHECK_JSON=cuda.json ./shared_no_barrier
has cuda.json '"kind": "race"'
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
echo 'race: *' >known
expect 0 env SIMTLAB_CUDA_CHECK=1 SIMTLAB_CUDA_CHECK_SUPPRESS=known SIMTLAB_CUDA_CHECK_EXIT=9 ./shared_no_barrier
silent
finish
