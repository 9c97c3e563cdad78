/* Functions of later versions of the CUDA runtime over those of this one, and functions that are not supported. */
#include <string.h>

#include "runtime/cuda/cudart.h"

/* ---- memory pools: there is one, all of the memory --------------------------------------------------------------- */

static struct cudart *const no_runtime;

static cudaMemPool_t the_pool(void)
{
  return (cudaMemPool_t)(uintptr_t)&no_runtime; /* an address that only names it */
}

static cudaError_t get_pool(cudaMemPool_t *pool, int device)
{
  if (pool == NULL || device != 0)
    return pool == NULL ? cudaErrorInvalidValue : cudaErrorInvalidDevice;
  *pool = the_pool();
  return cudaSuccess;
}

static cudaError_t check_pool(cudaMemPool_t pool)
{
  return pool == the_pool() ? cudaSuccess : cudaErrorInvalidValue;
}

SL_CUDART_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
  CUDART_CALL(true, get_pool(pool, device));
}

SL_CUDART_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
  CUDART_CALL(true, get_pool(pool, device));
}

SL_CUDART_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
  CUDART_CALL(true, device != 0 ? cudaErrorInvalidDevice : check_pool(pool));
}

SL_CUDART_API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props)
{
  CUDART_CALL(true, props == NULL ? cudaErrorInvalidValue : get_pool(pool, props->location.id));
}

SL_CUDART_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
  CUDART_CALL(true, check_pool(pool));
}

SL_CUDART_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
  (void)bytes;
  CUDART_CALL(true, check_pool(pool));
}

SL_CUDART_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
  (void)attr;
  CUDART_CALL(true, value == NULL ? cudaErrorInvalidValue : check_pool(pool));
}

static cudaError_t pool_attribute(const struct cudart *r, cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
  const uint64_t used = sl_gpu_allocated(r->device.gpu), none = 0;
  const int yes = 1;
  if (pool != the_pool() || value == NULL || (unsigned)attr - 1 >= cudaMemPoolAttrUsedMemHigh)
    return cudaErrorInvalidValue;
  if (attr < cudaMemPoolAttrReleaseThreshold)
    memcpy(value, &yes, sizeof yes);
  else
    memcpy(value, attr == cudaMemPoolAttrReleaseThreshold ? &none : &used, sizeof used);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr, void *value)
{
  CUDART_CALL(true, pool_attribute(r, pool, attr, value));
}

SL_CUDART_API cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
  CUDART_CALL(true, check_pool(pool) != cudaSuccess ? cudaErrorInvalidValue : cudaMallocAsync(pointer, bytes, stream));
}

/* ---- over functions of this version ------------------------------------------------------------------------------ */

/* Advice has no effect, so no range has an attribute. */
static cudaError_t range_attribute(const struct cudart *r, void *data, size_t size,
                                   enum cudaMemRangeAttribute attribute, const void *pointer)
{
  const int value = attribute == cudaMemRangeAttributeReadMostly ? 0 : cudaInvalidDeviceId;
  const struct cudart_host_range *h = sl_cudart_range(r, pointer);
  if (data == NULL || size < sizeof value || size % sizeof value != 0 || h == NULL || !h->managed ||
      (unsigned)attribute - 1 >= cudaMemRangeAttributeLastPrefetchLocation)
    return cudaErrorInvalidValue;
  for (size_t at = 0; at < size; at += sizeof value)
    memcpy((char *)data + at, &value, sizeof value);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaMemRangeGetAttribute(void *data, size_t size, enum cudaMemRangeAttribute attribute,
                                                   const void *pointer, size_t count)
{
  (void)count;
  CUDART_CALL(true, range_attribute(r, data, size, attribute, pointer));
}

SL_CUDART_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
  CUDART_CALL(true, flags > 1 ? cudaErrorInvalidValue : cudaEventRecord(event, stream));
}

static cudaError_t launch_with(const cudaLaunchConfig_t *c, const void *stub, void **parameters)
{
  bool cooperative = false;
  if (c == NULL || (c->numAttrs > 0 && c->attrs == NULL))
    return cudaErrorInvalidValue;
  for (unsigned i = 0; i < c->numAttrs; i++) {
    const cudaLaunchAttribute *a = &c->attrs[i];
    if (a->id == cudaLaunchAttributeClusterDimension &&
        (a->val.clusterDim.x > 1 || a->val.clusterDim.y > 1 || a->val.clusterDim.z > 1)) {
      sl_cudart_say("a GPU of compute capability 7.0 has no clusters of blocks");
      return cudaErrorNotSupported;
    }
    cooperative |= a->id == cudaLaunchAttributeCooperative && a->val.cooperative != 0;
  }
  return cooperative
             ? cudaLaunchCooperativeKernel(stub, c->gridDim, c->blockDim, parameters, c->dynamicSmemBytes, c->stream)
             : cudaLaunchKernel(stub, c->gridDim, c->blockDim, parameters, c->dynamicSmemBytes, c->stream);
}

SL_CUDART_API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *stub, void **parameters)
{
  CUDART_CALL(true, launch_with(config, stub, parameters));
}

/* One device: one launch. */
SL_CUDART_API cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *p, unsigned count,
                                                                 unsigned flags)
{
  (void)flags;
  CUDART_CALL(true, p == NULL || count != 1 ? cudaErrorInvalidValue
                                            : cudaLaunchCooperativeKernel(p->func, p->gridDim, p->blockDim, p->args,
                                                                          p->sharedMem, p->stream));
}

static cudaError_t available_shared(struct cudart *r, size_t *bytes, const void *stub, int blocks, int threads)
{
  struct cudart_function *f;
  const cudaError_t error =
      bytes != NULL && blocks > 0 && threads > 0 ? sl_cudart_function(r, stub, &f) : cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  if (threads > (int)f->kernel->max_threads || sl_cudart_blocks(r, f, (uint32_t)threads, 0) < (unsigned)blocks)
    return cudaErrorInvalidValue;
  uint64_t least = 0, most = r->device.facts.max_shared - f->kernel->shared_bytes;
  while (least < most) {
    const uint64_t middle = (least + most + 1) / 2;
    if (sl_cudart_blocks(r, f, (uint32_t)threads, middle) >= (unsigned)blocks)
      least = middle;
    else
      most = middle - 1;
  }
  *bytes = least;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *stub, int blocks,
                                                                    int threads)
{
  CUDART_CALL(true, available_shared(r, bytes, stub, blocks, threads));
}

/* Copies are complete when they return; the stream orders simulated time only. */
SL_CUDART_API cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                                     cudaStream_t stream)
{
  struct CUstream_st *s;
  CUDART_CALL(true, sl_cudart_stream(r, stream, &s) != cudaSuccess
                        ? cudaErrorInvalidResourceHandle
                        : cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind));
}

SL_CUDART_API cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
  (void)device_flags, (void)flags;
  CUDART_CALL(true, device != 0 ? cudaErrorInvalidDevice : cudaSuccess);
}

/* ---- not supported ----------------------------------------------------------------------------------------------- */

static cudaError_t refuse(const char *what)
{
  sl_cudart_say("simtlab does not support %s", what);
  return cudaErrorNotSupported;
}

#define NOT_SUPPORTED(name, what, ...)                                                                                 \
  SL_CUDART_API cudaError_t name(__VA_ARGS__)                                                                          \
  {                                                                                                                    \
    CUDART_CALL(false, refuse(what));                                                                                  \
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define PROCESSES "memory and events that processes share (cudaIpc)"
#define MIPMAPS "mipmapped arrays"
#define GRAPHICS "graphics resources"
NOT_SUPPORTED(cudaIpcGetMemHandle, PROCESSES, cudaIpcMemHandle_t *handle, void *pointer)
NOT_SUPPORTED(cudaIpcOpenMemHandle, PROCESSES, void **pointer, cudaIpcMemHandle_t handle, unsigned flags)
NOT_SUPPORTED(cudaIpcCloseMemHandle, PROCESSES, void *pointer)
NOT_SUPPORTED(cudaIpcGetEventHandle, PROCESSES, cudaIpcEventHandle_t *handle, cudaEvent_t event)
NOT_SUPPORTED(cudaIpcOpenEventHandle, PROCESSES, cudaEvent_t *event, cudaIpcEventHandle_t handle)
NOT_SUPPORTED(cudaMallocMipmappedArray, MIPMAPS, cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *desc,
              struct cudaExtent extent, unsigned levels, unsigned flags)
NOT_SUPPORTED(cudaFreeMipmappedArray, MIPMAPS, cudaMipmappedArray_t array)
NOT_SUPPORTED(cudaGetMipmappedArrayLevel, MIPMAPS, cudaArray_t *level, cudaMipmappedArray_const_t array,
              unsigned number)
NOT_SUPPORTED(cudaGraphicsMapResources, GRAPHICS, int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
NOT_SUPPORTED(cudaGraphicsUnmapResources, GRAPHICS, int count, cudaGraphicsResource_t *resources, cudaStream_t stream)
NOT_SUPPORTED(cudaGraphicsUnregisterResource, GRAPHICS, cudaGraphicsResource_t resource)
NOT_SUPPORTED(cudaGraphicsResourceGetMappedPointer, GRAPHICS, void **pointer, size_t *size,
              cudaGraphicsResource_t resource)
#pragma GCC diagnostic pop
