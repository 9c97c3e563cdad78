/* Depth and PC: the level of a path counts calls and returns. The deepest path runs; on a tie, the one with the lowest
 * PC. The full order is known at once, as with a reduction tree over all threads. Marks have no effect, and a path that
 * replays an instruction is first anyway.
 *
 * Sources: Collange, "Stack-less SIMT reconvergence at low cost", 2011; Simty paper (RR-8944), section 3.1. */
#include "func/convergence/path_list.h"

static bool goes_before(const struct sl_path *a, const struct sl_path *b)
{
  return a->level > b->level || (a->level == b->level && a->pc < b->pc);
}

static unsigned first_of(const void *warp)
{
  const struct sl_paths *paths = warp;
  unsigned best = 0;
  for (unsigned i = 1; i < paths->count; i++)
    if (goes_before(&paths->path[i], &paths->path[best]))
      best = i;
  return best;
}

const struct sl_convergence sl_convergence_depth_pc = {
    .name = "depth-pc",
    .order_is_known = true,
    .select = first_of,
    .settle = sl_path_list_settle,
    .branch = sl_path_list_branch,
    .scatter = sl_path_list_scatter,
    .place = sl_path_list_place,
    .broken = sl_path_list_broken,
};
