/* Livelock detection for warps of sl_path_warps (base/livelock.h). */
#ifndef SL_WARP_PATH_LIVELOCK_H
#define SL_WARP_PATH_LIVELOCK_H

#include "base/livelock.h"
#include "func/path_execute.h"

/* Returns true if the warp spins as long as memory stays as it is. Nothing changes. */
bool sl_path_warp_spins(struct sl_path_warps *t, unsigned warp, struct sl_spin *spin);

/* For a machine that keeps the paths itself: */

/* Executes one instruction of a trial. `addresses` sets those of a store's or atomic's active lanes, and returns false
 * if it faults; NULL: the addresses of sl_memory_access. */
struct sl_path_step {
  struct sl_path_warps *warps;
  unsigned warp;
  void *context;
  /* fetch sets the active lanes and their instruction; execute executes it. False: a fault. */
  bool (*fetch)(void *context, struct sl_execution *ex);
  bool (*execute)(void *context, struct sl_execution *ex);
  bool (*addresses)(void *context, const struct sl_execution *ex, uint32_t *address);
};
bool sl_path_trial_step(void *path_step, struct sl_trial_step *did);

/* Adds the state that every machine with sl_path_warps has: registers, and what a trial changes beside. */
void sl_path_trial_add(struct sl_trial *trial, struct sl_path_warps *t, unsigned warp);

/* The fault of a livelock: a loop of a warp. */
struct sl_fault sl_path_livelock(const struct sl_path_warps *t, unsigned warp, const struct sl_spin *spin);

#endif
