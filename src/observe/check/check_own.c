/* The threads' own memory: stacks, and local memory in PTX. Nobody else accesses it, so that only reads before the
 * first write are wrong. A block's threads begin with nothing written. */
#include <string.h>

#include "observe/check/check_state.h"

/* A number of the block's first thread; no other running thread has it, or those that follow. */
static uint64_t first_thread(const struct sl_check *check, const struct sl_check_block *b)
{
  size_t block = 0;
  while (block < check->blocks && check->block[block] != b)
    block++;
  return (uint64_t)block << SL_CHECK_THREAD_BITS;
}

/* `begin`: what was written before this time is lost. */
static struct sl_check_own_page *page_of(struct sl_check *check, uint64_t thread, uint32_t begin, uint64_t address)
{
  struct sl_check_pages *own = &check->shadow.own;
  own->bytes = sizeof(struct sl_check_own_page);
  struct sl_check_own_page *page = sl_check_page_of(check, own, thread << 32 | (uint32_t)address / SL_CHECK_PAGE);
  if (page != NULL && page->begin != begin) {
    memset(page->written, 0, sizeof page->written);
    page->begin = begin;
  }
  return page;
}

/* A lane's access. Returns whether any of its bytes is written: a value whose bytes are partly written may be a
 * structure with gaps, which is copied as a whole. */
static bool touch(struct sl_check *check, const struct sl_check_access *a, uint64_t thread, uint32_t begin,
                  uint64_t address)
{
  bool any = a->stores;
  unsigned count;
  for (unsigned i = 0; i < a->width; i += count, address += count) {
    const unsigned at = address % 8, left = a->width - i;
    struct sl_check_own_page *page = page_of(check, thread, begin, address);
    if (page == NULL)
      return true;
    count = left < 8 - at ? left : 8 - at;
    uint8_t *bits = &page->written[address % SL_CHECK_PAGE / 8];
    const unsigned mask = (0xffu >> (8 - count)) << at;
    any |= (*bits & mask) != 0;
    if (a->stores)
      *bits |= (uint8_t)mask;
  }
  return any;
}

static void report(struct sl_check *check, const struct sl_check_access *a, unsigned lane)
{
  sl_check_defect(check, "uninitialised read", a, lane, a->address[lane], a->width, "which the thread has not written");
}

void sl_check_own(struct sl_check *check, const struct sl_check_access *a)
{
  if (check->options.no_uninitialised)
    return;
  const uint64_t thread = first_thread(check, a->block) + a->warp * SL_MAX_LANES;
  for (sl_lanes rest = a->active; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    if (!touch(check, a, thread + l, a->block->begin, a->address[l]))
      report(check, a, l);
  }
}

/* A thread may read what others have written to its stack. The first thread of a core calls the kernel from the program
 * or from the start code, whose variables are older than the launch. Source: runtime/vortex_start.S. */
void sl_check_stack(struct sl_check *check, const struct sl_check_access *a)
{
  for (sl_lanes rest = check->options.no_uninitialised ? 0 : a->active; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    const uint64_t address = a->address[l], first = check->stacks.first, end = check->stacks.end;
    if (address < first || address >= end)
      continue;
    const uint64_t owner = (end - 1 - address) / SL_CHECK_STACK, lanes = a->block->lanes;
    const uint64_t thread = ((uint64_t)a->block->core * check->stack_warps + a->warp) * lanes + l;
    const bool is_first = owner % (check->stack_warps * lanes) == 0;
    if (!touch(check, a, 0, is_first ? 1 : check->launched, address) && owner == thread && !is_first)
      report(check, a, l);
  }
}
