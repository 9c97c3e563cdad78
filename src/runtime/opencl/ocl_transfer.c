/* Transfers: reads, writes, copies and fills of boxes in buffers and images, maps. All are moves of a box, a number of
 * slices of rows of bytes, between the device and the host or within the device. */
#include "runtime/opencl/ocl.h"

#include <stdlib.h>
#include <string.h>

/* ---- moving ------------------------------------------------------------------------------------------------------ */

/* Where row y of slice z begins. */
static uint64_t row_at(const struct ocl_box *box, size_t y, size_t z)
{
  return box->offset + (uint64_t)z * box->slice + (uint64_t)y * box->row;
}

static enum sl_status move_row(struct ocl_command *c, uint64_t from, uint64_t to, size_t bytes, struct sl_error *err)
{
  struct sl_gpu *gpu = c->queue->device->host.gpu;
  if (c->width > 0) { /* a fill */
    const uint64_t at = sl_ocl_address(c->to, c->queue->device) + to;
    if (c->width <= 16 && (c->width & (c->width - 1)) == 0)
      return sl_gpu_fill(gpu, at, c->pattern, c->width, bytes, err);
    enum sl_status code = SL_OK;
    for (size_t i = 0; i < bytes && code == SL_OK; i += c->width)
      code = sl_gpu_write(gpu, SL_GPU_GLOBAL, at + i, c->pattern, c->width, err);
    return code;
  }
  if (c->from == NULL)
    return sl_gpu_write(gpu, SL_GPU_GLOBAL, sl_ocl_address(c->to, c->queue->device) + to, c->host + from, bytes, err);
  const uint64_t source = sl_ocl_address(c->from, c->queue->device) + from;
  if (c->to == NULL)
    return sl_gpu_read(gpu, SL_GPU_GLOBAL, source, c->host + to, bytes, err);
  return sl_gpu_copy(gpu, sl_ocl_address(c->to, c->queue->device) + to, source, bytes, err);
}

enum sl_status sl_ocl_move(struct ocl_command *c, struct sl_error *err)
{
  size_t bytes = c->region[0], rows = c->region[1], slices = c->region[2];
  /* Rows that follow each other on both sides move as one; likewise slices. */
  if (c->from_box.row == bytes && c->to_box.row == bytes && c->from_box.slice == bytes * rows &&
      c->to_box.slice == bytes * rows) {
    bytes *= rows * slices;
    rows = slices = 1;
  }
  enum sl_status code = SL_OK;
  for (size_t z = 0; z < slices && code == SL_OK; z++)
    for (size_t y = 0; y < rows && code == SL_OK; y++)
      code = move_row(c, row_at(&c->from_box, y, z), row_at(&c->to_box, y, z), bytes, err);
  return code;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static cl_int check(cl_command_queue q, cl_mem a, cl_mem b, cl_uint count, const cl_event *waits)
{
  if (!sl_ocl_is(q, OCL_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  const cl_mem mems[] = {a, b};
  for (size_t i = 0; i < 2; i++) {
    if (i == 1 && b == NULL)
      break;
    const cl_int error = sl_ocl_check_mem(mems[i], q->context);
    if (error != CL_SUCCESS)
      return error;
    if (sl_ocl_is_image(mems[i]))
      return CL_INVALID_MEM_OBJECT;
  }
  return sl_ocl_check_waits(q->context, count, waits);
}

static cl_int check_aligned(cl_command_queue q, cl_mem mem)
{
  return sl_ocl_overlaps_misaligned(mem, q->device) ? CL_MISALIGNED_SUB_BUFFER_OFFSET : CL_SUCCESS;
}

static bool fits(const struct _cl_mem *mem, size_t offset, size_t size)
{
  return offset <= mem->size && size <= mem->size - offset;
}

/* Whether the host may do this with a memory object. */
static bool host_may(cl_mem mem, bool write)
{
  return (mem->flags & (CL_MEM_HOST_NO_ACCESS | (write ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY))) == 0;
}

static void retain(struct ocl_command *c, cl_mem from, cl_mem to)
{
  c->from = from;
  c->to = to;
  if (from != NULL)
    from->object.references++;
  if (to != NULL)
    to->object.references++;
}

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

static cl_int transfer(cl_command_queue q, cl_mem buffer, bool write, cl_bool blocking, size_t offset, size_t size,
                       const void *host, cl_uint count, const cl_event *waits, cl_event *event)
{
  cl_int error = check(q, buffer, NULL, count, waits);
  if (error == CL_SUCCESS && (host == NULL || size == 0 || !fits(buffer, offset, size)))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS)
    error = check_aligned(q, buffer);
  if (error == CL_SUCCESS && !host_may(buffer, write))
    error = CL_INVALID_OPERATION;
  if (error != CL_SUCCESS)
    return error;
  struct ocl_command *c = sl_ocl_new_command(q, write ? CL_COMMAND_WRITE_BUFFER : CL_COMMAND_READ_BUFFER, count, waits);
  if (c == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  retain(c, write ? NULL : buffer, write ? buffer : NULL);
  c->perform = sl_ocl_move;
  c->timing = write ? SL_COMMAND_WRITE : SL_COMMAND_READ;
  c->bytes = size;
  c->host = (uint8_t *)(uintptr_t)host;
  const struct ocl_box device = {offset, size, size}, packed = {0, size, size};
  c->from_box = write ? packed : device;
  c->to_box = write ? device : packed;
  c->region[0] = size;
  c->region[1] = c->region[2] = 1;
  return sl_ocl_add(c, blocking != CL_FALSE, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    size_t offset, size_t size, void *host, cl_uint count,
                                                    const cl_event *waits, cl_event *event)
{
  OCL_CALL(transfer(queue, buffer, false, blocking, offset, size, host, count, waits, event));
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                     size_t offset, size_t size, const void *host, cl_uint count,
                                                     const cl_event *waits, cl_event *event)
{
  OCL_CALL(transfer(queue, buffer, true, blocking, offset, size, host, count, waits, event));
}

/* Bytes, rows and slices in bytes. False: more than 64 bits. */
static bool bytes_of(uint64_t *bytes, const size_t count[3], size_t row, size_t slice)
{
  uint64_t rows, slices;
  return !__builtin_mul_overflow(count[1], row, &rows) && !__builtin_mul_overflow(count[2], slice, &slices) &&
         !__builtin_add_overflow(rows, slices, bytes) && !__builtin_add_overflow(*bytes, count[0], bytes);
}

/* A box in bytes, rows and slices; pitches of 0 are those of the region. False: they are wrong. */
static bool set_box(struct ocl_box *box, const size_t origin[3], const size_t region[3], size_t row, size_t slice)
{
  row = row > 0 ? row : region[0];
  if (row < region[0])
    return false;
  size_t least;
  if (__builtin_mul_overflow(region[1], row, &least) || (slice > 0 && (slice < least || slice % row != 0)))
    return false;
  *box = (struct ocl_box){.row = row, .slice = slice > 0 ? slice : least};
  return bytes_of(&box->offset, origin, row, box->slice);
}

static bool box_fits(const struct _cl_mem *mem, const struct ocl_box *box, const size_t region[3])
{
  const size_t before[3] = {region[0], region[1] - 1, region[2] - 1}; /* the last row is not followed by a pitch */
  uint64_t bytes, end;
  return bytes_of(&bytes, before, box->row, box->slice) && !__builtin_add_overflow(box->offset, bytes, &end) &&
         end <= mem->size;
}

static bool is_region(const size_t *region)
{
  return region != NULL && region[0] > 0 && region[1] > 0 && region[2] > 0;
}

static cl_int transfer_box(cl_command_queue q, cl_mem buffer, bool write, cl_bool blocking, const size_t *origin,
                           const size_t *host_origin, const size_t *region, const size_t pitches[4], const void *host,
                           cl_uint count, const cl_event *waits, cl_event *event)
{
  struct ocl_box box, host_box;
  cl_int error = check(q, buffer, NULL, count, waits);
  if (error != CL_SUCCESS)
    return error;
  if (host == NULL || origin == NULL || host_origin == NULL || !is_region(region) ||
      !set_box(&box, origin, region, pitches[0], pitches[1]) ||
      !set_box(&host_box, host_origin, region, pitches[2], pitches[3]) || !box_fits(buffer, &box, region))
    return CL_INVALID_VALUE;
  error = check_aligned(q, buffer);
  if (error == CL_SUCCESS && !host_may(buffer, write))
    error = CL_INVALID_OPERATION;
  if (error != CL_SUCCESS)
    return error;
  struct ocl_command *c =
      sl_ocl_new_command(q, write ? CL_COMMAND_WRITE_BUFFER_RECT : CL_COMMAND_READ_BUFFER_RECT, count, waits);
  if (c == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  retain(c, write ? NULL : buffer, write ? buffer : NULL);
  c->perform = sl_ocl_move;
  c->timing = write ? SL_COMMAND_WRITE : SL_COMMAND_READ;
  c->bytes = (uint64_t)region[0] * region[1] * region[2];
  c->host = (uint8_t *)(uintptr_t)host;
  c->from_box = write ? host_box : box;
  c->to_box = write ? box : host_box;
  memcpy(c->region, region, sizeof c->region);
  return sl_ocl_add(c, blocking != CL_FALSE, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                        const size_t *origin, const size_t *host_origin,
                                                        const size_t *region, size_t row, size_t slice, size_t host_row,
                                                        size_t host_slice, void *host, cl_uint count,
                                                        const cl_event *waits, cl_event *event)
{
  const size_t pitches[4] = {row, slice, host_row, host_slice};
  OCL_CALL(
      transfer_box(queue, buffer, false, blocking, origin, host_origin, region, pitches, host, count, waits, event));
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                         const size_t *origin, const size_t *host_origin,
                                                         const size_t *region, size_t row, size_t slice,
                                                         size_t host_row, size_t host_slice, const void *host,
                                                         cl_uint count, const cl_event *waits, cl_event *event)
{
  const size_t pitches[4] = {row, slice, host_row, host_slice};
  OCL_CALL(
      transfer_box(queue, buffer, true, blocking, origin, host_origin, region, pitches, host, count, waits, event));
}

/* Whether two memory objects are the same memory; stores how far the second one begins behind the first one. */
static bool same_memory(cl_mem a, cl_mem b, size_t starts[2])
{
  return sl_ocl_root(a, &starts[0]) == sl_ocl_root(b, &starts[1]);
}

static cl_int copy(cl_command_queue q, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
                   cl_uint count, const cl_event *waits, cl_event *event)
{
  size_t starts[2];
  cl_int error = check(q, from, to != NULL ? to : (cl_mem)q, count, waits);
  if (error == CL_SUCCESS && (size == 0 || !fits(from, from_offset, size) || !fits(to, to_offset, size)))
    error = CL_INVALID_VALUE;
  if (error == CL_SUCCESS)
    error = check_aligned(q, from);
  if (error == CL_SUCCESS)
    error = check_aligned(q, to);
  if (error != CL_SUCCESS)
    return error;
  if (same_memory(from, to, starts)) {
    const size_t a = starts[0] + from_offset, b = starts[1] + to_offset;
    if (a < b + size && b < a + size)
      return CL_MEM_COPY_OVERLAP;
  }
  struct ocl_command *c = sl_ocl_new_command(q, CL_COMMAND_COPY_BUFFER, count, waits);
  if (c == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  retain(c, from, to);
  c->perform = sl_ocl_move;
  c->timing = SL_COMMAND_COPY;
  c->bytes = size;
  c->from_box = (struct ocl_box){from_offset, size, size};
  c->to_box = (struct ocl_box){to_offset, size, size};
  c->region[0] = size;
  c->region[1] = c->region[2] = 1;
  return sl_ocl_add(c, false, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                                    size_t to_offset, size_t size, cl_uint count, const cl_event *waits,
                                                    cl_event *event)
{
  OCL_CALL(copy(queue, from, to, from_offset, to_offset, size, count, waits, event));
}

/* Whether two boxes of the same memory and pitches overlap (appendix E of the standard). */
static bool overlap(const struct ocl_box *a, const struct ocl_box *b, const size_t region[3])
{
  const uint64_t length = (region[2] - 1) * a->slice + (region[1] - 1) * a->row + region[0];
  if (a->offset + length <= b->offset || b->offset + length <= a->offset)
    return false;
  const size_t ax = a->offset % a->row, bx = b->offset % a->row;
  if (ax + region[0] <= a->row && bx + region[0] <= a->row && (ax + region[0] <= bx || bx + region[0] <= ax))
    return false;
  const size_t ay = a->offset / a->row % (a->slice / a->row), by = b->offset / a->row % (a->slice / a->row);
  const size_t rows = a->slice / a->row;
  return !(ay + region[1] <= rows && by + region[1] <= rows && (ay + region[1] <= by || by + region[1] <= ay));
}

static cl_int copy_box(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_origin, const size_t *to_origin,
                       const size_t *region, const size_t pitches[4], cl_uint count, const cl_event *waits,
                       cl_event *event)
{
  struct ocl_box a, b;
  size_t starts[2];
  cl_int error = check(q, from, to != NULL ? to : (cl_mem)q, count, waits);
  if (error != CL_SUCCESS)
    return error;
  if (from_origin == NULL || to_origin == NULL || !is_region(region) ||
      !set_box(&a, from_origin, region, pitches[0], pitches[1]) ||
      !set_box(&b, to_origin, region, pitches[2], pitches[3]) || !box_fits(from, &a, region) ||
      !box_fits(to, &b, region))
    return CL_INVALID_VALUE;
  if (from == to && (a.row != b.row || a.slice != b.slice))
    return CL_INVALID_VALUE;
  error = check_aligned(q, from);
  if (error == CL_SUCCESS)
    error = check_aligned(q, to);
  if (error != CL_SUCCESS)
    return error;
  if (same_memory(from, to, starts)) {
    struct ocl_box whole_a = a, whole_b = b;
    whole_a.offset += starts[0];
    whole_b.offset += starts[1];
    if (overlap(&whole_a, &whole_b, region))
      return CL_MEM_COPY_OVERLAP;
  }
  struct ocl_command *c = sl_ocl_new_command(q, CL_COMMAND_COPY_BUFFER_RECT, count, waits);
  if (c == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  retain(c, from, to);
  c->perform = sl_ocl_move;
  c->timing = SL_COMMAND_COPY;
  c->bytes = (uint64_t)region[0] * region[1] * region[2];
  c->from_box = a;
  c->to_box = b;
  memcpy(c->region, region, sizeof c->region);
  return sl_ocl_add(c, false, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to,
                                                        const size_t *from_origin, const size_t *to_origin,
                                                        const size_t *region, size_t from_row, size_t from_slice,
                                                        size_t to_row, size_t to_slice, cl_uint count,
                                                        const cl_event *waits, cl_event *event)
{
  const size_t pitches[4] = {from_row, from_slice, to_row, to_slice};
  OCL_CALL(copy_box(queue, from, to, from_origin, to_origin, region, pitches, count, waits, event));
}

static cl_int fill(cl_command_queue q, cl_mem buffer, const void *pattern, size_t width, size_t offset, size_t size,
                   cl_uint count, const cl_event *waits, cl_event *event)
{
  cl_int error = check(q, buffer, NULL, count, waits);
  if (error != CL_SUCCESS)
    return error;
  if (!fits(buffer, offset, size) || size == 0 || pattern == NULL || width == 0 || width > 128 ||
      (width & (width - 1)) != 0 || offset % width != 0 || size % width != 0)
    return CL_INVALID_VALUE;
  error = check_aligned(q, buffer);
  struct ocl_command *c = error == CL_SUCCESS ? sl_ocl_new_command(q, CL_COMMAND_FILL_BUFFER, count, waits) : NULL;
  if (c == NULL)
    return error != CL_SUCCESS ? error : CL_OUT_OF_HOST_MEMORY;
  retain(c, NULL, buffer);
  c->perform = sl_ocl_move;
  c->timing = SL_COMMAND_FILL;
  c->bytes = size;
  memcpy(c->pattern, pattern, width);
  c->width = width;
  c->from_box = c->to_box = (struct ocl_box){offset, size, size};
  c->region[0] = size;
  c->region[1] = c->region[2] = 1;
  return sl_ocl_add(c, false, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                                    size_t width, size_t offset, size_t size, cl_uint count,
                                                    const cl_event *waits, cl_event *event)
{
  OCL_CALL(fill(queue, buffer, pattern, width, offset, size, count, waits, event));
}

/* Contents move when a command needs them, or now. */
static cl_int migrate(cl_command_queue q, cl_uint mem_count, const cl_mem *mems, cl_mem_migration_flags flags,
                      cl_uint count, const cl_event *waits, cl_event *event)
{
  if (!sl_ocl_is(q, OCL_QUEUE))
    return CL_INVALID_COMMAND_QUEUE;
  if (mem_count == 0 || mems == NULL ||
      (flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)) != 0)
    return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < mem_count; i++) {
    const cl_int error = sl_ocl_check_mem(mems[i], q->context);
    if (error != CL_SUCCESS)
      return error;
  }
  const cl_int error = sl_ocl_check_waits(q->context, count, waits);
  struct ocl_command *c =
      error == CL_SUCCESS ? sl_ocl_new_command(q, CL_COMMAND_MIGRATE_MEM_OBJECTS, count, waits) : NULL;
  if (c == NULL)
    return error != CL_SUCCESS ? error : CL_OUT_OF_HOST_MEMORY;
  c->used = calloc(mem_count, sizeof *c->used);
  for (cl_uint i = 0; i < mem_count && c->used != NULL && (flags & CL_MIGRATE_MEM_OBJECT_HOST) == 0; i++) {
    c->used[c->used_count++] = mems[i];
    mems[i]->object.references++;
  }
  return sl_ocl_add(c, false, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint mem_count,
                                                           const cl_mem *mems, cl_mem_migration_flags flags,
                                                           cl_uint count, const cl_event *waits, cl_event *event)
{
  OCL_CALL(migrate(queue, mem_count, mems, flags, count, waits, event));
}

/* ---- maps -------------------------------------------------------------------------------------------------------- */

/* A memory object's host memory is current between a map and its unmap. */

static bool host_may_map(cl_mem mem, cl_map_flags flags)
{
  if ((mem->flags & CL_MEM_HOST_NO_ACCESS) != 0)
    return false;
  if ((flags & CL_MAP_READ) != 0 && (mem->flags & CL_MEM_HOST_WRITE_ONLY) != 0)
    return false;
  return (flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) == 0 || (mem->flags & CL_MEM_HOST_READ_ONLY) == 0;
}

static bool are_flags(cl_map_flags flags)
{
  const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  return (flags & ~known) == 0 &&
         ((flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0 || (flags & (CL_MAP_READ | CL_MAP_WRITE)) == 0);
}

/* The boxes of a mapped region on the device and in mapped memory. */
static void set_boxes(cl_mem mem, const struct ocl_mapping *m, struct ocl_box *device, struct ocl_box *host)
{
  const bool image = sl_ocl_is_image(mem);
  const size_t row = image ? mem->extent[0] * mem->texel : m->region[0];
  const size_t slice = image ? row * mem->extent[1] : row, host_row = image ? mem->host_row : row;
  const size_t host_slice = image ? mem->host_slice : row;
  *device = (struct ocl_box){m->origin[2] * slice + m->origin[1] * row + m->origin[0], row, slice};
  *host = (struct ocl_box){m->origin[2] * host_slice + m->origin[1] * host_row + m->origin[0], host_row, host_slice};
}

static struct ocl_command *new_move(cl_command_queue q, cl_command_type type, cl_mem mem, const struct ocl_mapping *m,
                                    bool moves, bool write, cl_uint count, const cl_event *waits)
{
  struct ocl_command *c = sl_ocl_new_command(q, type, count, waits);
  if (c == NULL || !moves)
    return c;
  mem->object.references++;
  if (write)
    c->to = mem;
  else
    c->from = mem;
  set_boxes(mem, m, write ? &c->to_box : &c->from_box, write ? &c->from_box : &c->to_box);
  c->perform = sl_ocl_move;
  c->timing = write ? SL_COMMAND_WRITE : SL_COMMAND_READ;
  c->host = sl_ocl_shadow(mem);
  c->bytes = (uint64_t)m->region[0] * m->region[1] * m->region[2];
  memcpy(c->region, m->region, sizeof c->region);
  return c;
}

/* Maps a region, given in bytes, rows and slices. */
static void *map(cl_command_queue q, cl_mem mem, cl_command_type type, cl_bool blocking, cl_map_flags flags,
                 const struct ocl_mapping *region, cl_uint count, const cl_event *waits, cl_event *event, cl_int *error)
{
  char *host = sl_ocl_shadow(mem);
  struct ocl_mapping *m = malloc(sizeof *m);
  struct ocl_command *c =
      host != NULL && m != NULL
          ? new_move(q, type, mem, region, (flags & CL_MAP_WRITE_INVALIDATE_REGION) == 0, false, count, waits)
          : NULL;
  if (c == NULL) {
    free(m);
    *error = host == NULL ? CL_MAP_FAILURE : CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  struct ocl_box device, box;
  *m = *region;
  set_boxes(mem, m, &device, &box);
  m->pointer = host + box.offset;
  m->flags = flags;
  m->next = mem->mappings;
  mem->mappings = m;
  mem->map_count++;
  *error = sl_ocl_add(c, blocking != CL_FALSE, event);
  return *error == CL_SUCCESS ? m->pointer : NULL;
}

static cl_int check_map(cl_command_queue q, cl_mem mem, bool image, cl_uint count, const cl_event *waits)
{
  cl_int error = sl_ocl_is(q, OCL_QUEUE) ? sl_ocl_check_mem(mem, q->context) : CL_INVALID_COMMAND_QUEUE;
  if (error == CL_SUCCESS && sl_ocl_is_image(mem) != image)
    error = CL_INVALID_MEM_OBJECT;
  return error == CL_SUCCESS ? sl_ocl_check_waits(q->context, count, waits) : error;
}

static void *map_buffer(cl_command_queue q, cl_mem mem, cl_bool blocking, cl_map_flags flags, size_t offset,
                        size_t size, cl_uint count, const cl_event *waits, cl_event *event, cl_int *error)
{
  const struct ocl_mapping region = {.origin = {offset}, .region = {size, 1, 1}};
  *error = check_map(q, mem, false, count, waits);
  if (*error == CL_SUCCESS && (!are_flags(flags) || size == 0 || offset > mem->size || size > mem->size - offset))
    *error = CL_INVALID_VALUE;
  if (*error == CL_SUCCESS && sl_ocl_overlaps_misaligned(mem, q->device))
    *error = CL_MISALIGNED_SUB_BUFFER_OFFSET;
  if (*error == CL_SUCCESS && !host_may_map(mem, flags))
    *error = CL_INVALID_OPERATION;
  if (*error != CL_SUCCESS)
    return NULL;
  return map(q, mem, CL_COMMAND_MAP_BUFFER, blocking, flags, &region, count, waits, event, error);
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                  cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                                  const cl_event *waits, cl_event *event, cl_int *error)
{
  OCL_MAKE(void *, map_buffer(queue, buffer, blocking, flags, offset, size, count, waits, event, &made));
}

static void *map_image(cl_command_queue q, cl_mem mem, cl_bool blocking, cl_map_flags flags, const size_t *origin,
                       const size_t *extent, size_t *row, size_t *slice, cl_uint count, const cl_event *waits,
                       cl_event *event, cl_int *error)
{
  struct ocl_mapping region = {.next = NULL};
  *error = check_map(q, mem, true, count, waits);
  if (*error == CL_SUCCESS &&
      (!are_flags(flags) || row == NULL || !sl_ocl_image_region(mem, origin, extent, region.origin, region.region)))
    *error = CL_INVALID_VALUE;
  const bool has_slices =
      *error == CL_SUCCESS && (mem->type == CL_MEM_OBJECT_IMAGE3D || mem->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
                               mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY);
  if (has_slices && slice == NULL)
    *error = CL_INVALID_VALUE;
  if (*error == CL_SUCCESS && !host_may_map(mem, flags))
    *error = CL_INVALID_OPERATION;
  if (*error != CL_SUCCESS)
    return NULL;
  const bool lines = mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  *row = lines ? mem->extent[0] * mem->texel : mem->host_row;
  if (slice != NULL)
    *slice = lines ? mem->host_row : has_slices ? mem->host_slice : 0;
  return map(q, mem, CL_COMMAND_MAP_IMAGE, blocking, flags, &region, count, waits, event, error);
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                                 cl_map_flags flags, const size_t *origin, const size_t *region,
                                                 size_t *row, size_t *slice, cl_uint count, const cl_event *waits,
                                                 cl_event *event, cl_int *error)
{
  OCL_MAKE(void *, map_image(queue, image, blocking, flags, origin, region, row, slice, count, waits, event, &made));
}

static cl_int unmap(cl_command_queue q, cl_mem mem, const void *pointer, cl_uint count, const cl_event *waits,
                    cl_event *event)
{
  cl_int error = sl_ocl_is(q, OCL_QUEUE) ? sl_ocl_check_mem(mem, q->context) : CL_INVALID_COMMAND_QUEUE;
  if (error != CL_SUCCESS)
    return error;
  struct ocl_mapping **at = &mem->mappings;
  while (*at != NULL && (*at)->pointer != pointer)
    at = &(*at)->next;
  error = sl_ocl_check_waits(q->context, count, waits);
  if (*at == NULL || pointer == NULL)
    return CL_INVALID_VALUE;
  if (error != CL_SUCCESS)
    return error;
  struct ocl_mapping *m = *at;
  const bool writes = (m->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION)) != 0;
  struct ocl_command *c = new_move(q, CL_COMMAND_UNMAP_MEM_OBJECT, mem, m, writes, true, count, waits);
  if (c == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  *at = m->next;
  free(m);
  mem->map_count--;
  return sl_ocl_add(c, false, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *pointer,
                                                        cl_uint count, const cl_event *waits, cl_event *event)
{
  OCL_CALL(unmap(queue, mem, pointer, count, waits, event));
}
