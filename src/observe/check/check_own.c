/* The threads' own memory: stacks, and local memory in PTX. Nobody else accesses it, so that only reads before the
 * first write are wrong. A block's threads begin with nothing written. */
#include <string.h>

#include "isa/lanes.h"
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
static struct sl_check_own_page *page_of(struct sl_check *check, uint64_t threads, uint32_t begin, uint64_t address)
{
  struct sl_check_shadow *s = &check->shadow;
  const uint64_t number = threads << 32 | (uint32_t)address / SL_CHECK_OWN_PAGE;
  struct sl_check_own_page **recent = &s->own_recent[(number ^ number >> 38) % SL_CHECK_RECENT]; /* above: the warp */
  struct sl_check_own_page *page = *recent;
  s->own.bytes = sizeof *page;
  if (page == NULL || page->number != number)
    page = *recent = sl_check_page_of(check, &s->own, number);
  if (page != NULL && page->begin != begin) {
    memset(page->written, 0, sizeof page->written);
    page->begin = begin;
  }
  return page;
}

/* An aligned word, the usual case of `touch`. */
static sl_lanes touch_word(struct sl_check_own_page *page, uint64_t address, sl_lanes lanes, bool stores)
{
  sl_lanes *of = &page->written[address % SL_CHECK_OWN_PAGE];
  const sl_lanes written = (of[0] | of[1] | of[2] | of[3]) & lanes;
  for (unsigned i = 0; i < 4 && stores; i++)
    of[i] |= lanes;
  return stores ? lanes : written;
}

/* An access of lanes at one address of theirs. Returns the lanes that have written any of its bytes, or of the aligned
 * 8 bytes around one of less than a word: a value whose bytes are partly written may be a structure with gaps, which is
 * copied as a whole. */
static sl_lanes touch(struct sl_check *check, const struct sl_check_access *a, uint64_t threads, uint32_t begin,
                      uint64_t address, sl_lanes lanes)
{
  sl_lanes written = a->stores ? lanes : 0;
  struct sl_check_own_page *page = page_of(check, threads, begin, address);
  if (page != NULL && a->width == 4 && address % 4 == 0)
    return touch_word(page, address, lanes, a->stores);
  for (unsigned i = 0; i < a->width; i++, address++) {
    if (i > 0 && address % SL_CHECK_OWN_PAGE == 0)
      page = page_of(check, threads, begin, address);
    if (page == NULL)
      return lanes;
    sl_lanes *of = &page->written[address % SL_CHECK_OWN_PAGE];
    written |= *of & lanes;
    if (a->stores)
      *of |= lanes;
  }
  for (unsigned i = 0; i < 8 && page != NULL && a->width < 4; i++)
    written |= page->written[((address - 1) / 8 * 8 + i) % SL_CHECK_OWN_PAGE] & lanes;
  return written;
}

static void report(struct sl_check *check, const struct sl_check_access *a, unsigned lane)
{
  sl_check_defect(check, "uninitialised read", a, lane, a->address[lane], a->width, "which the thread has not written");
}

static bool is_one_address(const struct sl_check_access *a)
{
  const uint64_t address = a->address[sl_lowest(a->active)];
  sl_lanes rest = a->active;
  if (a->range != NULL)
    return a->range->low == a->range->high;
  while (rest != 0 && a->address[sl_lowest(rest)] == address)
    rest &= rest - 1;
  return rest == 0;
}

void sl_check_own(struct sl_check *check, const struct sl_check_access *a)
{
  if (check->options.no_uninitialised)
    return;
  const uint64_t threads = first_thread(check, a->block) + a->warp * SL_MAX_LANES;
  const bool one = is_one_address(a);
  for (sl_lanes rest = a->active, same; rest != 0; rest &= ~same) {
    same = one ? rest : rest & (0 - rest);
    const uint64_t address = a->address[sl_lowest(rest)];
    for (sl_lanes bad = same & ~touch(check, a, threads, a->block->begin, address, same); bad != 0; bad &= bad - 1)
      report(check, a, sl_lowest(bad));
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
    if (touch(check, a, 0, is_first ? 1 : check->launched, address, 1) == 0 && owner == thread && !is_first)
      report(check, a, l);
  }
}
