/* Warp state used by several stages: the scoreboard, and the end of a warp. The scoreboard has a bit per warp and
 * register, pending from issue to write-back. An instruction waits while a source, its guard, its address register or a
 * destination is pending. */
#ifndef SL_MACHINE_SM7_WARPS_H
#define SL_MACHINE_SM7_WARPS_H

#include "machine/sm7/core/sm7_sm.h"

static inline uint64_t sl_sm7_bit(unsigned warp)
{
  return UINT64_C(1) << warp;
}

/* The PC after an instruction. The given PC need not have an instruction. */
static inline uint32_t sl_sm7_behind(const struct sl_sm7_sm *sm, uint32_t pc)
{
  return pc + 1 + (pc < sm->wire.front->count ? sm->wire.front->code[pc].more : 0);
}

/* Warps that a scheduler must examine; all others wait for an event. */
static inline uint64_t sl_sm7_candidates(const struct sl_sm7_sm *sm)
{
  return (sm->live & sm->buffered & ~(sm->hazard | sm->barrier | sm->atomic | sm->fence)) | sm->fence_done;
}

/* A warp goes on to another instruction: nothing is known of that. */
static inline void sl_sm7_goes_on(struct sl_sm7_sm *sm, unsigned warp)
{
  const uint64_t others = ~sl_sm7_bit(warp);
  sm->prefetched &= others;
  for (unsigned u = 0; u < SL_SM7_UNITS && (sm->ready & ~others); u++)
    sm->ready_for[u] &= others;
  sm->ready &= others;
}

/* Retires a warp without live lanes once none of its instructions is in flight. */
static inline void sl_sm7_check_end(struct sl_sm7_sm *sm, unsigned warp)
{
  const struct sl_sm7_warp *w = &sm->warp[warp];
  if (!(sm->live & sl_sm7_bit(warp)) && w->in_pipe == 0 && w->stores == 0 && w->pending == 0)
    sm->finished |= sm->present & sl_sm7_bit(warp);
}

static inline void sl_sm7_leave_pipe(struct sl_sm7_sm *sm, unsigned warp)
{
  sm->warp[warp].in_pipe--;
  sl_sm7_check_end(sm, warp);
}

static inline void sl_sm7_reserve(struct sl_sm7_sm *sm, unsigned warp, const struct sl_sm7_instruction *code)
{
  struct sl_sm7_warp *w = &sm->warp[warp];
  const unsigned unit = code->unit;
  for (; code != NULL; code = sl_sm7_rest(code))
    for (unsigned i = 0; i < code->writes; i++) {
      const unsigned r = code->write[i];
      w->pending += !(w->busy[r / 64] >> r % 64 & 1);
      w->busy[r / 64] |= UINT64_C(1) << r % 64;
      sm->writer[warp][r] = (uint8_t)unit;
    }
}

/* Whether a memory barrier has completed. A barrier that waits for stores must also have passed the load/store unit
 * after them. */
static inline bool sl_sm7_fence_is_over(const struct sl_sm7_sm *sm, unsigned warp)
{
  const struct sl_sm7_warp *w = &sm->warp[warp];
  const bool waits = sm->wire.spec->membar == SL_SM7_MEMBAR_WAITS;
  return w->pending == 0 && (!waits || (w->stores == 0 && (sm->fence_passed & sl_sm7_bit(warp))));
}

static inline void sl_sm7_check_fence(struct sl_sm7_sm *sm, unsigned warp)
{
  if ((sm->fence & sl_sm7_bit(warp)) && sl_sm7_fence_is_over(sm, warp)) {
    sm->fence &= ~sl_sm7_bit(warp);
    sm->fence_passed &= ~sl_sm7_bit(warp);
    sm->fence_done |= sl_sm7_bit(warp);
  }
}

static inline void sl_sm7_release(struct sl_sm7_sm *sm, unsigned warp, const struct sl_sm7_instruction *code)
{
  struct sl_sm7_warp *w = &sm->warp[warp];
  for (; code != NULL; code = sl_sm7_rest(code))
    for (unsigned i = 0; i < code->writes; i++) {
      const unsigned r = code->write[i];
      w->pending -= w->busy[r / 64] >> r % 64 & 1;
      w->busy[r / 64] &= ~(UINT64_C(1) << r % 64);
    }
  sm->hazard &= ~sl_sm7_bit(warp);
  sl_sm7_check_fence(sm, warp);
  sl_sm7_check_end(sm, warp);
}

/* A warp whose asynchronous load is outstanding does not end. */
static inline void sl_sm7_load_begins(struct sl_sm7_sm *sm, unsigned warp, unsigned group)
{
  sm->warp[warp].loads[group % SL_SM7_GROUPS]++;
  sm->warp[warp].pending++;
}

static inline void sl_sm7_load_ends(struct sl_sm7_sm *sm, unsigned warp, unsigned group)
{
  sm->warp[warp].loads[group % SL_SM7_GROUPS]--;
  sm->warp[warp].pending--;
}

/* Whether asynchronous loads are outstanding other than those of the last groups. */
static inline bool sl_sm7_awaits(const struct sl_sm7_warp *w, unsigned groups)
{
  const unsigned first = groups == SL_SM7_GROUPS ? 0 : groups + 1; /* the group that is not committed has number 0 */
  unsigned outstanding = 0;
  for (unsigned i = first; i < SL_SM7_GROUPS; i++)
    outstanding += w->loads[(w->group + SL_SM7_GROUPS - i) % SL_SM7_GROUPS];
  return outstanding > 0;
}

/* Whether an instruction must wait; records the kind of result that it waits for. */
static inline bool sl_sm7_conflicts(struct sl_sm7_sm *sm, unsigned warp, const struct sl_sm7_instruction *code)
{
  struct sl_sm7_warp *w = &sm->warp[warp];
  if (code->kind == SL_SM7_ASYNC_WAIT && sl_sm7_awaits(w, code->groups)) {
    w->waits_on = SL_SM7_NO_REGISTER;
    sm->on_load |= sl_sm7_bit(warp);
    sm->hazard |= sl_sm7_bit(warp);
    return true;
  }
  for (; code != NULL; code = sl_sm7_rest(code))
    for (unsigned i = 0; i < code->watched; i++) {
      const unsigned r = code->watch[i];
      if (w->busy[r / 64] >> r % 64 & 1) {
        const bool on_load = sm->writer[warp][r] == SL_SM7_MEM;
        w->waits_on = (uint16_t)r;
        sm->on_load = on_load ? sm->on_load | sl_sm7_bit(warp) : sm->on_load & ~sl_sm7_bit(warp);
        sm->hazard |= sl_sm7_bit(warp);
        return true;
      }
    }
  return false;
}

static inline void sl_sm7_free_op(struct sl_sm7_sm *sm, unsigned number)
{
  sm->free_op[sm->free_ops++] = (uint8_t)number;
}

static inline unsigned sl_sm7_bank_of(const struct sl_sm7_sm *sm, unsigned number, unsigned warp, unsigned scheduler)
{
  return (number + warp) % sm->own_banks + scheduler * sm->own_banks;
}

/* Writes a register of 32 bits per lane, unless its bank has no port left in this cycle: a bank takes one register per
 * cycle, one of 64 bits takes two. */
static inline bool sl_sm7_writes(struct sl_sm7_sm *sm, unsigned number, unsigned warp, unsigned scheduler)
{
  const uint64_t bank = UINT64_C(1) << sl_sm7_bank_of(sm, number, warp, scheduler), again = sm->written & bank;
  if (again & (~sm->wide | sm->written_again))
    return false;
  sm->written_again |= again;
  sm->written |= bank;
  return true;
}

#endif
