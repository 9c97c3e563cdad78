#include "machine/sm7/core/sm7_stages.h"

#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/core/sm7_warps.h"

enum { READ_CYCLES = 3 };

/* A scheduler has one instruction in its issue registers, others that read operands, and memory instructions. */
SL_HOLDS(SL_SM7_OPS,
         SL_SM7_SUMS + SL_SM7_MAX_SCHEDULERS * (1 + SL_SM7_READING + SL_SM7_MEMORY_QUEUE + SL_SM7_UNITS) + 1,
         "ops on the way");
SL_HOLDS(SL_SM7_ACCESS_LISTS, SL_SM7_SUMS + SL_SM7_MAX_SCHEDULERS * (SL_SM7_MEMORY_QUEUE + 2) + 1, "lists of accesses");

/* ---- ports ------------------------------------------------------------------------------------------------------- */

/* The reservations of a scheduler's ports, as of this cycle. */
static void advance_ports(struct sl_sm7_register_file *f, uint64_t cycle)
{
  const uint64_t past = cycle - f->since;
  for (unsigned b = 0; b < SL_SM7_READ_BANKS; b++)
    f->port[b] = past < 64 ? f->port[b] >> past : 0;
  f->since = cycle;
}

static bool is_kept(const struct sl_sm7_register_file *f, unsigned number, unsigned place, unsigned warp)
{
  const unsigned b = sl_sm7_read_bank(number);
  return f->kept[b][place] == number && f->kept_of[b][place] == warp;
}

/* Cycles in which the instruction reads; 0: the ports are not free. */
static unsigned reserve(struct sl_sm7_register_file *f, const struct sl_sm7_operands *o, unsigned warp)
{
  unsigned reads[SL_SM7_READ_BANKS] = {o->reads[0], o->reads[1]}, cycles = READ_CYCLES;
  for (unsigned place = 0; place < SL_SM7_PLACES; place++)
    if (o->place[place] != 0 && !is_kept(f, o->place[place], place, warp))
      reads[sl_sm7_read_bank(o->place[place])]++;
  for (unsigned b = 0; b < SL_SM7_READ_BANKS; b++)
    cycles = reads[b] > cycles ? reads[b] : cycles;
  const uint64_t window = (UINT64_C(1) << cycles) - 1;
  for (unsigned b = 0; b < SL_SM7_READ_BANKS; b++)
    if (reads[b] > (unsigned)__builtin_popcountll(~f->port[b] & window))
      return 0;
  for (unsigned b = 0; b < SL_SM7_READ_BANKS; b++)
    for (uint64_t free = ~f->port[b]; reads[b] > 0; reads[b]--, free &= free - 1)
      f->port[b] |= free & -free;
  return cycles;
}

/* Operands that have been read replace those of their places in the cache. */
static void keep(struct sl_sm7_register_file *f, const struct sl_sm7_operands *o, unsigned warp)
{
  for (unsigned place = 0; place < SL_SM7_PLACES; place++)
    if (o->place[place] != 0) {
      const unsigned b = sl_sm7_read_bank(o->place[place]);
      f->kept[b][place] = o->keeps >> place & 1 ? o->place[place] : 0;
      f->kept_of[b][place] = (uint8_t)warp;
    }
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* The memory instruction that waits longest goes to the load/store unit. */
static void leave_queue(struct sl_sm7_sm *sm, struct sl_sm7_register_file *f, unsigned scheduler)
{
  if (f->queued == 0 || (sm->execute_full[SL_SM7_MEM] >> scheduler & 1))
    return;
  sl_sm7_move_on(sm, f->queue[0]);
  f->queued--;
  for (unsigned i = 0; i < f->queued; i++)
    f->queue[i] = f->queue[i + 1];
}

/* Whether an instruction with all operands has a place to go to. */
static bool leave_reading(struct sl_sm7_sm *sm, struct sl_sm7_register_file *f, unsigned number)
{
  struct sl_sm7_op *op = &sm->op[number];
  if (op->code->adds > 0 && sm->wire.spec->linear_pipelined && sm->sums < SL_SM7_SUMS) {
    op->ready += op->code->adds;
    sm->summing[sm->sums++] = (uint8_t)number;
    return true;
  }
  if (op->code->adds > 0 && op->ready + op->code->adds > sl_sm7_this_cycle(sm))
    return false;
  if (op->code->unit == SL_SM7_MEM && (f->queued > 0 || !sl_sm7_may_move_on(sm, op))) {
    if (f->queued == SL_SM7_MEMORY_QUEUE)
      return false;
    f->queue[f->queued++] = (uint8_t)number;
    return true;
  }
  if (!sl_sm7_may_move_on(sm, op))
    return false;
  sl_sm7_move_on(sm, number);
  return true;
}

static void end_reading(struct sl_sm7_sm *sm, struct sl_sm7_register_file *f)
{
  unsigned gone = 0;
  while (gone < f->readers && sm->op[f->reader[gone]].ready <= sl_sm7_this_cycle(sm) &&
         leave_reading(sm, f, f->reader[gone]))
    gone++;
  f->readers = (uint8_t)(f->readers - gone);
  for (unsigned i = 0; i < f->readers && gone > 0; i++)
    f->reader[i] = f->reader[i + gone];
}

/* The multiplication before a sine, or the shift before a field of bits, takes a slot and a unit. Its cycles to the
 * result are in the latency of the instruction, which was measured from PTX. */
static void reserve_before(struct sl_sm7_register_file *f, unsigned unit, uint32_t interval, uint64_t cycle)
{
  for (unsigned u = 0; u < SL_SM7_RESERVED; u++)
    f->free_at[u] = f->free_at[u] > cycle + 1 ? f->free_at[u] : cycle + 1;
  f->free_at[unit] += interval - 1;
}

/* False: the instruction stays in its issue register. */
static bool begin_reading(struct sl_sm7_sm *sm, struct sl_sm7_register_file *f, unsigned number)
{
  struct sl_sm7_op *op = &sm->op[number];
  const uint64_t cycle = sl_sm7_this_cycle(sm);
  if (f->readers == SL_SM7_READING)
    return false;
  const struct sl_sm7_operands *operands = &sm->wire.operands[op->code - sm->wire.front->code];
  const unsigned cycles = reserve(f, operands, op->warp);
  if (cycles == 0)
    return false;
  keep(f, operands, op->warp);
  if (SL_SM7_OBSERVED)
    sl_sm7_event_staged(sm->events, &sm->events->op[number], SL_SM7_STAGE_COLLECT);
  op->ready = cycle + 1 + cycles - READ_CYCLES;
  f->reader[f->readers++] = (uint8_t)number;
  const uint32_t interval = op->code->branch ? sm->wire.spec->branch_interval : sl_sm7_timing_of(sm, op->code).interval;
  const unsigned unit = sl_sm7_reserves(op->code);
  if (unit != SL_SM7_MEM) /* it has no interval: has_room */
    f->free_at[unit] = cycle - 1 + interval;
  if (op->code->reduces)
    reserve_before(f, SL_SM7_SP, sm->wire.spec->timing[SL_SM7_C_F32_MUL].interval, cycle);
  else if (op->code->shifts)
    reserve_before(f, unit, interval + 1, cycle);
  return true;
}

/* Whether a scheduler may issue another memory instruction. */
static bool has_room(const struct sl_sm7_sm *sm, const struct sl_sm7_register_file *f, unsigned scheduler)
{
  unsigned count = f->queued + (sm->execute_full[SL_SM7_MEM] >> scheduler & 1u);
  for (unsigned i = 0; i < f->readers; i++)
    count += sm->op[f->reader[i]].code->unit == SL_SM7_MEM;
  return count <= SL_SM7_MEMORY_QUEUE;
}

/* The units for which a scheduler may not issue in this cycle. */
static void refuse(struct sl_sm7_sm *sm, const struct sl_sm7_register_file *f, unsigned scheduler, bool held)
{
  const uint64_t cycle = sl_sm7_this_cycle(sm);
  const uint8_t bit = (uint8_t)(1u << scheduler);
  for (unsigned u = 0; u < SL_SM7_RESERVED; u++) {
    const bool free = cycle >= f->free_at[u] && (u != SL_SM7_MEM || has_room(sm, f, scheduler));
    sm->refused[u] = (uint8_t)(held || !free ? sm->refused[u] | bit : sm->refused[u] & ~bit);
  }
}

void sl_sm7_read_operands(struct sl_sm7_sm *sm)
{
  sl_sm7_leave_adders(sm);
  for (unsigned k = 0; k < sm->wire.spec->schedulers; k++) {
    struct sl_sm7_register_file *f = &sm->file[k];
    bool held = false;
    leave_queue(sm, f, k);
    end_reading(sm, f);
    advance_ports(f, sl_sm7_this_cycle(sm));
    for (unsigned u = 0; u < SL_SM7_UNITS; u++)
      if (sm->issue_full[u] >> k & 1) {
        held = !begin_reading(sm, f, sm->issue_reg[u][k]);
        if (!held)
          sm->issue_full[u] &= (uint8_t) ~(1u << k);
      }
    refuse(sm, f, k, held);
  }
  sm->written = sm->written_again = 0;
}

bool sl_sm7_is_any_reading(const struct sl_sm7_sm *sm)
{
  bool any = sm->sums > 0;
  for (unsigned u = 0; u < SL_SM7_UNITS; u++)
    any |= sm->issue_full[u] != 0;
  for (unsigned k = 0; k < sm->wire.spec->schedulers; k++)
    any |= (sm->file[k].readers | sm->file[k].queued) != 0;
  return any;
}
