/* Managed memory: variables that host and kernels share by name and by address, and cudaMallocManaged. */
#include <cstdio>

struct pair {
  int a;
  double b;
};
__device__ __managed__ int counter = 5;
__managed__ float table[4] = {1, 2, 3, 4};
static __device__ __managed__ pair both;
__device__ __managed__ int *list;
__device__ int plain = 7;

__global__ void add(int n)
{
  atomicAdd(&counter, n);
  if (threadIdx.x < 4)
    table[threadIdx.x] += plain;
  both.b = both.a + 0.5;
  list[threadIdx.x] = threadIdx.x + both.a;
}

__global__ void through(int *p, float *t)
{
  *p += 100;
  t[0] = -1;
}

static int failures;
static void check(bool right, const char *what)
{
  if (!right)
    printf("wrong: %s\n", what);
  failures += !right;
}

int main()
{
  check(counter == 5 && table[3] == 4, "initial values, before the first call");
  counter = 10;
  both.a = 3;
  check(cudaMallocManaged(&list, 32 * sizeof *list) == cudaSuccess, "cudaMallocManaged");
  add<<<1, 32>>>(2);
  check(cudaDeviceSynchronize() == cudaSuccess, "the launch");
  check(counter == 10 + 64, "a variable that host and kernel change");
  check(table[0] == 8 && table[3] == 11, "an array");
  check(both.b == 3.5 && list[31] == 34, "a struct, and a pointer");
  counter = 1;
  through<<<1, 1>>>(&counter, table + 1);
  cudaDeviceSynchronize();
  check(counter == 101 && table[1] == -1 && table[0] == 8, "addresses as parameters");
  int other = 0, *place;
  check(cudaMemcpyFromSymbol(&other, counter, sizeof other) == cudaSuccess && other == 101, "cudaMemcpyFromSymbol");
  check(cudaMemset(&counter, 0, sizeof counter) == cudaSuccess && counter == 0, "cudaMemset");
  check(cudaGetSymbolAddress((void **)&place, counter) == cudaSuccess, "cudaGetSymbolAddress");
  *place = 9;
  through<<<1, 1>>>(place, table);
  check(cudaDeviceSynchronize() == cudaSuccess && counter == 109, "the address of a symbol");
  cudaPointerAttributes a;
  check(cudaPointerGetAttributes(&a, &counter) == cudaSuccess && a.type == cudaMemoryTypeManaged, "attributes");
  check(cudaFree(&counter) == cudaErrorInvalidValue, "a variable cannot be freed");
  check(cudaHostUnregister(&counter) != cudaSuccess, "a variable is not registered");
  printf("%d failures\n", failures);
  return failures;
}
