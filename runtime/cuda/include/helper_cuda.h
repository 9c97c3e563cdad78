/* Error checks and the choice of a device in SDK samples */
#ifndef SIMTLAB_CUDA_HELPER_CUDA_H
#define SIMTLAB_CUDA_HELPER_CUDA_H

#include "helper_string.h"

#define checkCudaErrors(call) simtlab_require((cudaError_t)(call), #call, __FILE__, __LINE__)
#define getLastCudaError(text) simtlab_require(cudaGetLastError(), text, __FILE__, __LINE__)
#define printLastCudaError(text) simtlab_require(cudaGetLastError(), text, __FILE__, __LINE__)

SIMTLAB_SAMPLE const char *_cudaGetErrorEnum(cudaError_t error)
{
  return cudaGetErrorName(error);
}
SIMTLAB_SAMPLE int findCudaDevice(int argc, const char **argv)
{
  return simtlab_choose_device(argc, argv);
}
SIMTLAB_SAMPLE int gpuDeviceInit(int device)
{
  simtlab_require(cudaSetDevice(device), "cudaSetDevice", __FILE__, __LINE__);
  return device;
}
SIMTLAB_SAMPLE int gpuGetMaxGflopsDeviceId()
{
  return 0;
}
SIMTLAB_SAMPLE int _ConvertSMVer2Cores(int major, int minor)
{
  return major == 7 ? 64 : major == 6 && minor == 0 ? 64 : 128;
}
SIMTLAB_SAMPLE const char *_ConvertSMVer2ArchName(int major, int)
{
  return major == 7 ? "Volta" : "unknown";
}
SIMTLAB_SAMPLE bool checkCudaCapabilities(int major, int minor)
{
  return 7 > major || (7 == major && 0 >= minor);
}
SIMTLAB_SAMPLE float ftoi(float value)
{
  return value >= 0 ? (float)(int)(value + 0.5f) : (float)(int)(value - 0.5f);
}

#endif
