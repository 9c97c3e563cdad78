#include "machine/sm7/core/sm7_stages.h"

#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/core/sm7_warps.h"

/* Sums in progress, with the contents of registers and collectors, are fewer than the ops. */
SL_HOLDS(SL_SM7_OPS, SL_SM7_SUMS + SL_SM7_COLLECTORS + 2 * SL_SM7_UNITS * SL_SM7_MAX_SCHEDULERS + 1, "ops on the way");

/* Of these, each op for the load/store unit has an access list until its last access is sent. */
SL_HOLDS(SL_SM7_ACCESS_LISTS, SL_SM7_SUMS + SL_SM7_COLLECTORS + 2 * SL_SM7_MAX_SCHEDULERS + 1, "lists of accesses");

/* Instructions with many operands that a scheduler's collectors hold at once. */
enum { SL_SM7_CROWD = 3 };
SL_HOLDS(SL_SM7_BANK_QUEUE - 1, (SL_SM7_COLLECTORS - SL_SM7_CROWD) * SL_SM7_READ + SL_SM7_CROWD * SL_SM7_READ_IN_ALL,
         "reads of a bank");

static unsigned per_scheduler(const struct sl_sm7_sm *sm)
{
  return sm->wire.spec->collectors / sm->wire.spec->schedulers;
}

/* Collectors whose instruction could move on: its unit's register is free. */
static uint64_t can_move(const struct sl_sm7_sm *sm)
{
  uint64_t can = 0;
  for (uint64_t rest = sm->collected; rest; rest &= rest - 1) {
    const unsigned c = (unsigned)__builtin_ctzll(rest);
    const struct sl_sm7_op *op = &sm->op[sm->collector[c]];
    if (sl_sm7_may_move_on(sm, op))
      can |= UINT64_C(1) << c;
  }
  return can;
}

/* There are as many dispatchers as collectors; each searches round robin from the collectors of the scheduler after its
 * last. */
static void dispatch(struct sl_sm7_sm *sm)
{
  const unsigned collectors = sm->wire.spec->collectors, own = per_scheduler(sm);
  for (unsigned d = 0; d < collectors && sm->collected; d++) {
    const uint64_t can = can_move(sm);
    if (!can)
      return;
    const unsigned first = (sm->dispatcher[d] + own - sm->dispatcher[d] % own) % collectors;
    const uint64_t later = can >> first << first;
    const unsigned c = (unsigned)__builtin_ctzll(later ? later : can);
    sl_sm7_move_on(sm, sm->collector[c]);
    sm->collecting &= ~(UINT64_C(1) << c);
    sm->collected &= ~(UINT64_C(1) << c);
    sm->dispatcher[d] = (uint8_t)c;
  }
}

/* All operands have been read; the sum of linear registers comes later. During a cycle slept_from is the next one. */
static void finish_collecting(struct sl_sm7_sm *sm, unsigned c)
{
  struct sl_sm7_op *op = &sm->op[sm->collector[c]];
  op->ready = op->code->adds > 0 ? sm->slept_from - 1 + op->code->adds : 0;
  if (op->code->adds > 0 && sm->wire.spec->linear_pipelined && sm->sums < SL_SM7_SUMS) {
    sm->summing[sm->sums++] = sm->collector[c];
    sm->collecting &= ~(UINT64_C(1) << c);
  } else {
    sm->collected |= UINT64_C(1) << c;
  }
}

static void read_banks(struct sl_sm7_sm *sm)
{
  for (uint64_t rest = sm->queued & ~sm->written; rest; rest &= rest - 1) {
    const unsigned b = (unsigned)__builtin_ctzll(rest);
    const unsigned c = sm->bank[b].collector[sm->bank[b].head];
    sm->bank[b].head = (uint8_t)((sm->bank[b].head + 1) % SL_SM7_BANK_QUEUE);
    if (--sm->bank[b].count == 0)
      sm->queued &= ~(UINT64_C(1) << b);
    if (--sm->op[sm->collector[c]].missing == 0)
      finish_collecting(sm, c);
  }
}

static void begin_collecting(struct sl_sm7_sm *sm, unsigned c, unsigned op_number)
{
  struct sl_sm7_op *op = &sm->op[op_number];
  if (SL_SM7_OBSERVED)
    sl_sm7_event_staged(sm->events, &sm->events->op[op_number], SL_SM7_STAGE_COLLECT);
  sm->collector[c] = (uint8_t)op_number;
  sm->collecting |= UINT64_C(1) << c;
  op->missing = 0;
  for (const struct sl_sm7_instruction *code = op->code; code != NULL; code = sl_sm7_rest(code)) {
    op->missing = (uint8_t)(op->missing + code->reads);
    for (unsigned i = 0; i < code->reads; i++) {
      const unsigned b = sl_sm7_bank_of(sm, code->read_bank[i], op->warp, op->scheduler);
      sm->bank[b].collector[(sm->bank[b].head + sm->bank[b].count++) % SL_SM7_BANK_QUEUE] = (uint8_t)c;
      sm->queued |= UINT64_C(1) << b;
    }
  }
  if (op->missing == 0)
    finish_collecting(sm, c);
}

/* Whether the queues of the banks have no room for another instruction with many operands. */
static bool is_crowded(const struct sl_sm7_sm *sm, uint64_t mine)
{
  unsigned many = 0;
  for (uint64_t rest = mine & sm->collecting; rest; rest &= rest - 1)
    many += sm->op[sm->collector[__builtin_ctzll(rest)]].code->rest != 0;
  return many >= SL_SM7_CROWD;
}

/* The oldest instruction in the issue registers of a unit; only its scheduler's collectors are examined. */
static bool allocate(struct sl_sm7_sm *sm, unsigned unit)
{
  unsigned scheduler = 0;
  uint64_t least = UINT64_MAX;
  for (unsigned rest = sm->issue_full[unit]; rest; rest &= rest - 1) {
    const unsigned k = (unsigned)__builtin_ctz(rest);
    if (sm->op[sm->issue_reg[unit][k]].order < least) {
      least = sm->op[sm->issue_reg[unit][k]].order;
      scheduler = k;
    }
  }
  const unsigned own = per_scheduler(sm);
  const uint64_t mine = ((UINT64_C(1) << own) - 1) << own * scheduler, free = mine & ~sm->collecting;
  const struct sl_sm7_op *op = &sm->op[sm->issue_reg[unit][scheduler]];
  if (!free || (op->code->rest != 0 && is_crowded(sm, mine)))
    return false;
  begin_collecting(sm, (unsigned)__builtin_ctzll(free), sm->issue_reg[unit][scheduler]);
  sm->issue_full[unit] &= (uint8_t) ~(1u << scheduler);
  return true;
}

/* Eight ports, each of which serves every kind of issue register once. */
static void allocate_all(struct sl_sm7_sm *sm)
{
  static const uint8_t order[] = {SL_SM7_SP, SL_SM7_SFU, SL_SM7_MEM, SL_SM7_TENSOR, SL_SM7_DP, SL_SM7_INT};
  enum { PORTS = 8 };
  bool more = true;
  for (unsigned port = 0; port < PORTS && more; port++) {
    more = false;
    for (unsigned i = 0; i < sizeof order; i++)
      if (sm->issue_full[order[i]])
        more |= allocate(sm, order[i]);
  }
}

void sl_sm7_collect(struct sl_sm7_sm *sm)
{
  for (unsigned step = 0; step < sm->wire.spec->collector_steps && sl_sm7_is_any_collecting(sm); step++) {
    if (sm->sums > 0)
      sl_sm7_leave_adders(sm);
    dispatch(sm);
    read_banks(sm);
    allocate_all(sm);
    sm->written = 0;
  }
  sm->written = 0;
}

bool sl_sm7_is_any_collecting(const struct sl_sm7_sm *sm)
{
  unsigned full = 0;
  for (unsigned u = 0; u < SL_SM7_UNITS; u++)
    full |= sm->issue_full[u];
  return full || sm->collecting || sm->sums;
}
