/* Livelock detection for the warps of RISC-V machines (base/livelock.h): the check over warps, and the trials of warps
 * with paths and with an IPDOM stack. */
#ifndef SL_WARP_WARP_LIVELOCK_H
#define SL_WARP_WARP_LIVELOCK_H

#include "base/livelock.h"
#include "func/ipdom_warps.h"
#include "func/path_execute.h"

/* ---- warps with paths -------------------------------------------------------------------------------------------- */

/* Returns true if the warp spins as long as memory stays as it is. Nothing changes. */
bool sl_path_warp_spins(struct sl_path_warps *t, unsigned warp, struct sl_trial_memory *memory, struct sl_spin *spin);

/* For a machine that keeps the paths itself: */

/* Executes one instruction of a trial. `addresses` sets those of an access's active lanes, and returns false if it
 * faults; NULL: the addresses of sl_memory_access. */
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

/* A machine's trial of a warp: returns true if it spins, and restores its state. */
typedef bool sl_path_spins(void *context, unsigned warp, struct sl_trial_memory *memory, struct sl_spin *spin);

/* Returns true if all of these warps spin, by the machine's function; then *fault, none at first, describes the
 * livelock. Loops of the warps in `done` are none. */
bool sl_path_livelock(const struct sl_path_warps *t, sl_warps running, sl_warps done, sl_path_spins *spins,
                      void *context, struct sl_fault *fault);

/* ---- warps with an IPDOM stack ----------------------------------------------------------------------------------- */

/* Returns true if all of these warps of a core spin as long as memory stays as it is. Nothing else changes. The core
 * has no logged stores. Call it for all cores, with the same memory of trials and the same fault, which is none at
 * first: if all warps spin, the fault describes the livelock. next_pc: where a warp continues; NULL: at its pc. */
bool sl_ipdom_livelock(struct sl_ipdom_warps *w, sl_warps running,
                       uint32_t (*next_pc)(const void *context, unsigned warp), const void *context,
                       struct sl_trial_memory *memory, struct sl_fault *fault);

#endif
