/* Livelock detection: proves that a warp is in a loop that nothing can end.
 *
 * A trial executes the warp from its present state. The warp spins if the state of its threads (registers, paths)
 * repeats before it changes a word of memory, prints, faults, arrives at a barrier or exits. If every warp that is
 * neither at a barrier nor finished spins, memory never changes and all of them repeat in any order of picks. This is a
 * proof, not a heuristic.
 *
 * A warp that polls a word which another warp will write is not a livelock, because the other warp does not repeat its
 * state. A loop that counts its iterations is not found, because its state does not repeat.
 *
 * Livelock detection has no timing and no counterpart in hardware. Brent's method finds the repeated state ("An
 * improved Monte Carlo factorization algorithm", 1980). */
#ifndef SL_WARP_LIVELOCK_H
#define SL_WARP_LIVELOCK_H

#include "warp/path_execute.h"

enum { SL_LIVELOCK_INSTRUCTIONS = 4096 /* length of a trial */ };

/* One iteration of the loop. */
struct sl_spin {
  sl_lanes lanes; /* lanes that executed an instruction */
  uint32_t pc;    /* pc of the latest backward jump */
  struct sl_insn insn;
};

/* A trial of one warp: how its machine fetches and executes its next instruction, and where its paths are. */
struct sl_trial {
  struct sl_path_warps *threads;
  unsigned warp;
  void *paths;       /* of the warp */
  size_t path_bytes; /* at most the size of struct sl_paths */
  bool (*same_paths)(const void *a, const void *b);
  void *context;
  /* fetch sets the active lanes and their instruction; execute executes it. False: a fault. */
  bool (*fetch)(void *context, struct sl_execution *ex);
  bool (*execute)(void *context, struct sl_execution *ex);
  /* Sets the addresses of a store's or atomic's active lanes. False: a fault. NULL: the addresses of sl_memory_access.
   */
  bool (*addresses)(void *context, const struct sl_execution *ex, uint32_t *address);
};

/* Returns true if the warp spins as long as memory stays as it is. Memory does not change. The caller must restore the
 * warp's registers and paths, which the trial changes. */
bool sl_livelock_spins(const struct sl_trial *trial, struct sl_spin *spin);

/* The same for a warp of sl_path_warps. */
bool sl_livelock_threads_spin(struct sl_path_warps *t, unsigned warp, struct sl_spin *spin);

#endif
