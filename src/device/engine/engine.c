#include "device/engine/engine.h"

#include "base/livelock.h"
#include "base/shuffle.h"

static void run_cycles(struct sl_sm *sm, uint64_t cycles)
{
  sm->machine->life.run_cycles(sm, cycles);
}

const struct sl_engine sl_engine_timed = {.name = "timed", .timing = true, .run = run_cycles};

static bool running(const struct sl_sm *sm)
{
  return sm->state == SL_SM_RUNNING;
}

enum sl_sm_state sl_engine_run(const struct sl_engine *engine, struct sl_sm *sm, uint64_t budget)
{
  const struct sl_machine *m = sm->machine;
  m->life.set_timing(sm, engine->timing);
  if (sm->state == SL_SM_STOPPED)
    sm->state = SL_SM_RUNNING;
  while (budget > 0 && running(sm)) {
    const uint64_t now = m->view.elapsed(sm), check = sl_livelock_next(now), left = check - now;
    const uint64_t span = budget < left ? budget : left;
    engine->run(sm, span);
    budget -= span;
    if (m->view.elapsed(sm) >= check && running(sm) && m->life.check_livelock != NULL)
      m->life.check_livelock(sm);
  }
  return sm->state;
}

/* In an order of a seed, half of the slices go to any warp; the others are cyclic, so that each warp gets one. */
static struct sl_time_slice shuffle(struct sl_sm *sm)
{
  const unsigned slice = sm->machine->steps.slice;
  sm->order = sl_mixed(sm->order) | 1;
  const unsigned after = (sm->order & 2) != 0 ? (unsigned)(sm->order >> 8) % SL_MAX_WARPS : sm->slice.warp;
  return (struct sl_time_slice){.warp = after, .left = 1 + (sm->order >> 32) % slice};
}

/* Gives the next warp a time slice. Returns false if no warp can execute. */
static bool next_turn(struct sl_sm *sm)
{
  const struct sl_machine_steps *steps = &sm->machine->steps;
  const struct sl_time_slice slice =
      sm->order != 0 ? shuffle(sm) : (struct sl_time_slice){.warp = sm->slice.warp, .left = steps->slice};
  const int warp = steps->next(sm, slice.warp);
  if (warp < 0) {
    steps->none(sm);
    return false;
  }
  sm->slice = (struct sl_time_slice){.warp = (unsigned)warp, .left = slice.left};
  return true;
}

static void run(struct sl_sm *sm, uint64_t instructions)
{
  const struct sl_machine *m = sm->machine;
  while (sm->state == SL_SM_RUNNING) {
    if (sm->slice.left == 0 && !next_turn(sm))
      return;
    if (instructions == 0)
      return;
    instructions -= m->steps.run_warp(sm, &sm->slice, instructions);
  }
}

const struct sl_engine sl_engine_stepwise = {.name = "stepwise", .timing = false, .run = run};
