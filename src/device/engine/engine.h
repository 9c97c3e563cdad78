/* An engine advances an SM's simulation: cycle by cycle with timing, or instruction by instruction without.
 *
 * Callers request quanta: a maximum number of cycles (without timing: of warp instructions). Livelock checks run
 * between quanta at fixed times, so the result of a run does not depend on its division into quanta. */
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
