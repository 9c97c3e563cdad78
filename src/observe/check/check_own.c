/* The threads' own memory: stacks, and local memory in PTX. Nobody else accesses it, so that only reads before the
 * first write are wrong. A block's threads begin with nothing written. */
#include <string.h>

#include "observe/check/check_state.h"

/* A number of the thread that no other running thread has. */
static uint64_t thread_of(const struct sl_check *check, const struct sl_check_access *a, unsigned lane)
{
  size_t block = 0;
  while (block < check->blocks && check->block[block] != a->block)
    block++;
  return ((uint64_t)block << SL_CHECK_THREAD_BITS) + a->warp * SL_MAX_LANES + lane;
}

static struct sl_check_own_page *page_of(struct sl_check *check, uint64_t thread, const struct sl_check_access *a,
                                         uint64_t address)
{
  struct sl_check_pages *own = &check->shadow.own;
  own->bytes = sizeof(struct sl_check_own_page);
  struct sl_check_own_page *page = sl_check_page_of(check, own, thread << 32 | (uint32_t)address / SL_CHECK_PAGE);
  if (page != NULL && page->begin != a->block->begin) {
    memset(page->written, 0, sizeof page->written);
    page->begin = a->block->begin;
  }
  return page;
}

/* A value whose bytes are partly written may be a structure with gaps, which is copied as a whole. */
void sl_check_own(struct sl_check *check, const struct sl_check_access *a)
{
  if (check->options.no_uninitialised)
    return;
  for (sl_lanes rest = a->active; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    const uint64_t thread = thread_of(check, a, l);
    bool any = a->stores;
    for (unsigned i = 0; i < a->width; i++) {
      const uint64_t address = a->address[l] + i;
      struct sl_check_own_page *page = page_of(check, thread, a, address);
      if (page == NULL)
        return;
      uint8_t *bits = &page->written[address % SL_CHECK_PAGE / 8];
      any |= (*bits >> address % 8 & 1) != 0;
      if (a->stores)
        *bits |= (uint8_t)(1u << address % 8);
    }
    if (!any)
      sl_check_defect(check, "uninitialised read", a, l, a->address[l], a->width, "which the thread has not written");
  }
}
