/* Functional mode: the same instructions on the same paths without timing. Always the deepest call and lowest PC of all
 * paths, and every lane served at once. */
#include "machine/simty/simty_sm.h"

/* Instructions of a warp's turn. */
enum { TURN = 64 };

/* Runs the warp whose turn it is for at most so many instructions; returns how many it executed. */
static uint64_t run_warp(struct sl_simty_core *sm, uint64_t instructions)
{
  struct sl_sorted_paths *paths = &sm->paths[sm->s.turn_warp];
  const sl_warps bit = sl_bit(sm->s.turn_warp);
  uint64_t done = 0;
  while (done < instructions && sm->s.done_left > 0 && !((sm->s.ended | sm->s.barrier.waiting) & bit)) {
    struct sl_simty_effect effect;
    const unsigned lanes = sl_count(paths->running.lanes);
    if (!sl_simty_execute(sm, sm->s.turn_warp, true, &effect)) {
      sm->s.state = SL_SM_FAULTED;
      break;
    }
    sm->s.counts.thread_instructions += lanes;
    sm->s.counts.instructions++;
    if (paths->cold_count > 0)
      sl_sorted_paths_settle(paths);
    done++;
  }
  return done;
}

/* Opens the barrier for every block whose warps have all arrived. */
static void release(struct sl_barrier *b)
{
  const unsigned step = b->block ? b->block : b->warps;
  for (unsigned first = 0; first + step <= b->warps; first += step) {
    const sl_warps block = sl_low_bits(step) << first;
    if ((b->waiting & block) == block)
      b->waiting &= ~block;
  }
}

/* Gives the next warp its turn, in order of number. */
static void next_turn(struct sl_simty_core *sm)
{
  const sl_warps all = sl_low_bits(sm->spec.warps);
  if (((sm->s.ended | sm->s.barrier.waiting) & all) == all)
    release(&sm->s.barrier);
  const sl_warps ready = all & ~(sm->s.ended | sm->s.barrier.waiting);
  if (ready == 0) {
    sl_simty_deadlock(sm);
    return;
  }
  const sl_warps later = ready & ~sl_low_bits(sm->s.turn_warp + 1);
  sm->s.turn_warp = sl_lowest(later ? later : ready);
  sm->s.turn_left = TURN;
}

enum sl_sm_state sl_simty_run_fast(struct sl_simty_core *sm, uint64_t instructions)
{
  while (sm->s.state == SL_SM_RUNNING && instructions > 0) {
    if (sm->s.turn_left == 0) {
      next_turn(sm);
      continue;
    }
    const uint64_t done = run_warp(sm, instructions < sm->s.turn_left ? instructions : sm->s.turn_left);
    instructions -= done;
    const bool stopped = (sm->s.ended | sm->s.barrier.waiting) >> sm->s.turn_warp & 1;
    sm->s.turn_left = stopped ? 0 : sm->s.turn_left - (unsigned)done;
    if (sm->s.state == SL_SM_RUNNING && (sm->s.done_left == 0 || sm->s.ended == sl_low_bits(sm->spec.warps)))
      sm->s.state = SL_SM_DONE;
  }
#ifdef SL_CHECK_INVARIANTS
  const char *broken = sm->s.state == SL_SM_FAULTED ? NULL : sl_simty_broken(sm);
  if (broken != NULL) {
    sm->warps.fault = (struct sl_fault){.kind = SL_FAULT_INTERNAL, .detail = broken};
    sm->s.state = SL_SM_FAULTED;
  }
#endif
  return sm->s.state;
}
