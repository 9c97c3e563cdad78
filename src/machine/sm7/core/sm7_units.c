#include "machine/sm7/core/sm7_units.h"

#include "machine/sm7/core/sm7_warps.h"

enum { WRITE_BACK = 2 }; /* cycles after the latency */

void sl_sm7_write_results(struct sl_sm7_sm *sm, uint64_t cycle)
{
  const unsigned place = cycle % SL_SM7_HORIZON;
  const unsigned count = sm->completing[place].count;
  for (unsigned n = 0; n < count; n++) {
    const struct sl_sm7_result *r = &sm->completing[place].result[n];
    for (unsigned i = 0; i < r->code->writes; i++) {
      const uint64_t bank = UINT64_C(1) << sl_sm7_bank_of(sm, r->code->write_bank[i], r->warp, r->scheduler);
      if (sm->written & bank)
        break;
      sm->written |= bank;
    }
    sm->unit[r->code->unit][r->scheduler].taken[place / 64] &= ~(UINT64_C(1) << place % 64);
    sl_sm7_release(sm, r->warp, r->code);
    sl_sm7_leave_pipe(sm, r->warp);
  }
  sm->executing -= count;
  sm->completing[place].count = 0;
}

static void execute(struct sl_sm7_sm *sm, unsigned unit, unsigned scheduler, uint64_t cycle)
{
  struct sl_sm7_unit_state *u = &sm->unit[unit][scheduler];
  const unsigned number = sm->execute_reg[unit][scheduler];
  const struct sl_sm7_op *op = &sm->op[number];
  const struct sl_sm7_timing t = sm->wire.spec->timing[op->code->class];
  const unsigned place = (cycle + t.latency + WRITE_BACK) % SL_SM7_HORIZON;
  const uint64_t bit = UINT64_C(1) << place % 64;
  if (cycle < u->free_at || (u->taken[place / 64] & bit) || sm->completing[place].count >= sm->wire.spec->result_buses)
    return;
  u->taken[place / 64] |= bit;
  u->free_at = cycle + t.interval;
  sm->completing[place].result[sm->completing[place].count++] =
      (struct sl_sm7_result){.code = op->code, .warp = op->warp, .scheduler = op->scheduler};
  sm->executing++;
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
  uint64_t at = cycle + 1;
  while (sm->completing[at % SL_SM7_HORIZON].count == 0)
    at++;
  return at;
}
