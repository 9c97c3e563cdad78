/* Livelock: whether a warp goes round in a loop that nothing can end.
 *
 * From its present state a warp is executed on trial. It spins for ever if the state of its threads (registers, paths)
 * comes back before it has changed a word of memory, printed, met a fault, or come to a barrier or its end. If that is
 * so of every warp that is neither at a barrier nor at its end, memory stays as it is and all of them repeat what they
 * did, in whatever order they are picked: a proof, not a guess. A warp that polls what another one has yet to write is
 * no livelock, since the other one does not repeat its state. A loop that counts its rounds is not found either: its
 * state does not come back.
 *
 * No time passes here, and no unit of the hardware does this. The state that comes back is found by Brent's method, "An
 * improved Monte Carlo factorization algorithm", 1980. */
#ifndef SL_WARP_LIVELOCK_H
#define SL_WARP_LIVELOCK_H

#include "warp/path_execute.h"

enum { SL_LIVELOCK_INSTRUCTIONS = 4096 /* of a trial */ };

/* A round of the loop. */
struct sl_spin {
  sl_lanes lanes; /* that executed anything */
  uint32_t pc;    /* the latest jump back */
  struct sl_insn insn;
};

/* A warp on trial: how its machine finds and executes its next instruction, and where it keeps its paths. */
struct sl_trial {
  struct sl_path_warps *threads;
  unsigned warp;
  void *paths;       /* of the warp */
  size_t path_bytes; /* at most those of struct sl_paths */
  bool (*same_paths)(const void *a, const void *b);
  void *context;
  /* The active lanes and their instruction; then its execution. False: a fault. */
  bool (*fetch)(void *context, struct sl_execution *ex);
  bool (*execute)(void *context, struct sl_execution *ex);
  /* The addresses of a store or atomic's active lanes; false: it is a fault. NULL: those of sl_memory_access. */
  bool (*addresses)(void *context, const struct sl_execution *ex, uint32_t *address);
};

/* Whether a warp spins for ever if memory stays as it is. Memory is left as it was; the warp's registers and paths are
 * left anywhere, for the caller to restore. */
bool sl_livelock_spins(const struct sl_trial *trial, struct sl_spin *spin);

/* The same for a warp whose paths are those of its threads. */
bool sl_livelock_threads_spin(struct sl_path_warps *t, unsigned warp, struct sl_spin *spin);

#endif
