/* Thread state and active-thread selection by nesting level.
 *
 * The hardware keeps a PC, a nesting level and a retry bit per thread. Threads of a warp in the same state form a path;
 * keeping paths instead of threads makes selection and update independent of the number of lanes. Selection takes the
 * path with the greatest (nesting level, retry bit); among equals the one that has the highest-numbered lane, since the
 * hardware's reduction tree prefers the higher lane on a tie. Its lanes are the active ones.
 * Paper, section III-A, stage 2; Collange, "Stack-less SIMT reconvergence at low cost", 2011. */
#ifndef SL_CORE_PATHS_H
#define SL_CORE_PATHS_H

#include "base/types.h"

enum { SL_NEST_MAX = 31 }; /* five bits */

struct sl_path {
  sl_lanes lanes;
  uint32_t pc;
  uint8_t level;
  bool retry;
};

/* Disjoint paths that cover the lanes of a warp. */
struct sl_paths {
  unsigned count;
  struct sl_path path[SL_MAX_LANES];
};

/* All lanes at one address, level 0. */
void sl_paths_start(struct sl_paths *paths, sl_lanes lanes, uint32_t pc);

/* Index of the path that runs next. */
unsigned sl_paths_select_diverged(const struct sl_paths *paths);

static inline unsigned sl_paths_select(const struct sl_paths *paths)
{
  return paths->count == 1 ? 0 : sl_paths_select_diverged(paths);
}

/* Merges path i with another one in the same state; its index may change. Call after a change to path i. */
void sl_paths_merge(struct sl_paths *paths, unsigned i);

/* Takes `lanes` (some but not all of path i) out of path i and lets them go on at pc. */
void sl_paths_split(struct sl_paths *paths, unsigned i, sl_lanes lanes, uint32_t pc);

/* Path i goes on at pc. */
static inline void sl_paths_advance(struct sl_paths *paths, unsigned i, uint32_t pc)
{
  paths->path[i].pc = pc;
  paths->path[i].retry = false;
  if (paths->count > 1)
    sl_paths_merge(paths, i);
}

/* Path i goes on at `taken_pc` for the lanes in `taken`, at `pc` for the others. */
void sl_paths_branch(struct sl_paths *paths, unsigned i, sl_lanes taken, uint32_t taken_pc, uint32_t pc);

/* Lane l of path i goes on at target[l]. */
void sl_paths_scatter(struct sl_paths *paths, unsigned i, const uint32_t *target);

#endif
