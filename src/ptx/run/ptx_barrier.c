#include "ptx/run/ptx_execute.h"

#include "convergence/simt_stack.h"
#include "ptx/run/ptx_access.h"

typedef uint32_t word __attribute__((may_alias));

/* Writes the result of a reduction to the registers of a warp that waits behind its barrier. */
static void give_result(const struct sl_ptx_warp *w, uint32_t threads, uint32_t set)
{
  const struct sl_ptx_votes *v = w->block->votes;
  for (uint32_t rest = v->lanes[w->index]; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    const struct sl_ptx_module *m = w->block->launch->module;
    const uint32_t pc = v->from[w->index][lane];
    const struct sl_ptx_insn *in = &m->code[pc < m->code_count ? pc : 0];
    if (in->kind != SL_PTX_K_BARRIER || in->mode < SL_PTX_BAR_POPC) /* of a checkpoint that was changed */
      continue;
    if (in->mode == SL_PTX_BAR_POPC)
      ((word *)sl_ptx_values_of(w, in->d))[lane] = set;
    else
      sl_ptx_predicate_set(w, in->d, (in->mode == SL_PTX_BAR_AND ? set == threads : set != 0) ? UINT32_MAX : 0,
                           (uint32_t)sl_bit(lane));
  }
}

/* Completes the reduction at a barrier when the last warp has come, or has ended. */
static void count_votes(const struct sl_ptx_block *b, unsigned barrier)
{
  struct sl_ptx_votes *v = b->votes;
  uint32_t needed = v->needed[barrier];
  for (unsigned i = 0; v->needed[barrier] == 0 && i < b->warp_count; i++)
    needed += b->warps[i].stack.depth > 0;
  if (v->warps[barrier] == 0 || sl_count(v->warps[barrier]) < needed)
    return;
  for (uint32_t rest = v->warps[barrier]; rest != 0; rest &= rest - 1)
    if (sl_lowest(rest) < b->warp_count)
      give_result(&b->warps[sl_lowest(rest)], v->threads[barrier], v->set[barrier]);
  v->warps[barrier] = v->threads[barrier] = v->set[barrier] = 0;
}

void sl_ptx_barrier_end(const struct sl_ptx_warp *w)
{
  for (unsigned i = 0; i < SL_PTX_BARRIERS && w->stack.depth == 0; i++)
    if (w->block->votes->warps[i] != 0)
      count_votes(w->block, i);
}

/* The number of the barrier, the threads it needs, and whether the lanes wait there. */
static void name(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect)
{
  const unsigned lane = sl_lowest(effect->active != 0 ? effect->active : effect->issued);
  effect->barrier = ((const word *)sl_ptx_values_of(w, in->a))[lane] % SL_PTX_BARRIERS;
  effect->barrier_threads = ((const word *)sl_ptx_values_of(w, in->b))[lane];
  effect->arrives = in->mode == SL_PTX_BAR_ARRIVE;
}

/* Adds the active lanes to the reduction, if the barrier has one. */
static void vote(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct sl_ptx_effect *effect,
                 uint32_t pc)
{
  struct sl_ptx_votes *v = w->block->votes;
  if (in->mode < SL_PTX_BAR_POPC || effect->active == 0)
    return;
  v->threads[effect->barrier] += sl_count(effect->active);
  v->set[effect->barrier] +=
      sl_count((sl_ptx_predicate_of(w, in->c) ^ (in->negated_c ? UINT32_MAX : 0)) & effect->active);
  v->lanes[w->index] |= effect->active;
  for (uint32_t rest = effect->active; rest != 0; rest &= rest - 1)
    v->from[w->index][sl_lowest(rest)] = pc;
}

/* The warp has come, and waits unless it only arrives. */
static void arrive(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct sl_ptx_effect *effect)
{
  struct sl_ptx_votes *v = w->block->votes;
  if (in->mode < SL_PTX_BAR_POPC || effect->active == 0)
    return;
  v->warps[effect->barrier] |= (uint32_t)sl_bit(w->index);
  v->needed[effect->barrier] = (effect->barrier_threads + SL_PTX_LANES - 1) / SL_PTX_LANES;
  count_votes(w->block, effect->barrier);
}

/* ---- groups that take turns -------------------------------------------------------------------------------------- */

static bool is_other(const void *context, uint32_t pc)
{
  return ((const struct sl_ptx_insn *)context)[pc].kind != SL_PTX_K_BARRIER;
}

static void level(struct sl_ptx_warp *w)
{
  if (w->block->launch->kernel->levels > 0)
    sl_ptx_level(w);
}

/* All live lanes are at barriers: the groups go on behind them. False: the barriers differ. */
static bool pass(struct sl_ptx_warp *w, struct sl_ptx_effect *effect, struct sl_ptx_fault *fault)
{
  struct sl_simt_stack *s = &w->stack;
  const struct sl_ptx_insn *code = w->block->launch->module->code;
  uint32_t lanes = 0;
  for (bool first = true; sl_simt_groups_unpark(s); first = false) {
    const struct sl_ptx_insn *in = &code[sl_simt_stack_pc(s)];
    struct sl_ptx_effect own = {.issued = sl_simt_stack_mask(s), .active = sl_simt_stack_mask(s)};
    level(w);
    name(w, in, &own);
    if (first) {
      effect->barrier = own.barrier;
      effect->barrier_threads = own.barrier_threads;
      effect->arrives = own.arrives;
    } else if (own.barrier != effect->barrier || own.arrives != effect->arrives) {
      sl_ptx_fault_barrier(fault, w);
      fault->pc++; /* they are at the barrier */
      return false;
    }
    vote(w, in, &own, sl_simt_stack_pc(s));
    lanes |= own.active;
    sl_simt_stack_advance(s, sl_simt_stack_pc(s) + 1);
  }
  effect->issued = effect->active = lanes;
  return true;
}

/* The other lanes that meet the running group before the kernel ends. */
static uint32_t apart(const struct sl_ptx_warp *w)
{
  const struct sl_simt_stack *s = &w->stack;
  const struct sl_ptx_module *m = w->block->launch->module;
  const uint32_t own = sl_simt_stack_mask(s);
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < s->depth; i++) {
    const struct sl_simt_stack_entry *e = &s->entries[i];
    const uint8_t kind = e->pc < m->code_count ? m->code[e->pc].kind : SL_PTX_K_EXIT;
    if ((e->mask & own) != 0 && (e->call != 0 || (kind != SL_PTX_K_EXIT && kind != SL_PTX_K_RETURN)))
      lanes |= e->mask & ~own;
  }
  return lanes;
}

/* The running group is at a barrier, and others of the warp are elsewhere. */
static bool meet(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                 struct sl_ptx_fault *fault)
{
  struct sl_simt_stack *s = &w->stack;
  const uint32_t own = effect->active;
  bool fits = true;
  effect->barrier = effect->barrier_threads = 0;
  effect->arrives = false;
  effect->active = 0;
  effect->parks = true;
  effect->apart = apart(w);
  if (!sl_simt_groups_park(s) && !sl_simt_groups_find(s, is_other, w->block->launch->module->code)) {
    effect->active = own;
    effect->parks = false;
    w->block->votes->lanes[w->index] = 0;
    fits = pass(w, effect, fault);
    sl_simt_groups_select(s);
    if (fits)
      arrive(w, in, effect);
  }
  level(w);
  return fits;
}

bool sl_ptx_barrier(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                    struct sl_ptx_fault *fault)
{
  effect->parks = false;
  if (w->stack.turn.period != 0 && effect->active != 0 &&
      (w->stack.turn.parked != 0 || sl_simt_groups_apart(&w->stack)))
    return meet(w, in, effect, fault);
  sl_simt_stack_advance(&w->stack, effect->pc + 1);
  name(w, in, effect);
  if (in->mode >= SL_PTX_BAR_POPC && effect->active != 0)
    w->block->votes->lanes[w->index] = 0;
  vote(w, in, effect, effect->pc);
  arrive(w, in, effect);
  return true;
}

/* ---- turns ------------------------------------------------------------------------------------------------------- */

bool sl_ptx_turns_together(const struct sl_ptx_insn *in)
{
  return (in->order & SL_PTX_WARP_SYNC) != 0 || in->kind == SL_PTX_K_TENSOR || in->kind == SL_PTX_K_TILE;
}

/* The lanes that a lane names at an instruction. */
static uint32_t members(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, unsigned lane)
{
  if ((in->order & SL_PTX_WARP_SYNC) == 0)
    return UINT32_MAX;
  const struct sl_ptx_place at = in->kind == SL_PTX_K_SHFL ? in->element[0] : in->b;
  return ((const word *)(void *)(w->area[at.area] + at.offset))[lane];
}

static bool is_warp_barrier(const struct sl_ptx_insn *in)
{
  return in->kind == SL_PTX_K_NOTHING && (in->order & SL_PTX_WARP_SYNC) != 0;
}

/* The lanes of parked groups at a bar.warp.sync for these members. */
static uint32_t at_warp_barrier(const struct sl_ptx_warp *w, uint32_t all)
{
  uint32_t lanes = 0;
  for (uint32_t rest = all & w->stack.turn.parked; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    const struct sl_ptx_insn *in = &w->block->launch->module->code[sl_simt_groups_pc(&w->stack, lane)];
    if (is_warp_barrier(in) && members(w, in, lane) == all)
      lanes |= (uint32_t)sl_bit(lane);
  }
  return lanes;
}

/* Lanes may execute bar.warp.sync at different places: all of them go on. Returns the lanes. Source: PTX ISA,
 * "bar.warp.sync". */
static uint32_t pass_warp_barriers(struct sl_ptx_warp *w, uint32_t others)
{
  struct sl_simt_stack *s = &w->stack;
  uint32_t lanes = sl_simt_stack_mask(s);
  sl_simt_stack_advance(s, sl_simt_stack_pc(s) + 1);
  for (uint32_t rest = others; rest != 0; rest &= ~lanes) {
    sl_simt_groups_raise(s, sl_lowest(rest));
    lanes |= sl_simt_stack_mask(s);
    sl_simt_stack_advance(s, sl_simt_stack_pc(s) + 1);
  }
  sl_simt_groups_select(s);
  return lanes;
}

bool sl_ptx_turns_meet(struct sl_ptx_warp *w, uint64_t clock, struct sl_ptx_effect *effect)
{
  struct sl_simt_stack *s = &w->stack;
  const uint32_t pc = sl_simt_stack_pc(s);
  const struct sl_ptx_insn *in = &w->block->launch->module->code[pc];
  if (!sl_ptx_turns_together(in) || (s->turn.parked == 0 && !sl_simt_groups_apart(s)))
    return true;
  const uint32_t own = sl_simt_stack_mask(s), all = members(w, in, sl_lowest(own));
  const bool meets = sl_simt_groups_meet(s, all);
  const uint32_t others = meets && is_warp_barrier(in) ? at_warp_barrier(w, all) : 0;
  if (meets && others == 0)
    return true;
  effect->insn = in;
  effect->clock = clock;
  effect->pc = pc;
  effect->issued = own;
  effect->active = effect->reads = effect->taken = effect->exited = 0;
  effect->space = in->space;
  effect->bytes = in->bytes;
  effect->barrier = effect->barrier_threads = 0;
  effect->arrives = false;
  if (others != 0)
    effect->issued = effect->active = pass_warp_barriers(w, others);
  level(w);
  return false;
}

void sl_ptx_turns_count(struct sl_ptx_warp *w, const struct sl_ptx_effect *effect)
{
  const bool levels = w->block->launch->kernel->levels > 0, branches = effect->insn->kind == SL_PTX_K_BRANCH;
  if (w->stack.depth == 0 || (levels && !branches && effect->exited == 0))
    return;
  sl_simt_groups_count(&w->stack, branches && effect->taken != 0 && effect->insn->target <= effect->pc);
  level(w);
}
