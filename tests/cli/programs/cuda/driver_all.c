/* The driver interface: devices, contexts, streams, events, and all copies and fills, each with its result checked. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define IS(wanted, call)                                                                                               \
  do {                                                                                                                 \
    const CUresult got = (call);                                                                                       \
    if (got != (wanted)) {                                                                                             \
      printf("line %d: %s is %d\n", __LINE__, #call, (int)got);                                                        \
      failures++;                                                                                                      \
    }                                                                                                                  \
  } while (0)
#define OK(call) IS(CUDA_SUCCESS, call)
#define HOLDS(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("line %d: %s does not hold\n", __LINE__, #condition);                                                     \
      failures++;                                                                                                      \
    }                                                                                                                  \
  } while (0)

static void count(void *data)
{
  ++*(int *)data;
}

static void CUDA_CB counted(CUstream stream, CUresult result, void *data)
{
  (void)stream;
  *(int *)data += result == CUDA_SUCCESS;
}

static CUdevice devices(void)
{
  CUdevice device;
  CUuuid uuid;
  char name[64], id[32];
  int number, minor;
  size_t bytes;
  OK(cuInit(0));
  IS(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  OK(cuDriverGetVersion(&number));
  HOLDS(number >= 10000);
  OK(cuDeviceGetCount(&number));
  HOLDS(number >= 1);
  OK(cuDeviceGet(&device, 0));
  IS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, number));
  OK(cuDeviceGetName(name, sizeof name, device));
  HOLDS(name[0] != '\0');
  OK(cuDeviceGetUuid(&uuid, device));
  OK(cuDeviceTotalMem(&bytes, device));
  HOLDS(bytes > 1 << 20);
  OK(cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  HOLDS(number == 32);
  OK(cuDeviceComputeCapability(&number, &minor, device));
  HOLDS(number == 7);
  OK(cuDeviceGetPCIBusId(id, sizeof id, device));
  OK(cuDeviceCanAccessPeer(&number, device, device));
  HOLDS(number == 0);
  return device;
}

static void contexts(CUdevice device)
{
  CUcontext primary, second, current;
  unsigned flags;
  int active, least, greatest;
  size_t limit;
  CUfunc_cache cache;
  CUsharedconfig config;
  OK(cuDevicePrimaryCtxRetain(&primary, device));
  OK(cuDevicePrimaryCtxGetState(device, &flags, &active));
  HOLDS(active == 1);
  OK(cuCtxSetCurrent(primary));
  OK(cuCtxCreate(&second, 0, device));
  OK(cuCtxGetCurrent(&current));
  HOLDS(current == second);
  OK(cuCtxPopCurrent(&current));
  HOLDS(current == second);
  OK(cuCtxPushCurrent(second));
  OK(cuCtxGetDevice(&device));
  OK(cuCtxGetFlags(&flags));
  OK(cuCtxGetApiVersion(second, &flags));
  OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 20));
  OK(cuCtxGetLimit(&limit, CU_LIMIT_PRINTF_FIFO_SIZE));
  OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
  OK(cuCtxGetCacheConfig(&cache));
  OK(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE));
  OK(cuCtxGetSharedMemConfig(&config));
  OK(cuCtxGetStreamPriorityRange(&least, &greatest));
  OK(cuCtxSynchronize());
  OK(cuCtxDestroy(second));
  OK(cuCtxSetCurrent(primary));
  OK(cuProfilerStart());
  OK(cuProfilerStop());
}

static void copies(void)
{
  enum { N = 1024 };
  static unsigned char host[4 * N], back[4 * N];
  CUdeviceptr a, b, base;
  size_t size, total, pitch;
  void *pinned;
  for (int i = 0; i < 4 * N; i++)
    host[i] = (unsigned char)(i * 7);
  OK(cuMemAlloc(&a, 4 * N));
  OK(cuMemAlloc(&b, 4 * N));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&base, 0));
  OK(cuMemGetInfo(&size, &total));
  HOLDS(size < total);
  OK(cuMemGetAddressRange(&base, &size, a + 100));
  HOLDS(base == a && size >= 4 * N);
  OK(cuMemcpyHtoD(a, host, sizeof host));
  OK(cuMemcpyDtoD(b, a, sizeof host));
  OK(cuMemcpyDtoH(back, b, sizeof back));
  HOLDS(memcmp(host, back, sizeof host) == 0);
  OK(cuMemsetD8(a, 0x5a, 4 * N));
  OK(cuMemcpy(b, a, 4 * N));
  OK(cuMemcpyDtoH(back, b, sizeof back));
  HOLDS(back[0] == 0x5a && back[4 * N - 1] == 0x5a);
  OK(cuMemsetD16(a, 0x1234, 2 * N));
  OK(cuMemcpyDtoH(back, a, sizeof back));
  HOLDS(back[0] == 0x34 && back[4 * N - 1] == 0x12);
  OK(cuMemsetD32(a, 0x12345678, N));
  OK(cuMemcpyDtoH(back, a, sizeof back));
  HOLDS(back[4] == 0x78 && back[4 * N - 1] == 0x12);
  IS(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(a, host, 1 << 20));
  OK(cuMemAllocPitch(&base, &pitch, 100, 4, 4));
  const CUDA_MEMCPY2D in = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                            .srcHost = host,
                            .srcPitch = 100,
                            .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                            .dstDevice = base,
                            .dstPitch = pitch,
                            .WidthInBytes = 100,
                            .Height = 4},
                      out = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                             .srcDevice = base,
                             .srcPitch = pitch,
                             .dstMemoryType = CU_MEMORYTYPE_HOST,
                             .dstHost = back,
                             .dstPitch = 100,
                             .WidthInBytes = 100,
                             .Height = 4};
  OK(cuMemcpy2D(&in));
  OK(cuMemcpy2D(&out));
  HOLDS(memcmp(host, back, 400) == 0);
  OK(cuMemAllocHost(&pinned, 256));
  OK(cuMemcpyDtoH(pinned, a, 256));
  HOLDS(((unsigned char *)pinned)[3] == 0x12);
  OK(cuMemFreeHost(pinned));
  OK(cuMemHostAlloc(&pinned, 256, 0));
  OK(cuMemFreeHost(pinned));
  OK(cuMemHostRegister(host, sizeof host, 0));
  OK(cuMemHostUnregister(host));
  unsigned type = 0;
  OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a));
  HOLDS(type == CU_MEMORYTYPE_DEVICE);
  OK(cuMemFree(base));
  OK(cuMemFree(b));
  OK(cuMemFree(a));
  IS(CUDA_ERROR_INVALID_VALUE, cuMemFree(a));
}

static void streams(void)
{
  CUstream stream, other;
  CUevent start, end;
  CUdeviceptr a;
  unsigned char host[256] = {1, 2, 3}, back[256];
  float ms;
  int calls = 0;
  OK(cuMemAlloc(&a, 512));
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreateWithPriority(&other, CU_STREAM_DEFAULT, 0));
  OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
  OK(cuEventCreate(&end, CU_EVENT_DEFAULT));
  OK(cuEventRecord(start, stream));
  OK(cuMemcpyHtoDAsync(a, host, sizeof host, stream));
  OK(cuMemcpyDtoDAsync(a + 256, a, 256, stream));
  OK(cuMemcpyDtoHAsync(back, a + 256, sizeof back, stream));
  OK(cuStreamAddCallback(stream, counted, &calls, 0));
  OK(cuLaunchHostFunc(stream, count, &calls));
  OK(cuEventRecord(end, stream));
  OK(cuStreamWaitEvent(other, end, 0));
  OK(cuMemsetD8Async(a, 9, 256, other));
  OK(cuMemsetD16Async(a, 9, 128, other));
  OK(cuMemsetD32Async(a, 9, 64, other));
  OK(cuMemcpyAsync(a + 256, a, 256, other));
  OK(cuEventSynchronize(end));
  OK(cuStreamSynchronize(other));
  OK(cuStreamQuery(other));
  OK(cuEventQuery(end));
  OK(cuEventElapsedTime(&ms, start, end));
  HOLDS(ms > 0);
  HOLDS(calls == 2);
  HOLDS(memcmp(host, back, sizeof host) == 0);
  OK(cuMemcpyDtoH(back, a + 256, sizeof back));
  HOLDS(back[0] == 9 && back[1] == 0);
  OK(cuEventDestroy(start));
  OK(cuEventDestroy(end));
  OK(cuStreamDestroy(stream));
  OK(cuStreamDestroy(other));
  OK(cuMemFree(a));
}

int main(void)
{
  const CUdevice device = devices();
  contexts(device);
  copies();
  streams();
  OK(cuDevicePrimaryCtxRelease(device));
  printf("%d failures\n", failures);
  return failures != 0;
}
