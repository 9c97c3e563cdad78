#include "machine/vortex/core/vortex_frontend.h"

#include "machine/vortex/core/vortex_execute.h"
#include "machine/vortex/core/vortex_ledger.h"

static void no_program(struct sl_vortex_pipeline *core, unsigned warp, uint32_t pc)
{
  core->warps->fault = (struct sl_fault){.kind = SL_FAULT_FETCH,
                                         .warp = (int)warp,
                                         .lanes = core->warps->warp[warp].mask,
                                         .pc = pc,
                                         .cycle = core->s.cycle};
  core->s.faulted = true;
}

/* Where the warp goes on, and the mask of this instruction. */
static bool advance(struct sl_vortex_pipeline *core, unsigned warp, uint16_t index)
{
  struct sl_vortex_op *op = &core->op[index];
  if (!core->extends) {
    core->warps->warp[warp].pc += core->warps->code->word_bytes;
    return true;
  }
  core->extended[index] = (struct sl_extended){0};
  const bool allowed =
      sl_ipdom_schedule(core->warps, warp, sl_vortex_insn(core, op), &op->mask, &core->extended[index]);
  core->s.faulted |= !allowed;
  return allowed;
}

/* Into the scheduler's buffer; where there is none, on to the cache. */
static void enter(struct sl_vortex_pipeline *core, uint16_t index)
{
  struct sl_vortex_front *front = &core->s.front;
  const bool buffered = core->spec->fetch_queue > 0;
  const unsigned place = front->end++ % SL_MAX_WARPS;
  front->op[place] = index;
  front->ready[place] = core->s.cycle + (buffered ? 1 : core->spec->fetch_delay);
  front->moved = buffered ? front->moved : front->end;
  core->known.again |= buffered ? SL_STAGE_REQUEST : 0;
}

/* The chosen warp is not chosen again before decode, or the instruction itself, lets it. What the record holds beyond
 * this is found at execution, or belongs to a stage. */
static void fetch(struct sl_vortex_pipeline *core, unsigned warp, uint16_t index, uint32_t number)
{
  const struct sl_ipdom_warp *state = &core->warps->warp[warp];
  struct sl_vortex_op *op = &core->op[index];
  op->facts = core->facts[number];
  op->number = number;
  op->pc = state->pc;
  op->mask = state->mask;
  op->warp = (uint8_t)warp;
  op->slice = (uint8_t)(warp % core->slices);
  op->effect = SL_IPDOM_NOTHING;
  op->holds = 1;
  if (!advance(core, warp, index))
    return;
  core->s.stalled |= sl_bit(warp);
  core->s.in_flight[warp]++;
  core->s.total_in_flight++;
  core->s.counts.scheduled++;
  core->s.counts.by_warp[warp]++;
  core->s.counts.fetch_latency -= core->s.cycle;
  if (__builtin_expect(core->watched, 0))
    sl_vortex_ledger_schedule(core, op);
  enter(core, index);
  if (core->spec->execute_at_schedule)
    sl_vortex_execute(core, index, core->s.cycle);
}

/* From the scheduler's buffer to that of requests to the instruction cache. */
static void request(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_front *front = &core->s.front;
  uint64_t *ready = &front->ready[front->moved % SL_MAX_WARPS];
  if (front->moved == front->end)
    return;
  if (*ready <= core->s.cycle && front->moved - front->first < core->spec->fetch_queue) {
    *ready = core->s.cycle + core->spec->fetch_delay - 1;
    front->moved++;
  }
  core->known.again |= front->moved != front->end ? SL_STAGE_REQUEST : 0;
}

/* No limit: nothing stays in the buffer. */
static bool has_room(const struct sl_vortex_pipeline *core)
{
  return core->spec->fetch_queue == 0 || core->s.front.end - core->s.front.moved < core->spec->fetch_queue;
}

/* The lowest of the warps that can be scheduled. */
static void choose(struct sl_vortex_pipeline *core, sl_warps ready)
{
  const unsigned warp = sl_lowest(ready);
  const uint32_t pc = core->warps->warp[warp].pc;
  const uint32_t number = sl_code_index(core->warps->code, pc);
  if (number >= core->warps->code->count) {
    no_program(core, warp, pc);
    return;
  }
  const uint16_t op = sl_vortex_take_op(core);
  if (op != SL_VORTEX_NONE)
    fetch(core, warp, op, number);
}

/* A warp can be scheduled from when it is woken until it is; one that waits for a spawn looks in every cycle. */
static void schedule(struct sl_vortex_pipeline *core, struct sl_vortex_due *due)
{
  core->s.stalled &= ~due->wake;
  due->wake = 0;
  if (core->warps->s.gang.spawning) {
    core->known.again |= SL_STAGE_SCHEDULE | SL_STAGE_ISSUE;
    if (core->s.cycle >= core->s.spawn_from)
      core->s.stalled &= ~sl_ipdom_begin_spawned(core->warps);
  }
  const sl_warps ready = core->warps->s.gang.active & ~(core->s.stalled | core->held);
  core->s.counts.schedule_idle += ready == 0;
  if (ready != 0 && has_room(core))
    choose(core, ready);
  core->known.again |= ready & ~core->s.stalled ? SL_STAGE_SCHEDULE : 0;
}

void sl_vortex_schedule(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_due *due = sl_vortex_due(core, core->s.cycle);
  if (core->s.faulted)
    return;
  if (due->wake | (due->stages & SL_STAGE_SCHEDULE))
    schedule(core, due);
  else
    core->s.counts.schedule_idle++;
  if (core->s.faulted)
    core->warps->fault.cycle = core->s.cycle;
  if (due->stages & SL_STAGE_REQUEST)
    request(core);
  due->stages = 0;
}

/* Decode hands an instruction to its warp's buffer; when that is full, everything behind waits too. */
bool sl_vortex_decode(struct sl_vortex_pipeline *core, uint16_t index)
{
  struct sl_vortex_buffers *buffer = &core->s.ibuffer;
  struct sl_vortex_op *op = &core->op[index];
  const unsigned warp = op->warp, count = buffer->count[warp];
  if (count >= core->spec->ibuffer_size) {
    core->s.counts.ibuffer_stalls++;
    return false;
  }
  op->decoded = core->s.cycle + core->spec->decode_delay;
  buffer->op[warp][(buffer->first[warp] + count) % SL_VORTEX_IBUFFER] = index;
  buffer->count[warp] = (uint8_t)(count + 1);
  if (count == 0)
    sl_vortex_due(core, op->decoded)->show |= sl_bit(warp);
  if (!(op->facts.flags & SL_FACT_STALLS_FETCH))
    sl_vortex_wake(core, sl_bit(warp), core->s.cycle + core->spec->decode_release);
  core->s.counts.ifetches++;
  core->s.counts.fetch_latency += core->s.cycle;
  return true;
}
