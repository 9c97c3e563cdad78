#include "machine/vortex/core/vortex_units.h"

#include "machine/vortex/core/vortex_operands.h"
#include "machine/vortex/core/vortex_stages.h"

/* The hardware switches the warp off when its TMC executes. The warp's loops and streams end with it. */
void sl_vortex_warp_ends(struct sl_vortex_pipeline *core, unsigned warp)
{
  sl_ipdom_end(core->warps, warp);
  core->s.stalled |= sl_bit(warp);
  sl_vortex_look_at(core, SL_STAGE_ISSUE | SL_STAGE_SCHEDULE, core->s.cycle);
  const uint64_t seen = core->s.cycle + (core->spec->execute_at_schedule ? 1 : core->spec->spawn_delay);
  core->s.spawn_from = seen > core->s.spawn_from ? seen : core->s.spawn_from;
}

static void spawn(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  const uint64_t from = core->s.cycle + core->spec->spawn_delay;
  sl_core_sync_ask(&core->warps->s.sync, op->warp, op->count, op->target);
  sl_vortex_look_at(core, SL_STAGE_ISSUE | SL_STAGE_SCHEDULE, core->s.cycle);
  core->s.spawn_from = from > core->s.spawn_from ? from : core->s.spawn_from;
}

void sl_vortex_pass_barrier(struct sl_vortex_pipeline *core, sl_warps warps)
{
  sl_vortex_wake(core, warps, core->s.cycle + core->spec->control_delay);
  sl_vortex_look_at(core, SL_STAGE_ISSUE, core->s.cycle);
  if (__builtin_expect(core->watched, 0))
    sl_vortex_account_barrier(core, SL_PROBE_RELEASED, warps);
}

/* Executes a warp-control instruction that has reached its unit. */
static void sl_vortex_control(struct sl_vortex_pipeline *core, uint16_t index)
{
  const struct sl_vortex_op *op = &core->op[index];
  const bool joins = op->facts.flags & SL_FACT_JOIN;
  switch ((enum sl_ipdom_effect)op->effect) {
  case SL_IPDOM_ENDS:
    if (!core->spec->execute_at_schedule)
      sl_vortex_warp_ends(core, op->warp);
    break;
  case SL_IPDOM_SPAWNS: spawn(core, op); break;
  case SL_IPDOM_ARRIVES:
    if (__builtin_expect(core->watched, 0))
      sl_vortex_account_barrier(core, SL_PROBE_ARRIVED, sl_bit(op->warp));
    sl_vortex_pass_barrier(core, sl_core_sync_arrive(&core->warps->s.sync, op->warp, op->barrier, op->count));
    break;
  case SL_IPDOM_NOTHING:
  case SL_IPDOM_FAULTS:
    if (__builtin_expect(op->count > 0, 0))
      sl_vortex_absent(core, op->warp, core->s.cycle + core->spec->control_delay,
                       core->s.cycle + core->spec->control_delay + op->count);
    sl_vortex_wake(core, sl_bit(op->warp),
                   core->s.cycle + op->count + (joins ? core->spec->join_delay : core->spec->control_delay));
    break;
  }
}

/* Results that complete in this cycle; the oldest is last in its list. */
static void take_done(struct sl_vortex_pipeline *core, struct sl_vortex_due *due)
{
  uint16_t reversed = SL_VORTEX_NONE;
  for (uint16_t op = due->done, next; op != SL_VORTEX_NONE; op = next) {
    next = core->op[op].next;
    core->op[op].next = reversed;
    reversed = op;
  }
  due->done = SL_VORTEX_NONE;
  for (uint16_t op = reversed; op != SL_VORTEX_NONE; op = core->op[op].next) {
    struct sl_vortex_op *o = &core->op[op];
    const bool stored = o->facts.unit == SL_UNIT_LSU;
    struct sl_vortex_queue *queue = stored ? &core->s.stored[o->slice] : &core->s.result[o->slice][o->facts.unit];
    core->s.results[o->slice]++;
    core->s.waiting++;
    sl_vortex_push(core, queue, op, core->s.cycle, true);
  }
}

/* Whether an answer of local memory merges with one that waits at its lanes. Answers wait there while earlier answers
 * wait, and all that wait for the same instruction leave together. The lanes learn lsu.response_delay cycles late that
 * an answer waits at the arbiter. Answers of the banks until then travel separately. */
static bool merges(const struct sl_vortex_pipeline *core, const struct sl_vortex_queue *queue)
{
  const struct sl_vortex_entry *e = sl_vortex_first(core, queue), *next = sl_vortex_entry(core, queue, 1);
  return queue->count > 1 && next->op == e->op && next->ready <= core->s.cycle &&
         core->op[e->op].local_last > core->s.cycle + core->spec->lsu_response_delay;
}

/* The queue of a unit whose oldest result has arrived; NULL: none. For the LSU, loads come before stores. */
static struct sl_vortex_queue *queue_of(struct sl_vortex_pipeline *core, unsigned slice, unsigned unit)
{
  struct sl_vortex_queue *results = &core->s.result[slice][unit], *stored = &core->s.stored[slice];
  if (unit != SL_UNIT_LSU)
    return results->count > 0 ? results : NULL;
  if (sl_vortex_head(core, results, core->s.cycle) != NULL)
    return results;
  return stored->count > 0 ? stored : NULL;
}

static void take_result(struct sl_vortex_pipeline *core, unsigned slice, unsigned unit, struct sl_vortex_queue *queue)
{
  const bool load = queue == &core->s.result[slice][SL_UNIT_LSU];
  if (load && merges(core, queue))
    sl_vortex_pop(queue);
  const struct sl_vortex_entry *e = sl_vortex_first(core, queue);
  if (e->last)
    sl_vortex_commit_op(core, e->op);
  sl_vortex_win(core, slice, unit);
  core->s.results[slice] -= !load;
  core->s.waiting -= !load;
  sl_vortex_pop(queue);
}

/* One result per slice and cycle; round robin over the units, from the one after the last winner. */
static void commit_slice(struct sl_vortex_pipeline *core, unsigned slice)
{
  for (unsigned k = 1; k <= SL_UNIT_COUNT; k++) {
    const unsigned unit = sl_vortex_turn(core, (core->s.last_winner[slice] + k) % SL_UNIT_COUNT);
    struct sl_vortex_queue *queue = queue_of(core, slice, unit);
    if (queue == NULL)
      continue;
    take_result(core, slice, unit, queue);
    return;
  }
}

/* Waiting results compete again in the next cycle; those of loads when they arrive. */
void sl_vortex_commit_slices(struct sl_vortex_pipeline *core, struct sl_vortex_due *due)
{
  take_done(core, due);
  for (unsigned slice = 0; slice < core->slices; slice++) {
    commit_slice(core, slice);
    sl_vortex_look_at_head(core, SL_STAGE_COMMIT, &core->s.result[slice][SL_UNIT_LSU]);
  }
  if (core->s.waiting > 0)
    core->known.again |= SL_STAGE_COMMIT;
}

void sl_vortex_commit_load(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_queue *results = &core->s.result[0][SL_UNIT_LSU];
  if (sl_vortex_head(core, results, core->s.cycle) != NULL)
    take_result(core, 0, SL_UNIT_LSU, results);
  sl_vortex_look_at_head(core, SL_STAGE_COMMIT, results);
}

static void alu(struct sl_vortex_pipeline *core, struct sl_vortex_queue *from)
{
  const struct sl_vortex_entry *e = sl_vortex_head(core, from, core->s.cycle);
  if (e == NULL)
    return;
  const uint16_t index = e->op;
  const struct sl_vortex_op *op = &core->op[index];
  if (op->facts.flags & SL_FACT_STALLS_FETCH)
    sl_vortex_wake(core, sl_bit(op->warp), core->s.cycle + core->spec->branch_delay);
  sl_vortex_pop(from);
  sl_vortex_finish_at(core, index, core->s.cycle + core->spec->latency[op->facts.class]);
}

/* An instruction keeps one of the FPU's tags until its result has been handed to commit. */
static void fpu(struct sl_vortex_pipeline *core, struct sl_vortex_queue *from, unsigned slice)
{
  const struct sl_vortex_entry *e = sl_vortex_head(core, from, core->s.cycle);
  if (e == NULL || (core->spec->fpu_queue > 0 && core->s.fpu_tags[slice] >= core->spec->fpu_queue))
    return;
  const uint16_t index = e->op;
  core->s.fpu_tags[slice] += core->spec->fpu_queue > 0;
  sl_vortex_pop(from);
  if (from == &core->s.dispatch[slice][SL_UNIT_FPU])
    sl_vortex_taken(core, slice, SL_UNIT_FPU);
  sl_vortex_finish_at(core, index, core->s.cycle + core->spec->latency[core->op[index].facts.class]);
}

static void sfu(struct sl_vortex_pipeline *core, struct sl_vortex_queue *from)
{
  const struct sl_vortex_entry *e = sl_vortex_head(core, from, core->s.cycle);
  if (e == NULL)
    return;
  const uint16_t index = e->op;
  const struct sl_vortex_op *op = &core->op[index];
  const bool flags = op->facts.flags & SL_FACT_FLAGS_CSR;
  if (flags && core->spec->csr_flags_wait &&
      (core->s.in_flight[op->warp] != 1 || core->s.cycle <= core->s.committed[op->warp]))
    return;
  if ((op->facts.flags & SL_FACT_EXTENSION_CSR) &&
      !sl_extensions_open(core->warps, op->warp, sl_vortex_insn(core, op)->csr, core->s.in_flight[op->warp] == 1,
                          &core->extended[index]))
    return;
  sl_vortex_pop(from);
  sl_vortex_input_free(core, SL_UNIT_SFU);
  if (op->facts.flags & SL_FACT_STALLS_FETCH) {
    if (sl_vortex_insn(core, op)->kind == SL_KIND_WARP)
      sl_vortex_control(core, index);
    else
      sl_vortex_wake(core, sl_bit(op->warp), core->s.cycle + core->spec->csr_delay);
  }
  sl_vortex_finish_at(core, index, core->s.cycle + core->spec->latency[SL_VORTEX_CSR]);
}

/* From the dispatch queue of a slice to the input of a unit, which is a register in the RTL and an unbounded queue in
 * the simulator. A shared unit serves one slice per cycle. False: an instruction waits for the input. */
static inline bool feed(struct sl_vortex_pipeline *core, unsigned slice, unsigned block, enum sl_vortex_unit unit,
                        unsigned delay)
{
  struct sl_vortex_queue *from = &core->s.dispatch[slice][unit], *to = &core->s.input[block][unit];
  const struct sl_vortex_entry *e = sl_vortex_head(core, from, core->s.cycle);
  if (e == NULL)
    return true;
  if (!sl_vortex_room(to, core->spec->dispatch_decoupled ? 0 : 1))
    return false;
  sl_vortex_push(core, to, e->op, core->s.cycle + delay, false);
  sl_vortex_pop(from);
  sl_vortex_taken(core, slice, unit);
  if (unit == SL_UNIT_LSU)
    sl_vortex_look_at(core, SL_STAGE_LSU, core->s.cycle + delay);
  return true;
}

static inline void feed_shared(struct sl_vortex_pipeline *core, enum sl_vortex_unit unit)
{
  const unsigned slice = core->s.slice[unit], delay = core->spec->dispatch_unit_delay + core->spec->shared_unit_delay;
  if (feed(core, slice, 0, unit, delay))
    core->s.slice[unit] = slice + 1 < core->slices ? slice + 1 : 0;
}

/* The private units of a slice. They take instructions directly from the dispatcher if nothing is between. */
static inline void slice_units(struct sl_vortex_pipeline *core, unsigned slice)
{
  const unsigned delay = core->spec->dispatch_unit_delay;
  struct sl_vortex_queue *dispatched = core->s.dispatch[slice];
  struct sl_vortex_queue *from = delay > 0 ? core->s.input[slice] : dispatched;
  if (from[SL_UNIT_ALU].count > 0)
    alu(core, &from[SL_UNIT_ALU]);
  if (from[SL_UNIT_FPU].count > 0)
    fpu(core, &from[SL_UNIT_FPU], slice);
  if (delay > 0 && dispatched[SL_UNIT_ALU].count > 0)
    feed(core, slice, slice, SL_UNIT_ALU, delay);
  if (delay > 0 && dispatched[SL_UNIT_FPU].count > 0)
    feed(core, slice, slice, SL_UNIT_FPU, delay);
}

/* Units of a single slice that are computed ahead. They request evaluation when they have an instruction; one that is
 * not accepted requests it for the next cycle. */
static void units_ahead(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_queue *fpus = &core->s.dispatch[0][SL_UNIT_FPU], *sfus = &core->s.input[0][SL_UNIT_SFU];
  if (fpus->count > 0)
    fpu(core, fpus, 0);
  if (sfus->count > 0)
    sfu(core, sfus);
  sl_vortex_look_at_head(core, SL_STAGE_UNITS, fpus);
  sl_vortex_look_at_head(core, SL_STAGE_UNITS, sfus);
}

void sl_vortex_units(struct sl_vortex_pipeline *core)
{
  if (core->feeds) {
    units_ahead(core);
    return;
  }
  for (unsigned slice = 0; slice < core->slices; slice++)
    slice_units(core, slice);
  if (core->s.input[0][SL_UNIT_SFU].count > 0)
    sfu(core, &core->s.input[0][SL_UNIT_SFU]);
  feed_shared(core, SL_UNIT_SFU);
  feed_shared(core, SL_UNIT_LSU);
}
