/* Thread state of a warp as paths, and active-thread selection: which threads of a diverged warp run next.
 *
 * The hardware keeps a PC and a little more state per thread. A path is the set of threads of a warp in the same state.
 * Keeping paths instead of threads makes the cost of selection and update independent of the number of lanes. The lanes
 * of the selected path are the active ones. The convergence scheme (convergence/convergence.h) selects; the
 * schemes differ in the state beside the PC (`level`) and in the order. A converged warp is one path in every scheme,
 * and needs none. Selection has no timing here: the machine models the pipeline stages. */
#ifndef SL_CONVERGENCE_PATHS_H
#define SL_CONVERGENCE_PATHS_H

#include "convergence/convergence.h"
#include "convergence/fairness.h"

enum { SL_NEST_MAX = 31 /* five bits */, SL_PATHS_OWN = 1088 /* bytes */ };

struct sl_path {
  sl_lanes lanes;
  uint32_t pc;
  int16_t level;
  bool retry; /* its instruction will be fetched again */
};

/* Disjoint paths that cover the lanes of a warp. No two are in the same state, except pairs that a sorter has not
 * merged yet. */
struct sl_paths {
  unsigned count;
  enum sl_scheme scheme;
  struct sl_path path[SL_MAX_LANES];
  struct sl_fairness fair;
  _Alignas(8) uint8_t own[SL_PATHS_OWN]; /* only the scheme knows it; without meaning while there is one path */
};

static inline const struct sl_convergence *sl_paths_scheme(const struct sl_paths *paths)
{
  return sl_convergences[paths->scheme];
}

/* Resets: all lanes at one address, level 0, without fairness. */
void sl_paths_start(struct sl_paths *paths, enum sl_scheme scheme, sl_lanes lanes, uint32_t pc);

/* Returns the index of the path that runs next. */
static inline unsigned sl_paths_select(const struct sl_paths *paths)
{
  if (paths->count == 1)
    return 0;
  const struct sl_convergence *scheme = sl_paths_scheme(paths);
  return paths->fair.period && scheme->before != NULL ? sl_fair_select(paths) : scheme->select(paths);
}

/* Counts an instruction or a replay of the selected path i. A scheme whose order is not known counts itself. */
static inline void sl_paths_count(struct sl_paths *paths, unsigned i)
{
  if (paths->count > 1 && paths->fair.period && sl_paths_scheme(paths)->before != NULL)
    sl_fair_count(paths, i);
}

/* Path i continues at pc. */
static inline void sl_paths_advance(struct sl_paths *paths, unsigned i, uint32_t pc)
{
  paths->path[i].pc = pc;
  paths->path[i].retry = false;
  if (paths->count > 1)
    sl_paths_scheme(paths)->settle(paths, i);
}

/* The selected path i stays where it is: its instruction will be fetched again. */
static inline void sl_paths_retry(struct sl_paths *paths, unsigned i)
{
  if (sl_paths_scheme(paths)->retry != NULL)
    sl_paths_scheme(paths)->retry(paths, i);
}

/* Path i continues at `taken_pc` for the lanes in `taken` and at `pc` for the others. */
void sl_paths_branch(struct sl_paths *paths, unsigned i, sl_lanes taken, uint32_t taken_pc, uint32_t pc);

/* Lane l of path i continues at target[l]. */
static inline void sl_paths_scatter(struct sl_paths *paths, unsigned i, const uint32_t *target)
{
  if (paths->count == 1 && paths->fair.period)
    sl_fair_start(&paths->fair);
  sl_paths_scheme(paths)->scatter(paths, i, target);
}

/* Path i executes a mark. It does not move. */
static inline enum sl_marked sl_paths_mark(struct sl_paths *paths, unsigned i, enum sl_mark_kind kind)
{
  const struct sl_mark mark = {.kind = kind};
  return sl_paths_scheme(paths)->mark != NULL ? sl_paths_scheme(paths)->mark(paths, i, &mark) : SL_MARKED;
}

/* Path i, which is not the whole warp, is at a warp command. Returns true if it waits there for others to run first. */
static inline bool sl_paths_arrive(struct sl_paths *paths, unsigned i)
{
  if (paths->fair.period && sl_paths_scheme(paths)->before != NULL)
    return sl_fair_park(paths, i);
  return sl_paths_scheme(paths)->arrive != NULL && sl_paths_scheme(paths)->arrive(paths, i);
}

/* Moves a lane to another pc. It keeps its level. */
static inline void sl_paths_place(struct sl_paths *paths, unsigned lane, uint32_t pc)
{
  if (paths->count == 1 && paths->fair.period)
    sl_fair_start(&paths->fair);
  sl_paths_scheme(paths)->place(paths, lane, pc);
}

/* The places of the paths, in the order of the list. */
static inline unsigned sl_paths_places(const void *warp, struct sl_warp_path path[SL_MAX_LANES])
{
  const struct sl_paths *paths = warp;
  for (unsigned i = 0; i < paths->count; i++)
    path[i] = (struct sl_warp_path){paths->path[i].lanes, paths->path[i].pc};
  return paths->count;
}

/* Checks the invariants: paths are disjoint, cover `lanes` and differ in state. Returns NULL or the broken invariant.
 */
const char *sl_paths_broken(const struct sl_paths *paths, sl_lanes lanes);

#endif
