#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "ptx/run/ptx_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { GRANULE = 256 };
#define HEAP_MOST (UINT64_C(32) << 30)
#define HEAP_LEAST (UINT64_C(1) << 20)

/* Reserves addresses for the whole heap, or for as much as the host allows. The host's kernel provides a page of zeros
 * when it is first touched, so an allocation takes no time and its address never changes. */
static bool reserve(struct sl_ptx_memory *m)
{
  for (uint64_t room = HEAP_MOST; room >= HEAP_LEAST; room /= 2) {
    void *data = room > SIZE_MAX ? MAP_FAILED
                                 : mmap(NULL, (size_t)room, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED)
      continue;
    m->heap.data = data;
    m->heap_room = room;
    return true;
  }
  return false;
}

static enum sl_status fill(struct sl_ptx_region *r, uint64_t base, const uint8_t *image, uint64_t bytes,
                           struct sl_error *err)
{
  *r = (struct sl_ptx_region){.base = base, .bytes = bytes, .data = malloc(bytes ? bytes : 1)};
  if (r->data == NULL)
    return sl_no_memory(err, bytes);
  if (bytes > 0)
    memcpy(r->data, image, bytes);
  return SL_OK;
}

enum sl_status sl_ptx_memory_init(struct sl_ptx_memory *m, const struct sl_ptx_module *module, struct sl_error *err)
{
  *m = (struct sl_ptx_memory){.heap = {.base = SL_PTX_HEAP_BASE}};
  enum sl_status code = fill(&m->statics, SL_PTX_STATIC_BASE, module ? module->global_image : NULL,
                             module ? module->global_bytes : 0, err);
  if (code == SL_OK)
    code = fill(&m->constants, 0, module ? module->const_image : NULL, module ? module->const_bytes : 0, err);
  return code;
}

void sl_ptx_memory_free(struct sl_ptx_memory *m)
{
  if (m->heap.data != NULL)
    munmap(m->heap.data, (size_t)m->heap_room);
  free(m->statics.data);
  free(m->constants.data);
  free(m->textures);
  *m = (struct sl_ptx_memory){0};
}

enum sl_status sl_ptx_memory_allocate(struct sl_ptx_memory *m, uint64_t bytes, uint64_t *address, struct sl_error *err)
{
  if (bytes > HEAP_MOST || m->heap.bytes + bytes > HEAP_MOST)
    return sl_fail(err, SL_USAGE,
                   "%llu more bytes, after the %llu bytes of earlier buffers, exceed 32 GiB: use smaller buffers",
                   (unsigned long long)bytes, (unsigned long long)m->heap.bytes);
  const uint64_t end = m->heap.bytes + (bytes + GRANULE - 1) / GRANULE * GRANULE;
  if ((m->heap.data == NULL && !reserve(m)) || end > m->heap_room)
    return sl_no_memory(err, end);
  *address = m->heap.base + m->heap.bytes;
  m->heap.bytes = end;
  return SL_OK;
}

static uint8_t *inside(const struct sl_ptx_region *r, uint64_t address, uint64_t bytes)
{
  const uint64_t offset = address - r->base;
  return offset < r->bytes && bytes <= r->bytes - offset ? r->data + offset : NULL;
}

uint8_t *sl_ptx_memory_at(const struct sl_ptx_memory *m, uint64_t address, uint64_t bytes)
{
  uint8_t *at = inside(&m->heap, address, bytes);
  return at != NULL ? at : inside(&m->statics, address, bytes);
}

enum sl_status sl_ptx_memory_bind(struct sl_ptx_memory *m, uint64_t variable, const struct sl_ptx_texture *texture,
                                  struct sl_error *err)
{
  struct sl_ptx_texture *more = realloc(m->textures, (m->texture_count + 1) * sizeof *more);
  uint8_t *at = sl_ptx_memory_at(m, variable, sizeof(uint64_t));
  if (more == NULL)
    return sl_no_memory(err, (m->texture_count + 1) * sizeof *more);
  m->textures = more;
  m->textures[m->texture_count++] = *texture;
  const uint64_t handle = m->texture_count;
  if (at != NULL)
    memcpy(at, &handle, sizeof handle);
  return SL_OK;
}
