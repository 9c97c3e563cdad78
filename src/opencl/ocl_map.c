/* Maps: a memory object's host memory is current between a map and its unmap. */
#include "opencl/ocl.h"

#include <stdlib.h>
#include <string.h>

static bool host_may(cl_mem mem, cl_map_flags flags)
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

static cl_int check(cl_command_queue q, cl_mem mem, bool image, cl_uint count, const cl_event *waits)
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
  *error = check(q, mem, false, count, waits);
  if (*error == CL_SUCCESS && (!are_flags(flags) || size == 0 || offset > mem->size || size > mem->size - offset))
    *error = CL_INVALID_VALUE;
  if (*error == CL_SUCCESS && sl_ocl_overlaps_misaligned(mem, q->device))
    *error = CL_MISALIGNED_SUB_BUFFER_OFFSET;
  if (*error == CL_SUCCESS && !host_may(mem, flags))
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
  *error = check(q, mem, true, count, waits);
  if (*error == CL_SUCCESS &&
      (!are_flags(flags) || row == NULL || !sl_ocl_image_region(mem, origin, extent, region.origin, region.region)))
    *error = CL_INVALID_VALUE;
  const bool has_slices =
      *error == CL_SUCCESS && (mem->type == CL_MEM_OBJECT_IMAGE3D || mem->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
                               mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY);
  if (has_slices && slice == NULL)
    *error = CL_INVALID_VALUE;
  if (*error == CL_SUCCESS && !host_may(mem, flags))
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
