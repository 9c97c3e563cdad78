/* Thread state and active-thread selection: chooses which threads of a diverged warp run next.
 *
 * The hardware keeps a PC and a little more state per thread. A path is the set of threads of a warp in the same state.
 * Keeping paths instead of threads makes the cost of selection and update independent of the number of lanes. The lanes
 * of the selected path are the active ones. The three schemes differ in the state beside the PC (`level`) and in the
 * order:
 * - nesting: `level` is the nesting level, which the program's push and pop annotations change. The path with the
 *   greatest (level, retry bit) runs. On a tie the path with the highest-numbered lane runs, because the hardware's
 *   reduction tree prefers the higher lane.
 * - depth-pc: `level` is the call depth, which calls and returns change. The deepest path runs; on a tie, the lowest
 *   PC. The full order is known at once, as with a reduction tree over all threads.
 * - sorted paths: the same order, as far as two hot tables and a background sorter know it (sorted_paths.h).
 * Selection has no timing here: the machine models the pipeline stages. Sources: SIMTight paper, section III-A, stage 2
 * (nesting); Collange, "Stack-less SIMT reconvergence at low cost", 2011, and Simty paper (RR-8944), section 3.1 (order
 * by depth and PC). */
#ifndef SL_WARP_PATHS_H
#define SL_WARP_PATHS_H

#include "warp/sorted_paths.h"

enum { SL_NEST_MAX = 31 }; /* five bits */

enum sl_convergence { SL_CONVERGENCE_NESTING, SL_CONVERGENCE_DEPTH_PC, SL_CONVERGENCE_SORTED_PATHS };

struct sl_path {
  sl_lanes lanes;
  uint32_t pc;
  int16_t level;
  bool retry; /* nesting only: in the other schemes a path that retries stays first anyway */
};

/* Disjoint paths that cover the lanes of a warp. No two are in the same state, except pairs that the sorter has not
 * merged yet. */
struct sl_paths {
  unsigned count;
  enum sl_convergence scheme;
  struct sl_path path[SL_MAX_LANES]; /* with sorted paths: the hot paths, then the waiting ones */
  struct sl_sorted_paths sorted;     /* with sorted paths, and only if there are several */
};

/* Resets: all lanes at one address, level 0. */
void sl_paths_start(struct sl_paths *paths, enum sl_convergence scheme, sl_lanes lanes, uint32_t pc);

/* Returns the index of the path that runs next. */
unsigned sl_paths_select_diverged(const struct sl_paths *paths);

static inline unsigned sl_paths_select(const struct sl_paths *paths)
{
  return paths->count == 1 ? 0 : sl_paths_select_diverged(paths);
}

/* Moves the changed path i to its place in the order and merges it with a path in the same state. Its index may change.
 */
void sl_paths_settle(struct sl_paths *paths, unsigned i);

/* Path i continues at pc. */
static inline void sl_paths_advance(struct sl_paths *paths, unsigned i, uint32_t pc)
{
  paths->path[i].pc = pc;
  paths->path[i].retry = false;
  if (paths->count > 1)
    sl_paths_settle(paths, i);
}

/* The selected path i stays where it is: its instruction will be fetched again. */
static inline void sl_paths_retry(struct sl_paths *paths, unsigned i)
{
  if (paths->scheme != SL_CONVERGENCE_NESTING)
    return;
  paths->path[i].retry = true;
  if (paths->count > 1)
    sl_paths_settle(paths, i);
}

/* Path i continues at `taken_pc` for the lanes in `taken` and at `pc` for the others. */
void sl_paths_branch(struct sl_paths *paths, unsigned i, sl_lanes taken, uint32_t taken_pc, uint32_t pc);

/* Lane l of path i continues at target[l]. */
void sl_paths_scatter(struct sl_paths *paths, unsigned i, const uint32_t *target);

/* Moves a lane to another pc. It keeps its level. */
void sl_paths_place(struct sl_paths *paths, unsigned lane, uint32_t pc);

/* Returns true if a waiting path of the warp precedes or equals path i and the sorter has not found it yet. */
bool sl_paths_unsorted(const struct sl_paths *paths, unsigned i);

/* Checks the invariants: paths are disjoint, cover `lanes` and differ in state. Returns NULL or the broken invariant.
 */
const char *sl_paths_broken(const struct sl_paths *paths, sl_lanes lanes);

#endif
