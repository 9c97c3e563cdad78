/* Schedule, fetch and decode of a Vortex core.
 *
 * Timing contract: a warp scheduled in cycle S is not scheduled again before decode, or the instruction in its unit,
 * wakes it. The instruction is in the scheduler's buffer from S + 1 on. One instruction per cycle moves from there to
 * the request buffer. It reaches the instruction cache in S + fetch.delay at the earliest, and decode with the cache's
 * answer. An instruction decoded in D can issue in D + decode.delay. Both buffers hold fetch.queue instructions.
 *
 * If a core has a private single-bank cache, all of these cycles are known in advance when nothing can delay the
 * instruction: its line is in the cache, no other line is outstanding, and the warp's buffer has room. The model then
 * skips the cycles between and puts the instruction into its warp's buffer at once. The instruction becomes visible in
 * D + decode.delay. */
#ifndef SL_MACHINE_VORTEX_FRONTEND_H
#define SL_MACHINE_VORTEX_FRONTEND_H

#include "machine/vortex/core/vortex_execute.h"
#include "machine/vortex/core/vortex_stages.h"

/* How many cycles ahead a fetch can be computed, limited by the wheel; 0: the keys do not allow it. */
unsigned sl_vortex_fetch_horizon(const struct sl_vortex_spec *spec);

/* Computes the warp's next instruction with extensions: its mask and the warp's next pc. False: the warp has
 * faulted. */
bool sl_vortex_advance_extended(struct sl_vortex_pipeline *core, unsigned warp, uint16_t op);

/* Handles a warp whose pc is outside the program. */
void sl_vortex_no_program(struct sl_vortex_pipeline *core, unsigned warp);

/* Moves an instruction from the scheduler's buffer to the request buffer of the instruction cache. */
void sl_vortex_request(struct sl_vortex_pipeline *core);

/* Decodes an instruction that the cache has returned. False: its buffer is full. */
bool sl_vortex_decode(struct sl_vortex_pipeline *core, uint16_t op);

/* Counts of fetches in the future: cache reads, instructions that reach decode, and the sum of their decode cycles. */
struct sl_vortex_fetches {
  uint64_t reads, decoded, cycles;
};

struct sl_vortex_fetches sl_vortex_fetches_to_come(const struct sl_vortex_pipeline *core);

/* The cache accepts the oldest request. */
static inline void sl_vortex_asked(struct sl_vortex_pipeline *core)
{
  core->s.front.request_free[core->s.front.first++ % SL_MAX_WARPS] = core->s.cycle + 1;
}

/* Appends to the warp's buffer of decoded instructions. */
static inline void sl_vortex_into_buffer(struct sl_vortex_pipeline *core, uint16_t index, uint64_t cycle)
{
  struct sl_vortex_buffers *buffer = &core->s.ibuffer;
  struct sl_vortex_op *op = &core->op[index];
  const unsigned warp = op->warp, count = buffer->count[warp];
  op->decoded = cycle + core->spec->decode_delay;
  buffer->op[warp][(buffer->first[warp] + count) % SL_VORTEX_IBUFFER] = index;
  buffer->count[warp] = (uint8_t)(count + 1);
  if (count == 0) {
    sl_vortex_know(core, warp);
    sl_vortex_show(core, warp, op->decoded);
  }
  if (!(op->facts.flags & SL_FACT_STALLS_FETCH))
    sl_vortex_wake(core, sl_bit(warp), cycle + core->spec->decode_release);
  core->s.counts.ifetches++;
  core->s.counts.fetch_latency += cycle;
}

/* Appends to the scheduler's buffer; without a buffer, to the cache's requests. */
static inline void sl_vortex_to_buffer(struct sl_vortex_pipeline *core, uint16_t index)
{
  struct sl_vortex_front *front = &core->s.front;
  const bool buffered = core->spec->fetch_queue > 0;
  const unsigned place = front->end++ % SL_MAX_WARPS;
  front->op[place] = index;
  front->ready[place] = core->s.cycle + (buffered ? 1 : core->spec->fetch_delay);
  front->decoded[place] = 0;
  front->moved = buffered ? front->moved : front->end;
  core->op[index].place = (uint8_t)place;
  sl_vortex_due(core, core->s.cycle)->stages |= SL_STAGE_FETCH;
}

static inline bool sl_vortex_has_buffer(const struct sl_vortex_pipeline *core, uint16_t op)
{
  return core->s.ibuffer.count[core->op[op].warp] < core->spec->ibuffer_size;
}

/* Appends to the warp's buffer in a future cycle. */
static inline void sl_vortex_decode_ahead(struct sl_vortex_pipeline *core, uint16_t index, uint64_t cycle)
{
  core->s.front.decoded[core->op[index].place] = cycle + 1;
  sl_vortex_into_buffer(core, index, cycle);
}

/* Computes the whole fetch of the oldest request, if its cycles are known. */
static inline bool sl_vortex_fetch_ahead(struct sl_vortex_pipeline *core, struct sl_cache *icache)
{
  const struct sl_vortex_spec *spec = core->spec;
  struct sl_vortex_front *front = &core->s.front;
  const uint32_t number = front->first, place = number % SL_MAX_WARPS;
  const uint16_t index = front->op[place];
  if (!sl_cache_rests(icache) || !sl_vortex_has_buffer(core, index))
    return false;
  uint64_t asked = sl_later_cycle(front->ready[place], core->s.cycle), moved = asked;
  if (number == front->moved) {
    moved = sl_later_cycle(sl_later_cycle(asked, front->buffer_free[(number - 1) % SL_MAX_WARPS]),
                           front->request_free[(number - spec->fetch_queue) % SL_MAX_WARPS]);
    asked = moved + (spec->fetch_delay > 0 ? spec->fetch_delay - 1 : 0);
  }
  asked = sl_later_cycle(asked, icache->bank->used);
  if (asked - core->s.cycle > core->fetch_horizon ||
      !sl_cache_read_ahead(icache, asked, core->op[index].pc >> SL_LINE_BITS))
    return false;
  if (number == front->moved) {
    front->buffer_free[place] = moved + 1;
    front->moved++;
  }
  front->request_free[place] = asked + 1;
  front->first++;
  sl_vortex_decode_ahead(core, index, asked + icache->spec.latency);
  return true;
}

/* Takes future answers of the cache as far as decode is known to accept them. */
static inline void sl_vortex_take_ahead(struct sl_vortex_pipeline *core, struct sl_cache *icache)
{
  for (const struct sl_cache_answer *a; (a = sl_cache_answer(icache, UINT64_MAX)) != NULL;) {
    const uint16_t op = (uint16_t)a->tag;
    if (a->cycle <= core->s.cycle || !sl_vortex_has_buffer(core, op))
      return;
    sl_vortex_decode_ahead(core, op, a->cycle);
    sl_cache_drop_answer(icache);
  }
}

/* Room 0: no limit, and no instruction stays in the buffer. */
static inline bool sl_vortex_schedules(const struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_front *front = &core->s.front;
  const uint32_t room = core->spec->fetch_queue;
  return room == 0 ||
         (front->end - front->moved < room && front->buffer_free[(front->end - room) % SL_MAX_WARPS] <= core->s.cycle);
}

/* Schedules a warp. It is not chosen again before decode, or the instruction itself, wakes it. Execution and the stages
 * set the other fields of the record. */
SL_VORTEX_STAGE void sl_vortex_schedule_warp(struct sl_vortex_pipeline *core, unsigned warp, uint16_t index,
                                             uint32_t number, const bool plain)
{
  struct sl_ipdom_warp *state = &core->warps->warp[warp];
  struct sl_vortex_op *op = &core->op[index];
  op->facts = core->facts[number];
  op->number = number;
  op->pc = state->pc;
  op->mask = state->mask;
  op->warp = (uint8_t)warp;
  op->slice = (uint8_t)(plain ? 0 : warp % core->slices);
  op->effect = SL_IPDOM_NOTHING;
  op->holds = 1;
  op->executed = false;
  if (plain || !core->extends)
    state->pc += core->warps->code->word_bytes;
  else if (!sl_vortex_advance_extended(core, warp, index))
    return;
  core->s.stalled |= sl_bit(warp);
  core->s.in_flight[warp]++;
  core->s.total_in_flight++;
  core->s.counts.scheduled++;
  core->s.counts.by_warp[warp]++;
  core->s.counts.fetch_latency -= core->s.cycle;
  if (!plain && core->watched)
    sl_vortex_account_schedule(core, op);
  if (!plain && core->regroups)
    sl_vortex_await_regroup(core, op);
  sl_vortex_to_buffer(core, index);
  if (!plain && core->spec->execute_at_schedule)
    sl_vortex_execute(core, index, core->s.cycle, plain);
}

/* Chooses the lowest schedulable warp. */
SL_VORTEX_STAGE void sl_vortex_choose(struct sl_vortex_pipeline *core, sl_warps ready, const bool plain)
{
  const unsigned warp = sl_lowest(ready);
  if (!plain && core->watches)
    sl_vortex_watch_progress(core, warp);
  const uint32_t number = sl_code_index(core->warps->code, core->warps->warp[warp].pc);
  if (number >= core->warps->code->count) {
    sl_vortex_no_program(core, warp);
    return;
  }
  const uint16_t op = sl_vortex_take_op(core);
  if (op != SL_VORTEX_NONE)
    sl_vortex_schedule_warp(core, warp, op, number, plain);
}

static inline void sl_vortex_begin_spawned(struct sl_vortex_pipeline *core, const bool plain)
{
  const sl_warps begun = sl_ipdom_begin_spawned(core->warps);
  const sl_warps selected = !plain && core->regroups ? begun & ~sl_bit(core->warps->s.sync.spawner) : 0;
  core->s.stalled = (core->s.stalled & ~begun) | selected;
  sl_vortex_regroup_start(core, selected);
}

/* A warp stays schedulable from its wake-up until it is scheduled. A warp that waits for a spawn is evaluated in every
 * cycle. */
SL_VORTEX_STAGE void sl_vortex_schedule_any(struct sl_vortex_pipeline *core, struct sl_vortex_due *due,
                                            const bool plain)
{
  const sl_warps woken = due->wake;
  due->wake = 0;
  if (__builtin_expect(core->warps->s.sync.spawning, 0)) {
    core->known.again |= SL_STAGE_SCHEDULE | SL_STAGE_ISSUE;
    if (core->s.cycle >= core->s.spawn_from)
      sl_vortex_begin_spawned(core, plain);
  }
  core->s.stalled &= ~(!plain && core->selects ? core->selects(core, woken) : woken);
  const sl_warps ready = core->warps->s.sync.active & ~(core->s.stalled | core->held);
  core->s.counts.schedule_idle += ready == 0;
  if (ready != 0 && sl_vortex_schedules(core))
    sl_vortex_choose(core, ready, plain);
  core->known.again |= ready & ~core->s.stalled ? SL_STAGE_SCHEDULE : 0;
}

/* Last stage of a core's cycle. It includes the instruction cache if the cache is private. */
SL_VORTEX_STAGE void sl_vortex_schedule(struct sl_vortex_pipeline *core, struct sl_vortex_due *due,
                                        struct sl_cache *icache, const bool plain)
{
  const struct sl_vortex_front *front = &core->s.front;
  if (core->s.faulted)
    return;
  if (due->stages & SL_STAGE_SCHEDULE)
    sl_vortex_schedule_any(core, due, plain);
  else
    core->s.counts.schedule_idle++;
  if (core->s.faulted)
    core->warps->fault.cycle = core->s.cycle;
  if (plain && !(due->stages & SL_STAGE_FETCH))
    return;
  while (plain && front->first != front->end && sl_vortex_fetch_ahead(core, icache))
    ;
  if (front->moved != front->end)
    sl_vortex_request(core);
}

#endif
