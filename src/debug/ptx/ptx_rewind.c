#include "debug/ptx/ptx_rewind.h"

#include <stdlib.h>
#include <string.h>

#include "device/gpu_kind.h"

enum { PAGE = 4096 };

static bool is_blank(const uint8_t *bytes, size_t size)
{
  return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

/* Pages of zeros are left out: most of a heap may never have been touched. */
static void region_archive(struct sl_archive *t, const struct sl_ptx_region *r)
{
  const bool reads = sl_archive_reads(t);
  for (uint64_t at = 0; at < r->bytes; at += PAGE) {
    const size_t size = r->bytes - at < PAGE ? (size_t)(r->bytes - at) : PAGE;
    bool full = !is_blank(r->data + at, size);
    const bool was = full;
    sl_archive_bool(t, &full);
    if (full)
      sl_archive_bytes(t, r->data + at, size);
    else if (reads && was)
      memset(r->data + at, 0, size);
  }
}

static void walk(const struct sl_ptx_rewind *r, const struct sl_ptx_under_way *launch, struct sl_archive *t)
{
  const struct sl_ptx_memory *m = sl_gpu_ptx_memory(r->gpu);
  region_archive(t, &m->heap);
  region_archive(t, &m->statics);
  r->beside(r->context, t);
  if (launch != NULL)
    launch->archive(launch->launch, t);
}

size_t sl_ptx_rewind_size(const struct sl_ptx_rewind *r, const struct sl_ptx_under_way *launch)
{
  struct sl_archive t = {.to = NULL};
  walk(r, launch, &t);
  return t.at;
}

enum sl_status sl_ptx_rewind_save(const struct sl_ptx_rewind *r, const struct sl_ptx_under_way *launch, void **bytes,
                                  size_t *size, struct sl_error *err)
{
  *size = sl_ptx_rewind_size(r, launch);
  *bytes = malloc(*size + 1);
  if (*bytes == NULL)
    return sl_no_memory(err, *size);
  walk(r, launch, &(struct sl_archive){.to = *bytes});
  return SL_OK;
}

enum sl_status sl_ptx_rewind_restore(struct sl_ptx_rewind *r, const void *bytes, size_t size, struct sl_error *err)
{
  r->archive = (struct sl_archive){.from = bytes, .size = size, .trusted = true};
  sl_gpu_ptx_rewind(r->gpu, r->cycles);
  walk(r, NULL, &r->archive);
  if (r->archive.no_memory)
    return sl_no_memory(err, size);
  if (r->archive.bad)
    return sl_fail(err, SL_INTERNAL, "a checkpoint in memory is damaged");
  sl_gpu_ptx_resume_from(r->gpu, r->archive.at < size ? &r->archive : NULL);
  return SL_OK;
}
