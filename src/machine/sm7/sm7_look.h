/* What a debugger shows of the GPU while a kernel runs: why a warp does not issue, and what its queues and units hold.
 * The state is that of the cycle, as far as the SM has simulated it. */
#ifndef SL_MACHINE_SM7_LOOK_H
#define SL_MACHINE_SM7_LOOK_H

#include "machine/sm7/sm7_gpu_state.h"

/* What the warp of this number over all SMs waits for, as a part of a sentence: "waits at a barrier". */
const char *sl_sm7_wait_of(const struct sl_sm7_gpu *gpu, unsigned warp);

/* A queue or a set of units: what it holds, and how much it has room for (0: no limit of its own). */
struct sl_sm7_holding {
  const char *name;
  unsigned count, room;
};

enum { SL_SM7_HOLDINGS = 12 };

/* Those of an SM, then those of the memory that all SMs share. Returns their number. */
unsigned sl_sm7_holdings(const struct sl_sm7_gpu *gpu, unsigned sm, struct sl_sm7_holding holding[SL_SM7_HOLDINGS]);

#endif
