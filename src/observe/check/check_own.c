/* The threads' own memory: stacks, and local memory in PTX. Nobody else accesses it, so that only reads before the
 * first write are wrong. A block's threads begin with nothing written. */
#include <stdlib.h>
#include <string.h>

#include "isa/lanes.h"
#include "observe/check/check_state.h"
#include "ptx/ptx_passes.h"

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

/* Registers of PTX that no instruction on any way to here has written. Only uses that matter are defects: guards,
 * addresses, and what instructions write to memory or exchange. Compilers put undefined values together with others. */

enum { MOST_WORDS = 1 << 22 /* of the sets; a larger kernel is not examined */ };

struct definitions {
  struct sl_ptx_blocks blocks;
  uint32_t words;
  uint64_t *before; /* by block: registers that may be written */
  uint64_t *now;
};

static bool has(const uint64_t *set, uint16_t id)
{
  return id == SL_PTX_NO_REG || (set[id / 64] >> id % 64 & 1) != 0;
}

static void define(uint64_t *set, const struct sl_ptx_insn *in)
{
  for (unsigned i = 0; i < sl_ptx_dsts(in); i++)
    if (sl_ptx_dst(in, i).id != SL_PTX_NO_REG)
      set[sl_ptx_dst(in, i).id / 64] |= sl_bit(sl_ptx_dst(in, i).id % 64);
}

/* Passes what is written at the end of a block to its successors. Returns whether they change. */
static bool pass_on(struct definitions *d, uint32_t block)
{
  bool changed = false;
  memcpy(d->now, d->before + (size_t)block * d->words, d->words * sizeof *d->now);
  for (uint32_t pc = d->blocks.first[block]; pc < d->blocks.first[block + 1]; pc++)
    define(d->now, &d->blocks.code[pc]);
  for (unsigned i = 0; i < 2; i++) {
    const uint32_t node = d->blocks.next[block + 1][i];
    for (uint32_t w = 0; node != 0 && w < d->words; w++) {
      uint64_t *to = &d->before[(size_t)(node - 1) * d->words + w];
      changed |= (d->now[w] & ~*to) != 0;
      *to |= d->now[w];
    }
  }
  return changed;
}

static bool uses_unwritten(const uint64_t *written, const struct sl_ptx_insn *in)
{
  const bool matters = in->kind == SL_PTX_K_STORE || in->kind == SL_PTX_K_ATOMIC;
  bool unwritten = !has(written, in->guard.id) || !has(written, in->address.id);
  for (unsigned i = 0; matters && i < sl_ptx_srcs(in); i++)
    unwritten |= !has(written, sl_ptx_src(in, i).id);
  return unwritten;
}

/* Marks the instructions that use such a register. */
static void mark(struct sl_check *check, struct definitions *d)
{
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t b = 0; b < d->blocks.blocks; b++)
      changed |= pass_on(d, b);
  }
  for (uint32_t b = 0; b < d->blocks.blocks; b++) {
    memcpy(d->now, d->before + (size_t)b * d->words, d->words * sizeof *d->now);
    for (uint32_t pc = d->blocks.first[b]; pc < d->blocks.first[b + 1]; pc++) {
      check->unwritten[pc - d->blocks.begin] = uses_unwritten(d->now, &d->blocks.code[pc]);
      check->any_unwritten |= check->unwritten[pc - d->blocks.begin];
      define(d->now, &d->blocks.code[pc]);
    }
  }
}

void sl_check_registers(struct sl_check *check, const struct sl_ptx_module *m, const struct sl_ptx_function *f)
{
  struct definitions d = {.words = (f->registers + 63) / 64};
  free(check->unwritten);
  check->unwritten = NULL;
  check->any_unwritten = false;
  if (check->options.no_uninitialised || f->begin == f->end || d.words == 0)
    return;
  const bool found = sl_ptx_blocks_find(&d.blocks, m->code, f->begin, f->end);
  if (found && (uint64_t)d.blocks.blocks * d.words < MOST_WORDS) {
    d.before = calloc((size_t)d.blocks.blocks * d.words, sizeof *d.before);
    d.now = malloc(d.words * sizeof *d.now);
    check->unwritten = calloc(f->end - f->begin, 1);
    if (d.before != NULL && d.now != NULL && check->unwritten != NULL)
      mark(check, &d);
    else
      check->out_of_memory = true;
  }
  free(d.before);
  free(d.now);
  sl_ptx_blocks_free(&d.blocks);
}
