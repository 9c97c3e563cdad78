/* The functional engine: executes warps in time slices (func/blocks/time_slice.h) of a few instructions, in order of
 * their numbers. Slices are short so that warps that stream through memory side by side stay on the same host pages,
 * and so that warps can wait for each other's stores. No simulated time passes. */
#include "engine/engine.h"

/* Gives the next warp a time slice. Returns false if no warp can execute. */
static bool next_turn(struct sl_sm *sm)
{
  const struct sl_machine_steps *steps = &sm->machine->steps;
  const int warp = steps->next(sm, sm->slice.warp);
  if (warp < 0) {
    steps->none(sm);
    return false;
  }
  sm->slice = (struct sl_time_slice){.warp = (unsigned)warp, .left = steps->slice};
  return true;
}

static void run(struct sl_sm *sm, uint64_t instructions)
{
  const struct sl_machine *m = sm->machine;
  while (m->view.state(sm) == SL_SM_RUNNING) {
    if (sm->slice.left == 0 && !next_turn(sm))
      return;
    if (instructions == 0)
      return;
    instructions -= m->steps.run_warp(sm, &sm->slice, instructions);
  }
}

const struct sl_engine sl_engine_stepwise = {.name = "stepwise", .timing = false, .run = run};
