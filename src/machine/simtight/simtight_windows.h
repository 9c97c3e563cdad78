/* What the loop by windows (simtight_windows.c) keeps beside the SM's state. At the boundary of two windows, an image
 * of both (simtight_image.h) is all that timing depends on. */
#ifndef SL_MACHINE_SIMTIGHT_WINDOWS_H
#define SL_MACHINE_SIMTIGHT_WINDOWS_H

#include "machine/simtight/simtight_sm.h"

enum {
  SL_WINDOWS_RING = SL_SIMTIGHT_RING,
  SL_FETCHED_KINDS = 32 /* a power of two */,
  SL_NO_KIND = SL_FETCHED_KINDS - 1
};
SL_HOLDS(SL_FETCHED_KINDS, SL_KINDS + 1, "kinds of instructions, and none");
SL_HOLDS(SL_WINDOWS_RING, SL_SIMTIGHT_DEPTH + 4,
         "cycles from the last execute of a window to the first schedule of the next");

/* The instruction of a picked warp. A converged warp's is fetched when the warp is picked, since nothing moves the warp
 * in between: then the host waits for the loads of several warps at once, and knows early where to jump. */
struct sl_fetched_insn {
  const struct sl_insn *insn;
  unsigned kind; /* SL_NO_KIND: not fetched yet */
};

struct sl_windows {
  sl_warps available;                   /* warps that can be picked in the scheduler's cycle */
  sl_warps ready[SL_WINDOWS_RING];      /* at c % RING: warps that can be picked from cycle c on */
  sl_warps arrived[SL_WINDOWS_RING];    /* at c % RING: warps that arrive before the barrier unit's cycle c */
  sl_warps at_barrier[SL_WINDOWS_RING]; /* at c % RING: warps that wait there after the barrier unit's cycle c, if it is
                                           not idle */
  bool arrivals;                        /* some warps have arrived */
  int64_t ended; /* cycle in which the first warp ended, or an earlier one; SL_NEVER: none has ended */
  /* Suspended warps by reason, including those suspended at any time in this window, and since when. `woken`: those
   * woken in this window, and the cycle after which. */
  sl_warps waiting[2], woken;
  int64_t since[SL_MAX_WARPS], until[SL_MAX_WARPS + 1];
  struct sl_response result; /* of the instruction executed in the previous cycle; no lanes: none */
  bool busy;                 /* units or memory path have work, or had it at the start of this window */
  sl_warps refused;          /* converged warps whose latest access the memory path has refused: they will repeat it */
  struct sl_fetched_insn fetched[SL_WINDOWS_RING]; /* at c % RING: of the warp that executes in cycle c */
  sl_warps told;                                   /* warps in the pipeline whose FETCHED is told */
};

/* Conversion from and to the sets of the cycle loop (simtight_cycle.c). */
void sl_windows_enter(struct sl_windows *r, struct sl_simtight_sm *sm);
void sl_windows_leave(struct sl_windows *r, struct sl_simtight_sm *sm);

static inline unsigned sl_windows_at(int64_t cycle)
{
  return (unsigned)cycle % SL_WINDOWS_RING;
}

/* Fetches the instruction of a warp that has just been picked, if the warp is converged. */
static inline __attribute__((always_inline)) void sl_windows_fetch(struct sl_fetched_insn *f,
                                                                   const struct sl_simtight_sm *sm, unsigned warp)
{
  const struct sl_code *const code = &sm->warps.code;
  const struct sl_paths *const paths = &sm->warps.paths[warp];
  f->kind = SL_NO_KIND;
  if (paths->count != 1)
    return;
  const uint32_t index = sl_code_index(code, paths->path[0].pc);
  if (index >= code->count)
    return;
  f->insn = &code->insn[index];
  f->kind = f->insn->kind;
}

/* Executes the instruction on the warp's threads. `kind` is a compile-time constant for frequent kinds. */
static inline __attribute__((always_inline)) enum sl_effect sl_windows_perform(struct sl_simtight_sm *sm, unsigned warp,
                                                                               unsigned path, struct sl_execution *ex,
                                                                               struct sl_request *request,
                                                                               const enum sl_kind kind)
{
  switch (kind) {
  case SL_KIND_ALU:
  case SL_KIND_MUL: return sl_path_compute(&sm->warps, warp, path, ex);
  case SL_KIND_BRANCH: return sl_path_branch(&sm->warps, warp, path, ex);
  case SL_KIND_LOAD:
  case SL_KIND_STORE: return sl_path_access(&sm->warps, warp, path, ex, request);
  case SL_KIND_PUSH: return sl_path_mark(&sm->warps, warp, path, ex, SL_MARK_PUSH);
  case SL_KIND_POP: return sl_path_mark(&sm->warps, warp, path, ex, SL_MARK_POP);
  case SL_KIND_JAL: return sl_path_jump(&sm->warps, warp, path, ex);
  default: return sl_path_execute(&sm->warps, warp, path, ex, request);
  }
}

#endif
