/* Copies of the CUDA runtime: linear, by rows, of arrays, and of symbols. A managed buffer is host memory
 * between launches. */
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/cudart.h"

/* Which sides are device memory. A copy that says otherwise than its pointers is an error. */
static cudaError_t find_sides(const struct cudart *r, const void *to, const void *from, enum cudaMemcpyKind kind,
                              struct sl_cudart_place *t, struct sl_cudart_place *f)
{
  const bool to_device = sl_cudart_on_device(r, to), from_device = sl_cudart_on_device(r, from);
  *t = sl_cudart_place(to, to_device);
  *f = sl_cudart_place(from, from_device);
  if ((unsigned)kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (kind == cudaMemcpyDefault)
    return cudaSuccess;
  const bool says_to = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool says_from = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool managed_to = sl_cudart_range(r, to) != NULL, managed_from = sl_cudart_range(r, from) != NULL;
  if ((says_to != to_device && !managed_to) || (says_from != from_device && !managed_from)) {
    const bool wrong_to = says_to != to_device && !managed_to;
    sl_cudart_say("a copy names %s pointer %p as memory of the %s", wrong_to ? "the destination" : "the source",
                  wrong_to ? to : from, (wrong_to ? says_to : says_from) ? "device" : "host");
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

static cudaError_t copy_bytes(struct cudart *r, struct CUstream_st *stream, struct sl_cudart_place to,
                              struct sl_cudart_place from, size_t bytes)
{
  struct sl_command c = {.size = bytes};
  if (bytes == 0)
    return cudaSuccess;
  if (!sl_cudart_is_there(r, to, bytes) || !sl_cudart_is_there(r, from, bytes))
    return cudaErrorInvalidValue;
  if (!to.device && !from.device) {
    memmove(to.host, from.host, bytes);
    return cudaSuccess;
  }
  c.kind = to.device && from.device ? SL_COMMAND_COPY : to.device ? SL_COMMAND_WRITE : SL_COMMAND_READ;
  c.to = to.address;
  c.from = from.address;
  c.host = to.device ? from.host : to.host;
  return sl_cudart_add(r, stream, &c);
}

static struct sl_cudart_place moved(struct sl_cudart_place p, size_t by)
{
  p.address += by;
  p.host = (char *)((uintptr_t)p.host + by);
  return p;
}

static void *pointer_of(struct sl_cudart_place p)
{
  return p.device ? sl_cudart_pointer(p.address) : p.host;
}

/* The copy becomes a node of the graph that the stream captures. */
static cudaError_t capture(struct cudart *r, struct CUstream_st *stream, struct sl_cudart_place to, size_t to_pitch,
                           struct sl_cudart_place from, size_t from_pitch, size_t width, size_t rows)
{
  struct CUgraphNode_st *node = sl_capture_append(r, stream, cudaGraphNodeTypeMemcpy);
  if (node == NULL)
    return cudaErrorMemoryAllocation;
  node->copy = (struct sl_graph_copy){.form = SL_GRAPH_COPY_ROWS,
                                      .to = pointer_of(to),
                                      .from = pointer_of(from),
                                      .to_pitch = to_pitch,
                                      .from_pitch = from_pitch,
                                      .width = width,
                                      .rows = rows,
                                      .kind = cudaMemcpyDefault};
  return cudaSuccess;
}

/* Rows of `width` bytes, as one copy if they follow each other. */
static cudaError_t copy_rows(struct cudart *r, struct CUstream_st *stream, struct sl_cudart_place to, size_t to_pitch,
                             struct sl_cudart_place from, size_t from_pitch, size_t width, size_t rows)
{
  cudaError_t error = cudaSuccess;
  if (stream->capture != NULL)
    return capture(r, stream, to, to_pitch, from, from_pitch, width, rows);
  if (rows > 1 && (to_pitch < width || from_pitch < width))
    return cudaErrorInvalidPitchValue;
  size_t all;
  if (__builtin_mul_overflow(width, rows, &all))
    return cudaErrorInvalidValue;
  if (to_pitch == width && from_pitch == width)
    return copy_bytes(r, stream, to, from, all);
  for (size_t i = 0; i < rows && error == cudaSuccess; i++)
    error = copy_bytes(r, stream, moved(to, i * to_pitch), moved(from, i * from_pitch), width);
  return error;
}

static cudaError_t copy(struct cudart *r, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                        cudaStream_t handle)
{
  struct CUstream_st *stream;
  struct sl_cudart_place t, f;
  cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (bytes == 0)
    return error;
  if (error == cudaSuccess && (to == NULL || from == NULL))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = find_sides(r, to, from, kind, &t, &f);
  return error == cudaSuccess ? copy_rows(r, stream, t, bytes, f, bytes, bytes, 1) : error;
}

SL_CUDART_API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
  CUDART_CALL(true, copy(r, to, from, bytes, kind, NULL));
}

SL_CUDART_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                          cudaStream_t stream)
{
  CUDART_CALL(true, copy(r, to, from, bytes, kind, stream));
}

SL_CUDART_API cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
  CUDART_CALL(true, to_device != 0 || from_device != 0 ? cudaErrorInvalidDevice
                                                       : copy(r, to, from, bytes, cudaMemcpyDeviceToDevice, NULL));
}

SL_CUDART_API cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                              cudaStream_t stream)
{
  CUDART_CALL(true, to_device != 0 || from_device != 0 ? cudaErrorInvalidDevice
                                                       : copy(r, to, from, bytes, cudaMemcpyDeviceToDevice, stream));
}

static cudaError_t copy_2d(struct cudart *r, void *to, size_t to_pitch, const void *from, size_t from_pitch,
                           size_t width, size_t rows, enum cudaMemcpyKind kind, cudaStream_t handle)
{
  struct CUstream_st *stream;
  struct sl_cudart_place t, f;
  cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (width == 0 || rows == 0)
    return error;
  if (error == cudaSuccess && (to == NULL || from == NULL))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = find_sides(r, to, from, kind, &t, &f);
  return error == cudaSuccess ? copy_rows(r, stream, t, to_pitch, f, from_pitch, width, rows) : error;
}

SL_CUDART_API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                       size_t height, enum cudaMemcpyKind kind)
{
  CUDART_CALL(true, copy_2d(r, to, to_pitch, from, from_pitch, width, height, kind, NULL));
}

SL_CUDART_API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                            size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
  CUDART_CALL(true, copy_2d(r, to, to_pitch, from, from_pitch, width, height, kind, stream));
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static size_t row_bytes(const struct cudaArray *a)
{
  return a->extent.width * a->texel;
}

static size_t rows_of(const struct cudaArray *a)
{
  return a->extent.height > 0 ? a->extent.height : 1;
}

static cudaError_t make_array(struct cudart *r, cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags)
{
  if (array == NULL || desc == NULL || extent.width == 0 || extent.width > UINT32_MAX || extent.height > UINT32_MAX ||
      extent.depth > UINT32_MAX)
    return cudaErrorInvalidValue;
  const int bits = desc->x + desc->y + desc->z + desc->w;
  if (desc->x <= 0 || desc->x % 8 != 0 || bits > 128)
    return cudaErrorInvalidChannelDescriptor;
  struct cudaArray *a = calloc(1, sizeof *a);
  if (a == NULL)
    return cudaErrorMemoryAllocation;
  *a = (struct cudaArray){.desc = *desc, .extent = extent, .texel = (size_t)bits / 8, .flags = flags};
  const size_t depth = extent.depth > 0 ? extent.depth : 1;
  size_t bytes;
  if (__builtin_mul_overflow(row_bytes(a), rows_of(a), &bytes) || __builtin_mul_overflow(bytes, depth, &bytes) ||
      sl_gpu_alloc(r->device.gpu, bytes, &a->address, NULL) != SL_OK) {
    free(a);
    return cudaErrorMemoryAllocation;
  }
  a->next = r->arrays;
  r->arrays = a;
  *array = a;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc, size_t width,
                                          size_t height, unsigned flags)
{
  const struct cudaExtent extent = {width, height, 0};
  CUDART_CALL(true, make_array(r, array, desc, extent, flags));
}

SL_CUDART_API cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                            struct cudaExtent extent, unsigned flags)
{
  CUDART_CALL(true, make_array(r, array, desc, extent, flags));
}

static bool is_array(const struct cudart *r, const struct cudaArray *array)
{
  for (const struct cudaArray *a = r->arrays; a != NULL; a = a->next)
    if (a == array)
      return true;
  return false;
}

static cudaError_t free_array(struct cudart *r, const struct cudaArray *array)
{
  if (array == NULL)
    return cudaSuccess;
  for (struct cudaArray **at = &r->arrays; *at != NULL; at = &(*at)->next)
    if (*at == array) {
      struct cudaArray *a = *at;
      *at = a->next;
      sl_gpu_release(r->device.gpu, a->address, NULL);
      free(a);
      return cudaSuccess;
    }
  return cudaErrorInvalidResourceHandle;
}

SL_CUDART_API cudaError_t cudaFreeArray(cudaArray_t array)
{
  CUDART_CALL(true, free_array(r, array));
}

static cudaError_t array_info(const struct cudart *r, const struct cudaArray *array, struct cudaChannelFormatDesc *desc,
                              struct cudaExtent *extent, unsigned *flags)
{
  if (!is_array(r, array))
    return cudaErrorInvalidResourceHandle;
  if (desc != NULL)
    *desc = array->desc;
  if (extent != NULL)
    *extent = array->extent;
  if (flags != NULL)
    *flags = array->flags;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                                           unsigned *flags, cudaArray_t array)
{
  CUDART_CALL(true, array_info(r, array, desc, extent, flags));
}

SL_CUDART_API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
  CUDART_CALL(true, array_info(r, array, desc, NULL, NULL));
}

/* `width` bytes of `rows` rows at an offset (x in bytes) of an array. */
static cudaError_t at_array(const struct cudart *r, const struct cudaArray *a, size_t x, size_t y, size_t width,
                            size_t rows, struct sl_cudart_place *place)
{
  if (!is_array(r, a))
    return cudaErrorInvalidResourceHandle;
  if (x > row_bytes(a) || width > row_bytes(a) - x || y > rows_of(a) || rows > rows_of(a) - y)
    return cudaErrorInvalidValue;
  *place = (struct sl_cudart_place){.address = a->address + y * row_bytes(a) + x, .device = true};
  return cudaSuccess;
}

/* Between an array and linear memory by rows; `from_array`: the direction. */
static cudaError_t copy_array(struct cudart *r, const struct cudaArray *a, size_t x, size_t y, const void *linear,
                              size_t pitch, size_t width, size_t rows, bool from_array, cudaStream_t handle)
{
  struct CUstream_st *stream;
  struct sl_cudart_place place;
  const struct sl_cudart_place other = sl_cudart_place(linear, sl_cudart_on_device(r, linear));
  cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (error == cudaSuccess)
    error = at_array(r, a, x, y, width, rows, &place);
  if (error != cudaSuccess)
    return error;
  return from_array ? copy_rows(r, stream, other, pitch, place, row_bytes(a), width, rows)
                    : copy_rows(r, stream, place, row_bytes(a), other, pitch, width, rows);
}

/* Bytes that fill rows one after another, from an offset on. */
static cudaError_t copy_array_bytes(struct cudart *r, const struct cudaArray *a, size_t x, size_t y, const void *linear,
                                    size_t bytes, bool from_array, cudaStream_t stream)
{
  cudaError_t error = is_array(r, a) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  for (size_t done = 0; done < bytes && error == cudaSuccess; y++, x = 0) {
    const size_t room = x < row_bytes(a) ? row_bytes(a) - x : 0;
    const size_t part = bytes - done < room ? bytes - done : room;
    error = part == 0 ? cudaErrorInvalidValue
                      : copy_array(r, a, x, y, (const char *)linear + done, part, part, 1, from_array, stream);
    done += part;
  }
  return error;
}

SL_CUDART_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                            enum cudaMemcpyKind kind)
{
  (void)kind;
  CUDART_CALL(true, copy_array_bytes(r, to, x, y, from, bytes, false, NULL));
}

SL_CUDART_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                                 enum cudaMemcpyKind kind, cudaStream_t stream)
{
  (void)kind;
  CUDART_CALL(true, copy_array_bytes(r, to, x, y, from, bytes, false, stream));
}

SL_CUDART_API cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                              enum cudaMemcpyKind kind)
{
  (void)kind;
  CUDART_CALL(true, copy_array_bytes(r, from, x, y, to, bytes, true, NULL));
}

SL_CUDART_API cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
  (void)kind;
  CUDART_CALL(true, copy_array_bytes(r, from, x, y, to, bytes, true, stream));
}

SL_CUDART_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                              size_t width, size_t height, enum cudaMemcpyKind kind)
{
  (void)kind;
  CUDART_CALL(true, copy_array(r, to, x, y, from, pitch, width, height, false, NULL));
}

SL_CUDART_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                                   size_t width, size_t height, enum cudaMemcpyKind kind,
                                                   cudaStream_t stream)
{
  (void)kind;
  CUDART_CALL(true, copy_array(r, to, x, y, from, pitch, width, height, false, stream));
}

SL_CUDART_API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
  (void)kind;
  CUDART_CALL(true, copy_array(r, from, x, y, to, pitch, width, height, true, NULL));
}

static cudaError_t copy_arrays(struct cudart *r, const struct cudaArray *to, size_t to_x, size_t to_y,
                               const struct cudaArray *from, size_t from_x, size_t from_y, size_t bytes)
{
  if (!is_array(r, to) || !is_array(r, from))
    return cudaErrorInvalidResourceHandle;
  const size_t to_at = to_y * row_bytes(to) + to_x, from_at = from_y * row_bytes(from) + from_x;
  const size_t to_all = row_bytes(to) * rows_of(to), from_all = row_bytes(from) * rows_of(from);
  if (to_y >= rows_of(to) || from_y >= rows_of(from) || to_at > to_all || from_at > from_all ||
      bytes > to_all - to_at || bytes > from_all - from_at)
    return cudaErrorInvalidValue;
  const struct sl_cudart_place t = {.address = to->address + to_at, .device = true};
  const struct sl_cudart_place f = {.address = from->address + from_at, .device = true};
  return copy_bytes(r, &r->legacy, t, f, bytes);
}

SL_CUDART_API cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                                 size_t from_x, size_t from_y, size_t bytes, enum cudaMemcpyKind kind)
{
  (void)kind;
  CUDART_CALL(true, copy_arrays(r, to, to_x, to_y, from, from_x, from_y, bytes));
}

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

/* One side of a copy in three dimensions. */
struct box {
  struct sl_cudart_place place;
  size_t pitch, slice; /* bytes of a row, of a slice */
};

/* Whether a part of a dimension is in it; a size of 0 is that of an array without the dimension. */
static bool is_inside(size_t at, size_t count, size_t size)
{
  const size_t texels = size > 0 ? size : 1;
  return at <= texels && count <= texels - at;
}

static cudaError_t find_box(const struct cudart *r, const struct cudaArray *array, const struct cudaPitchedPtr *linear,
                            const struct cudaPos *pos, const struct cudaExtent *part, size_t texel, struct box *box)
{
  if (array != NULL) {
    if (!is_array(r, array))
      return cudaErrorInvalidResourceHandle;
    if (!is_inside(pos->x, part->width, array->extent.width) ||
        !is_inside(pos->y, part->height, array->extent.height) || !is_inside(pos->z, part->depth, array->extent.depth))
      return cudaErrorInvalidValue;
    *box = (struct box){.place = {.address = array->address, .device = true},
                        .pitch = row_bytes(array),
                        .slice = row_bytes(array) * rows_of(array)};
  } else {
    if (linear->ptr == NULL)
      return cudaErrorInvalidValue;
    *box = (struct box){.place = sl_cudart_place(linear->ptr, sl_cudart_on_device(r, linear->ptr)),
                        .pitch = linear->pitch,
                        .slice = linear->pitch * linear->ysize};
  }
  box->place = moved(box->place, pos->x * texel + pos->y * box->pitch + pos->z * box->slice);
  return cudaSuccess;
}

/* If an array takes part, the extent counts its texels, else bytes; a position counts likewise. */
static cudaError_t copy_3d(struct cudart *r, const struct cudaMemcpy3DParms *p, cudaStream_t handle)
{
  struct CUstream_st *stream;
  struct box to, from;
  cudaError_t error = p != NULL ? sl_cudart_stream(r, handle, &stream) : cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  const struct cudaArray *array = p->dstArray != NULL ? p->dstArray : p->srcArray;
  const size_t texel = array != NULL && is_array(r, array) ? array->texel : 1;
  error = find_box(r, p->dstArray, &p->dstPtr, &p->dstPos, &p->extent, p->dstArray != NULL ? texel : 1, &to);
  if (error == cudaSuccess)
    error = find_box(r, p->srcArray, &p->srcPtr, &p->srcPos, &p->extent, p->srcArray != NULL ? texel : 1, &from);
  const size_t depth = p->extent.depth;
  for (size_t z = 0; z < depth && error == cudaSuccess; z++)
    error = copy_rows(r, stream, moved(to.place, z * to.slice), to.pitch, moved(from.place, z * from.slice), from.pitch,
                      p->extent.width * texel, p->extent.height);
  return error;
}

SL_CUDART_API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
  CUDART_CALL(true, copy_3d(r, p, NULL));
}

SL_CUDART_API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
  CUDART_CALL(true, copy_3d(r, p, stream));
}

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

static cudaError_t capture_symbol(struct cudart *r, struct CUstream_st *stream, const void *symbol, size_t offset,
                                  const void *other, size_t bytes, bool from_symbol, enum cudaMemcpyKind kind)
{
  struct CUgraphNode_st *node = sl_capture_append(r, stream, cudaGraphNodeTypeMemcpy);
  if (node == NULL)
    return cudaErrorMemoryAllocation;
  node->copy = (struct sl_graph_copy){.form = from_symbol ? SL_GRAPH_COPY_FROM_SYMBOL : SL_GRAPH_COPY_TO_SYMBOL,
                                      .to = (void *)(uintptr_t)(from_symbol ? other : symbol),
                                      .from = from_symbol ? symbol : other,
                                      .width = bytes,
                                      .offset = offset,
                                      .kind = kind};
  return cudaSuccess;
}

/* Copies between a variable and memory. Constants are not in global memory, so they have commands of no time. */
static cudaError_t copy_symbol(struct cudart *r, const void *symbol, size_t offset, const void *other, size_t bytes,
                               bool from_symbol, enum cudaMemcpyKind kind, cudaStream_t handle)
{
  struct cudart_variable *v;
  struct sl_gpu_symbol place;
  struct CUstream_st *stream;
  cudaError_t error = sl_cudart_stream(r, handle, &stream);
  if (error == cudaSuccess)
    error = sl_cudart_symbol(r, symbol, &v, &place);
  if (error != cudaSuccess)
    return error;
  if (offset > place.bytes || bytes > place.bytes - offset || (other == NULL && bytes > 0))
    return cudaErrorInvalidValue;
  if (kind == cudaMemcpyHostToHost || (unsigned)kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  const struct sl_cudart_place memory = sl_cudart_place(other, sl_cudart_on_device(r, other));
  if (place.space == SL_GPU_GLOBAL) {
    const struct sl_cudart_place variable =
        v->kind == CUDART_MANAGED ? sl_cudart_place((const char *)v->shadow + offset, false)
                                  : (struct sl_cudart_place){.address = place.address + offset, .device = true};
    return from_symbol ? copy_rows(r, stream, memory, bytes, variable, bytes, bytes, 1)
                       : copy_rows(r, stream, variable, bytes, memory, bytes, bytes, 1);
  }
  if (stream->capture != NULL)
    return capture_symbol(r, stream, symbol, offset, other, bytes, from_symbol, kind);
  void *host = memory.device ? malloc(bytes + 1) : memory.host;
  if (host == NULL)
    return cudaErrorMemoryAllocation;
  enum sl_status code = SL_OK;
  if (memory.device && !from_symbol)
    code = sl_gpu_read(r->device.gpu, SL_GPU_GLOBAL, memory.address, host, bytes, NULL);
  if (code == SL_OK)
    code = from_symbol ? sl_gpu_read(r->device.gpu, SL_GPU_CONSTANT, place.address + offset, host, bytes, NULL)
                       : sl_gpu_write(r->device.gpu, SL_GPU_CONSTANT, place.address + offset, host, bytes, NULL);
  if (code == SL_OK && memory.device && from_symbol)
    code = sl_gpu_write(r->device.gpu, SL_GPU_GLOBAL, memory.address, host, bytes, NULL);
  if (memory.device)
    free(host);
  return code == SL_OK ? cudaSuccess : cudaErrorInvalidValue;
}

SL_CUDART_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                                             enum cudaMemcpyKind kind)
{
  CUDART_CALL(true, copy_symbol(r, symbol, offset, from, bytes, false, kind, NULL));
}

SL_CUDART_API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                               enum cudaMemcpyKind kind)
{
  CUDART_CALL(true, copy_symbol(r, symbol, offset, to, bytes, true, kind, NULL));
}

SL_CUDART_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                                  enum cudaMemcpyKind kind, cudaStream_t stream)
{
  CUDART_CALL(true, copy_symbol(r, symbol, offset, from, bytes, false, kind, stream));
}

SL_CUDART_API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                                    enum cudaMemcpyKind kind, cudaStream_t stream)
{
  CUDART_CALL(true, copy_symbol(r, symbol, offset, to, bytes, true, kind, stream));
}

cudaError_t sl_cudart_copy(struct cudart *r, const struct sl_graph_copy *c, cudaStream_t stream)
{
  switch (c->form) {
  case SL_GRAPH_COPY_ROWS:
    return copy_2d(r, c->to, c->to_pitch, c->from, c->from_pitch, c->width, c->rows, c->kind, stream);
  case SL_GRAPH_COPY_BOX: return copy_3d(r, &c->box, stream);
  case SL_GRAPH_COPY_TO_SYMBOL: return copy_symbol(r, c->to, c->offset, c->from, c->width, false, c->kind, stream);
  default: return copy_symbol(r, c->from, c->offset, c->to, c->width, true, c->kind, stream);
  }
}
