/* Who advances an SM: with timing, cycle by cycle as its machine does, or without, instruction by instruction.
 *
 * An engine is asked for stretches: so many cycles (without timing: warp instructions) at most. A livelock is looked
 * for between stretches, at fixed times, so that what a run comes to does not depend on how it is divided. */
#ifndef SL_ENGINE_ENGINE_H
#define SL_ENGINE_ENGINE_H

#include "machine/machine.h"

struct sl_engine {
  const char *name;
  bool timing;
  /* Advances a running SM by at most `budget` cycles or instructions. */
  void (*run)(struct sl_sm *sm, uint64_t budget);
};

extern const struct sl_engine sl_engine_timed, sl_engine_stepwise;

static inline const struct sl_engine *sl_engine_of(bool fast)
{
  return fast ? &sl_engine_stepwise : &sl_engine_timed;
}

/* Runs until the kernel ends or the budget is spent. */
enum sl_sm_state sl_engine_run(const struct sl_engine *engine, struct sl_sm *sm, uint64_t budget);

#endif
