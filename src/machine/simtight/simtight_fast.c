/* Functional mode: the same instructions on the same threads without timing. Each warp runs to its next barrier, its
 * end, or the end of its turn; a barrier opens when all warps of a block have arrived. */
#include "machine/simtight/simtight_sm.h"

/* Instructions of a turn: few, so that warps which stream through memory side by side stay on the same pages of the
 * host, and so that warps may wait for each other's stores. */
enum { TURN = 64 };

/* Runs a warp until it stops or has used `instructions`; returns how many it executed. */
static uint64_t run_warp(struct sl_simtight_sm *sm, unsigned warp, uint64_t instructions)
{
  struct sl_path_warps *t = &sm->warps;
  for (uint64_t done = 0; done < instructions; done++) {
    unsigned path;
    struct sl_execution ex;
    enum sl_effect effect = SL_EFFECT_FAULT;
    if (sl_path_warps_fetch(t, warp, &path, &ex))
      effect = sl_path_execute(t, warp, path, &ex, &sm->s.functional_request);
    if (effect == SL_EFFECT_FAULT || !sl_path_warps_check(t, warp)) {
      sm->s.state = SL_SM_FAULTED;
      return done;
    }
    sm->s.counts.thread_instructions += sl_count(ex.active);
    sm->s.counts.instructions++;
    if (sm->observed)
      sl_simtight_report(sm, warp, &ex, &sm->s.functional_request);
    if (effect == SL_EFFECT_COMMAND) {
      sl_simtight_command(sm, warp, ex.command);
      sm->s.queue &= ~sl_bit(warp);
      return done + 1;
    }
  }
  return instructions;
}

/* Opens the barrier for every block whose warps have all arrived. */
static void release(struct sl_simtight_sm *sm)
{
  struct sl_barrier *b = &sm->s.barrier;
  const unsigned step = b->block ? b->block : b->warps;
  for (unsigned first = 0; first + step <= b->warps; first += step) {
    sl_warps block = sl_low_bits(step) << first;
    if ((b->waiting & block) != block)
      continue;
    b->waiting &= ~block;
    sm->s.queue |= block;
  }
}

/* Gives the next warp its turn: in order of number, all that can run, then again from the lowest. */
static void next_turn(struct sl_simtight_sm *sm)
{
  if (sm->s.turn_rest == 0) {
    release(sm);
    if (sm->s.ended == sl_low_bits(sm->spec.warps))
      sm->s.state = SL_SM_DONE;
    else if (sm->s.queue == 0)
      sl_simtight_deadlock(sm);
    sm->s.turn_rest = sm->s.queue;
  }
  if (sm->s.turn_rest == 0)
    return;
  sm->s.turn_warp = sl_lowest(sm->s.turn_rest);
  sm->s.turn_rest &= sm->s.turn_rest - 1;
  sm->s.turn_left = TURN;
}

enum sl_sm_state sl_simtight_run_fast(struct sl_simtight_sm *sm, uint64_t instructions)
{
  while (sm->s.state == SL_SM_RUNNING && instructions > 0) {
    if (sm->s.turn_left == 0) {
      next_turn(sm);
      continue;
    }
    const uint64_t done =
        run_warp(sm, sm->s.turn_warp, instructions < sm->s.turn_left ? instructions : sm->s.turn_left);
    instructions -= done;
    sm->s.turn_left = sm->s.queue & sl_bit(sm->s.turn_warp) ? sm->s.turn_left - done : 0;
  }
  if (sm->s.turn_left == 0 && sm->s.state == SL_SM_RUNNING)
    next_turn(sm);
  return sm->s.state;
}
