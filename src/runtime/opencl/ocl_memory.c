/* Memory objects: buffers and sub-buffers, what all memory objects share, and where their contents are.
 *
 * A memory object has a place on each device that has used it. Contents move to a device when a command needs them
 * there; a command that writes makes the other places stale. A sub-buffer, or an image in a buffer, shares the places
 * of its parent. */
#include "runtime/opencl/ocl.h"

#include <stdlib.h>
#include <string.h>

cl_int sl_ocl_check_mem(cl_mem mem, cl_context context)
{
  return !sl_ocl_is(mem, OCL_MEM) ? CL_INVALID_MEM_OBJECT : mem->context != context ? CL_INVALID_CONTEXT : CL_SUCCESS;
}

cl_mem sl_ocl_root(cl_mem mem, size_t *origin)
{
  *origin = 0;
  while (mem->parent != NULL) {
    *origin += mem->origin;
    mem = mem->parent;
  }
  return mem;
}

/* Whether a sub-buffer begins where the device cannot have one. */
bool sl_ocl_overlaps_misaligned(cl_mem mem, cl_device_id device)
{
  (void)device;
  return mem->parent != NULL && mem->origin % OCL_ALIGNMENT != 0;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

uint64_t sl_ocl_address(cl_mem mem, cl_device_id device)
{
  size_t origin;
  cl_mem root = sl_ocl_root(mem, &origin);
  return root->places[device->number].address + origin;
}

void sl_ocl_written(cl_mem mem, cl_device_id device)
{
  size_t origin;
  cl_mem root = sl_ocl_root(mem, &origin);
  for (unsigned i = 0; i < OCL_DEVICES; i++)
    root->places[i].valid = i == device->number;
}

/* Takes the contents from a device that has them; *bytes is NULL if none does. */
static enum sl_status fetch(cl_mem mem, uint8_t **bytes, struct sl_error *err)
{
  cl_device_id *all;
  const cl_uint count = sl_ocl_devices(&all);
  *bytes = NULL;
  for (cl_uint i = 0; i < count; i++)
    if (mem->places[i].valid) {
      *bytes = malloc(mem->size);
      if (*bytes == NULL)
        return sl_no_memory(err, mem->size);
      sl_ocl_take(all[i]);
      const enum sl_status code =
          sl_gpu_read(all[i]->host.gpu, SL_GPU_GLOBAL, mem->places[i].address, *bytes, mem->size, err);
      sl_ocl_give(all[i]);
      return code;
    }
  return SL_OK;
}

/* Allocates an image's descriptor and writes it. */
static enum sl_status describe(cl_mem image, cl_device_id device, struct sl_error *err)
{
  struct ocl_place *p = &image->places[device->number];
  struct simtlab_image image_bytes;
  enum sl_status code = SL_OK;
  if (!sl_ocl_is_image(image) || p->descriptor != 0)
    return SL_OK;
  sl_ocl_describe_image(image, device, &image_bytes, sizeof image_bytes);
  sl_ocl_take(device);
  code = sl_gpu_alloc(device->host.gpu, sizeof image_bytes, &p->descriptor, err);
  if (code == SL_OK)
    code = sl_gpu_write(device->host.gpu, SL_GPU_GLOBAL, p->descriptor, &image_bytes, sizeof image_bytes, err);
  sl_ocl_give(device);
  return code;
}

enum sl_status sl_ocl_prepare(cl_mem mem, cl_device_id device, struct sl_error *err)
{
  size_t origin;
  cl_mem root = sl_ocl_root(mem, &origin);
  struct ocl_place *p = &root->places[device->number];
  enum sl_status code = SL_OK;
  uint8_t *bytes = NULL;
  if (p->address == 0) {
    sl_ocl_take(device);
    code = sl_gpu_alloc(device->host.gpu, root->size, &p->address, err);
    sl_ocl_give(device);
  }
  if (code == SL_OK && !p->valid) {
    code = fetch(root, &bytes, err);
    if (code == SL_OK && bytes != NULL) {
      sl_ocl_take(device);
      code = sl_gpu_write(device->host.gpu, SL_GPU_GLOBAL, p->address, bytes, root->size, err);
      sl_ocl_give(device);
    }
    free(bytes);
    p->valid = code == SL_OK;
  }
  return code == SL_OK ? describe(mem, device, err) : code;
}

static void free_places(cl_mem mem)
{
  cl_device_id *all;
  const cl_uint count = sl_ocl_devices(&all);
  for (cl_uint i = 0; i < count; i++) {
    const struct ocl_place *p = &mem->places[i];
    if (!all[i]->opened || (p->address == 0 && p->descriptor == 0))
      continue;
    sl_ocl_take(all[i]);
    if (p->address != 0)
      sl_gpu_release(all[i]->host.gpu, p->address, NULL);
    if (p->descriptor != 0)
      sl_gpu_release(all[i]->host.gpu, p->descriptor, NULL);
    sl_ocl_give(all[i]);
  }
}

/* Mapped memory of the root; NULL: no host memory. */
void *sl_ocl_shadow(cl_mem mem)
{
  size_t origin;
  cl_mem root = sl_ocl_root(mem, &origin);
  if (mem->host != NULL && root == mem)
    return mem->host;
  if (root->host != NULL)
    return (char *)root->host + origin;
  const size_t bytes = sl_ocl_is_image(root) ? root->host_slice * root->extent[2] : root->size;
  if (root->shadow == NULL && posix_memalign(&root->shadow, 4096, bytes + 1) != 0)
    root->shadow = NULL;
  return root->shadow != NULL ? (char *)root->shadow + origin : NULL;
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

cl_int sl_ocl_check_flags(cl_mem_flags flags, const void *host)
{
  const cl_mem_flags access = flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY);
  const cl_mem_flags hosts = flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS);
  const cl_mem_flags memory = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
  if ((flags & ~(access | hosts | memory)) != 0 || (access & (access - 1)) != 0 || (hosts & (hosts - 1)) != 0)
    return CL_INVALID_VALUE;
  if ((flags & CL_MEM_USE_HOST_PTR) != 0 && (flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0)
    return CL_INVALID_VALUE;
  const bool wants_host = (flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)) != 0;
  return wants_host == (host != NULL) ? CL_SUCCESS : CL_INVALID_HOST_PTR;
}

cl_mem sl_ocl_new_mem(cl_context context, cl_mem_object_type type, cl_mem_flags flags, size_t size, void *host,
                      cl_int *error)
{
  cl_mem m = sl_ocl_new(sizeof *m, OCL_MEM);
  if (m == NULL) {
    *error = CL_OUT_OF_HOST_MEMORY;
    return NULL;
  }
  m->context = context;
  context->object.references++;
  m->type = type;
  m->flags = flags;
  if ((flags & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)) == 0)
    m->flags |= CL_MEM_READ_WRITE;
  m->size = size;
  m->host = (flags & CL_MEM_USE_HOST_PTR) != 0 ? host : NULL;
  return m;
}

static cl_ulong largest(cl_context context)
{
  cl_ulong most = 0;
  for (cl_uint i = 0; i < context->device_count; i++)
    if (context->devices[i]->host.facts.memory_bytes / 4 > most)
      most = context->devices[i]->host.facts.memory_bytes / 4;
  return most;
}

static cl_mem create(cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *error)
{
  struct sl_error err = {.text = ""};
  *error = sl_ocl_is(context, OCL_CONTEXT) ? CL_SUCCESS : CL_INVALID_CONTEXT;
  if (*error == CL_SUCCESS) {
    *error = sl_ocl_check_flags(flags, host);
    if (*error != CL_INVALID_VALUE && (size == 0 || size > largest(context)))
      *error = CL_INVALID_BUFFER_SIZE;
  }
  cl_mem m = *error == CL_SUCCESS ? sl_ocl_new_mem(context, CL_MEM_OBJECT_BUFFER, flags, size, host, error) : NULL;
  if (m == NULL)
    return NULL;
  cl_device_id device = context->devices[0];
  enum sl_status code = sl_ocl_prepare(m, device, &err);
  if (code == SL_OK && host != NULL) {
    sl_ocl_take(device);
    code = sl_gpu_write(device->host.gpu, SL_GPU_GLOBAL, m->places[device->number].address, host, size, &err);
    sl_ocl_give(device);
  }
  if (code == SL_OK)
    return m;
  sl_ocl_notify(context, err.text);
  sl_ocl_release_mem(m);
  *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return NULL;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                                               cl_int *error)
{
  OCL_MAKE(cl_mem, create(context, flags, size, host, &made));
}

/* The flags of a sub-buffer: its own, or those of its parent. False: they contradict the parent's. */
static bool inherit(cl_mem_flags *flags, cl_mem_flags parent)
{
  const cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
  const cl_mem_flags hosts = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
  const cl_mem_flags memory = CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
  const cl_mem_flags own = *flags & access, host = *flags & hosts;
  if ((*flags & memory) != 0 || (own & (own - 1)) != 0 || (host & (host - 1)) != 0 || (*flags & ~(access | hosts)) != 0)
    return false;
  if ((parent & CL_MEM_WRITE_ONLY) != 0 && (own & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)) != 0)
    return false;
  if ((parent & CL_MEM_READ_ONLY) != 0 && (own & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)) != 0)
    return false;
  if ((parent & CL_MEM_HOST_WRITE_ONLY) != 0 && (host & CL_MEM_HOST_READ_ONLY) != 0)
    return false;
  if ((parent & CL_MEM_HOST_READ_ONLY) != 0 && (host & CL_MEM_HOST_WRITE_ONLY) != 0)
    return false;
  if ((parent & CL_MEM_HOST_NO_ACCESS) != 0 && (host & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)) != 0)
    return false;
  *flags |= (own == 0 ? parent & access : 0) | (host == 0 ? parent & hosts : 0) | (parent & memory);
  return true;
}

static cl_mem create_sub(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type, const void *how, cl_int *error)
{
  const cl_buffer_region *r = how;
  if (!sl_ocl_is(parent, OCL_MEM) || parent->type != CL_MEM_OBJECT_BUFFER || parent->parent != NULL) {
    *error = CL_INVALID_MEM_OBJECT;
    return NULL;
  }
  *error = !inherit(&flags, parent->flags) || type != CL_BUFFER_CREATE_TYPE_REGION || r == NULL ? CL_INVALID_VALUE
           : r->size == 0                                                                       ? CL_INVALID_BUFFER_SIZE
           : r->origin > parent->size || r->size > parent->size - r->origin                     ? CL_INVALID_VALUE
           : r->origin % OCL_ALIGNMENT != 0 ? CL_MISALIGNED_SUB_BUFFER_OFFSET
                                            : CL_SUCCESS;
  cl_mem m = *error == CL_SUCCESS ? sl_ocl_new_mem(parent->context, CL_MEM_OBJECT_BUFFER,
                                                   flags & ~(cl_mem_flags)CL_MEM_USE_HOST_PTR, r->size, NULL, error)
                                  : NULL;
  if (m == NULL)
    return NULL;
  m->flags = flags;
  m->parent = parent;
  parent->object.references++;
  m->origin = r->origin;
  m->host = parent->host != NULL ? (char *)parent->host + r->origin : NULL;
  return m;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                                  const void *how, cl_int *error)
{
  OCL_MAKE(cl_mem, create_sub(buffer, flags, type, how, &made));
}

/* ---- references -------------------------------------------------------------------------------------------------- */

struct destruction {
  cl_mem mem; /* an address, for the callback */
  struct ocl_destructor *destructors;
  void *shadow;
};

/* Calls the callbacks, the last one first, then frees the memory that they may use. */
static void destroy(void *user)
{
  struct destruction *d = user;
  while (d->destructors != NULL) {
    struct ocl_destructor *next = d->destructors->next;
    d->destructors->function(d->mem, d->destructors->user);
    free(d->destructors);
    d->destructors = next;
  }
  free(d->shadow);
  free(d->mem);
  free(d);
}

void sl_ocl_release_mem(cl_mem m)
{
  if (m == NULL || --m->object.references > 0)
    return;
  struct destruction *d = malloc(sizeof *d);
  free_places(m);
  while (m->mappings != NULL) {
    struct ocl_mapping *mapping = m->mappings;
    m->mappings = mapping->next;
    free(mapping);
  }
  sl_ocl_release_mem(m->parent);
  sl_ocl_release_context(m->context);
  if (d == NULL)
    return;
  *d = (struct destruction){m, m->destructors, m->shadow};
  sl_ocl_later(destroy, d);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainMemObject(cl_mem mem)
{
  OCL_CALL(sl_ocl_is(mem, OCL_MEM) ? (mem->object.references++, CL_SUCCESS) : CL_INVALID_MEM_OBJECT);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem mem)
{
  OCL_CALL(sl_ocl_is(mem, OCL_MEM) ? (sl_ocl_release_mem(mem), CL_SUCCESS) : CL_INVALID_MEM_OBJECT);
}

static cl_int set_destructor(cl_mem m, void(CL_CALLBACK *function)(cl_mem, void *), void *user)
{
  if (!sl_ocl_is(m, OCL_MEM))
    return CL_INVALID_MEM_OBJECT;
  if (function == NULL)
    return CL_INVALID_VALUE;
  struct ocl_destructor *d = malloc(sizeof *d);
  if (d == NULL)
    return CL_OUT_OF_HOST_MEMORY;
  *d = (struct ocl_destructor){m->destructors, function, user};
  m->destructors = d;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem mem,
                                                                 void(CL_CALLBACK *function)(cl_mem, void *),
                                                                 void *user)
{
  OCL_CALL(set_destructor(mem, function, user));
}

static cl_int info(cl_mem m, cl_mem_info what, size_t room, void *value, size_t *needed)
{
  if (!sl_ocl_is(m, OCL_MEM))
    return CL_INVALID_MEM_OBJECT;
  switch (what) {
  case CL_MEM_TYPE: OCL_ANSWER(cl_mem_object_type, m->type);
  case CL_MEM_FLAGS: OCL_ANSWER(cl_mem_flags, m->flags);
  case CL_MEM_SIZE: OCL_ANSWER(size_t, m->size);
  case CL_MEM_HOST_PTR: OCL_ANSWER(void *, m->host);
  case CL_MEM_MAP_COUNT: OCL_ANSWER(cl_uint, (cl_uint)m->map_count);
  case CL_MEM_REFERENCE_COUNT: OCL_ANSWER(cl_uint, m->object.references);
  case CL_MEM_CONTEXT: OCL_ANSWER(cl_context, m->context);
  case CL_MEM_ASSOCIATED_MEMOBJECT: OCL_ANSWER(cl_mem, m->parent);
  case CL_MEM_OFFSET: OCL_ANSWER(size_t, m->origin);
  default: return CL_INVALID_VALUE;
  }
}

CL_API_ENTRY cl_int CL_API_CALL clGetMemObjectInfo(cl_mem mem, cl_mem_info what, size_t room, void *value,
                                                   size_t *needed)
{
  OCL_CALL(info(mem, what, room, value, needed));
}
