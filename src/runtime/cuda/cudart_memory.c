/* Memory of the CUDA runtime: device buffers, pinned and managed memory, arrays, copies, fills, and symbols. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ptx/ptx.h"
#include "runtime/cuda/cudart.h"

enum { PITCH = 512 }; /* rows of cudaMallocPitch begin at multiples of it. Source: alignment of textures of CC 7.0 */

static uint64_t address_of(const void *pointer)
{
  return (uint64_t)(uintptr_t)pointer;
}

void *sl_cudart_pointer(uint64_t address)
{
  return (void *)(uintptr_t)address;
}

bool sl_cudart_is_device(const struct cudart *r, const void *pointer, uint64_t *first, uint64_t *bytes)
{
  uint64_t a, b;
  size_t size = 1;
  const void *host;
  if (sl_gpu_buffer(r->device.gpu, address_of(pointer), &a, &b)) {
    *first = a;
    *bytes = b;
    return true;
  }
  /* A variable of a module; addresses of buffers are higher. */
  if (address_of(pointer) < SL_PTX_STATIC_BASE || address_of(pointer) >= SL_PTX_CONST_WINDOW ||
      sl_gpu_map(r->device.gpu, address_of(pointer), &host, &size, NULL) != SL_OK)
    return false;
  *first = address_of(pointer);
  *bytes = 0;
  return true;
}

bool sl_cudart_is_stale(const struct cudart *r, const void *pointer)
{
  uint64_t first, bytes;
  return address_of(pointer) >= SL_PTX_HEAP_BASE &&
         address_of(pointer) - SL_PTX_HEAP_BASE < r->device.facts.memory_bytes &&
         !sl_cudart_is_device(r, pointer, &first, &bytes);
}

struct cudart_host_range *sl_cudart_range(const struct cudart *r, const void *pointer)
{
  for (struct cudart_host_range *h = r->ranges; h != NULL; h = h->next)
    if ((const char *)pointer >= h->start && (const char *)pointer < h->start + h->bytes)
      return h;
  return NULL;
}

/* ---- allocation -------------------------------------------------------------------------------------------------- */

static cudaError_t allocate(struct cudart *r, void **pointer, size_t bytes)
{
  uint64_t address;
  if (pointer == NULL)
    return cudaErrorInvalidValue;
  *pointer = NULL;
  if (bytes == 0)
    return cudaSuccess;
  if (sl_gpu_alloc(r->device.gpu, bytes, &address, NULL) != SL_OK)
    return cudaErrorMemoryAllocation;
  sl_timeline_know(r->device.timeline, NULL); /* Source: Programming Guide, "Implicit Synchronization" */
  *pointer = sl_cudart_pointer(address);
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
  CUDART_CALL(true, allocate(r, pointer, bytes));
}

SL_CUDART_API cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
  (void)stream;
  CUDART_CALL(true, allocate(r, pointer, bytes));
}

static cudaError_t allocate_rows(struct cudart *r, void **pointer, size_t *pitch, size_t width, size_t rows)
{
  size_t bytes;
  if (pointer == NULL || pitch == NULL || width > SIZE_MAX - PITCH)
    return cudaErrorInvalidValue;
  *pitch = (width + PITCH - 1) / PITCH * PITCH;
  return __builtin_mul_overflow(*pitch, rows, &bytes) ? cudaErrorMemoryAllocation : allocate(r, pointer, bytes);
}

SL_CUDART_API cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
  CUDART_CALL(true, allocate_rows(r, pointer, pitch, width, height));
}

static cudaError_t allocate_3d(struct cudart *r, struct cudaPitchedPtr *p, struct cudaExtent extent)
{
  size_t rows;
  if (p == NULL)
    return cudaErrorInvalidValue;
  p->xsize = extent.width;
  p->ysize = extent.height;
  return __builtin_mul_overflow(extent.height, extent.depth, &rows)
             ? cudaErrorMemoryAllocation
             : allocate_rows(r, &p->ptr, &p->pitch, extent.width, rows);
}

SL_CUDART_API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched, struct cudaExtent extent)
{
  CUDART_CALL(true, allocate_3d(r, pitched, extent));
}

/* Frees a pinned or managed range. */
static cudaError_t free_range(struct cudart *r, const void *pointer, bool managed)
{
  for (struct cudart_host_range **at = &r->ranges; *at != NULL; at = &(*at)->next) {
    struct cudart_host_range *h = *at;
    if (h->start != (const char *)pointer || h->registered || h->managed != managed)
      continue;
    if (h->managed)
      sl_gpu_release(r->device.gpu, h->buffer, NULL);
    *at = h->next;
    munmap(h->start, h->bytes);
    free(h);
    return cudaSuccess;
  }
  return cudaErrorInvalidValue;
}

static cudaError_t release(struct cudart *r, void *pointer)
{
  sl_timeline_know(r->device.timeline, NULL); /* cudaFree waits for the device */
  if (pointer == NULL || free_range(r, pointer, true) == cudaSuccess)
    return cudaSuccess;
  return sl_gpu_release(r->device.gpu, address_of(pointer), NULL) == SL_OK ? cudaSuccess : cudaErrorInvalidValue;
}

SL_CUDART_API cudaError_t cudaFree(void *pointer)
{
  CUDART_CALL(true, release(r, pointer));
}

SL_CUDART_API cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
  (void)stream;
  CUDART_CALL(true, release(r, pointer));
}

/* Pages of the host: at an address of the device, if the memory is managed, so one pointer serves both. */
static cudaError_t allocate_host(struct cudart *r, void **pointer, size_t bytes, unsigned flags, bool managed)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  struct cudart_host_range *h;
  if (pointer == NULL)
    return cudaErrorInvalidValue;
  *pointer = NULL;
  if (bytes == 0)
    return managed ? cudaErrorInvalidValue : cudaSuccess;
  if (bytes > SIZE_MAX - page || (h = calloc(1, sizeof *h)) == NULL)
    return cudaErrorMemoryAllocation;
  h->bytes = (bytes + page - 1) / page * page;
  h->flags = flags;
  h->managed = managed;
  /* The mapping begins at the first page of the buffer. */
  if (managed && sl_gpu_alloc(r->device.gpu, h->bytes + page, &h->buffer, NULL) != SL_OK) {
    free(h);
    return cudaErrorMemoryAllocation;
  }
  const uint64_t address = (h->buffer + page - 1) / page * page;
  void *start = mmap(managed ? sl_cudart_pointer(address) : NULL, h->bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (managed ? MAP_FIXED_NOREPLACE : 0), -1, 0);
  if (start == MAP_FAILED) {
    if (managed)
      sl_gpu_release(r->device.gpu, h->buffer, NULL);
    free(h);
    return cudaErrorMemoryAllocation;
  }
  h->start = start;
  h->device = address_of(start);
  h->next = r->ranges;
  r->ranges = h;
  *pointer = start;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
  CUDART_CALL(true, allocate_host(r, pointer, bytes, cudaHostAllocDefault, false));
}

/* Mapped memory is managed, so kernels can use it. */
SL_CUDART_API cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
  CUDART_CALL(true, allocate_host(r, pointer, bytes, flags, (flags & cudaHostAllocMapped) != 0 && bytes > 0));
}

SL_CUDART_API cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned flags)
{
  CUDART_CALL(true, allocate_host(r, pointer, bytes, flags, true));
}

static cudaError_t free_host(struct cudart *r, const void *pointer)
{
  if (pointer == NULL || free_range(r, pointer, false) == cudaSuccess)
    return cudaSuccess;
  return free_range(r, pointer, true);
}

SL_CUDART_API cudaError_t cudaFreeHost(void *pointer)
{
  CUDART_CALL(true, free_host(r, pointer));
}

static cudaError_t register_host(struct cudart *r, void *pointer, size_t bytes, unsigned flags)
{
  struct cudart_host_range *h = NULL;
  if (pointer == NULL || bytes == 0 || bytes > UINTPTR_MAX - (uintptr_t)pointer)
    return cudaErrorInvalidValue;
  if (sl_cudart_range(r, pointer) != NULL)
    return cudaErrorHostMemoryAlreadyRegistered;
  h = calloc(1, sizeof *h);
  if (h == NULL)
    return cudaErrorMemoryAllocation;
  *h = (struct cudart_host_range){
      .next = r->ranges, .start = pointer, .bytes = bytes, .flags = flags, .registered = true};
  r->ranges = h;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags)
{
  CUDART_CALL(true, register_host(r, pointer, bytes, flags));
}

static cudaError_t unregister_host(struct cudart *r, const void *pointer)
{
  for (struct cudart_host_range **at = &r->ranges; *at != NULL; at = &(*at)->next)
    if ((*at)->start == (const char *)pointer && (*at)->registered && !(*at)->managed) {
      struct cudart_host_range *h = *at;
      *at = h->next;
      free(h);
      return cudaSuccess;
    }
  return cudaErrorHostMemoryNotRegistered;
}

SL_CUDART_API cudaError_t cudaHostUnregister(void *pointer)
{
  CUDART_CALL(true, unregister_host(r, pointer));
}

static cudaError_t device_pointer(const struct cudart *r, void **device, void *host)
{
  const struct cudart_host_range *h = sl_cudart_range(r, host);
  if (device == NULL || h == NULL)
    return cudaErrorInvalidValue;
  *device = host;
  return h->managed ? cudaSuccess : cudaErrorNotSupported;
}

SL_CUDART_API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
  (void)flags;
  CUDART_CALL(true, device_pointer(r, device, host));
}

static cudaError_t host_flags(const struct cudart *r, unsigned *flags, const void *host)
{
  const struct cudart_host_range *h = sl_cudart_range(r, host);
  if (flags == NULL || h == NULL)
    return cudaErrorInvalidValue;
  *flags = h->flags;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
  CUDART_CALL(true, host_flags(r, flags, host));
}

void sl_cudart_to_device(struct cudart *r)
{
  for (const struct cudart_host_range *h = r->ranges; h != NULL; h = h->next)
    if (h->managed)
      sl_gpu_write(r->device.gpu, SL_GPU_GLOBAL, h->device, h->start, h->bytes, NULL);
}

void sl_cudart_from_device(struct cudart *r)
{
  for (const struct cudart_host_range *h = r->ranges; h != NULL; h = h->next)
    if (h->managed)
      sl_gpu_read(r->device.gpu, SL_GPU_GLOBAL, h->device, h->start, h->bytes, NULL);
}

void sl_cudart_free_memory(struct cudart *r)
{
  while (r->ranges != NULL) {
    struct cudart_host_range *h = r->ranges;
    r->ranges = h->next;
    if (!h->registered)
      munmap(h->start, h->bytes);
    free(h);
  }
  while (r->arrays != NULL) {
    struct cudaArray *a = r->arrays;
    r->arrays = a->next;
    free(a);
  }
}

static cudaError_t memory_info(const struct cudart *r, size_t *available, size_t *total)
{
  uint64_t used = 0;
  if (available == NULL || total == NULL)
    return cudaErrorInvalidValue;
  used = sl_gpu_allocated(r->device.gpu);
  *total = r->device.facts.memory_bytes;
  *available = r->device.facts.memory_bytes - used;
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
  CUDART_CALL(true, memory_info(r, available, total));
}

static cudaError_t pointer_attributes(const struct cudart *r, struct cudaPointerAttributes *a, const void *pointer)
{
  uint64_t first, bytes;
  const struct cudart_host_range *h = sl_cudart_range(r, pointer);
  if (a == NULL)
    return cudaErrorInvalidValue;
  *a = (struct cudaPointerAttributes){.device = 0};
  if (h != NULL) {
    a->type = h->managed ? cudaMemoryTypeManaged : cudaMemoryTypeHost;
    a->memoryType = cudaMemoryTypeHost;
    a->isManaged = h->managed;
    a->hostPointer = sl_cudart_pointer(address_of(pointer));
    a->devicePointer = h->managed ? a->hostPointer : NULL;
    return cudaSuccess;
  }
  if (!sl_cudart_is_device(r, pointer, &first, &bytes))
    return cudaErrorInvalidValue; /* as versions before 11 say of memory that they do not know */
  a->type = a->memoryType = cudaMemoryTypeDevice;
  a->devicePointer = sl_cudart_pointer(address_of(pointer));
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
  CUDART_CALL(true, pointer_attributes(r, attributes, pointer));
}

SL_CUDART_API cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream)
{
  (void)bytes, (void)device, (void)stream;
  CUDART_CALL(true, sl_cudart_range(r, pointer) != NULL ? cudaSuccess : cudaErrorInvalidValue);
}

SL_CUDART_API cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device)
{
  (void)bytes, (void)advice, (void)device;
  CUDART_CALL(true, sl_cudart_range(r, pointer) != NULL ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- symbols ----------------------------------------------------------------------------------------------------- */

/* Constants have a generic address, too. */
static cudaError_t symbol_address(struct cudart *r, void **pointer, const void *symbol)
{
  struct cudart_variable *v;
  struct sl_gpu_symbol place;
  const cudaError_t error = pointer != NULL ? sl_cudart_symbol(r, symbol, &v, &place) : cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  if (v->kind == CUDART_MANAGED) {
    *pointer = (void *)(uintptr_t)v->shadow; /* for the host; a launch passes the variable's address */
    return cudaSuccess;
  }
  *pointer = (void *)(uintptr_t)(place.address + (place.space == SL_GPU_CONSTANT ? SL_PTX_CONST_WINDOW : 0));
  return cudaSuccess;
}

SL_CUDART_API cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
  CUDART_CALL(true, symbol_address(r, pointer, symbol));
}

static cudaError_t symbol_size(struct cudart *r, size_t *size, const void *symbol)
{
  struct cudart_variable *v;
  struct sl_gpu_symbol place;
  const cudaError_t error = size != NULL ? sl_cudart_symbol(r, symbol, &v, &place) : cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *size = place.bytes;
  return error;
}

SL_CUDART_API cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
  CUDART_CALL(true, symbol_size(r, size, symbol));
}

/* ---- managed variables ------------------------------------------------------------------------------------------- */

/* Clang has no managed variables for CUDA: a __managed__ variable is a device variable whose
 * host shadow is in a section of the program (simtlab/managed.h), and the shadow is its memory on the host. Shadow and
 * variable have different addresses, so a kernel's parameter that points into a shadow is passed on as the address of
 * the variable. */

/* A section with shadows, of the program or of a shared library. */
struct section {
  const char *start, *end;
};
enum { SECTIONS = 64 };

struct cudart_sections {
  struct section section[SECTIONS];
  unsigned count;
};
static struct cudart_sections the_sections; /* the constructors of the process write it */

SL_CUDART_API void __cudaRegisterManagedSection(const char *start, const char *end)
{
  struct cudart_sections *s = &the_sections;
  for (unsigned i = 0; i < s->count; i++)
    if (s->section[i].start == start)
      return;
  if (s->count == SECTIONS)
    sl_cudart_say("more than %d shared libraries have managed variables; those of the others are not managed",
                  SECTIONS);
  else
    s->section[s->count++] = (struct section){start, end};
}

bool sl_cudart_is_shadow(const void *pointer)
{
  const char *at = pointer;
  for (unsigned i = 0; i < the_sections.count; i++)
    if (at >= the_sections.section[i].start && at < the_sections.section[i].end)
      return true;
  return false;
}

/* The initial value of a variable. An address in it is not known before the device has its memory. */
static void copy_initial(const struct sl_ptx_module *module, const struct cudart_variable *v)
{
  for (unsigned i = 0; i < module->variable_count; i++) {
    const struct sl_ptx_variable *p = &module->variables[i];
    if (p->space == SL_PTX_GLOBAL && strcmp(p->name, v->name) == 0 && module->global_image != NULL)
      memcpy((void *)(uintptr_t)v->shadow, module->global_image + (p->address - SL_PTX_STATIC_BASE),
             v->bytes < p->bytes ? v->bytes : p->bytes);
  }
}

void sl_cudart_init_shadows(const struct cudart *r, const struct cudart_module *m)
{
  const struct sl_ptx_options options = {.globals = 0};
  struct sl_ptx_module *parsed = NULL;
  bool any = false;
  for (const struct cudart_variable *v = r->variables; v != NULL && !any; v = v->next)
    any = v->module == m && v->kind == CUDART_MANAGED;
  if (!any || sl_ptx_parse(&parsed, m->text, strnlen(m->text, m->bytes), "a module", &options, NULL) != SL_OK)
    return; /* loading the module says what is wrong with it */
  for (const struct cudart_variable *v = r->variables; v != NULL; v = v->next)
    if (v->module == m && v->kind == CUDART_MANAGED)
      copy_initial(parsed, v);
  sl_ptx_free(parsed);
}

cudaError_t sl_cudart_manage(struct cudart *r, const struct cudart_module *m)
{
  struct sl_gpu_symbol place;
  for (const struct cudart_variable *v = r->variables; v != NULL; v = v->next) {
    if (v->module != m || v->kind != CUDART_MANAGED || !sl_gpu_symbol(m->loaded, v->name, &place))
      continue;
    struct cudart_host_range *h = calloc(1, sizeof *h);
    if (h == NULL)
      return cudaErrorMemoryAllocation;
    *h = (struct cudart_host_range){.next = r->ranges,
                                    .start = (char *)(uintptr_t)v->shadow,
                                    .bytes = v->bytes,
                                    .device = place.address,
                                    .managed = true,
                                    .registered = true};
    r->ranges = h;
  }
  return cudaSuccess;
}

void sl_cudart_translate(const struct cudart *r, void *arguments, size_t bytes)
{
  uint64_t value;
  if (the_sections.count == 0)
    return;
  for (size_t at = 0; at + sizeof value <= bytes; at += sizeof value) {
    memcpy(&value, (char *)arguments + at, sizeof value);
    if (!sl_cudart_is_shadow(sl_cudart_pointer(value)))
      continue;
    const struct cudart_host_range *h = sl_cudart_range(r, sl_cudart_pointer(value));
    if (h != NULL) {
      value += h->device - (uint64_t)(uintptr_t)h->start;
      memcpy((char *)arguments + at, &value, sizeof value);
    }
  }
}
