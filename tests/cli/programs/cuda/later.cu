/* Functions of later versions, and functions that are not supported. */
#include <cstdio>
#include <nvToolsExt.h>
#include <nvtx3/nvToolsExt.h>

static int failures;
static void check(bool right, int line)
{
  if (!right)
    printf("wrong: line %d\n", line);
  failures += !right;
}
#define IS(error, x) check((x) == (error), __LINE__)

__global__ void store(int *p, int v)
{
  p[threadIdx.x] = v;
}

int main()
{
  cudaMemPool_t pool;
  unsigned long long used = 0;
  int *p, *m, v = 5, got = 0;
  size_t bytes = 0;
  IS(cudaSuccess, cudaDeviceGetDefaultMemPool(&pool, 0));
  IS(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&pool, 1));
  IS(cudaSuccess, cudaMallocFromPoolAsync((void **)&p, 4096, pool, 0));
  IS(cudaSuccess, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  check(used >= 4096, __LINE__);
  IS(cudaErrorInvalidValue, cudaMallocFromPoolAsync((void **)&m, 4096, (cudaMemPool_t)5, 0));
  void *args[] = {&p, &v};
  cudaLaunchConfig_t c = {dim3(1), dim3(32), 0, 0, NULL, 0};
  IS(cudaSuccess, cudaLaunchKernelExC(&c, (const void *)store, args));
  IS(cudaSuccess, cudaMemcpy(&got, p + 31, 4, cudaMemcpyDeviceToHost));
  check(got == 5, __LINE__);
  nvtxRangePush("a typed launch");
  IS(cudaSuccess, cudaLaunchKernelEx(&c, store, p, (short)6));
  nvtxRangePop();
  IS(cudaSuccess, cudaMemcpy(&got, p + 31, 4, cudaMemcpyDeviceToHost));
  check(got == 6, __LINE__);
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = 2;
  c.attrs = &cluster;
  c.numAttrs = 1;
  IS(cudaErrorNotSupported, cudaLaunchKernelExC(&c, (const void *)store, args));
  IS(cudaErrorInvalidValue, cudaLaunchKernelExC(NULL, (const void *)store, args));
  IS(cudaSuccess, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void *)store, 2, 128));
  check(bytes >= 32768 && bytes <= 49152, __LINE__);
  IS(cudaSuccess, cudaMallocManaged(&m, 4096));
  IS(cudaSuccess, cudaMemRangeGetAttribute(&got, 4, cudaMemRangeAttributePreferredLocation, m, 4096));
  check(got == cudaInvalidDeviceId, __LINE__);
  IS(cudaErrorInvalidValue, cudaMemRangeGetAttribute(&got, 3, cudaMemRangeAttributePreferredLocation, m, 4096));
  cudaIpcMemHandle_t handle;
  cudaMipmappedArray_t array;
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  IS(cudaErrorNotSupported, cudaIpcGetMemHandle(&handle, p));
  IS(cudaErrorNotSupported, cudaMallocMipmappedArray(&array, &desc, make_cudaExtent(8, 8, 0), 2, 0));
  IS(cudaSuccess, cudaFreeAsync(p, 0));
  printf("%d failures\n", failures);
  return failures;
}
