/* RISC-V: the blocks of machines that assign them to warps, and else cores, whose warps barriers order.
 *
 * The lanes of a warp execute in lock step, or with --strict-lanes are ordered by votes, shuffles and waits. A fence
 * before an atomic operation, or its bit rl, publishes what the thread has done. Plain accesses to an address that
 * atomic operations published at are part of the lock or flag: programs release a lock and poll a flag with them. */
#include <string.h>

#include "isa/isa.h"
#include "isa/lanes.h"
#include "observe/check/check_feed.h"

enum { RELEASE_BIT = 1 << 25 };

enum space { GLOBAL, SHARED, OWN, SPACES };

/* Scratchpads, and where a host starts kernels the threads' stacks above. Source: runtime/simt_marks.h, simt_grid.h,
 * vortex.h. */
static enum space space_of(const struct sl_check *check, uint64_t address)
{
  if (address < check->scratchpad.first)
    return GLOBAL;
  return address < check->scratchpad.end ? SHARED : check->stacks_apart ? OWN : GLOBAL;
}

static struct sl_check_block *core_of(struct sl_check *check, const struct sl_probe *p, unsigned *warp)
{
  const unsigned per_core = check->warps_per_core;
  const uint32_t core = per_core != 0 ? p->warp / per_core : p->core;
  *warp = per_core != 0 ? p->warp % per_core : p->warp % SL_MAX_WARPS;
  const void *key = &((const char *)check)[core + 1]; /* a name: not read */
  struct sl_check_block *b = sl_check_block_of(check, key);
  if (b != NULL)
    return b;
  b = sl_check_block_add(check, key, SL_MAX_WARPS, 0);
  if (b == NULL)
    return NULL;
  sl_check_block_begin(check, b);
  b->begin = check->launched;
  b->number = b->core = core;
  b->strict = check->options.lanes == SL_CHECK_STRICT;
  for (unsigned i = 0; i < SL_MAX_WARPS; i++)
    b->warp[i].live = ~(sl_lanes)0;
  return b;
}

/* A block of a machine that assigns blocks: the warps from its first one on. */
static struct sl_check_block *block_of(struct sl_check *check, const struct sl_probe *p, unsigned *warp)
{
  const struct sl_probe_block *own = p->block;
  const uint32_t base = p->warp - own->warp, threads = own->size[0] * own->size[1] * own->size[2];
  const uint32_t number =
      (uint32_t)(((uint64_t)own->index[2] * own->grid[1] + own->index[1]) * own->grid[0] + own->index[0]);
  const void *key = &((const char *)check)[base + 1];
  struct sl_check_block *b = sl_check_block_of(check, key);
  const unsigned lanes = p->lanes != 0 ? p->lanes : 32, warps = (threads + lanes - 1) / lanes;
  *warp = own->warp;
  if (b != NULL && b->number == number % SL_CHECK_BLOCKS)
    return b;
  if (b == NULL)
    b = sl_check_block_add(check, key, SL_MAX_WARPS, 0);
  if (b == NULL)
    return NULL;
  sl_check_block_begin(check, b);
  b->number = number % SL_CHECK_BLOCKS;
  b->core = base;
  b->lanes = lanes;
  b->in_grid = check->grids = true;
  b->strict = check->options.lanes == SL_CHECK_STRICT;
  memcpy(check->grid, own->grid, sizeof check->grid);
  memcpy(check->size, own->size, sizeof check->size);
  for (unsigned i = 0; i < warps && i < SL_MAX_WARPS; i++)
    b->warp[i].live = sl_low_bits(threads - i * lanes < lanes ? threads - i * lanes : lanes);
  return b;
}

void sl_check_riscv_begin(struct sl_check *check, const struct sl_probe *p)
{
  unsigned warp;
  (void)block_of(check, p, &warp);
}

static struct sl_check_block *find(struct sl_check *check, const struct sl_probe *p, unsigned *warp)
{
  if (p->block != NULL)
    return block_of(check, p, warp);
  for (size_t i = 0; check->grids && i < check->blocks; i++) { /* a barrier's event has no block */
    struct sl_check_block *b = check->block[i];
    if (b->in_grid && p->warp >= b->core && p->warp - b->core < SL_MAX_WARPS && b->warp[p->warp - b->core].live != 0) {
      *warp = p->warp - b->core;
      return b;
    }
  }
  return core_of(check, p, warp);
}

/* Whether the access may be one to a variable that orders as a lock does. */
static bool near_flag(const struct sl_check *check, const struct sl_check_access *a)
{
  return a->range == NULL || (a->range->high >= check->flags_first && a->range->low < check->flags_end);
}

static void access(struct sl_check *check, struct sl_check_block *b, unsigned warp, const struct sl_probe *p,
                   sl_lanes lanes, enum space space)
{
  const bool atomic = p->access == SL_PROBE_ATOMIC;
  struct sl_check_access a = {.block = b,
                              .warp = warp,
                              .active = lanes,
                              .shared = space == SHARED,
                              .own = space == OWN,
                              .loads = p->access != SL_PROBE_STORE,
                              .stores = p->access != SL_PROBE_LOAD,
                              .returns = p->insn->rd != 0 || p->insn->kind == SL_KIND_LRSC,
                              .releases = atomic && (p->insn->word & RELEASE_BIT) != 0,
                              .width = p->width,
                              .address = p->wide_address,
                              .range = lanes == p->active ? p->range : NULL,
                              .site = sl_check_site(check, check->program, p->pc)};
  if (p->stored != NULL) {
    a.element[0] = (const uint8_t *)p->stored;
    a.bytes = p->width;
  }
  if (a.own) {
    sl_check_own(check, &a);
    return;
  }
  if (space == GLOBAL && check->stacks.first < check->stacks.end)
    sl_check_stack(check, &a);
  if (atomic)
    a.flags = SL_CHECK_STRONG | SL_CHECK_ATOMIC;
  else if ((check->locks.count > 0 || near_flag(check, &a)) && sl_check_is_lock(check, &a, sl_lowest(lanes)))
    a.flags = SL_CHECK_STRONG;
  for (sl_lanes rest = a.shared || check->buffers == 0 ? 0 : lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    const char *stray = sl_check_stray(check, p->wide_address[l], p->width);
    if (stray != NULL)
      sl_check_defect(check, stray, &a, l, p->wide_address[l], p->width, "which is not in a live buffer");
  }
  if (!check->unordered)
    sl_check_access(check, &a);
}

/* Lanes access several spaces. */
static void access_spaces(struct sl_check *check, struct sl_check_block *b, unsigned warp, const struct sl_probe *p)
{
  sl_lanes of[SPACES] = {0};
  for (sl_lanes rest = p->active; rest != 0; rest &= rest - 1)
    of[space_of(check, p->wide_address[sl_lowest(rest)])] |= sl_bit(sl_lowest(rest));
  for (enum space s = 0; s < SPACES; s++)
    if (of[s] != 0)
      access(check, b, warp, p, of[s], s);
}

/* A warp starts others, or ends: what it did is ordered before what the core's other warps do then. */
static void pass_on(struct sl_check *check, struct sl_check_block *b, unsigned warp)
{
  const uint32_t now = sl_check_tick(check);
  for (unsigned i = 0; i < b->warps; i++)
    b->warp[i].seen[warp] = now;
  b->warp[warp].came = 0;
}

void sl_check_riscv(struct sl_check *check, const struct sl_probe *p)
{
  unsigned warp = 0;
  const bool warps = p->insn->kind == SL_KIND_WARP && p->kind == SL_PROBE_EXECUTED;
  const bool joins = p->kind == SL_PROBE_EXECUTED && (p->insn->kind == SL_KIND_VOTE || p->insn->op == SL_OP_SYNC_LANES);
  if (!warps && !joins && p->kind == SL_PROBE_EXECUTED && !check->follows_registers)
    return;
  struct sl_check_block *b = find(check, p, &warp);
  if (b == NULL || warp >= b->warps)
    return;
  if (check->follows_registers && p->kind == SL_PROBE_EXECUTED)
    sl_check_unwritten(check, b, warp, p);
  if (!b->in_grid)
    b->lanes = p->lanes;
  if (joins)
    sl_check_join_lanes(check, b, warp, p->active);
  else if (p->kind == SL_PROBE_FENCED)
    sl_check_fence(check, b, warp, p->active, 0);
  else if (p->kind == SL_PROBE_ACCESSED && p->wide_address != NULL && p->width > 0) {
    const enum space one = p->range != NULL ? space_of(check, p->range->low) : SPACES;
    if (one < SPACES && space_of(check, p->range->high) == one)
      access(check, b, warp, p, p->active, one);
    else
      access_spaces(check, b, warp, p);
  } else if (warps && (p->insn->op == SL_OP_TMC || p->insn->op == SL_OP_WSPAWN || p->insn->op == SL_OP_TMC_1 ||
                       p->insn->op == SL_OP_WSPAWN_1))
    pass_on(check, b, warp);
  else if (warps && (p->insn->op == SL_OP_BAR || p->insn->op == SL_OP_BAR_1) && p->active != 0)
    sl_check_lanes_arrive(check, b, warp, p->active, sl_check_site(check, check->program, p->pc));
}

/* The machine tells which warps of the core pass the barrier together, and releases them at once or one by one. */
static void pass_together(struct sl_check *check, struct sl_check_block *b, unsigned warp, sl_warps together)
{
  const bool first = (b->passing & sl_bit(warp)) == 0;
  b->passing = first ? b->passing | together : b->passing;
  b->passing &= ~sl_bit(warp);
  if ((b->passing & together) == 0)
    sl_check_same_barrier(check, b, together);
  if (!first)
    return;
  if (check->warps_per_core == 0) { /* no barrier has warps of several cores */
    sl_check_join(check, b, together);
    return;
  }
  b->released |= together;
  check->releasing = true;
}

/* Warps that are released without another event between them pass one barrier. */
void sl_check_riscv_released(struct sl_check *check, const struct sl_probe *p)
{
  unsigned warp = 0;
  struct sl_check_block *b = find(check, p, &warp);
  if (b == NULL || warp >= b->warps)
    return;
  b->warp[warp].barrier_site = sl_check_site(check, check->program, p->pc);
  if (p->together != 0) {
    pass_together(check, b, warp, p->together);
    return;
  }
  b->released |= sl_bit(warp);
  check->releasing = true;
}

void sl_check_riscv_join(struct sl_check *check)
{
  size_t cores = 0;
  check->releasing = false;
  for (size_t i = 0; i < check->blocks; i++)
    cores += check->block[i]->released != 0;
  if (cores > 1)
    sl_check_join_blocks(check);
  for (size_t i = 0; i < check->blocks; i++) {
    if (check->block[i]->released != 0 && check->block[i]->in_grid) /* a block has one barrier */
      sl_check_same_barrier(check, check->block[i], check->block[i]->released);
    if (check->block[i]->released != 0)
      sl_check_join(check, check->block[i], check->block[i]->released);
    check->block[i]->released = 0;
  }
}
