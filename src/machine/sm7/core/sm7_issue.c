#include "machine/sm7/core/sm7_stages.h"

#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/core/sm7_warps.h"

bool sl_sm7_issues(const struct sl_sm7_sm *sm)
{
  return sl_sm7_candidates(sm) != 0;
}

void sl_sm7_note_age(struct sl_sm7_sm *sm, unsigned warp)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < sm->aged; i++)
    if (sm->by_age[i] != warp)
      sm->by_age[kept++] = sm->by_age[i];
  sm->by_age[kept] = (uint8_t)warp;
  sm->aged = (uint8_t)(kept + 1);
}

/* A barrier opens when all live warps of the block have arrived, or as many as the instruction requires. */
static void open_barrier(struct sl_sm7_sm *sm, struct sl_sm7_block *b, unsigned number)
{
  const uint64_t at = b->at[number];
  const unsigned needed = b->needed[number];
  if (at && (needed ? (unsigned)__builtin_popcountll(at) >= needed : (b->active & ~at) == 0)) {
    if (SL_SM7_OBSERVED)
      sl_sm7_event_released(sm->events, at & sm->barrier);
    sm->barrier &= ~at;
    b->at[number] = 0;
    for (uint64_t rest = sm->wire.front->pass != NULL ? at & sm->live : 0; rest; rest &= rest - 1)
      sl_sm7_pass(sm, (unsigned)__builtin_ctzll(rest));
  }
}

/* If all warps of a block wait at barriers, they wait forever, because only they could open one. */
static void check_stuck(struct sl_sm7_sm *sm, const struct sl_sm7_block *b, unsigned slot)
{
  const struct sl_sm7_front *front = sm->wire.front;
  if (front->stuck == NULL || b->active == 0 || (b->active & ~(sm->barrier & ~sm->phases.held)) != 0)
    return;
  front->stuck(front->context, sm->id, slot, (unsigned)__builtin_ctzll(b->active) - slot * sm->warps_per_block);
  sm->failed = true;
}

static void arrive(struct sl_sm7_sm *sm, unsigned warp, const struct sl_sm7_effect *effect)
{
  const unsigned slot = sm->warp[warp].slot, number = effect->barrier % SL_SM7_BARRIERS;
  struct sl_sm7_block *b = &sm->block[slot];
  b->at[number] |= sl_sm7_bit(warp);
  b->needed[number] = effect->barrier_warps < SL_SM7_NEVER_OPENS ? (uint8_t)effect->barrier_warps : SL_SM7_NEVER_OPENS;
  if (!effect->arrives)
    sm->barrier |= sl_sm7_bit(warp);
  open_barrier(sm, b, number);
  if (!effect->arrives)
    check_stuck(sm, b, slot);
}

static void warp_ends(struct sl_sm7_sm *sm, unsigned warp)
{
  const unsigned slot = sm->warp[warp].slot;
  struct sl_sm7_block *b = &sm->block[slot];
  sm->live &= ~sl_sm7_bit(warp);
  b->active &= ~sl_sm7_bit(warp);
  for (unsigned i = 0; i < SL_SM7_BARRIERS; i++)
    open_barrier(sm, b, i);
  check_stuck(sm, b, slot);
}

/* Adds the memory accesses to the op. */
static void find_accesses(struct sl_sm7_sm *sm, struct sl_sm7_op *op, const struct sl_sm7_effect *effect)
{
  const struct sl_sm7_warp *w = &sm->warp[op->warp];
  op->space = effect->space;
  op->list = SL_SM7_NONE;
  op->lanes = (uint8_t)__builtin_popcount(effect->active);
  op->group = w->group;
  if (op->code->kind == SL_SM7_ASYNC_LOAD)
    sl_sm7_load_begins(sm, op->warp, op->group);
  if (op->code->kind == SL_SM7_ATOMIC && effect->active) {
    sm->warp[op->warp].atomics += op->lanes;
    sm->atomic |= sl_sm7_bit(op->warp);
  }
  if (effect->space == SL_SM7_SHARED) {
    const bool parts = effect->lines && effect->accesses > 0;
    op->delay = parts           ? effect->passes
                : effect->lines ? (uint16_t)sl_sm7_conflicts_of_lines(effect)
                                : (uint16_t)sl_sm7_conflicts_of_banks(effect);
    sm->counts.shared_cycles += op->delay;
    sm->counts.shared_instructions += parts ? effect->accesses : effect->active != 0;
  }
  const bool constant = effect->space == SL_SM7_CONST && sm->wire.spec->ccache,
             texture = effect->space == SL_SM7_TEXTURE;
  if (effect->space == SL_SM7_CONST) {
    op->delay = sm->wire.spec->constant_passes ? (uint16_t)sl_sm7_different_words(effect) : effect->active != 0;
    sm->counts.constant_passes += op->delay;
  }
  if (effect->active == 0 || (effect->space != SL_SM7_GLOBAL && effect->space != SL_SM7_LOCAL && !constant && !texture))
    return;
  op->list = (uint8_t)__builtin_ctzll(sm->free_lists);
  sm->free_lists &= ~(UINT64_C(1) << op->list);
  struct sl_sm7_access_list *list = &sm->list[op->list];
  const struct sl_sm7_local_map map = {.threads = (uint64_t)sm->padded_threads * sm->limit * sm->sms,
                                       .first = (uint64_t)sm->padded_threads * (sm->id + (uint64_t)sm->sms * w->slot) +
                                                w->index * SL_SM7_LANES};
  if (constant)
    sl_sm7_lines(list, effect, sm->wire.spec->constants.line);
  else if (texture)
    sl_sm7_lines(list, effect, sm->wire.spec->textures.line);
  else if (effect->space == SL_SM7_LOCAL)
    sl_sm7_local_sectors(list, effect, &map);
  else if (op->code->kind == SL_SM7_ATOMIC)
    sl_sm7_atomic_sectors(list, effect);
  else
    sl_sm7_sectors(list, effect);
}

/* The op holds the instruction from now on, and executes it. */
static void tell_issue(struct sl_sm7_sm *sm, unsigned op, unsigned warp, uint32_t pc,
                       const struct sl_sm7_effect *effect)
{
  sm->events->op[op] =
      (struct sl_sm7_in_flight){.id = effect->id, .pc = pc, .lanes = effect->counted, .warp = (uint8_t)warp};
  if (sm->wire.front->code[pc].kind != SL_SM7_BARRIER || effect->live == 0 || effect->counted == 0)
    return;
  sl_sm7_event_arrived(sm->events, &sm->events->op[op]);
  if (effect->arrives)
    sl_sm7_event_released(sm->events, sl_sm7_bit(warp));
}

/* The id of the instruction in the warp's buffer, which is about to be issued. */
static uint64_t take_id(struct sl_sm7_sm *sm, unsigned warp)
{
  struct sl_sm7_in_flight *insn = &sm->events->buffer[warp][sm->warp[warp].next];
  const uint64_t id = insn->id;
  insn->id = 0;
  return id != 0 ? id : sl_sm7_event_id(sm->events);
}

static void take_from_buffer(struct sl_sm7_sm *sm, unsigned warp)
{
  struct sl_sm7_warp *w = &sm->warp[warp];
  w->fetch_pc = sl_sm7_behind(sm, w->buffer[w->next]);
  w->buffer[w->next] = SL_SM7_NO_PC;
  w->next ^= 1;
  if (w->buffer[w->next] == SL_SM7_NO_PC)
    sm->buffered &= ~sl_sm7_bit(warp);
}

static void count(struct sl_sm7_counts *counts, const struct sl_sm7_instruction *code, unsigned lanes)
{
  counts->warp_instructions++;
  counts->thread_instructions += lanes;
  counts->lanes[code->class] += lanes;
  counts->words_read += code->words_read;
  counts->words_written += code->words_written;
  counts->narrow_reads += code->narrow_reads;
  counts->sums += code->adds > 0;
  counts->others += code->others;
  counts->memory_instructions += code->class == SL_SM7_C_MEMORY;
}

/* One lane has executed it, and its operands are the same in all lanes. */
static void count_scalar(struct sl_sm7_counts *counts, const struct sl_sm7_instruction *code, unsigned lanes)
{
  counts->scalar++;
  counts->lanes[code->class] -= lanes > 0 ? lanes - 1 : 0;
  counts->words_read -= code->words_read;
  counts->narrow_reads += code->values_read;
}

static void follow_special(struct sl_sm7_sm *sm, unsigned warp, const struct sl_sm7_instruction *code,
                           const struct sl_sm7_effect *effect, unsigned lanes)
{
  if (sm->wire.front->phase != NULL)
    sl_sm7_phases_follow(sm, warp, lanes);
  if (effect->scalar)
    count_scalar(&sm->counts, code, lanes);
  sm->counts.strayed += effect->strays;
  if (sm->wire.front->pass != NULL && effect->live != 0 && !(sm->barrier & sl_sm7_bit(warp)))
    sl_sm7_pass(sm, warp);
}

static void follow(struct sl_sm7_sm *sm, unsigned warp, const struct sl_sm7_instruction *code,
                   const struct sl_sm7_effect *effect)
{
  struct sl_sm7_warp *w = &sm->warp[warp];
  w->pc = effect->next;
  if (effect->exited)
    sl_sm7_flush(sm, warp);
  if (effect->live == 0)
    warp_ends(sm, warp);
  else if (code->kind == SL_SM7_BARRIER && effect->counted != 0)
    arrive(sm, warp, effect);
  if (code->kind == SL_SM7_FENCE) {
    sm->fence |= sl_sm7_bit(warp);
    sl_sm7_check_fence(sm, warp);
  }
  w->group = (uint8_t)((w->group + (code->kind == SL_SM7_ASYNC_COMMIT)) % SL_SM7_GROUPS);
  const unsigned lanes = (unsigned)__builtin_popcount(effect->counted);
  count(&sm->counts, code, lanes);
  if (sm->special)
    follow_special(sm, warp, code, effect, lanes);
}

static void issue(struct sl_sm7_sm *sm, unsigned scheduler, unsigned warp, uint64_t cycle)
{
  struct sl_sm7_warp *w = &sm->warp[warp];
  const uint32_t pc = w->buffer[w->next];
  const struct sl_sm7_instruction *code = &sm->wire.front->code[pc];
  struct sl_sm7_effect effect;
  effect.late = effect.scalar = effect.strays = effect.lines = false;
  const struct sl_sm7_front *front = sm->wire.front;
  sl_sm7_goes_on(sm, warp);
  if (SL_SM7_OBSERVED)
    effect.id = take_id(sm, warp);
  take_from_buffer(sm, warp);
  if (!front->issue(front->context, sm->id, w->slot, w->index, cycle, &effect)) {
    sm->failed = true;
    return;
  }
  if (effect.late)
    sm->late = (code->kind == SL_SM7_LOAD || code->kind == SL_SM7_ASYNC_LOAD) && sm->late != SL_SM7_LATE_WRITES
                   ? SL_SM7_LATE_READS
                   : SL_SM7_LATE_WRITES;
  const uint8_t number = sm->free_op[--sm->free_ops];
  struct sl_sm7_op *op = &sm->op[number];
  *op = (struct sl_sm7_op){.code = code,
                           .order = sm->next_order++,
                           .warp = (uint8_t)warp,
                           .scheduler = (uint8_t)scheduler,
                           .list = SL_SM7_NONE};
  if (SL_SM7_OBSERVED)
    tell_issue(sm, number, warp, pc, &effect);
  if (code->unit == SL_SM7_MEM)
    find_accesses(sm, op, &effect);
  follow(sm, warp, code, &effect);
  sl_sm7_reserve(sm, warp, code);
  sm->issue_reg[code->unit][scheduler] = number;
  sm->issue_full[code->unit] |= (uint8_t)(1u << scheduler);
  sm->last[scheduler] = (uint8_t)warp;
  if (SL_SM7_OBSERVED && sm->cause[scheduler] != SL_SM7_STALL_REASON_ISSUED)
    sl_sm7_event_charged(sm->events, scheduler, warp, pc);
  sm->cause[scheduler] = SL_SM7_STALL_REASON_ISSUED;
}

static void better(struct sl_sm7_sm *sm, unsigned scheduler, enum sl_sm7_stall_reason cause, unsigned warp)
{
  if ((uint8_t)cause >= sm->cause[scheduler])
    return;
  if (SL_SM7_OBSERVED)
    sl_sm7_event_charged(sm->events, scheduler, warp, sm->warp[warp].pc);
  sm->cause[scheduler] = (uint8_t)cause;
}

/* The stall reason of a full register before a unit's collectors: what an instruction with all its operands waits
 * for. */
static enum sl_sm7_stall_reason in_front_of(const struct sl_sm7_sm *sm, unsigned scheduler, unsigned unit)
{
  if (sm->wire.spec->register_model == SL_SM7_REGISTERS_VOLTA) {
    bool held = false;
    for (unsigned u = 0; u < SL_SM7_UNITS; u++)
      held |= sm->issue_full[u] >> scheduler & 1;
    return held                 ? SL_SM7_STALL_REASON_COLLECTOR
           : unit == SL_SM7_MEM ? SL_SM7_STALL_REASON_LDST
                                : SL_SM7_STALL_REASON_UNIT;
  }
  if (!(sm->execute_full[unit] >> scheduler & 1))
    return SL_SM7_STALL_REASON_COLLECTOR;
  return unit == SL_SM7_MEM ? SL_SM7_STALL_REASON_LDST : SL_SM7_STALL_REASON_UNIT;
}

/* Examines a warp's next instruction. True: it has issued. */
static bool look_once(struct sl_sm7_sm *sm, unsigned scheduler, unsigned warp, uint64_t cycle)
{
  struct sl_sm7_warp *w = &sm->warp[warp];
  if (sm->fence_done & sl_sm7_bit(warp)) {
    sm->fence_done &= ~sl_sm7_bit(warp);
    sl_sm7_cache_invalidate(&sm->l1);
    if (!(sl_sm7_candidates(sm) & sl_sm7_bit(warp)))
      return false;
  }
  if (w->buffer[w->next] != w->pc) {
    sl_sm7_flush(sm, warp);
    w->fetch_pc = w->pc;
    better(sm, scheduler, SL_SM7_STALL_REASON_FLUSH, warp);
    return false;
  }
  const struct sl_sm7_instruction *code = &sm->wire.front->code[w->pc];
  if (sl_sm7_conflicts(sm, warp, code))
    return false;
  if ((sm->issue_full[code->unit] | sm->refused[sl_sm7_reserves(code)]) >> scheduler & 1) {
    sm->ready_for[code->unit] |= sl_sm7_bit(warp);
    sm->ready |= sl_sm7_bit(warp);
    better(sm, scheduler, in_front_of(sm, scheduler, code->unit), warp);
    return false;
  }
  issue(sm, scheduler, warp, cycle);
  return true;
}

/* Examines a warp. True: it has issued. A second instruction that issues with the first goes to another unit, because
 * there is one register before each. */
static bool look_at(struct sl_sm7_sm *sm, unsigned scheduler, unsigned warp, uint64_t cycle)
{
  if (!look_once(sm, scheduler, warp, cycle))
    return false;
  for (unsigned n = 1; n < sm->wire.spec->issues && !sm->failed; n++)
    if (!(sl_sm7_candidates(sm) & sl_sm7_bit(warp)) || !look_once(sm, scheduler, warp, cycle))
      break;
  return true;
}

static bool in_number_order(struct sl_sm7_sm *sm, unsigned scheduler, uint64_t set, uint64_t cycle)
{
  for (; set; set &= set - 1)
    if (look_at(sm, scheduler, (unsigned)__builtin_ctzll(set), cycle))
      return true;
  return false;
}

static void round_robin(struct sl_sm7_sm *sm, unsigned scheduler, uint64_t set, uint64_t cycle)
{
  const unsigned first = sm->last[scheduler] == SL_SM7_NONE ? 0 : sm->last[scheduler] + 1u;
  const uint64_t later = first < 64 ? set >> first << first : 0;
  if (!in_number_order(sm, scheduler, later, cycle))
    in_number_order(sm, scheduler, set & ~later, cycle);
}

static void by_age(struct sl_sm7_sm *sm, unsigned scheduler, uint64_t set, uint64_t cycle)
{
  const bool youngest = sm->wire.spec->scheduler == SL_SM7_GTY;
  if (sm->wire.spec->scheduler == SL_SM7_GTO || youngest) {
    const unsigned last = sm->last[scheduler] == SL_SM7_NONE ? scheduler : sm->last[scheduler];
    if ((set & sl_sm7_bit(last)) && look_at(sm, scheduler, last, cycle))
      return;
    set &= ~sl_sm7_bit(last);
  }
  for (unsigned i = 0; i < sm->aged && set; i++) {
    const unsigned warp = sm->by_age[youngest ? sm->aged - 1u - i : i];
    const uint64_t bit = sl_sm7_bit(warp);
    if ((set & bit) && look_at(sm, scheduler, warp, cycle))
      return;
    set &= ~bit;
  }
}

static void blame(struct sl_sm7_sm *sm, unsigned scheduler, enum sl_sm7_stall_reason cause, uint64_t warps)
{
  sm->cause[scheduler] = (uint8_t)cause;
  if (SL_SM7_OBSERVED && warps)
    sl_sm7_event_charged(sm->events, scheduler, (unsigned)__builtin_ctzll(warps), sm->warp[__builtin_ctzll(warps)].pc);
  else if (SL_SM7_OBSERVED)
    sl_sm7_event_charged(sm->events, scheduler, SL_SM7_NONE, sm->events->observation->entry);
}

/* The kind of unit that the first of the warps waits for. */
static enum sl_sm7_stall_reason on_result(const struct sl_sm7_sm *sm, uint64_t warps)
{
  static const uint8_t causes[SL_SM7_UNITS] = {[SL_SM7_SP] = SL_SM7_STALL_REASON_RESULT_SP,
                                               [SL_SM7_DP] = SL_SM7_STALL_REASON_RESULT_DP,
                                               [SL_SM7_INT] = SL_SM7_STALL_REASON_RESULT_INT,
                                               [SL_SM7_SFU] = SL_SM7_STALL_REASON_RESULT_SFU,
                                               [SL_SM7_TENSOR] = SL_SM7_STALL_REASON_RESULT_SFU};
  const unsigned warp = (unsigned)__builtin_ctzll(warps);
  return causes[sm->writer[warp][sm->warp[warp].waits_on]];
}

/* The stall reason of a scheduler without candidates, or without a candidate that can issue. */
static void find_cause(struct sl_sm7_sm *sm, unsigned scheduler)
{
  const uint64_t own = sm->of_scheduler[scheduler], live = sm->live & own;
  const uint64_t hazard = live & sm->hazard;
  if (!live)
    blame(sm, scheduler, sm->present & own ? SL_SM7_STALL_REASON_STORES : SL_SM7_STALL_REASON_EMPTY, 0);
  else if (hazard & sm->on_load) {
    blame(sm, scheduler, SL_SM7_STALL_REASON_MEMORY, hazard & sm->on_load);
    sm->cause_warp[scheduler] = (uint8_t)__builtin_ctzll(hazard & sm->on_load);
  } else if (hazard)
    blame(sm, scheduler, on_result(sm, hazard), hazard);
  else if (live & sm->atomic)
    blame(sm, scheduler, SL_SM7_STALL_REASON_ATOMIC, live & sm->atomic);
  else if (live & sm->fence)
    blame(sm, scheduler, SL_SM7_STALL_REASON_FENCE, live & sm->fence);
  else if (live & sm->barrier)
    blame(sm, scheduler, SL_SM7_STALL_REASON_BARRIER, live & sm->barrier);
  else
    blame(sm, scheduler, SL_SM7_STALL_REASON_FETCH, live);
}

/* Of some warps, those that wait for a full register before a unit. To examine them would change nothing. */
static uint64_t at_full_units(const struct sl_sm7_sm *sm, unsigned scheduler, uint64_t set)
{
  uint64_t warps = 0;
  if (!(set & sm->ready))
    return 0;
  for (unsigned u = 0; u < SL_SM7_UNITS && !SL_SM7_OBSERVED;
       u++) /* an observer is told which warp a cycle is charged to */
    warps |= sm->ready_for[u] & (UINT64_C(0) - (sm->issue_full[u] >> scheduler & 1));
  return set & warps;
}

/* The stall reasons of some of them. */
static void not_examined(struct sl_sm7_sm *sm, unsigned scheduler, uint64_t warps)
{
  for (unsigned u = 0; u < SL_SM7_UNITS; u++)
    if ((sm->issue_full[u] >> scheduler & 1) && (warps & sm->ready_for[u]))
      better(sm, scheduler, in_front_of(sm, scheduler, u), 0);
}

void sl_sm7_issue(struct sl_sm7_sm *sm, uint64_t cycle)
{
  const unsigned schedulers = sm->wire.spec->schedulers;
  unsigned k = sm->first_scheduler;
  for (unsigned n = 0; n < schedulers && !sm->failed; n++, k = k + 1 < schedulers ? k + 1 : 0) {
    uint64_t set = sl_sm7_candidates(sm) & sm->of_scheduler[k];
    sm->cause[k] = SL_SM7_STALL_REASONS;
    sm->cause_warp[k] = SL_SM7_NONE;
    if (sm->wire.spec->scheduler == SL_SM7_TWO_LEVEL)
      set &= sl_sm7_active(sm, k);
    const uint64_t waiting = at_full_units(sm, k, set);
    set &= ~waiting;
    if (set && (sm->wire.spec->scheduler == SL_SM7_LRR || sm->wire.spec->scheduler == SL_SM7_TWO_LEVEL ||
                (sm->phases.linear & sm->of_scheduler[k])))
      round_robin(sm, k, set, cycle);
    else if (set)
      by_age(sm, k, set, cycle);
    if (waiting && sm->cause[k] != SL_SM7_STALL_REASON_ISSUED)
      not_examined(sm, k, waiting);
    if (sm->cause[k] == SL_SM7_STALL_REASONS)
      find_cause(sm, k);
  }
  sm->first_scheduler = (sm->first_scheduler + 1) % schedulers;
}
