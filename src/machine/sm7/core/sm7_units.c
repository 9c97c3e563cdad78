#include "machine/sm7/core/sm7_stages.h"

#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/core/sm7_warps.h"

static void write_result(struct sl_sm7_sm *sm, const struct sl_sm7_completion *r)
{
  for (const struct sl_sm7_instruction *code = r->code; code != NULL; code = sl_sm7_rest(code))
    for (unsigned i = 0; i < code->writes; i++)
      if (!sl_sm7_writes(sm, code->write_bank[i], r->warp, r->scheduler))
        break;
  sl_sm7_release(sm, r->warp, r->code);
  sl_sm7_leave_pipe(sm, r->warp);
}

void sl_sm7_write_results(struct sl_sm7_sm *sm, uint64_t cycle)
{
  const unsigned place = cycle % SL_SM7_HORIZON;
  const uint64_t bit = UINT64_C(1) << place % 64;
  if (!(sm->completing_at[place / 64] & bit))
    return;
  const unsigned count = sm->completing[place].count;
  unsigned number = sm->completing[place].first;
  for (unsigned n = 0; n < count; n++) {
    struct sl_sm7_completion *r = &sm->completion[number];
    const unsigned next = r->next;
    write_result(sm, r);
    if (SL_SM7_OBSERVED)
      sl_sm7_event_retired(sm->events, &sm->events->completion[number]);
    sm->unit[r->code->unit][r->scheduler].taken[place / 64] &= ~bit;
    r->next = sm->free_completion;
    sm->free_completion = (uint16_t)number;
    number = next;
  }
  sm->executing -= count;
  sm->completing[place].count = 0;
  sm->completing_at[place / 64] &= ~bit;
}

static void will_complete(struct sl_sm7_sm *sm, const struct sl_sm7_op *op, unsigned place)
{
  uint16_t number = sm->free_completion;
  if (number == SL_SM7_NO_COMPLETION)
    number = sm->fresh_completion++;
  else
    sm->free_completion = sm->completion[number].next;
  sm->completion[number] = (struct sl_sm7_completion){.code = op->code, .warp = op->warp, .scheduler = op->scheduler};
  if (SL_SM7_OBSERVED) {
    sm->events->completion[number] = sm->events->op[op - sm->op];
    sl_sm7_event_staged(sm->events, &sm->events->completion[number], SL_SM7_STAGE_EXECUTE);
  }
  sl_sm7_append_completion(sm, number, place);
}

static void execute(struct sl_sm7_sm *sm, unsigned unit, unsigned scheduler, uint64_t cycle)
{
  struct sl_sm7_unit_state *u = &sm->unit[unit][scheduler];
  const unsigned number = sm->execute_reg[unit][scheduler];
  const struct sl_sm7_op *op = &sm->op[number];
  const struct sl_sm7_timing t = sl_sm7_timing_of(sm, op->code);
  const unsigned place = (cycle + t.latency + sm->wire.spec->result_delay) % SL_SM7_HORIZON;
  const uint64_t bit = UINT64_C(1) << place % 64;
  if ((cycle < u->free_at && sm->wire.spec->register_model == SL_SM7_REGISTERS_COLLECTORS) ||
      (u->taken[place / 64] & bit) || sm->completing[place].count >= sm->wire.spec->result_buses)
    return;
  u->taken[place / 64] |= bit;
  u->free_at = cycle + t.interval;
  will_complete(sm, op, place);
  sm->execute_full[unit] &= (uint8_t) ~(1u << scheduler);
  sl_sm7_free_op(sm, number);
}

void sl_sm7_execute(struct sl_sm7_sm *sm, uint64_t cycle)
{
  static const uint8_t order[] = {SL_SM7_SP, SL_SM7_DP, SL_SM7_INT, SL_SM7_SFU, SL_SM7_TENSOR};
  for (unsigned i = 0; i < sizeof order; i++)
    for (unsigned rest = sm->execute_full[order[i]]; rest; rest &= rest - 1)
      execute(sm, order[i], (unsigned)__builtin_ctz(rest), cycle);
}

uint64_t sl_sm7_next_result(const struct sl_sm7_sm *sm, uint64_t cycle)
{
  if (!sm->executing)
    return SL_SM7_ASLEEP;
  const unsigned words = SL_SM7_HORIZON / 64, from = (unsigned)((cycle + 1) % SL_SM7_HORIZON);
  uint64_t set = sm->completing_at[from / 64] >> from % 64 << from % 64;
  unsigned word = from / 64;
  while (!set) {
    word = (word + 1) % words;
    set = sm->completing_at[word];
  }
  const unsigned place = 64 * word + (unsigned)__builtin_ctzll(set);
  return cycle + 1 + (place + SL_SM7_HORIZON - from) % SL_SM7_HORIZON;
}
