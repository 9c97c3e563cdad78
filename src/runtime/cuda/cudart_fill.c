/* Fills of the CUDA runtime, and the sides of copies and fills. */
#include "runtime/cuda/cudart.h"

#include <string.h>

struct sl_cudart_place sl_cudart_place(const void *pointer, bool device)
{
  return (struct sl_cudart_place){
      .address = (uint64_t)(uintptr_t)pointer, .host = (char *)(uintptr_t)pointer, .device = device};
}

bool sl_cudart_on_device(const struct cudart *r, const void *pointer)
{
  uint64_t first, bytes;
  return sl_cudart_range(r, pointer) == NULL && sl_cudart_is_device(r, pointer, &first, &bytes);
}

bool sl_cudart_is_there(const struct cudart *r, struct sl_cudart_place p, size_t bytes)
{
  uint64_t first, size;
  const struct cudart_host_range *h = p.device ? NULL : sl_cudart_range(r, p.host);
  if (h != NULL)
    return bytes <= (size_t)(h->start + h->bytes - p.host);
  if (!p.device)
    return p.host != NULL && !sl_cudart_is_stale(r, p.host);
  return sl_cudart_is_device(r, sl_cudart_pointer(p.address), &first, &size) &&
         (size == 0 || bytes <= first + size - p.address);
}

/* ---- fills ------------------------------------------------------------------------------------------------------- */

/* Fills rows of `width` bytes. */
static cudaError_t fill_now(struct cudart *r, const struct cudaMemsetParams *p, size_t width,
                            struct CUstream_st *stream)
{
  cudaError_t error = cudaSuccess;
  size_t all, rows = p->height;
  if (p->dst == NULL || (rows > 1 && p->pitch < width) || __builtin_mul_overflow(p->pitch, rows, &all))
    return cudaErrorInvalidValue;
  if (p->pitch == width) {
    width = all;
    rows = 1;
  }
  const bool device = sl_cudart_on_device(r, p->dst);
  if ((!device && sl_cudart_range(r, p->dst) == NULL) ||
      !sl_cudart_is_there(r, sl_cudart_place(p->dst, device), (rows - 1) * p->pitch + width))
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < rows && error == cudaSuccess; i++) {
    char *at = (char *)p->dst + i * p->pitch;
    uint32_t value = p->value; /* its low bytes are the pattern */
    struct sl_command c = {
        .kind = SL_COMMAND_FILL, .to = (uint64_t)(uintptr_t)at, .size = width, .width = p->elementSize, .host = &value};
    if (device)
      error = sl_cudart_add(r, stream, &c);
    for (size_t k = 0; k < width && !device; k += p->elementSize)
      memcpy(at + k, &value, p->elementSize);
  }
  return error;
}

cudaError_t sl_cudart_fill(struct cudart *r, const struct cudaMemsetParams *p, cudaStream_t handle)
{
  struct CUstream_st *stream;
  size_t width;
  const cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (error != cudaSuccess || p->width == 0 || p->height == 0)
    return error;
  if (__builtin_mul_overflow(p->width, (size_t)p->elementSize, &width))
    return cudaErrorInvalidValue;
  if (stream->capture == NULL)
    return fill_now(r, p, width, stream);
  struct CUgraphNode_st *node = sl_capture_append(r, stream, cudaGraphNodeTypeMemset);
  if (node == NULL)
    return cudaErrorMemoryAllocation;
  node->fill = *p;
  return cudaSuccess;
}

static cudaError_t fill_rows(struct cudart *r, void *pointer, size_t pitch, int value, size_t width, size_t rows,
                             cudaStream_t stream)
{
  const struct cudaMemsetParams p = {pointer, pitch, (uint8_t)value, 1, width, rows};
  return sl_cudart_fill(r, &p, stream);
}

SL_CUDART_API cudaError_t cudaMemset(void *pointer, int value, size_t bytes)
{
  CUDART_CALL(true, fill_rows(r, pointer, bytes, value, bytes, 1, NULL));
}

SL_CUDART_API cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream)
{
  CUDART_CALL(true, fill_rows(r, pointer, bytes, value, bytes, 1, stream));
}

SL_CUDART_API cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height)
{
  CUDART_CALL(true, fill_rows(r, pointer, pitch, value, width, height, NULL));
}

SL_CUDART_API cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                                            cudaStream_t stream)
{
  CUDART_CALL(true, fill_rows(r, pointer, pitch, value, width, height, stream));
}

static cudaError_t fill_3d(struct cudart *r, struct cudaPitchedPtr p, int value, struct cudaExtent e, cudaStream_t s)
{
  cudaError_t error = cudaSuccess;
  for (size_t z = 0; z < e.depth && error == cudaSuccess; z++)
    error = fill_rows(r, (char *)p.ptr + z * p.pitch * p.ysize, p.pitch, value, e.width, e.height, s);
  return error;
}

SL_CUDART_API cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent)
{
  CUDART_CALL(true, fill_3d(r, pitched, value, extent, NULL));
}

SL_CUDART_API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent,
                                            cudaStream_t stream)
{
  CUDART_CALL(true, fill_3d(r, pitched, value, extent, stream));
}
