/* Schedule, fetch and decode of a Vortex core.
 *
 * Timing contract: a warp scheduled in S is not scheduled again before decode, or the instruction in its unit, wakes
 * it. The instruction is in the scheduler's buffer from S + 1 on, leaves it, one per cycle, for that of requests,
 * reaches the instruction cache in S + fetch.delay at the earliest, and decode with the cache's answer; decoded in D it
 * can issue in D + decode.delay. Both buffers have room for fetch.queue instructions.
 *
 * Where a core has a cache of one bank for itself, all of this is known at schedule when nothing is under way that
 * could hold the instruction up: its line is in the cache, no other is awaited, and the warp's buffer has room. Nothing
 * is then done in between, and the instruction is in the buffer of its warp at once, to be seen in D + decode.delay. */
#ifndef SL_MACHINE_VORTEX_FRONTEND_H
#define SL_MACHINE_VORTEX_FRONTEND_H

#include "machine/vortex/core/vortex_execute.h"
#include "machine/vortex/core/vortex_ledger.h"

/* Whether the keys let instructions be fetched ahead. */
bool sl_vortex_fetches_ahead(const struct sl_vortex_spec *spec);

/* The warp's next instruction, with extensions: its mask, and where the warp goes on. False: it has faulted. */
bool sl_vortex_advance_extended(struct sl_vortex_pipeline *core, unsigned warp, uint16_t op);

/* There is no program at a warp's pc. */
void sl_vortex_no_program(struct sl_vortex_pipeline *core, unsigned warp);

/* From the scheduler's buffer to that of requests to the instruction cache. */
void sl_vortex_request(struct sl_vortex_pipeline *core);

/* The cache answers: an instruction has been fetched. False: its buffer is full. */
bool sl_vortex_decode(struct sl_vortex_pipeline *core, uint16_t op);

/* What has been counted of fetches whose time has yet to come: of reads of the cache, of instructions that reach
 * decode, and the sum of the cycles in which they do. */
struct sl_vortex_fetches {
  uint64_t reads, decoded, cycles;
};

struct sl_vortex_fetches sl_vortex_fetches_to_come(const struct sl_vortex_pipeline *core);

/* The cache takes the oldest request. */
static inline void sl_vortex_fetched(struct sl_vortex_pipeline *core)
{
  core->s.front.request_free[core->s.front.first++ % SL_MAX_WARPS] = core->s.cycle + 1;
}

/* Into the buffer of decoded instructions of its warp. */
static inline void sl_vortex_into_buffer(struct sl_vortex_pipeline *core, uint16_t index, uint64_t cycle)
{
  struct sl_vortex_buffers *buffer = &core->s.ibuffer;
  struct sl_vortex_op *op = &core->op[index];
  const unsigned warp = op->warp, count = buffer->count[warp];
  op->decoded = cycle + core->spec->decode_delay;
  buffer->op[warp][(buffer->first[warp] + count) % SL_VORTEX_IBUFFER] = index;
  buffer->count[warp] = (uint8_t)(count + 1);
  if (count == 0)
    sl_vortex_due(core, op->decoded)->show |= sl_bit(warp);
  if (!(op->facts.flags & SL_FACT_STALLS_FETCH))
    sl_vortex_wake(core, sl_bit(warp), cycle + core->spec->decode_release);
  core->s.counts.ifetches++;
  core->s.counts.fetch_latency += cycle;
}

/* All the way to its buffer, if that is known: see above. */
static inline bool sl_vortex_fetch_ahead(struct sl_vortex_pipeline *core, struct sl_cache *icache, uint16_t index)
{
  const struct sl_vortex_spec *spec = core->spec;
  struct sl_vortex_front *front = &core->s.front;
  const struct sl_vortex_op *op = &core->op[index];
  const uint32_t number = front->end, place = number % SL_MAX_WARPS;
  if (front->first != number || core->s.ibuffer.count[op->warp] >= spec->ibuffer_size || !sl_cache_rests(icache))
    return false;
  const uint64_t moved =
      sl_later_cycle(sl_later_cycle(core->s.cycle + 1, front->buffer_free[(number - 1) % SL_MAX_WARPS]),
                     front->request_free[(number - spec->fetch_queue) % SL_MAX_WARPS]);
  const uint64_t asked = moved + (spec->fetch_delay > 0 ? spec->fetch_delay - 1 : 0);
  if (!sl_cache_read_ahead(icache, asked, op->pc >> SL_LINE_BITS))
    return false;
  front->first = front->moved = front->end = number + 1;
  front->buffer_free[place] = moved + 1;
  front->request_free[place] = asked + 1;
  front->decoded[place] = asked + icache->spec.latency + 1;
  sl_vortex_into_buffer(core, index, asked + icache->spec.latency);
  return true;
}

/* Into the scheduler's buffer; where there is none, on to the cache. */
static inline void sl_vortex_to_buffer(struct sl_vortex_pipeline *core, uint16_t index)
{
  struct sl_vortex_front *front = &core->s.front;
  const bool buffered = core->spec->fetch_queue > 0;
  const unsigned place = front->end++ % SL_MAX_WARPS;
  front->op[place] = index;
  front->ready[place] = core->s.cycle + (buffered ? 1 : core->spec->fetch_delay);
  front->decoded[place] = 0;
  front->moved = buffered ? front->moved : front->end;
  core->known.again |= buffered ? SL_STAGE_REQUEST : 0;
}

/* No limit: nothing stays in the buffer. */
static inline bool sl_vortex_schedules(const struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_front *front = &core->s.front;
  const uint32_t room = core->spec->fetch_queue;
  return room == 0 ||
         (front->end - front->moved < room && front->buffer_free[(front->end - room) % SL_MAX_WARPS] <= core->s.cycle);
}

/* The chosen warp is not chosen again before decode, or the instruction itself, lets it. What the record holds beyond
 * this is found at execution, or belongs to a stage. The instruction cache, if it is the core's own. */
SL_VORTEX_STAGE void sl_vortex_schedule_warp(struct sl_vortex_pipeline *core, struct sl_cache *icache, unsigned warp,
                                             uint16_t index, uint32_t number, const bool plain)
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
    sl_vortex_ledger_schedule(core, op);
  if (!plain || !sl_vortex_fetch_ahead(core, icache, index))
    sl_vortex_to_buffer(core, index);
  if (!plain && core->spec->execute_at_schedule)
    sl_vortex_execute(core, index, core->s.cycle, plain);
}

/* The lowest of the warps that can be scheduled. */
SL_VORTEX_STAGE void sl_vortex_choose(struct sl_vortex_pipeline *core, struct sl_cache *icache, sl_warps ready,
                                      const bool plain)
{
  const unsigned warp = sl_lowest(ready);
  const uint32_t number = sl_code_index(core->warps->code, core->warps->warp[warp].pc);
  if (number >= core->warps->code->count) {
    sl_vortex_no_program(core, warp);
    return;
  }
  const uint16_t op = sl_vortex_take_op(core);
  if (op != SL_VORTEX_NONE)
    sl_vortex_schedule_warp(core, icache, warp, op, number, plain);
}

/* A warp can be scheduled from when it is woken until it is; who waits for a spawn looks in every cycle. */
SL_VORTEX_STAGE void sl_vortex_schedule_any(struct sl_vortex_pipeline *core, struct sl_cache *icache,
                                            struct sl_vortex_due *due, const bool plain)
{
  core->s.stalled &= ~due->wake;
  due->wake = 0;
  if (__builtin_expect(core->warps->s.gang.spawning, 0)) {
    core->known.again |= SL_STAGE_SCHEDULE | SL_STAGE_ISSUE;
    if (core->s.cycle >= core->s.spawn_from)
      core->s.stalled &= ~sl_ipdom_begin_spawned(core->warps);
  }
  const sl_warps ready = core->warps->s.gang.active & ~(core->s.stalled | core->held);
  core->s.counts.schedule_idle += ready == 0;
  if (ready != 0 && sl_vortex_schedules(core))
    sl_vortex_choose(core, icache, ready, plain);
  core->known.again |= ready & ~core->s.stalled ? SL_STAGE_SCHEDULE : 0;
}

/* The last of a core's cycle. */
SL_VORTEX_STAGE void sl_vortex_schedule(struct sl_vortex_pipeline *core, struct sl_cache *icache, const bool plain)
{
  struct sl_vortex_due *due = sl_vortex_due(core, core->s.cycle);
  if (core->s.faulted)
    return;
  if (due->wake | (due->stages & SL_STAGE_SCHEDULE))
    sl_vortex_schedule_any(core, icache, due, plain);
  else
    core->s.counts.schedule_idle++;
  if (core->s.faulted)
    core->warps->fault.cycle = core->s.cycle;
  if (due->stages & SL_STAGE_REQUEST)
    sl_vortex_request(core);
  due->stages = 0;
}

#endif
