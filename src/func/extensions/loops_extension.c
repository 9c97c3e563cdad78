#include "func/extensions/loops_extension.h"

#include <stdlib.h>

#include "func/extensions/hardware_loops.h"
#include "func/ipdom_execution.h"

enum { ENDS }; /* value of the note: a loop ends at the instruction */

static bool changes_mask(const struct sl_insn *in)
{
  return in->kind == SL_KIND_WARP && in->op != SL_OP_BAR && in->op != SL_OP_BAR_1 && in->op != SL_OP_CMOV_1 &&
         in->op != SL_OP_PREFETCH_1;
}

static const char *schedule(void *state, struct sl_ipdom_warps *w, unsigned warp, uint32_t pc,
                            const struct sl_insn *insn, sl_lanes *mask, struct sl_extension_note *note)
{
  struct sl_loops *loops = state;
  struct sl_ipdom_warp *p = &w->warp[warp];
  const char *wrong = sl_loops_enter(loops, warp, pc, p->depth, p->mask, mask);
  if (wrong != NULL)
    return wrong;
  note->byte[ENDS] = sl_loops_running(loops, warp) && sl_loops_ends_at(loops, warp, pc);
  if (note->byte[ENDS] && changes_mask(insn))
    return SL_LOOPS_TRANSFER_AT_END;
  if ((insn->op == SL_OP_WSPAWN || insn->op == SL_OP_WSPAWN_1) && sl_loops_running(loops, warp))
    return SL_LOOPS_SPAWN_INSIDE;
  return sl_loops_next(loops, warp, pc, p->depth, &p->mask, &p->pc);
}

/* Returns true if a JOIN pops an entry that was pushed outside the loop. */
static bool leaves_loop(const struct sl_loops *loops, unsigned warp, const struct sl_insn *in, unsigned splits)
{
  return (in->op == SL_OP_JOIN || in->op == SL_OP_JOIN_1) && splits > 0 && sl_loops_join_leaves(loops, warp, splits);
}

static const char *finish(void *state, struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                          const struct sl_insn *original, unsigned splits, const struct sl_extension_note *note)
{
  const struct sl_loops *loops = state;
  if (note->byte[ENDS] && ex->jumped)
    return SL_LOOPS_TRANSFER_AT_END;
  if ((ex->jumped || w->warp[warp].depth < splits) && leaves_loop(loops, warp, original, splits))
    return SL_LOOPS_JOIN_LEAVES;
  return NULL;
}

static bool owns(unsigned csr)
{
  return sl_is_extension_csr(csr, SL_UNIT_LOOP);
}

static const char *read(const void *state, unsigned warp, unsigned csr, uint32_t *values)
{
  uint32_t value = 0;
  const char *wrong = sl_loops_csr_read(state, warp, csr, &value);
  for (unsigned lane = 0; lane < SL_MAX_LANES; lane++)
    values[lane] = value;
  return wrong;
}

static const char *write(void *state, unsigned warp, unsigned csr, sl_lanes active, const uint32_t *values,
                         struct sl_extension_note *note)
{
  (void)note;
  return sl_loops_csr_write(state, warp, csr, values[sl_lowest(active)]);
}

static bool engaged(const void *state, unsigned warp)
{
  const struct sl_loops *loops = state;
  return loops->warp[warp].enabled != 0 || loops->warp[warp].running != 0;
}

static void reset(void *state, unsigned warp)
{
  sl_loops_clear(state, warp);
}

static void start(void *state)
{
  struct sl_loops *loops = state;
  for (unsigned warp = 0; warp < loops->warps; warp++)
    sl_loops_clear(loops, warp);
}

static void release(void *state)
{
  sl_loops_free(state);
  free(state);
}

static SL_SCHEMA(loop_schema, struct sl_loop, NULL, SL_ANY(start, end, bound, count, tail));
static SL_SCHEMA(entry_schema, struct sl_loop_entry, NULL, SL_ANY(loop, splits, mask));
static SL_SCHEMA(warp_schema, struct sl_warp_loops, NULL, SL_ANY(enabled, running), SL_MOST(SL_LOOPS_MAX, depth),
                 SL_STRUCTS(loop_schema, loop), SL_STRUCTS(entry_schema, stack));

static void walk_state(void *state, struct sl_archive *archive)
{
  const struct sl_loops *loops = state;
  sl_archive_structs(archive, "loops", warp_schema, loops->warp, loops->warps);
}

/* Checks that the running loops are on the stack, each once. */
static bool warp_valid(const struct sl_loops *loops, const struct sl_warp_loops *w)
{
  uint64_t running = 0;
  bool valid = w->depth <= loops->count && ((w->enabled | w->running) & ~sl_low_bits(loops->count)) == 0;
  for (unsigned i = 0; valid && i < w->depth; i++)
    valid = sl_once(&running, w->stack[i].loop, loops->count);
  return valid && running == w->running && (running & ~(uint64_t)w->enabled) == 0;
}

static bool valid(const void *state, const struct sl_extension_flight *flight, unsigned count)
{
  const struct sl_loops *loops = state;
  for (unsigned i = 0; i < count; i++)
    if (flight[i].note->byte[ENDS] > 1)
      return false;
  for (unsigned warp = 0; warp < loops->warps; warp++)
    if (!warp_valid(loops, &loops->warp[warp]))
      return false;
  return true;
}

const struct sl_extension_kind sl_loops_extension = {
    .name = "loops",
    .schedule = schedule,
    .finish = finish,
    .owns = owns,
    .read = read,
    .write = write,
    .engaged = engaged,
    .start = start,
    .reset = reset,
    .free = release,
    .walk = walk_state,
    .valid = valid,
};
