/* Wrong calls of the runtime interface: each returns an error, and changes nothing. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>
#include <nvrtc.h>

static int failures;

static void is_error(cudaError_t error, const char *call)
{
  if (error == cudaSuccess)
    printf("succeeds: %s\n", call);
  failures += error == cudaSuccess;
}
#define WRONG(call) is_error(call, #call)

int main(void)
{
  static char host[4096];
  const struct cudaChannelFormatDesc texel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  struct cudaMemcpy3DParms box = {0};
  cudaArray_t array, next;
  void *freed, *buffer, *managed;
  size_t bytes;
  float ms;
  cudaMalloc(&freed, 4096);
  cudaFree(freed);
  WRONG(cudaMemcpy(host, freed, 16, cudaMemcpyDeviceToHost));
  WRONG(cudaMemcpy(host, freed, 16, cudaMemcpyDefault));
  WRONG(cudaFree(freed));
  cudaMalloc(&buffer, 4096);
  cudaMallocManaged(&managed, 4096, cudaMemAttachGlobal);
  cudaMallocArray(&array, &texel, 8, 8, 0);
  cudaMallocArray(&next, &texel, 8, 8, 0);
  WRONG(cudaMalloc(NULL, 16));
  WRONG(cudaMemcpy(buffer, host, 8192, cudaMemcpyHostToDevice));
  WRONG(cudaMemcpy(managed, host, 1 << 20, cudaMemcpyDefault));
  WRONG(cudaMemcpy(NULL, host, 16, cudaMemcpyHostToDevice));
  WRONG(cudaMemcpy(buffer, NULL, 16, cudaMemcpyHostToDevice));
  WRONG(cudaMemcpy(buffer, host, 16, (enum cudaMemcpyKind)9));
  WRONG(cudaMemset(managed, 0, 1 << 20));
  WRONG(cudaMemset(host, 0, 16));
  WRONG(cudaMemset2D(buffer, SIZE_MAX / 2 + 1, 0, 16, 2));
  WRONG(cudaMemcpy2D(buffer, SIZE_MAX / 2 + 1, host, SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1, 2, cudaMemcpyHostToDevice));
  WRONG(cudaMemcpyToArray(array, 0, 0, NULL, 16, cudaMemcpyHostToDevice));
  WRONG(cudaMemcpyToArray(array, 0, 8, host, 16, cudaMemcpyHostToDevice));
  WRONG(cudaMemcpy2DFromArray(NULL, 32, array, 0, 0, 32, 8, cudaMemcpyDeviceToHost));
  WRONG(cudaMemcpyArrayToArray(array, 0, 0, next, 0, 0, 300, cudaMemcpyDeviceToDevice));
  WRONG(cudaHostRegister(host, SIZE_MAX, 0));
  WRONG(cudaHostUnregister(host));
  WRONG(cudaStreamSynchronize((cudaStream_t)host));
  WRONG(cudaEventRecord((cudaEvent_t)host, NULL));
  WRONG(cudaEventElapsedTime(&ms, NULL, NULL));
  WRONG(cudaMemcpyToSymbol("nothing", host, 4, 0, cudaMemcpyHostToDevice));
  WRONG(cudaGetSymbolSize(&bytes, NULL));
  WRONG(cudaLaunchKernel(host, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL));
  WRONG(cudaSetDevice(1));
  WRONG(cudaDestroyTextureObject(77));

  /* A copy of nine rows into an array of eight does not reach the next array. */
  memset(host, 7, sizeof host);
  cudaMemcpyToArray(next, 0, 0, host, 256, cudaMemcpyHostToDevice);
  box.srcPtr.ptr = host;
  box.srcPtr.pitch = 32;
  box.srcPtr.ysize = 9;
  box.dstArray = array;
  box.extent.width = 8;
  box.extent.height = 9;
  box.extent.depth = 1;
  box.kind = cudaMemcpyHostToDevice;
  memset(host, 9, sizeof host);
  WRONG(cudaMemcpy3D(&box));
  cudaMemcpyFromArray(host, next, 0, 0, 256, cudaMemcpyDeviceToHost);
  failures += host[0] != 7;

  failures += nvrtcCompileProgram((nvrtcProgram)host, 0, NULL) != NVRTC_ERROR_INVALID_PROGRAM;
  failures += cudaGetLastError() == cudaSuccess || cudaGetLastError() != cudaSuccess;
  printf("%d failures\n", failures);
  return failures != 0;
}
