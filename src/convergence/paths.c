#include "convergence/paths.h"

void sl_paths_start(struct sl_paths *paths, enum sl_scheme scheme, sl_lanes lanes, uint32_t pc)
{
  paths->scheme = scheme;
  paths->fair.period = 0;
  sl_fair_start(&paths->fair);
  paths->count = 1;
  paths->path[0] = (struct sl_path){.lanes = lanes, .pc = pc};
}

void sl_paths_branch(struct sl_paths *paths, unsigned i, sl_lanes taken, uint32_t taken_pc, uint32_t pc)
{
  if (paths->count == 1 && paths->fair.period)
    sl_fair_start(&paths->fair);
  if (taken == paths->path[i].lanes || taken == 0 || taken_pc == pc)
    sl_paths_advance(paths, i, taken ? taken_pc : pc);
  else
    sl_paths_scheme(paths)->branch(paths, i, taken, taken_pc, pc);
}

const char *sl_paths_broken(const struct sl_paths *paths, sl_lanes lanes)
{
  sl_lanes seen = 0;
  for (unsigned i = 0; i < paths->count; i++) {
    const struct sl_path *p = &paths->path[i];
    if (p->lanes == 0)
      return "a path of a warp has no lanes";
    if (p->lanes & seen)
      return "two paths of a warp share a lane";
    seen |= p->lanes;
  }
  const char *broken = sl_paths_scheme(paths)->broken(paths, lanes);
  if (broken != NULL)
    return broken;
  return seen != lanes ? "the paths of a warp do not cover its lanes" : NULL;
}
