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
      effect = sl_path_execute(t, warp, path, &ex, &sm->functional_request);
    if (effect == SL_EFFECT_FAULT || !sl_path_warps_check(t, warp)) {
      sm->state = SL_SM_FAULTED;
      return done;
    }
    sm->counts.thread_instructions += sl_count(ex.active);
    sm->counts.instructions++;
    if (sm->observed)
      sl_simtight_report(sm, warp, &ex, &sm->functional_request);
    if (effect == SL_EFFECT_COMMAND) {
      sl_simtight_command(sm, warp, ex.command);
      sm->queue &= ~sl_bit(warp);
      return done + 1;
    }
  }
  return instructions;
}

/* Opens the barrier for every block whose warps have all arrived. */
static void release(struct sl_simtight_sm *sm)
{
  struct sl_barrier *b = &sm->barrier;
  const unsigned step = b->block ? b->block : b->warps;
  for (unsigned first = 0; first + step <= b->warps; first += step) {
    sl_warps block = sl_low_bits(step) << first;
    if ((b->waiting & block) != block)
      continue;
    b->waiting &= ~block;
    sm->queue |= block;
  }
}

/* Gives the next warp its turn: in order of number, all that can run, then again from the lowest. */
static void next_turn(struct sl_simtight_sm *sm)
{
  if (sm->turn_rest == 0) {
    release(sm);
    if (sm->ended == sl_low_bits(sm->spec.warps))
      sm->state = SL_SM_DONE;
    else if (sm->queue == 0)
      sl_simtight_deadlock(sm);
    sm->turn_rest = sm->queue;
  }
  if (sm->turn_rest == 0)
    return;
  sm->turn_warp = sl_lowest(sm->turn_rest);
  sm->turn_rest &= sm->turn_rest - 1;
  sm->turn_left = TURN;
}

enum sl_sm_state sl_simtight_run_fast(struct sl_simtight_sm *sm, uint64_t instructions)
{
  while (sm->state == SL_SM_RUNNING && instructions > 0) {
    if (sm->turn_left == 0) {
      next_turn(sm);
      continue;
    }
    const uint64_t done = run_warp(sm, sm->turn_warp, instructions < sm->turn_left ? instructions : sm->turn_left);
    instructions -= done;
    sm->turn_left = sm->queue & sl_bit(sm->turn_warp) ? sm->turn_left - done : 0;
  }
  if (sm->turn_left == 0 && sm->state == SL_SM_RUNNING)
    next_turn(sm);
  return sm->state;
}
