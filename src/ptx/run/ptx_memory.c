#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "ptx/run/ptx_memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 256 };
#define HEAP_MOST (UINT64_C(32) << 30)
#define STATICS_MOST (SL_PTX_CONST_WINDOW - SL_PTX_STATIC_BASE)
#define CONSTANTS_MOST SL_PTX_WINDOW_BYTES
#define RESERVE_LEAST (UINT64_C(1) << 20)

static uint64_t rounded(uint64_t bytes)
{
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Reserves addresses for `most` bytes, or for as many as the host allows. */
static bool reserve(struct sl_ptx_region *r, uint64_t most)
{
  for (uint64_t room = most; room >= RESERVE_LEAST; room /= 2) {
    void *data = room > SIZE_MAX ? MAP_FAILED
                                 : mmap(NULL, (size_t)room, PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED)
      continue;
    madvise(data, (size_t)room, MADV_HUGEPAGE); /* fewer faults when data is copied; only a hint */
    r->data = data;
    r->room = room;
    return true;
  }
  return false;
}

static enum sl_status extend(struct sl_ptx_region *r, uint64_t bytes, uint64_t most, struct sl_error *err)
{
  if (bytes <= r->bytes)
    return SL_OK;
  if ((r->data == NULL && !reserve(r, most)) || bytes > r->room)
    return sl_no_memory(err, bytes);
  r->bytes = bytes;
  return SL_OK;
}

static void unmap(struct sl_ptx_region *r)
{
  if (r->data != NULL)
    munmap(r->data, (size_t)r->room);
}

enum sl_status sl_ptx_memory_init(struct sl_ptx_memory *m, const struct sl_ptx_module *module, struct sl_error *err)
{
  *m = (struct sl_ptx_memory){.heap = {.base = SL_PTX_HEAP_BASE}, .statics = {.base = SL_PTX_STATIC_BASE}};
  sl_allocator_init(&m->buffers, SL_PTX_HEAP_BASE, SL_PTX_HEAP_BASE + HEAP_MOST);
  m->buffers.ascending = true;
  return module != NULL ? sl_ptx_memory_add(m, module, err) : SL_OK;
}

void sl_ptx_memory_free(struct sl_ptx_memory *m)
{
  unmap(&m->heap);
  unmap(&m->statics);
  unmap(&m->constants);
  sl_allocator_free(&m->buffers);
  free(m->textures);
  free(m->variables);
  *m = (struct sl_ptx_memory){0};
}

struct sl_ptx_options sl_ptx_memory_options(const struct sl_ptx_memory *m, bool unfused)
{
  return (struct sl_ptx_options){
      .unfused = unfused, .globals = rounded(m->statics.bytes), .constants = rounded(m->constants.bytes)};
}

static enum sl_status put_image(struct sl_ptx_region *r, uint64_t at, const uint8_t *image, uint64_t bytes,
                                uint64_t most, const struct sl_ptx_module *module, struct sl_error *err)
{
  if (bytes == 0)
    return SL_OK;
  if (at > most || bytes > most - at)
    return sl_fail(err, SL_USAGE,
                   "%.200s: no room for its %llu bytes of variables: the modules have more than %llu MiB", module->path,
                   (unsigned long long)bytes, (unsigned long long)(most >> 20));
  const enum sl_status code = extend(r, at + bytes, most, err);
  if (code == SL_OK)
    memcpy(r->data + at, image, bytes);
  return code;
}

/* Variables of a module follow those of earlier modules. */
static enum sl_status add_variables(struct sl_ptx_memory *m, const struct sl_ptx_module *module, struct sl_error *err)
{
  const size_t most = m->variable_count + module->variable_count;
  struct sl_range *all = realloc(m->variables, (most + 1) * sizeof *all);
  if (all == NULL)
    return sl_no_memory(err, most * sizeof *all);
  m->variables = all;
  for (unsigned i = 0; i < module->variable_count; i++) {
    const struct sl_ptx_variable *v = &module->variables[i];
    if (v->space != SL_PTX_CONST)
      all[m->variable_count++] = (struct sl_range){v->address, v->address + v->bytes, false};
  }
  return SL_OK;
}

enum sl_status sl_ptx_memory_add(struct sl_ptx_memory *m, const struct sl_ptx_module *module, struct sl_error *err)
{
  const struct sl_ptx_options *o = &module->options;
  enum sl_status code = add_variables(m, module, err);
  if (code != SL_OK)
    return code;
  code = put_image(&m->statics, o->globals, module->global_image, module->global_bytes, STATICS_MOST, module, err);
  return code != SL_OK ? code
                       : put_image(&m->constants, o->constants, module->const_image, module->const_bytes,
                                   CONSTANTS_MOST, module, err);
}

/* The heap holds a buffer that has got its address, or the buffer is given back. */
static enum sl_status hold(struct sl_ptx_memory *m, uint64_t address, uint64_t bytes, struct sl_error *err)
{
  const enum sl_status code = extend(&m->heap, rounded(address + bytes - m->heap.base), HEAP_MOST, err);
  if (code != SL_OK)
    sl_allocator_give_back(&m->buffers, address, &bytes, &(struct sl_error){0});
  return code;
}

enum sl_status sl_ptx_memory_allocate(struct sl_ptx_memory *m, uint64_t bytes, uint64_t *address, struct sl_error *err)
{
  *address = m->heap.base + m->heap.bytes;
  if (bytes == 0)
    return SL_OK;
  const enum sl_status code = sl_allocator_take(&m->buffers, bytes, address, err);
  return code == SL_OK ? hold(m, *address, bytes, err) : code;
}

enum sl_status sl_ptx_memory_place(struct sl_ptx_memory *m, uint64_t address, uint64_t bytes, struct sl_error *err)
{
  const enum sl_status code = sl_allocator_place(&m->buffers, address, bytes, err);
  return code == SL_OK ? hold(m, address, bytes, err) : code;
}

/* Zeroes bytes. Whole pages are given back to the host. */
static void forget(struct sl_ptx_region *r, uint64_t offset, uint64_t bytes)
{
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  const uint64_t first = (offset + page - 1) / page * page, end = (offset + bytes) / page * page;
  if (first >= end) {
    memset(r->data + offset, 0, bytes);
    return;
  }
  memset(r->data + offset, 0, first - offset);
  memset(r->data + end, 0, offset + bytes - end);
  if (madvise(r->data + first, end - first, MADV_DONTNEED) != 0)
    memset(r->data + first, 0, end - first);
}

enum sl_status sl_ptx_memory_release(struct sl_ptx_memory *m, uint64_t address, struct sl_error *err)
{
  uint64_t bytes;
  const enum sl_status code = sl_allocator_give_back(&m->buffers, address, &bytes, err);
  if (code == SL_OK)
    forget(&m->heap, address - m->heap.base, bytes);
  return code;
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

const uint8_t *sl_ptx_memory_generic(const struct sl_ptx_memory *m, uint64_t address, uint64_t bytes)
{
  const uint64_t constant = address - SL_PTX_CONST_WINDOW;
  const bool inside = constant < m->constants.bytes && bytes <= m->constants.bytes - constant;
  return inside ? m->constants.data + constant : sl_ptx_memory_at(m, address, bytes);
}

static bool in_variable(const struct sl_ptx_memory *m, uint64_t address, uint64_t bytes)
{
  for (size_t i = 0; i < m->variable_count; i++)
    if (address >= m->variables[i].first && address < m->variables[i].end)
      return bytes <= m->variables[i].end - address;
  return false;
}

/* Whether all lanes of a warp access one buffer. */
static bool in_one_buffer(const struct sl_ptx_memory *m, const uint64_t *address, uint64_t bytes)
{
  uint64_t low = address[0], high = address[0];
  for (unsigned l = 1; l < SL_PTX_LANES; l++) {
    low = address[l] < low ? address[l] : low;
    high = address[l] > high ? address[l] : high;
  }
  const struct sl_range *range = sl_allocator_buffer(&m->buffers, low);
  return range != NULL && high < range->end && bytes <= range->end - high;
}

uint32_t sl_ptx_memory_strays(const struct sl_ptx_memory *m, const uint64_t *address, uint32_t lanes, uint64_t bytes)
{
  uint32_t strays = 0;
  const struct sl_range *range = NULL; /* of the lane before */
  if (lanes == UINT32_MAX && in_one_buffer(m, address, bytes))
    return 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const unsigned l = (unsigned)__builtin_ctz(lanes);
    if (range == NULL || address[l] < range->first || address[l] >= range->end)
      range = sl_allocator_buffer(&m->buffers, address[l]);
    if (range != NULL ? bytes > range->end - address[l] : !in_variable(m, address[l], bytes))
      strays |= UINT32_C(1) << l;
  }
  return strays;
}

static struct sl_ptx_texture *texture_of(const struct sl_ptx_memory *m, uint64_t variable)
{
  for (unsigned i = 0; i < m->texture_count; i++)
    if (m->textures[i].variable == variable)
      return &m->textures[i];
  return NULL;
}

const struct sl_ptx_texture *sl_ptx_memory_texture(const struct sl_ptx_memory *m, uint64_t handle)
{
  if (handle >= SL_PTX_STATIC_BASE)
    return texture_of(m, handle);
  return handle > 0 && handle <= m->texture_count ? &m->textures[handle - 1] : NULL;
}

/* A place for a texture: a free one, or a new one at the end. */
static struct sl_ptx_texture *new_texture(struct sl_ptx_memory *m, struct sl_error *err)
{
  for (unsigned i = 0; i < m->texture_count; i++)
    if (m->textures[i].width == 0 && m->textures[i].variable == 0)
      return &m->textures[i];
  struct sl_ptx_texture *more = realloc(m->textures, (m->texture_count + 1) * sizeof *more);
  if (more == NULL) {
    sl_no_memory(err, (m->texture_count + 1) * sizeof *more);
    return NULL;
  }
  m->textures = more;
  return &more[m->texture_count++];
}

enum sl_status sl_ptx_memory_texture_create(struct sl_ptx_memory *m, const struct sl_ptx_texture *texture,
                                            uint64_t *handle, struct sl_error *err)
{
  struct sl_ptx_texture *t = new_texture(m, err);
  if (t == NULL)
    return err != NULL ? err->code : SL_INTERNAL;
  *t = *texture;
  t->variable = 0;
  *handle = (uint64_t)(t - m->textures) + 1;
  return SL_OK;
}

void sl_ptx_memory_texture_drop(struct sl_ptx_memory *m, uint64_t handle)
{
  if (handle > 0 && handle <= m->texture_count)
    m->textures[handle - 1] = (struct sl_ptx_texture){.width = 0};
}

enum sl_status sl_ptx_memory_bind(struct sl_ptx_memory *m, uint64_t variable, const struct sl_ptx_texture *texture,
                                  struct sl_error *err)
{
  struct sl_ptx_texture *t = variable != 0 ? texture_of(m, variable) : NULL;
  if (t == NULL && (t = new_texture(m, err)) == NULL)
    return err != NULL ? err->code : SL_INTERNAL;
  *t = *texture;
  t->variable = variable;
  const uint64_t handle = (uint64_t)(t - m->textures) + 1;
  uint8_t *at = sl_ptx_memory_at(m, variable, sizeof handle);
  if (at != NULL)
    memcpy(at, &handle, sizeof handle);
  return SL_OK;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

enum { PAGE = 4096 };

static bool is_blank(const uint8_t *bytes, size_t size)
{
  return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

/* Most of a heap may never have been touched. */
void sl_ptx_region_archive(struct sl_archive *t, const struct sl_ptx_region *r)
{
  for (uint64_t at = 0; at < r->bytes && !t->bad; at += PAGE) {
    const size_t size = r->bytes - at < PAGE ? (size_t)(r->bytes - at) : PAGE;
    const bool was = !is_blank(r->data + at, size);
    if (sl_archive_number(t, was, 1) != 0)
      sl_archive_bytes(t, r->data + at, size);
    else if (sl_archive_reads(t) && was)
      memset(r->data + at, 0, size);
  }
}

static void buffers_archive(struct sl_archive *t, struct sl_ptx_memory *m)
{
  const bool reads = sl_archive_reads(t);
  struct sl_allocator *a = &m->buffers;
  struct sl_error ignored;
  uint64_t heap = m->heap.bytes, next = a->next;
  SL_ARCHIVE(t, heap);
  SL_ARCHIVE(t, next);
  const uint32_t count = sl_archive_number(t, (uint32_t)a->count, UINT32_MAX);
  for (uint32_t i = 0; i < count && !t->bad; i++) {
    struct sl_range range = reads ? (struct sl_range){0} : a->ranges[i];
    SL_ARCHIVE(t, range.first);
    SL_ARCHIVE(t, range.end);
    if (!reads || !sl_archive_expect(t, range.first < range.end && range.end <= a->base + heap))
      continue;
    const enum sl_status code = sl_allocator_place(a, range.first, range.end - range.first, &ignored);
    if (sl_archive_expect(t, code != SL_USAGE))
      sl_archive_memory(t, code == SL_OK);
  }
  if (!reads || !sl_archive_expect(t, heap <= HEAP_MOST && heap == rounded(heap) && next >= a->next && next <= a->end))
    return;
  a->next = next;
  sl_archive_memory(t, extend(&m->heap, heap, HEAP_MOST, &ignored) == SL_OK);
}

void sl_ptx_memory_archive(struct sl_archive *t, struct sl_ptx_memory *m)
{
  buffers_archive(t, m);
  sl_ptx_region_archive(t, &m->heap);
  sl_ptx_region_archive(t, &m->statics);
  sl_ptx_region_archive(t, &m->constants);
}
