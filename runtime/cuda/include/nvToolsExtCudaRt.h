/* Names of streams and events for profilers: they have no effect here. */
#ifndef SIMTLAB_CUDA_NVTOOLSEXTCUDART_H
#define SIMTLAB_CUDA_NVTOOLSEXTCUDART_H
#include "nvToolsExt.h"
#define nvtxNameCudaStreamA(stream, name) ((void)(stream), (void)(name))
#define nvtxNameCudaEventA(event, name) ((void)(event), (void)(name))
#define nvtxNameCudaDeviceA(device, name) ((void)(device), (void)(name))
#endif
