#include "func/extensions/hardware_loops.h"

#include <stdlib.h>

#include "func/ipdom_warps.h"

#define NO_SUCH_REGISTER "accesses a hardware loop register that does not exist"
#define UNIT_NOT_THERE "accesses a hardware loop that this machine does not have (key loops.count)"

enum { TAIL_BITS = 32 };

enum sl_status sl_loops_init(struct sl_loops *l, unsigned count, unsigned warps, enum sl_loops_blocking blocking,
                             struct sl_error *err)
{
  *l = (struct sl_loops){.count = count, .warps = warps, .blocking = blocking, .warp = calloc(warps, sizeof *l->warp)};
  return l->warp == NULL ? sl_no_memory(err, warps * sizeof *l->warp) : SL_OK;
}

void sl_loops_free(struct sl_loops *l)
{
  free(l->warp);
  *l = (struct sl_loops){0};
}

void sl_loops_clear(struct sl_loops *l, unsigned warp)
{
  l->warp[warp] = (struct sl_warp_loops){0};
}

const char *sl_loops_csr_read(const struct sl_loops *l, unsigned warp, unsigned csr, uint32_t *value)
{
  const unsigned unit = sl_extension_csr_unit(csr);
  if (unit >= l->count)
    return UNIT_NOT_THERE;
  const struct sl_warp_loops *w = &l->warp[warp];
  const struct sl_loop *loop = &w->loop[unit];
  switch (sl_extension_csr_register(csr)) {
  case SL_LOOP_START: *value = loop->start; return NULL;
  case SL_LOOP_END: *value = loop->end; return NULL;
  case SL_LOOP_TAIL: *value = (uint32_t)loop->tail; return NULL;
  case SL_LOOP_BOUND: *value = loop->bound | (w->enabled >> unit & 1 ? SL_LOOP_ENABLE : 0); return NULL;
  case SL_LOOP_STATE: *value = loop->count; return NULL;
  default: return NO_SUCH_REGISTER;
  }
}

static const char *write_address(uint32_t *field, bool running, uint32_t value)
{
  if (running)
    return "changes the start or end of a running hardware loop";
  if ((value & 3) != 0)
    return "sets the start or end of a hardware loop to an address that is not a multiple of 4";
  *field = value;
  return NULL;
}

static const char *write_bound(struct sl_warp_loops *w, unsigned unit, uint32_t value)
{
  const uint32_t bound = value & ~SL_LOOP_ENABLE;
  const bool enable = (value & SL_LOOP_ENABLE) != 0;
  if (w->running >> unit & 1)
    return "changes the bound or enable bit of a running hardware loop";
  if (enable && bound == 0)
    return "enables a hardware loop with bound 0; jump around the loop instead";
  w->loop[unit].bound = bound;
  w->enabled = (uint8_t)((w->enabled & ~(1u << unit)) | (unsigned)enable << unit);
  return NULL;
}

static const char *write_state(struct sl_loop *loop, bool running, uint32_t value)
{
  if (running && value >= loop->bound)
    return "sets the state of a running hardware loop to its bound or beyond";
  if (!running && value != 0)
    return "sets the state of a hardware loop that is not running; it can only be 0";
  loop->count = value;
  return NULL;
}

const char *sl_loops_csr_write(struct sl_loops *l, unsigned warp, unsigned csr, uint32_t value)
{
  const unsigned unit = sl_extension_csr_unit(csr);
  if (unit >= l->count)
    return UNIT_NOT_THERE;
  struct sl_warp_loops *w = &l->warp[warp];
  struct sl_loop *loop = &w->loop[unit];
  const bool running = w->running >> unit & 1;
  switch (sl_extension_csr_register(csr)) {
  case SL_LOOP_START: return write_address(&loop->start, running, value);
  case SL_LOOP_END: return write_address(&loop->end, running, value);
  case SL_LOOP_TAIL: loop->tail = value | ~sl_low_bits(TAIL_BITS); return NULL;
  case SL_LOOP_BOUND: return write_bound(w, unit, value);
  case SL_LOOP_STATE: return write_state(loop, running, value);
  default: return NO_SUCH_REGISTER;
  }
}

static void push(struct sl_warp_loops *w, unsigned loop, unsigned splits, sl_lanes fetch)
{
  w->stack[w->depth++] = (struct sl_loop_entry){.loop = (uint8_t)loop, .splits = (uint8_t)splits, .mask = fetch};
  w->running = (uint8_t)(w->running | 1u << loop);
}

const char *sl_loops_enter_slowly(struct sl_warp_loops *w, uint32_t pc, unsigned splits, sl_lanes fetch,
                                  sl_lanes *effective)
{
  for (unsigned waiting = w->enabled & ~(unsigned)w->running; waiting != 0; waiting &= waiting - 1) {
    const unsigned loop = sl_lowest(waiting);
    if (w->loop[loop].start != pc)
      continue;
    if (w->loop[loop].end < pc)
      return "enters a hardware loop whose end is before its start";
    push(w, loop, splits, fetch);
  }
  for (unsigned i = 0; i < w->depth; i++) {
    const struct sl_loop *loop = &w->loop[w->stack[i].loop];
    if (loop->count + 1 == loop->bound)
      fetch &= loop->tail;
  }
  *effective = fetch;
  return NULL;
}

/* Returns true if a loop below the top of the stack ends here. */
static bool outer_ends(const struct sl_warp_loops *w, uint32_t pc)
{
  for (unsigned i = 0; i + 1 < w->depth; i++)
    if (w->loop[w->stack[i].loop].end == pc)
      return true;
  return false;
}

const char *sl_loops_next_slowly(struct sl_warp_loops *w, uint32_t pc, unsigned splits, sl_lanes *fetch, uint32_t *next)
{
  while (w->depth > 0) {
    const struct sl_loop_entry top = w->stack[w->depth - 1];
    struct sl_loop *loop = &w->loop[top.loop];
    if (loop->end != pc)
      return outer_ends(w, pc) ? "ends a hardware loop while an inner one is still running; loops must nest" : NULL;
    if (splits != top.splits)
      return "ends a hardware loop in divergent code; a split in the body must be joined before its end";
    if (loop->count + 1 < loop->bound) {
      loop->count++;
      *next = loop->start;
      return NULL;
    }
    loop->count = 0;
    w->depth--;
    w->running = (uint8_t)(w->running & ~(1u << top.loop));
    *fetch = top.mask;
  }
  return NULL;
}

bool sl_loops_ends_at(const struct sl_loops *l, unsigned warp, uint32_t pc)
{
  const struct sl_warp_loops *w = &l->warp[warp];
  for (unsigned i = 0; i < w->depth; i++)
    if (w->loop[w->stack[i].loop].end == pc)
      return true;
  return false;
}

uint64_t sl_loops_product(const struct sl_loops *l, unsigned warp)
{
  const struct sl_warp_loops *w = &l->warp[warp];
  uint64_t product = w->enabled == 0 ? UINT64_MAX : 1;
  for (unsigned enabled = w->enabled; enabled != 0; enabled &= enabled - 1)
    if (__builtin_mul_overflow(product, w->loop[sl_lowest(enabled)].bound, &product))
      return UINT64_MAX;
  return product;
}

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
  const sl_lanes before = p->mask;
  wrong = sl_loops_next(loops, warp, pc, p->depth, &p->mask, &p->pc);
  if (wrong == NULL && p->mask != before && w->convergence->apart != NULL && w->convergence->apart(p))
    return "ends a hardware loop while lanes are parked that have left a loop in its body; they would run twice";
  return wrong;
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
