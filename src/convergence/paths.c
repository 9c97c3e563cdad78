#include "convergence/convergence.h"

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

/* ---- fairness -------------------------------------------------------------------------------------------------- */

/* Lanes of path i that make it eligible. */
static sl_lanes eligible(const struct sl_paths *paths, unsigned i)
{
  return paths->path[i].lanes & ~paths->fair.parked;
}

static sl_lanes eligible_of_all(const struct sl_paths *paths)
{
  sl_lanes lanes = 0;
  for (unsigned i = 0; i < paths->count; i++)
    lanes |= eligible(paths, i);
  return lanes;
}

static unsigned path_of(const struct sl_paths *paths, sl_lanes lanes)
{
  unsigned i = 0;
  while (!(paths->path[i].lanes & lanes))
    i++;
  return i;
}

/* The first path of the order among those with lanes in `lanes`. */
static unsigned first_among(const struct sl_paths *paths, sl_lanes lanes)
{
  const struct sl_convergence *scheme = sl_paths_scheme(paths);
  unsigned best = path_of(paths, lanes);
  for (unsigned i = best + 1; i < paths->count; i++)
    if ((paths->path[i].lanes & lanes) && scheme->before(&paths->path[i], &paths->path[best]))
      best = i;
  return best;
}

unsigned sl_fair_select(const struct sl_paths *paths)
{
  const struct sl_fairness *fair = &paths->fair;
  const sl_lanes lanes = eligible_of_all(paths);
  if (lanes == 0)
    return sl_paths_scheme(paths)->select(paths);
  sl_lanes favoured = 0;
  for (unsigned i = 0; i < paths->count; i++)
    favoured |= eligible(paths, i) ? paths->path[i].lanes & fair->favoured : 0;
  return first_among(paths, favoured ? favoured : lanes);
}

/* Favours the eligible path that has waited longest. */
static void favour(struct sl_paths *paths)
{
  struct sl_fairness *fair = &paths->fair;
  const sl_lanes lanes = eligible_of_all(paths);
  unsigned first = 0;
  while (!(lanes >> fair->queue[first] & 1))
    first++;
  fair->favoured = paths->path[path_of(paths, sl_bit(fair->queue[first]))].lanes;
  sl_fair_move_to_end(fair, fair->favoured);
}

void sl_fair_count(struct sl_paths *paths, unsigned i)
{
  struct sl_fairness *fair = &paths->fair;
  unsigned several = 0;
  for (unsigned p = 0; p < paths->count; p++)
    several += eligible(paths, p) != 0;
  const bool favoured = (paths->path[i].lanes & fair->favoured) != 0;
  fair->turns = several > 1 && (favoured || !fair->favoured) ? fair->turns + 1 : 0;
  fair->favoured = favoured ? paths->path[i].lanes : 0;
  if (fair->turns < fair->period)
    return;
  fair->turns = 0;
  if (!favoured) {
    favour(paths);
    return;
  }
  sl_fair_move_to_end(fair, fair->favoured); /* behind lanes that have left the path */
  fair->favoured = 0;
}

bool sl_fair_park(struct sl_paths *paths, unsigned i)
{
  struct sl_fairness *fair = &paths->fair;
  fair->parked |= paths->path[i].lanes;
  fair->favoured &= ~paths->path[i].lanes;
  return eligible_of_all(paths) != 0;
}
