/* The device of the CUDA runtime: its properties, from the machine's keys, its limits, and settings without effect. */
#include <stdio.h>
#include <string.h>

#include "runtime/cuda/cudart.h"

enum { CHANNEL_BITS = 128 /* of HBM2 */ };
enum { VERSION = 10010, CONSTANT_BYTES = 64 * 1024, DEFAULT_SHARED = 48 * 1024 };
enum { TEXTURE_1D = 131072, TEXTURE_2D = 131072, TEXTURE_2D_Y = 65536, TEXTURE_3D = 16384, TEXTURE_LINEAR = 1 << 27 };

/* Facts that the machine's keys do not set are those of compute capability 7.0. Source: Programming Guide, "Compute
 * Capabilities"; TITAN V for the memory interface. */
static void properties(const struct cudart *r, struct cudaDeviceProp *p)
{
  const struct sl_gpu_facts *f = &r->device.facts;
  memset(p, 0, sizeof *p);
  snprintf(p->name, sizeof p->name, "simtlab %.200s", r->device.config.name);
  p->totalGlobalMem = f->memory_bytes;
  p->sharedMemPerBlock = DEFAULT_SHARED;
  p->regsPerBlock = (int)f->registers;
  p->warpSize = (int)f->lanes;
  p->memPitch = INT32_MAX;
  p->maxThreadsPerBlock = (int)f->max_threads;
  for (unsigned i = 0; i < 3; i++) {
    p->maxThreadsDim[i] = (int)f->max_block[i];
    p->maxGridSize[i] = (int)f->max_grid[i];
  }
  p->clockRate = (int)f->clock_mhz * 1000;
  p->totalConstMem = CONSTANT_BYTES;
  p->major = 7;
  p->textureAlignment = 512;
  p->texturePitchAlignment = 32;
  p->deviceOverlap = 1;
  p->multiProcessorCount = (int)f->cores;
  p->canMapHostMemory = 1;
  p->maxTexture1D = TEXTURE_1D;
  p->maxTexture1DLinear = TEXTURE_LINEAR;
  p->maxTexture2D[0] = TEXTURE_2D;
  p->maxTexture2D[1] = TEXTURE_2D_Y;
  p->maxTexture2DLinear[0] = TEXTURE_2D;
  p->maxTexture2DLinear[1] = 65000;
  p->maxTexture2DLinear[2] = 2097120;
  for (unsigned i = 0; i < 3; i++)
    p->maxTexture3D[i] = TEXTURE_3D;
  p->surfaceAlignment = 512;
  p->pciBusID = 1;
  p->asyncEngineCount = 1;
  p->unifiedAddressing = 1;
  p->memoryClockRate = (int)f->dram_mhz * 1000;
  p->memoryBusWidth = (int)(f->channels * CHANNEL_BITS);
  p->l2CacheSize = (int)f->l2_bytes;
  p->maxThreadsPerMultiProcessor = (int)(f->warps * f->lanes);
  p->streamPrioritiesSupported = 1;
  p->globalL1CacheSupported = 1;
  p->localL1CacheSupported = 1;
  p->sharedMemPerMultiprocessor = f->shared_bytes;
  p->regsPerMultiprocessor = (int)f->registers;
  p->managedMemory = 1;
  p->singleToDoublePrecisionPerfRatio = 2;
  p->computePreemptionSupported = 0;
  p->cooperativeLaunch = 1;
  p->sharedMemPerBlockOptin = f->max_shared;
  p->maxBlocksPerMultiProcessor = 32;
}

static cudaError_t get_properties(const struct cudart *r, struct cudaDeviceProp *p, int device)
{
  if (p == NULL)
    return cudaErrorInvalidValue;
  if (device != 0)
    return cudaErrorInvalidDevice;
  properties(r, p);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
  CUDART_CALL(true, get_properties(r, prop, device));
}

static cudaError_t attribute(const struct cudart *r, int *value, enum cudaDeviceAttr attr, int device)
{
  struct cudaDeviceProp p;
  const cudaError_t error = value != NULL ? get_properties(r, &p, device) : cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  const struct {
    enum cudaDeviceAttr attr;
    long long value;
  } values[] = {
      {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
      {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
      {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
      {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
      {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
      {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
      {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
      {cudaDevAttrMaxSharedMemoryPerBlock, (long long)p.sharedMemPerBlock},
      {cudaDevAttrTotalConstantMemory, (long long)p.totalConstMem},
      {cudaDevAttrWarpSize, p.warpSize},
      {cudaDevAttrMaxPitch, (long long)p.memPitch},
      {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
      {cudaDevAttrClockRate, p.clockRate},
      {cudaDevAttrTextureAlignment, (long long)p.textureAlignment},
      {cudaDevAttrTexturePitchAlignment, (long long)p.texturePitchAlignment},
      {cudaDevAttrGpuOverlap, 1},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrCanMapHostMemory, 1},
      {cudaDevAttrMaxTexture1DWidth, p.maxTexture1D},
      {cudaDevAttrMaxTexture2DWidth, p.maxTexture2D[0]},
      {cudaDevAttrMaxTexture2DHeight, p.maxTexture2D[1]},
      {cudaDevAttrMaxTexture3DWidth, p.maxTexture3D[0]},
      {cudaDevAttrMaxTexture3DHeight, p.maxTexture3D[1]},
      {cudaDevAttrMaxTexture3DDepth, p.maxTexture3D[2]},
      {cudaDevAttrMaxTexture1DLinearWidth, p.maxTexture1DLinear},
      {cudaDevAttrSurfaceAlignment, (long long)p.surfaceAlignment},
      {cudaDevAttrPciBusId, p.pciBusID},
      {cudaDevAttrMemoryClockRate, p.memoryClockRate},
      {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
      {cudaDevAttrL2CacheSize, p.l2CacheSize},
      {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
      {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
      {cudaDevAttrUnifiedAddressing, 1},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrComputeCapabilityMinor, p.minor},
      {cudaDevAttrStreamPrioritiesSupported, 1},
      {cudaDevAttrGlobalL1CacheSupported, 1},
      {cudaDevAttrLocalL1CacheSupported, 1},
      {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (long long)p.sharedMemPerMultiprocessor},
      {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
      {cudaDevAttrManagedMemory, 1},
      {cudaDevAttrSingleToDoublePrecisionPerfRatio, p.singleToDoublePrecisionPerfRatio},
      {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, (long long)p.sharedMemPerBlockOptin},
      {cudaDevAttrHostRegisterSupported, 1},
  };
  if (attr < cudaDevAttrMaxThreadsPerBlock || attr > cudaDevAttrDirectManagedMemAccessFromHost)
    return cudaErrorInvalidValue;
  *value = 0; /* what the device does not have */
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    if (values[i].attr == attr)
      *value = values[i].value < INT32_MAX ? (int)values[i].value : INT32_MAX;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
  CUDART_CALL(true, attribute(r, value, attr, device));
}

/* Stores a number, if there is a place for it. */
static cudaError_t put(int *to, int value)
{
  if (to == NULL)
    return cudaErrorInvalidValue;
  *to = value;
  return cudaSuccess;
}

static cudaError_t only_device(int device)
{
  return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

SL_CUDART_API cudaError_t cudaGetDeviceCount(int *count)
{
  CUDART_CALL(false, put(count, 1));
}

SL_CUDART_API cudaError_t cudaSetDevice(int device)
{
  CUDART_CALL(false, only_device(device));
}

SL_CUDART_API cudaError_t cudaGetDevice(int *device)
{
  CUDART_CALL(false, put(device, 0));
}

SL_CUDART_API cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *prop)
{
  (void)prop;
  CUDART_CALL(false, put(device, 0));
}

SL_CUDART_API cudaError_t cudaSetValidDevices(int *devices, int count)
{
  CUDART_CALL(false, devices == NULL || count < 1 ? cudaErrorInvalidValue : only_device(devices[0]));
}

static cudaError_t set_flags(struct cudart *r, unsigned flags)
{
  if ((flags & ~(unsigned)cudaDeviceMask) != 0)
    return cudaErrorInvalidValue;
  r->device_flags = flags;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaSetDeviceFlags(unsigned flags)
{
  CUDART_CALL(false, set_flags(r, flags));
}

SL_CUDART_API cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
  CUDART_CALL(false, put((int *)flags, (int)r->device_flags));
}

static cudaError_t set_limit(struct cudart *r, enum cudaLimit limit, size_t value)
{
  if ((unsigned)limit > cudaLimitMaxL2FetchGranularity)
    return cudaErrorUnsupportedLimit;
  r->limits[limit] = value;
  return cudaSuccess;
}

static cudaError_t get_limit(const struct cudart *r, enum cudaLimit limit, size_t *value)
{
  if ((unsigned)limit > cudaLimitMaxL2FetchGranularity)
    return cudaErrorUnsupportedLimit;
  if (value == NULL)
    return cudaErrorInvalidValue;
  *value = r->limits[limit];
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
  CUDART_CALL(false, set_limit(r, limit, value));
}

SL_CUDART_API cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
  CUDART_CALL(false, set_limit(r, limit, value));
}

SL_CUDART_API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
  CUDART_CALL(false, get_limit(r, limit, value));
}

SL_CUDART_API cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
  CUDART_CALL(false, get_limit(r, limit, value));
}

/* Settings that the machine's keys decide. */

SL_CUDART_API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
  (void)config;
  CUDART_CALL(false, cudaSuccess);
}

SL_CUDART_API cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
  (void)config;
  CUDART_CALL(false, cudaSuccess);
}

SL_CUDART_API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
  CUDART_CALL(false, put((int *)config, cudaFuncCachePreferNone));
}

SL_CUDART_API cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
  CUDART_CALL(false, put((int *)config, cudaFuncCachePreferNone));
}

SL_CUDART_API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
  (void)config;
  CUDART_CALL(false, cudaSuccess);
}

SL_CUDART_API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
  CUDART_CALL(false, put((int *)config, cudaSharedMemBankSizeFourByte));
}

static cudaError_t priorities(int *least, int *greatest)
{
  if (least != NULL)
    *least = 0;
  if (greatest != NULL)
    *greatest = -5;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
  CUDART_CALL(false, priorities(least, greatest));
}

SL_CUDART_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
  CUDART_CALL(false, id == NULL ? cudaErrorInvalidValue : put(device, 0));
}

static cudaError_t bus_id(char *id, int length, int device)
{
  if (id == NULL || length < 13)
    return cudaErrorInvalidValue;
  snprintf(id, (size_t)length, "0000:01:00.0");
  return only_device(device);
}

SL_CUDART_API cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
  CUDART_CALL(false, bus_id(id, length, device));
}

SL_CUDART_API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
  CUDART_CALL(false, device != 0 || peer != 0 ? cudaErrorInvalidDevice : put(can, 0));
}

SL_CUDART_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
  (void)flags;
  CUDART_CALL(false, peer != 0 ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

SL_CUDART_API cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
  CUDART_CALL(false, peer != 0 ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

SL_CUDART_API cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int source, int target)
{
  (void)attr;
  CUDART_CALL(false, source != 0 || target != 0 ? cudaErrorInvalidDevice : put(value, 0));
}

SL_CUDART_API cudaError_t cudaThreadExit(void)
{
  return cudaDeviceReset();
}

SL_CUDART_API cudaError_t cudaDriverGetVersion(int *version)
{
  CUDART_CALL(false, put(version, VERSION));
}

SL_CUDART_API cudaError_t cudaRuntimeGetVersion(int *version)
{
  CUDART_CALL(false, put(version, VERSION));
}

SL_CUDART_API cudaError_t cudaProfilerStart(void)
{
  CUDART_CALL(false, cudaSuccess);
}

SL_CUDART_API cudaError_t cudaProfilerStop(void)
{
  CUDART_CALL(false, cudaSuccess);
}
