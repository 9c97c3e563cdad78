#include "func/ipdom_execute.h"

static const char what_there_is[] =
    "Vortex executes rv32imf_zicsr and its warp control, with atomics=true also rv32a; see the key encoding";
static const char what_there_is_in_64_bits[] =
    "64-bit words are those of docs/explanation/machines/vortex64.md; a key sets the number of registers";

enum sl_ipdom_effect sl_ipdom_fault_of(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                                       enum sl_fault_kind kind, uint32_t address)
{
  w->fault = (struct sl_fault){.kind = kind,
                               .warp = (int)sl_ipdom_global(w, warp),
                               .lanes = ex->active,
                               .pc = ex->pc,
                               .address = address,
                               .insn = *ex->insn,
                               .detail = kind != SL_FAULT_UNKNOWN_INSTRUCTION ? NULL
                                         : ex->insn->isa == SL_ISA_WIDE64     ? what_there_is_in_64_bits
                                                                              : what_there_is};
  return SL_IPDOM_FAULTS;
}

enum sl_ipdom_effect sl_ipdom_unsupported(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                                          const char *detail)
{
  const sl_lanes others = ~(w->warp[warp].mask | ex->active);
  const struct sl_warp_path held = sl_lanes_at(w->spec.convergence, &w->warp[warp], others);
  (void)sl_ipdom_fault_of(w, warp, ex, SL_FAULT_CONVERGENCE, 0);
  w->fault.detail = detail;
  w->fault.held = held.lanes;
  w->fault.held_pc = held.pc;
  return SL_IPDOM_FAULTS;
}

static void count_parked(struct sl_ipdom_warps *w, unsigned warp)
{
  struct sl_warp_path path[SL_MAX_LANES];
  uint64_t parked = 0;
  for (unsigned i = w->convergence->places(&w->warp[warp], path); i-- > 0;)
    parked += sl_count(path[i].lanes & ~w->warp[warp].mask);
  w->s.switches.parked = parked > w->s.switches.parked ? parked : w->s.switches.parked;
}

static void count_switch(struct sl_ipdom_warps *w, unsigned warp)
{
  struct sl_ipdom_warp *p = &w->warp[warp];
  p->furthest = p->pc;
  p->watched = 0;
  w->s.switches.switches++;
  count_parked(w, warp);
}

static enum sl_ipdom_effect changes(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                    enum sl_mark_kind kind, unsigned delay)
{
  ex->jumped = true;
  ex->count = delay;
  if (kind == SL_MARK_YIELD || kind == SL_MARK_MASK)
    count_switch(w, warp);
  return SL_IPDOM_NOTHING;
}

/* The convergence scheme executes a mark. The warp's pc is behind it. */
static enum sl_ipdom_effect mark_of(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                    const struct sl_mark *mark)
{
  switch (w->convergence->mark(&w->warp[warp], 0, mark)) {
  case SL_MARKED: return SL_IPDOM_NOTHING;
  case SL_MARKED_JUMPED: return changes(w, warp, ex, mark->kind, 0);
  case SL_MARKED_FILLED: w->s.switches.full++; return changes(w, warp, ex, mark->kind, w->spec.pop_delay);
  case SL_MARKED_POPPED: return changes(w, warp, ex, mark->kind, w->spec.pop_delay);
  case SL_MARKED_ENDS: return SL_IPDOM_ENDS;
  case SL_MARKED_FULL: return sl_ipdom_fault_of(w, warp, ex, SL_FAULT_IPDOM_OVERFLOW, w->spec.ipdom_entries);
  case SL_MARKED_EMPTY: return sl_ipdom_fault_of(w, warp, ex, SL_FAULT_IPDOM_UNDERFLOW, 0);
  case SL_MARKED_PARKED:
    return sl_ipdom_unsupported(
        w, warp, ex,
        "lanes leave this loop while lanes that have left another one are parked; the hardware keeps "
        "one place for both, and would resume them here");
  case SL_MARKED_OPEN:
    return sl_ipdom_unsupported(
        w, warp, ex,
        "the lanes change between a split and its join; the hardware has one stack per warp, so the "
        "other lanes would pop this split");
  case SL_MARKED_STARVED:
    return sl_ipdom_unsupported(w, warp, ex,
                                "the pool of parked lanes is full (key scs.pool), so lanes that have left a loop would "
                                "wait, perhaps for ever");
  case SL_MARKED_LEAVES:
    return sl_ipdom_unsupported(
        w, warp, ex,
        "the mask is set while other lanes of the warp are parked, which would be left behind; a "
        "program whose lanes may part in a kernel needs VX_LANES_PART (vortex.h)");
  case SL_MARKED_MOVES:
    return sl_ipdom_unsupported(w, warp, ex,
                                "the mask is set while other lanes of the warp are elsewhere; they would move here");
  case SL_MARKED_STUCK: break;
  }
  return sl_ipdom_unsupported(w, warp, ex,
                              "all lanes of this warp wait at its convergence barriers, so none can continue");
}

bool sl_ipdom_has_own_state(const struct sl_ipdom_warps *w, unsigned warp)
{
  for (unsigned i = 0; i < w->extensions; i++)
    if (w->extension[i].kind->engaged(w->extension[i].state, warp))
      return true;
  return false;
}

static const char belongs_to_warp[] =
    "streams and hardware loops belong to the warp, so its lanes cannot change while one is mapped or enabled";

/* Why the lanes of a warp with hardware loops and streams cannot part here. NULL: they can. The tail mask of a loop
 * switches lanes off without the scheme. */
static const char *hindrance(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                             const struct sl_mark *mark)
{
  const struct sl_ipdom_warp *p = &w->warp[warp];
  if (w->convergence->apart == NULL)
    return NULL;
  if (mark->kind == SL_MARK_PREDICATE && mark->lanes != 0 && ex->active != p->mask)
    return "lanes leave this loop inside of a hardware loop whose tail mask has switched off others, which would be "
           "parked, too";
  const bool ends = mark->kind == SL_MARK_MASK && mark->lanes == 0;
  return ends && w->convergence->apart(p) && sl_ipdom_has_own_state(w, warp) ? belongs_to_warp : NULL;
}

enum sl_ipdom_effect sl_ipdom_converge(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                       enum sl_mark_kind kind, sl_lanes lanes, sl_lanes others)
{
  const struct sl_mark mark = {.kind = kind,
                               .lanes = lanes & w->all,
                               .others = others & w->all,
                               .room = w->spec.ipdom_entries,
                               .nests = w->spec.loops_nest,
                               .unguarded = w->spec.unguarded};
  const char *wrong = w->extensions > 0 ? hindrance(w, warp, ex, &mark) : NULL;
  return wrong == NULL ? mark_of(w, warp, ex, &mark) : sl_ipdom_unsupported(w, warp, ex, wrong);
}

enum sl_ipdom_effect sl_ipdom_yield(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  const struct sl_mark mark = {
      .kind = SL_MARK_YIELD, .lanes = ex->active, .room = w->spec.pool, .unguarded = w->spec.unguarded};
  if (w->convergence->apart == NULL)
    return SL_IPDOM_NOTHING;
  if (sl_ipdom_has_own_state(w, warp))
    return sl_ipdom_unsupported(w, warp, ex, belongs_to_warp);
  const uint64_t switches = w->s.switches.switches;
  const enum sl_ipdom_effect effect = mark_of(w, warp, ex, &mark);
  w->s.switches.yields++;
  w->s.switches.idle += switches == w->s.switches.switches;
  return effect;
}

enum sl_ipdom_effect sl_ipdom_sync_lanes(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  struct sl_ipdom_warp *p = &w->warp[warp];
  const struct sl_rv_lanes l = sl_ipdom_lanes(w, warp, ex);
  const struct sl_warp_path held = sl_lanes_at(w->spec.convergence, p, sl_rv_awaited(&l));
  const struct sl_mark yield = {.kind = SL_MARK_YIELD, .lanes = ex->active, .room = w->spec.pool};
  if (held.lanes == 0)
    return SL_IPDOM_NOTHING;
  const uint32_t behind = p->pc;
  p->pc = ex->pc;
  if (w->lanes_branch && !sl_ipdom_has_own_state(w, warp) && w->convergence->mark(p, 0, &yield) == SL_MARKED_JUMPED)
    return changes(w, warp, ex, SL_MARK_YIELD, 0);
  p->pc = behind;
  sl_ipdom_fault_of(w, warp, ex, SL_FAULT_LANES_APART, 0);
  w->fault.held = held.lanes;
  w->fault.held_pc = held.pc;
  return SL_IPDOM_FAULTS;
}

enum sl_ipdom_effect sl_ipdom_lane_barrier(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                           enum sl_mark_kind kind)
{
  const struct sl_mark mark = {.kind = kind, .lanes = ex->active, .number = ex->insn->imm};
  if (!w->lanes_branch)
    return sl_ipdom_fault_of(w, warp, ex, SL_FAULT_UNKNOWN_INSTRUCTION, 0);
  if (mark.number >= w->spec.lane_barriers)
    return sl_ipdom_unsupported(w, warp, ex, "the warp has no convergence barrier of this number (key its.barriers)");
  return mark_of(w, warp, ex, &mark);
}

bool sl_ipdom_await_progress(struct sl_ipdom_warps *w, unsigned warp, bool timed)
{
  static const struct sl_mark change = {.kind = SL_MARK_YIELD};
  struct sl_ipdom_warp *p = &w->warp[warp];
  const bool apart = w->convergence->apart(p);
  if (!apart && (!timed || p->pc > p->furthest)) {
    p->furthest = p->pc;
    p->watched = timed ? 0 : p->watched;
    return false;
  }
  if (++p->watched < w->spec.watchdog)
    return false;
  p->watched = 0;
  if (!apart) {
    w->s.switches.backoffs++;
    return true;
  }
  (void)w->convergence->mark(p, 0, &change);
  count_switch(w, warp);
  w->s.switches.timeouts++;
  return false;
}

const char *sl_ipdom_waited(struct sl_ipdom_warps *w, unsigned warp, sl_lanes lanes, bool yields)
{
  const struct sl_ipdom_warp *p = &w->warp[warp];
  const sl_lanes waits = w->convergence->ready(p) & ~p->mask & ~lanes;
  const unsigned longest = sl_lanes_longest_wait(&w->waited[warp * SL_MAX_LANES], waits, yields, w->spec.lanes);
  return longest > 2 * w->spec.lanes ? "a lane waits for more yields than its scheme allows" : NULL;
}

enum sl_ipdom_effect sl_ipdom_check_waiting(struct sl_ipdom_warps *w, unsigned warp,
                                            const struct sl_ipdom_execution *ex, enum sl_ipdom_effect effect)
{
  const bool yields = ex->insn->op == SL_OP_YIELD || (ex->insn->op == SL_OP_SYNC_LANES && ex->jumped);
  const char *broken = effect == SL_IPDOM_FAULTS ? NULL : sl_ipdom_waited(w, warp, ex->active, yields);
  if (broken == NULL)
    return effect;
  (void)sl_ipdom_fault_of(w, warp, ex, SL_FAULT_INTERNAL, 0);
  w->fault.detail = broken;
  return SL_IPDOM_FAULTS;
}
