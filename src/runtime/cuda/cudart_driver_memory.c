/* Memory of the CUDA driver interface: allocation, copies and fills. */
#include "runtime/cuda/cudart.h"

#include <string.h>

static cudaError_t allocate(CUdeviceptr *pointer, size_t bytes)
{
  void *p;
  const cudaError_t error = pointer != NULL && bytes > 0 ? cudaMalloc(&p, bytes) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *pointer = (CUdeviceptr)(uintptr_t)p;
  return error;
}

SL_CUDART_API CUresult cuMemAlloc(CUdeviceptr *pointer, size_t bytes)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, allocate(pointer, bytes));
}

static cudaError_t allocate_rows(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height, unsigned element)
{
  void *p;
  if (pointer == NULL || width == 0 || height == 0 || (element != 4 && element != 8 && element != 16))
    return cudaErrorInvalidValue;
  const cudaError_t error = cudaMallocPitch(&p, pitch, width, height);
  if (error == cudaSuccess)
    *pointer = (CUdeviceptr)(uintptr_t)p;
  return error;
}

SL_CUDART_API CUresult cuMemAllocPitch(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                                       unsigned element)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, allocate_rows(pointer, pitch, width, height, element));
}

static cudaError_t allocate_managed(CUdeviceptr *pointer, size_t bytes, unsigned flags)
{
  void *p;
  const bool valid = pointer != NULL && (flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST);
  const cudaError_t error = valid ? cudaMallocManaged(&p, bytes, flags) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *pointer = (CUdeviceptr)(uintptr_t)p;
  return error;
}

SL_CUDART_API CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned flags)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, allocate_managed(pointer, bytes, flags));
}

SL_CUDART_API CUresult cuMemFree(CUdeviceptr pointer)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaFree(sl_driver_pointer(pointer)));
}

SL_CUDART_API CUresult cuMemGetInfo(size_t *available, size_t *total)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaMemGetInfo(available, total));
}

/* A variable of a module has no buffer, and no range that is known. */
static cudaError_t address_range(const struct cudart *r, CUdeviceptr *base, size_t *size, CUdeviceptr pointer)
{
  uint64_t first, bytes;
  if (!sl_cudart_is_device(r, sl_driver_pointer(pointer), &first, &bytes) || bytes == 0)
    return cudaErrorSymbolNotFound;
  if (base != NULL)
    *base = first;
  if (size != NULL)
    *size = bytes;
  return cudaSuccess;
}

SL_CUDART_API CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *size, CUdeviceptr pointer)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, address_range(r, base, size, pointer));
}

SL_CUDART_API CUresult cuMemAllocHost(void **pointer, size_t bytes)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, bytes > 0 ? cudaMallocHost(pointer, bytes) : cudaErrorInvalidValue);
}

SL_CUDART_API CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, bytes > 0 ? cudaHostAlloc(pointer, bytes, flags) : cudaErrorInvalidValue);
}

SL_CUDART_API CUresult cuMemFreeHost(void *pointer)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaFreeHost(pointer));
}

static cudaError_t device_pointer(CUdeviceptr *device, void *host, unsigned flags)
{
  void *p;
  const cudaError_t error = device != NULL ? cudaHostGetDevicePointer(&p, host, flags) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *device = (CUdeviceptr)(uintptr_t)p;
  return error;
}

SL_CUDART_API CUresult cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned flags)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, device_pointer(device, host, flags));
}

SL_CUDART_API CUresult cuMemHostRegister(void *pointer, size_t bytes, unsigned flags)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaHostRegister(pointer, bytes, flags));
}

SL_CUDART_API CUresult cuMemHostUnregister(void *pointer)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaHostUnregister(pointer));
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

#define COPY(to, from, kind, stream)                                                                                   \
  DRIVER_CALL(SL_DRIVER_CONTEXT, cudaMemcpyAsync(to, from, bytes, kind, stream)) /* complete when it returns */

SL_CUDART_API CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
  COPY(sl_driver_pointer(dst), sl_driver_pointer(src), cudaMemcpyDefault, NULL);
}

SL_CUDART_API CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
  COPY(sl_driver_pointer(dst), sl_driver_pointer(src), cudaMemcpyDefault, stream);
}

SL_CUDART_API CUresult cuMemcpyHtoD(CUdeviceptr dst, const void *src, size_t bytes)
{
  COPY(sl_driver_pointer(dst), src, cudaMemcpyHostToDevice, NULL);
}

SL_CUDART_API CUresult cuMemcpyDtoH(void *dst, CUdeviceptr src, size_t bytes)
{
  COPY(dst, sl_driver_pointer(src), cudaMemcpyDeviceToHost, NULL);
}

SL_CUDART_API CUresult cuMemcpyDtoD(CUdeviceptr dst, CUdeviceptr src, size_t bytes)
{
  COPY(sl_driver_pointer(dst), sl_driver_pointer(src), cudaMemcpyDeviceToDevice, NULL);
}

SL_CUDART_API CUresult cuMemcpyHtoDAsync(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream)
{
  COPY(sl_driver_pointer(dst), src, cudaMemcpyHostToDevice, stream);
}

SL_CUDART_API CUresult cuMemcpyDtoHAsync(void *dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
  COPY(dst, sl_driver_pointer(src), cudaMemcpyDeviceToHost, stream);
}

SL_CUDART_API CUresult cuMemcpyDtoDAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
  COPY(sl_driver_pointer(dst), sl_driver_pointer(src), cudaMemcpyDeviceToDevice, stream);
}

/* One side of a copy by rows. The interface makes no arrays. */
static cudaError_t side(CUmemorytype type, const void *host, CUdeviceptr device, size_t x, size_t y, size_t pitch,
                        char **pointer)
{
  size_t offset;
  if (type != CU_MEMORYTYPE_HOST && type != CU_MEMORYTYPE_DEVICE && type != CU_MEMORYTYPE_UNIFIED)
    return cudaErrorInvalidValue;
  const uintptr_t base = type == CU_MEMORYTYPE_HOST ? (uintptr_t)host : (uintptr_t)device;
  if (base == 0 || __builtin_mul_overflow(y, pitch, &offset) || __builtin_add_overflow(offset, x, &offset))
    return cudaErrorInvalidValue;
  *pointer = (char *)(base + offset);
  return cudaSuccess;
}

static cudaError_t copy_rows(const CUDA_MEMCPY2D *c)
{
  char *to, *from;
  if (c == NULL)
    return cudaErrorInvalidValue;
  cudaError_t error = side(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstXInBytes, c->dstY, c->dstPitch, &to);
  if (error == cudaSuccess)
    error = side(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcXInBytes, c->srcY, c->srcPitch, &from);
  if (error != cudaSuccess)
    return error;
  const bool to_host = c->dstMemoryType == CU_MEMORYTYPE_HOST, from_host = c->srcMemoryType == CU_MEMORYTYPE_HOST;
  const bool unified = c->dstMemoryType == CU_MEMORYTYPE_UNIFIED || c->srcMemoryType == CU_MEMORYTYPE_UNIFIED;
  const enum cudaMemcpyKind kind = unified                ? cudaMemcpyDefault
                                   : to_host && from_host ? cudaMemcpyHostToHost
                                   : to_host              ? cudaMemcpyDeviceToHost
                                   : from_host            ? cudaMemcpyHostToDevice
                                                          : cudaMemcpyDeviceToDevice;
  return cudaMemcpy2D(to, c->dstPitch, from, c->srcPitch, c->WidthInBytes, c->Height, kind);
}

SL_CUDART_API CUresult cuMemcpy2D(const CUDA_MEMCPY2D *copy)
{
  DRIVER_CALL(SL_DRIVER_CONTEXT, copy_rows(copy));
}

/* ---- fills ------------------------------------------------------------------------------------------------------- */

static cudaError_t fill(struct cudart *r, CUdeviceptr to, const void *pattern, size_t width, size_t count,
                        CUstream handle)
{
  struct CUstream_st *stream;
  uint64_t first, bytes, size;
  uint8_t own[4];
  cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (error == cudaSuccess && (to % width != 0 || __builtin_mul_overflow((uint64_t)count, width, &size)))
    error = cudaErrorInvalidValue;
  if (error != cudaSuccess || count == 0)
    return error;
  const struct cudart_host_range *range = sl_cudart_range(r, sl_driver_pointer(to));
  if (range != NULL) {
    char *at = sl_driver_pointer(to);
    if (size > (size_t)(range->start + range->bytes - at))
      return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
      memcpy(at + i * width, pattern, width);
    return cudaSuccess;
  }
  if (!sl_cudart_is_device(r, sl_driver_pointer(to), &first, &bytes))
    return cudaErrorInvalidValue;
  memcpy(own, pattern, width);
  struct sl_command c = {.kind = SL_COMMAND_FILL, .to = to, .size = size, .width = width, .host = own};
  return sl_cudart_add(r, stream, &c);
}

#define FILL(stream) DRIVER_CALL(SL_DRIVER_CONTEXT, fill(r, dst, &value, sizeof value, count, stream))

SL_CUDART_API CUresult cuMemsetD8(CUdeviceptr dst, unsigned char value, size_t count)
{
  FILL(NULL);
}

SL_CUDART_API CUresult cuMemsetD16(CUdeviceptr dst, unsigned short value, size_t count)
{
  FILL(NULL);
}

SL_CUDART_API CUresult cuMemsetD32(CUdeviceptr dst, unsigned value, size_t count)
{
  FILL(NULL);
}

SL_CUDART_API CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t count, CUstream stream)
{
  FILL(stream);
}

SL_CUDART_API CUresult cuMemsetD16Async(CUdeviceptr dst, unsigned short value, size_t count, CUstream stream)
{
  FILL(stream);
}

SL_CUDART_API CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned value, size_t count, CUstream stream)
{
  FILL(stream);
}

static CUresult pointer_attribute(struct cudart *r, void *data, CUpointer_attribute attribute, CUdeviceptr pointer)
{
  struct cudaPointerAttributes a;
  if (data == NULL || cudaPointerGetAttributes(&a, sl_driver_pointer(pointer)) != cudaSuccess)
    return CUDA_ERROR_INVALID_VALUE;
  const bool host = a.type == cudaMemoryTypeHost;
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT: memcpy(data, &(void *){r}, sizeof(void *)); return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *(unsigned *)data = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    *(CUdeviceptr *)data = (CUdeviceptr)(uintptr_t)a.devicePointer;
    return a.devicePointer != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    memcpy(data, &a.hostPointer, sizeof a.hostPointer);
    return a.hostPointer != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)data = a.isManaged != 0; return CUDA_SUCCESS;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)data = 0; return CUDA_SUCCESS;
  default: return CUDA_ERROR_INVALID_VALUE;
  }
}

SL_CUDART_API CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr pointer)
{
  DRIVER_RESULT(SL_DRIVER_CONTEXT, pointer_attribute(r, data, attribute, pointer));
}
