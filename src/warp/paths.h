/* Thread state and active-thread selection: which threads of a warp that has diverged run next.
 *
 * The hardware keeps a PC and a little more per thread. Threads of a warp in the same state form a path; keeping paths
 * instead of threads makes selection and update independent of the number of lanes. The lanes of the selected path are
 * the active ones. Selection is one of three schemes, which differ in the state beside the PC, `level`, and in order:
 *
 * - nesting: `level` is the nesting level, changed by the marks push and pop of the program. The path with the greatest
 *   (level, retry bit) runs; among equals the one that has the highest-numbered lane, since the hardware's reduction
 *   tree prefers the higher lane on a tie.
 * - depth-pc: `level` is the call depth, changed by calls and returns. The deepest path runs, among equals the one with
 *   the lowest PC. The whole order is known at once, as by a reduction tree over all threads.
 * - sorted paths: the same order, as far as two hot tables and a background sorter know it (sorted_paths.h).
 *
 * No time passes here: the pipeline's stages for selection are the machine's. Sources: nesting and its stage, SIMTight
 * paper, section III-A, stage 2; order by depth and PC: Collange, "Stack-less SIMT reconvergence at low cost", 2011,
 * and Simty paper (RR-8944), section 3.1. */
#ifndef SL_WARP_PATHS_H
#define SL_WARP_PATHS_H

#include "warp/sorted_paths.h"

enum { SL_NEST_MAX = 31 }; /* five bits */

enum sl_convergence { SL_CONVERGENCE_NESTING, SL_CONVERGENCE_DEPTH_PC, SL_CONVERGENCE_SORTED_PATHS };

struct sl_path {
  sl_lanes lanes;
  uint32_t pc;
  int16_t level;
  bool retry; /* nesting only: in the other schemes the path of an instruction that retries is first anyway */
};

/* Disjoint paths that cover the lanes of a warp, no two in the same state, unless the sorter has yet to find them. */
struct sl_paths {
  unsigned count;
  enum sl_convergence scheme;
  struct sl_path path[SL_MAX_LANES]; /* of sorted paths: the hot ones, then the waiting ones */
  struct sl_sorted_paths sorted;     /* only of sorted paths, and only while there are several */
};

/* All lanes at one address, level 0. */
void sl_paths_start(struct sl_paths *paths, enum sl_convergence scheme, sl_lanes lanes, uint32_t pc);

/* Index of the path that runs next. */
unsigned sl_paths_select_diverged(const struct sl_paths *paths);

static inline unsigned sl_paths_select(const struct sl_paths *paths)
{
  return paths->count == 1 ? 0 : sl_paths_select_diverged(paths);
}

/* Puts path i, which has changed, in its place, merged with another one in the same state; its index may change. */
void sl_paths_settle(struct sl_paths *paths, unsigned i);

/* Path i goes on at pc. */
static inline void sl_paths_advance(struct sl_paths *paths, unsigned i, uint32_t pc)
{
  paths->path[i].pc = pc;
  paths->path[i].retry = false;
  if (paths->count > 1)
    sl_paths_settle(paths, i);
}

/* Path i, which was selected, is where it was: its instruction is to be fetched again. */
static inline void sl_paths_retry(struct sl_paths *paths, unsigned i)
{
  if (paths->scheme != SL_CONVERGENCE_NESTING)
    return;
  paths->path[i].retry = true;
  if (paths->count > 1)
    sl_paths_settle(paths, i);
}

/* Path i goes on at `taken_pc` for the lanes in `taken`, at `pc` for the others. */
void sl_paths_branch(struct sl_paths *paths, unsigned i, sl_lanes taken, uint32_t taken_pc, uint32_t pc);

/* Lane l of path i goes on at target[l]. */
void sl_paths_scatter(struct sl_paths *paths, unsigned i, const uint32_t *target);

/* A lane is put elsewhere, at the level it had, whatever path it was on. */
void sl_paths_place(struct sl_paths *paths, unsigned lane, uint32_t pc);

/* Whether a path of the warp that waits goes before path i, or with it, and the sorter has yet to find that. */
bool sl_paths_unsorted(const struct sl_paths *paths, unsigned i);

/* NULL, or what is broken: paths must be disjoint, cover `lanes`, and differ in their state. */
const char *sl_paths_broken(const struct sl_paths *paths, sl_lanes lanes);

#endif
