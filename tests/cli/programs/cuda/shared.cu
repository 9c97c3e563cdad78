/* Kernels have room for the shared variables that they use, not for all of the module. */
#include <cstdio>

template <class T, int N> __device__ T rotate(T v)
{
  __shared__ T cells[N];
  cells[threadIdx.x] = v;
  __syncthreads();
  return cells[(threadIdx.x + 1) % blockDim.x];
}
template <class T> __global__ void rotated(T *p)
{
  __shared__ T copy[2048];
  copy[threadIdx.x] = rotate<T, 1024>(p[threadIdx.x]);
  __syncthreads();
  p[threadIdx.x] = copy[threadIdx.x];
}
extern __shared__ int dynamic[];
__device__ __noinline__ int *behind()
{
  return dynamic;
}
__global__ void large(int *p)
{
  __shared__ int cells[10000];
  cells[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = cells[blockDim.x - 1 - threadIdx.x];
}
template <int N> __global__ void small(int *p)
{
  __shared__ int cells[N];
  cells[threadIdx.x] = 1;
  dynamic[threadIdx.x] = p[threadIdx.x] + cells[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = dynamic[blockDim.x - 1 - threadIdx.x];
}

__global__ void called(int *p)
{
  __shared__ int cells[64];
  cells[threadIdx.x] = p[threadIdx.x];
  behind()[threadIdx.x] = 5;
  __syncthreads();
  p[threadIdx.x] = cells[threadIdx.x] + behind()[threadIdx.x];
}

static int failures;
static void expect(bool right, const char *what)
{
  failures += !right;
  if (!right)
    printf("%s is wrong\n", what);
}
template <class T> static void rotation(size_t bytes)
{
  T h[64], *d;
  cudaFuncAttributes a;
  for (int i = 0; i < 64; i++)
    h[i] = (T)(i * 3);
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  rotated<T><<<1, 64>>>(d);
  expect(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess, "a rotation's launch");
  for (int i = 0; i < 64; i++)
    if (h[i] != (T)((i + 1) % 64 * 3))
      return expect(false, "a rotation");
  cudaFuncGetAttributes(&a, rotated<T>);
  expect(a.sharedSizeBytes == bytes, "a rotation's size");
}
int main()
{
  int h[64], *d;
  cudaFuncAttributes a;
  rotation<char>(3 * 1024);
  rotation<short>(3 * 2048);
  rotation<int>(3 * 4096);
  rotation<float>(3 * 4096);
  rotation<double>(3 * 8192);
  rotation<long long>(3 * 8192);
  for (int i = 0; i < 64; i++)
    h[i] = i;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  large<<<1, 64>>>(d);
  small<100><<<1, 64, 40000>>>(d);
  small<3000><<<1, 64, 256>>>(d);
  expect(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess, "a launch with dynamic memory");
  for (int i = 0; i < 64; i++)
    if (h[i] != 63 - i + 2)
      expect(false, "a value in dynamic memory");
  cudaFuncGetAttributes(&a, large);
  expect(a.sharedSizeBytes == 40000, "the size of large");
  cudaFuncGetAttributes(&a, small<100>);
  expect(a.sharedSizeBytes == 400, "the size of small");

  called<<<1, 64, 256>>>(d);
  expect(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess, "a launch with a call");
  for (int i = 0; i < 64; i++)
    if (h[i] != 63 - i + 7)
      expect(false, "a value behind a call");

  printf("%d failures\n", failures);
  return failures;
}
