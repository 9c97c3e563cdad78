#include "machine/vortex/core/vortex_stages.h"

#include "machine/vortex/core/vortex_operands.h"

/* The last response has arrived: the load's slot is free in this cycle, or from the next one on. */
static void free_slot(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_lsu *lsu = &core->s.lsu;
  if (core->spec->lsu_slot_delay == 0) {
    lsu->loads--;
    return;
  }
  lsu->freed++;
  lsu->free_at = core->s.cycle + core->spec->lsu_slot_delay;
}

/* A response for an instruction: the whole result, or that of some lanes, which is a separate result in the RTL. */
static void respond(struct sl_vortex_pipeline *core, uint16_t index)
{
  struct sl_vortex_op *op = &core->op[index];
  op->answers--;
  const bool last = op->answers == 0 && op->unsent == 0 && op->local == 0;
  if (last && !(op->facts.flags & SL_FACT_FENCE)) {
    core->s.counts.loaded += op->threads;
    core->s.counts.load_latency += core->s.cycle * op->threads;
  }
  if (last) {
    if (__builtin_expect(core->watched, 0))
      sl_vortex_account_answered(core, op);
    free_slot(core);
    core->s.lsu.fence = core->s.lsu.fence && !(op->facts.flags & SL_FACT_FENCE);
  }
  if (last || core->spec->lsu_partial_commit)
    sl_vortex_result(core, index, core->s.cycle + core->spec->lsu_response_delay, last);
}

void sl_vortex_line_answered(struct sl_vortex_pipeline *core, uint16_t op, uint64_t delay)
{
  sl_vortex_push(core, &core->s.lsu.returned, op, core->s.cycle + delay, false);
  sl_vortex_look_at(core, SL_STAGE_LSU, core->s.cycle + delay);
}

/* Responses stall while results cannot be handed to commit. */
static bool can_respond(const struct sl_vortex_pipeline *core, uint16_t index)
{
  const struct sl_vortex_queue *results = &core->s.result[core->op[index].slice][SL_UNIT_LSU];
  return results->count <= results->mask;
}

/* One line per channel and cycle. */
static void take_lines(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_queue *from = &core->s.lsu.returned;
  const struct sl_vortex_entry *e;
  for (unsigned i = 0; i < core->channels && (e = sl_vortex_head(core, from, core->s.cycle)) != NULL; i++) {
    const uint16_t op = e->op;
    if (!can_respond(core, op))
      return;
    sl_vortex_pop(from);
    core->s.lsu.tags--;
    core->s.counts.lines_answered++;
    respond(core, op);
  }
}

/* Requests are granted alternately from the two halves of a wide crossbar. */
static inline unsigned granted(const struct sl_vortex_pipeline *core, unsigned slice, unsigned lanes)
{
  return core->lmem_wide ? (slice >> 1) + (slice & 1) * (lanes / 2) : slice;
}

/* The cycle in which the bank of a word serves a lane's request. stall: a load waits for a store to its word. */
static inline uint64_t serve(struct sl_vortex_lsu *lsu, unsigned bank, uint32_t word, bool store, bool stall,
                             uint64_t from)
{
  const uint64_t free = lsu->bank_free[bank];
  uint64_t at = sl_later_cycle(from, free);
  at += stall && lsu->bank_written[bank] == word && free == at;
  lsu->bank_free[bank] = at + 1;
  lsu->bank_written[bank] = store ? word : UINT32_MAX;
  return at;
}

/* Each lane has a buffer of two requests; an instruction enters when each of its lanes has room. */
static bool lanes_have_room(const struct sl_vortex_pipeline *core, sl_lanes lanes, uint64_t at)
{
  for (sl_lanes rest = lanes; rest; rest &= rest - 1)
    if (core->s.lsu.lane_served[sl_lowest(rest)][1] > at)
      return false;
  return true;
}

/* Words of a set of cycles: a bank serves the two requests of every lane, and may wait a cycle before each of their
 * instructions. */
enum { SERVED = 4 };
SL_HOLDS(64 * SERVED, 3 * SL_MAX_LANES, "all cycles in which an instruction's lanes can be served");

/* Counts the cycles in which lanes are served. */
static void count_local(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op, const uint64_t served[SERVED],
                        bool store)
{
  const unsigned passes = sl_count(served[0]) + sl_count(served[1]) + sl_count(served[2]) + sl_count(served[3]);
  core->s.counts.local_writes += store ? sl_count(op->local) : 0;
  core->s.counts.local_stalls += passes - 1;
  if (__builtin_expect(core->watched, 0))
    sl_vortex_account_local(core, op, passes);
}

/* Local memory: every bank serves one request per cycle, without broadcast. Lanes served in the same cycle answer
 * together. */
static bool local_access(struct sl_vortex_pipeline *core, uint16_t index)
{
  struct sl_vortex_lsu *lsu = &core->s.lsu;
  struct sl_vortex_op *op = &core->op[index];
  const uint32_t *address = core->address + ((size_t)index << core->warps->lane_bits);
  const uint64_t from = core->s.cycle + core->spec->lmem_delay;
  const bool store = !(op->facts.flags & SL_FACT_LOAD);
  const bool stall = core->spec->lmem_raw_stall && !store;
  const unsigned shift = core->spec->local_bank_by ? 0 : 2, banks = core->lmem_banks - 1;
  const sl_lanes lanes = op->local;
  uint64_t served[SERVED] = {0}; /* cycles since `from` in which lanes are served */
  if (!lanes_have_room(core, op->local, from))
    return false;
  for (unsigned slice = 0, count = core->warps->spec.lanes; slice < count; slice++) {
    const unsigned lane = granted(core, slice, count);
    if (!(lanes >> lane & 1))
      continue;
    const uint64_t at = serve(lsu, address[lane] >> shift & banks, address[lane] >> 2, store, stall, from);
    const uint64_t since = at - from;
    lsu->lane_served[lane][1] = lsu->lane_served[lane][0];
    lsu->lane_served[lane][0] = at;
    served[since / 64 % SERVED] |= sl_bit(since % 64);
  }
  core->s.counts.local_passes += sl_count(lanes);
  count_local(core, op, served, store);
  op->local = 0;
  for (unsigned i = 0; i < SERVED && !store; i++)
    for (uint64_t rest = served[i]; rest; rest &= rest - 1) {
      op->answers++;
      op->local_last = from + i * 64 + sl_lowest(rest) + core->lmem_latency;
      sl_vortex_insert(core, &lsu->local, index, op->local_last);
    }
  return true;
}

static void to_coalescer(struct sl_vortex_pipeline *core, uint16_t index, uint64_t ready)
{
  sl_vortex_push(core, &core->s.lsu.split, index, ready, false);
  sl_vortex_look_at(core, SL_STAGE_COALESCE, ready);
}

/* Whether an accepted access to global memory alone skips the split stage. The split of local and global lanes takes
 * place in the next cycle. If all is free there, the access is placed after it at once. The place that it would use
 * until then must not be the only one. */
static bool passes(const struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  return core->polled == 0 && core->spec->lsu_queue != 1 && op->local == 0 && core->s.lsu.requests.count == 0 &&
         sl_vortex_room(&core->s.lsu.split, core->spec->lsu_queue);
}

/* Separates local and global lanes. */
static void split(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_lsu *lsu = &core->s.lsu;
  const struct sl_vortex_entry *e = sl_vortex_head(core, &lsu->requests, core->s.cycle);
  if (e == NULL || !sl_vortex_room(&lsu->split, core->spec->lsu_queue))
    return;
  const uint16_t index = e->op;
  struct sl_vortex_op *op = &core->op[index];
  if (op->local && !local_access(core, index))
    return;
  if (op->unsent)
    to_coalescer(core, index, core->s.cycle + 1);
  else if (!(op->facts.flags & SL_FACT_LOAD))
    sl_vortex_let_go(core, index);
  sl_vortex_pop(&lsu->requests);
}

/* Lanes of a set whose address is in the same block as a given lane's. */
static sl_lanes same_block(const struct sl_vortex_pipeline *core, const uint32_t *address, sl_lanes set, uint32_t block)
{
  const uint32_t size = core->coalescer_line;
  return core->warps->ops->within(address, block & ~(size - 1), size, core->warps->spec.lanes) & set;
}

static void send_line(struct sl_vortex_pipeline *core, uint16_t index, uint32_t address, bool io)
{
  struct sl_vortex_lsu *lsu = &core->s.lsu;
  const unsigned flags = core->op[index].facts.flags;
  lsu->line[(lsu->line_first + lsu->line_count++) % SL_VORTEX_LINES] = (struct sl_vortex_line_request){
      .ready = core->s.cycle + core->spec->coalescer_delay,
      .line = address >> SL_LINE_BITS,
      .tag = index,
      .write = flags & SL_FACT_STORE,
      .io = io,
      .flush = flags & SL_FACT_FENCE,
  };
  core->known.again |= SL_STAGE_LINES;
  if (__builtin_expect(core->watched, 0))
    sl_vortex_account_line(core, &core->op[index]);
  if (flags & SL_FACT_STORE) {
    core->s.counts.store_lines++;
    return;
  }
  core->s.counts.load_lines++;
  core->op[index].answers++;
  lsu->tags++;
}

/* A channel's share of the lanes: the first remaining lane, and all lanes in its block. */
static void send_group(struct sl_vortex_pipeline *core, uint16_t index, sl_lanes group)
{
  struct sl_vortex_op *op = &core->op[index];
  const uint32_t *address = core->address + ((size_t)index << core->warps->lane_bits);
  const sl_lanes left = op->unsent & group;
  if (left == 0)
    return;
  const unsigned first = sl_lowest(left);
  op->unsent &= ~same_block(core, address, left, address[first]);
  send_line(core, index, address[first], op->io >> first & 1);
}

/* In a core that has faulted since, accepted accesses no longer reach the coalescing unit. */
static bool never_comes(const struct sl_vortex_pipeline *core, const struct sl_vortex_entry *e)
{
  return core->s.faulted && e->ready > core->warps->fault.cycle + 1;
}

/* Sets up the next line. With bounded queues the previous one must have left. */
void sl_vortex_coalesce(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_lsu *lsu = &core->s.lsu;
  const struct sl_vortex_spec *spec = core->spec;
  const struct sl_vortex_entry *e = sl_vortex_head(core, &lsu->split, core->s.cycle);
  if (e == NULL || never_comes(core, e) || core->s.cycle < lsu->send_from ||
      lsu->tags + core->channels > core->coalescer_tags ||
      lsu->line_count > (spec->lsu_queue > 0 ? 0 : SL_VORTEX_LINES - core->channels))
    return;
  const uint16_t index = e->op;
  struct sl_vortex_op *op = &core->op[index];
  lsu->send_from = core->s.cycle + spec->coalescer_interval;
  if (op->facts.flags & SL_FACT_FENCE) {
    op->unsent = 0;
    send_line(core, index, 0, false);
  } else
    for (unsigned c = 0; c < core->channels; c++)
      send_group(core, index, core->channel_lanes << c * core->channel_width);
  if (op->unsent)
    return;
  sl_vortex_pop(&lsu->split);
  core->known.again |= lsu->requests.count > 0 ? SL_STAGE_LSU : 0;
  if (op->facts.flags & SL_FACT_STORE)
    sl_vortex_let_go(core, index);
}

/* A fence. In the simulator it only waits for loads; in the RTL it is a request that flushes the data cache. */
static bool take_fence(struct sl_vortex_pipeline *core, uint16_t index)
{
  struct sl_vortex_lsu *lsu = &core->s.lsu;
  struct sl_vortex_op *op = &core->op[index];
  op->unsent = op->local = op->io = 0;
  if (!core->spec->fence_flushes) {
    if (lsu->loads > 0)
      return false;
    sl_vortex_finish_at(core, index, core->s.cycle + core->spec->fence_delay);
    return true;
  }
  if (lsu->loads >= core->lsu_loads)
    return false;
  lsu->loads++;
  lsu->fence = true;
  op->unsent = 1;
  sl_vortex_push(core, &lsu->requests, index, core->s.cycle + 1, false);
  return true;
}

static bool take_access(struct sl_vortex_pipeline *core, uint16_t index)
{
  struct sl_vortex_lsu *lsu = &core->s.lsu;
  struct sl_vortex_op *op = &core->op[index];
  if (op->mask == 0) {
    sl_vortex_finish_at(core, index, core->s.cycle + core->spec->lsu_store_delay);
    return true;
  }
  if (op->facts.flags & SL_FACT_LOAD) {
    if (lsu->loads >= core->lsu_loads)
      return false;
    lsu->loads++;
    core->s.counts.loads += op->threads;
    core->s.counts.load_latency -= core->s.cycle * op->threads;
  } else {
    core->s.counts.stores += op->threads;
    op->holds++;
    sl_vortex_finish_at(core, index, core->s.cycle + core->spec->lsu_store_delay);
  }
  if (passes(core, op))
    to_coalescer(core, index, core->s.cycle + 2);
  else
    sl_vortex_push(core, &lsu->requests, index, core->s.cycle + 1, false);
  return true;
}

static bool take_op(struct sl_vortex_pipeline *core, uint16_t index)
{
  if (core->s.lsu.fence || !sl_vortex_room(&core->s.lsu.requests, core->spec->lsu_queue))
    return false;
  return core->op[index].facts.flags & SL_FACT_FENCE ? take_fence(core, index) : take_access(core, index);
}

/* The first access blocks those behind it, loads and stores alike. */
static void take(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_queue *from = &core->s.input[0][SL_UNIT_LSU];
  const struct sl_vortex_entry *e = sl_vortex_head(core, from, core->s.cycle);
  if (e == NULL)
    return;
  const uint16_t index = e->op;
  const bool taken = take_op(core, index);
  if (__builtin_expect(core->watched, 0))
    sl_vortex_account_taken(core, &core->op[index], taken);
  if (!taken)
    return;
  sl_vortex_pop(from);
  sl_vortex_input_free(core, SL_UNIT_LSU);
}

/* The first access waits for an answer, after which the LSU is evaluated anyway. */
static bool waits_for_answer(const struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  const struct sl_vortex_lsu *lsu = &core->s.lsu;
  const bool waits_for_all = (op->facts.flags & SL_FACT_FENCE) && !core->spec->fence_flushes;
  return lsu->fence || (waits_for_all && lsu->loads > 0) ||
         ((op->facts.flags & (SL_FACT_LOAD | SL_FACT_FENCE)) && lsu->loads >= core->lsu_loads);
}

/* Requests evaluation when the oldest entry of each queue becomes ready. A ready entry that stays is evaluated in the
 * next cycle. */
static void ask_again(struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_lsu *lsu = &core->s.lsu;
  const struct sl_vortex_queue *input = &core->s.input[0][SL_UNIT_LSU];
  sl_vortex_look_at_head(core, SL_STAGE_LSU, &lsu->returned);
  sl_vortex_look_at_head(core, SL_STAGE_LSU, &lsu->local);
  sl_vortex_look_at_head(core, SL_STAGE_LSU, &lsu->requests);
  if (lsu->freed > 0 && input->count > 0)
    sl_vortex_look_at(core, SL_STAGE_LSU, lsu->free_at);
  if (input->count > 0 && (sl_vortex_first(core, input)->ready > core->s.cycle ||
                           !waits_for_answer(core, &core->op[sl_vortex_first(core, input)->op])))
    sl_vortex_look_at_head(core, SL_STAGE_LSU, input);
}

void sl_vortex_lsu(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_lsu *lsu = &core->s.lsu;
  if (lsu->freed > 0 && core->s.cycle >= lsu->free_at) {
    lsu->loads -= lsu->freed;
    lsu->freed = 0;
  }
  if (lsu->returned.count + lsu->local.count + lsu->requests.count + core->s.input[0][SL_UNIT_LSU].count == 0)
    return;
  take_lines(core);
  const struct sl_vortex_entry *e = sl_vortex_head(core, &lsu->local, core->s.cycle);
  if (e != NULL && can_respond(core, e->op)) {
    const uint16_t index = e->op;
    sl_vortex_pop(&lsu->local);
    respond(core, index);
  }
  if (core->spec->queues_same_cycle)
    split(core);
  take(core);
  if (!core->spec->queues_same_cycle)
    split(core);
  if (!(core->polled & SL_STAGE_LSU))
    ask_again(core);
}
