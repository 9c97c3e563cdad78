#include "warp/paths.h"

void sl_paths_start(struct sl_paths *paths, enum sl_convergence scheme, sl_lanes lanes, uint32_t pc)
{
  paths->scheme = scheme;
  paths->count = 1;
  paths->path[0] = (struct sl_path){.lanes = lanes, .pc = pc};
}

/* ---- selection ----------------------------------------------------------------------------------------------------
 */

static int priority(const struct sl_path *path)
{
  return path->level * 2 + path->retry;
}

static bool goes_before(enum sl_convergence scheme, const struct sl_path *a, const struct sl_path *b)
{
  if (scheme == SL_CONVERGENCE_DEPTH_PC)
    return a->level > b->level || (a->level == b->level && a->pc < b->pc);
  const int pa = priority(a), pb = priority(b);
  /* The set with the highest lane is the greater number. The comparison is unpredictable, so the code has no branch on
   * it. */
  return (pa > pb) | ((pa == pb) & (a->lanes > b->lanes));
}

unsigned sl_paths_select_diverged(const struct sl_paths *paths)
{
  unsigned best = 0;
  if (paths->scheme == SL_CONVERGENCE_SORTED_PATHS)
    return best;
  for (unsigned i = 1; i < paths->count; i++)
    if (goes_before(paths->scheme, &paths->path[i], &paths->path[best]))
      best = i;
  return best;
}

/* ---- sorted paths -------------------------------------------------------------------------------------------------
 */

static struct sl_ordered_path ordered(const struct sl_path *p)
{
  return sl_ordered_path(p->lanes, p->pc, (uint8_t)p->level);
}

/* Lists the tables as paths, for code that handles any scheme. */
static void list(struct sl_paths *paths, struct sl_ordered_path p)
{
  if (p.lanes != 0)
    paths->path[paths->count++] =
        (struct sl_path){.lanes = p.lanes, .pc = sl_path_pc(p), .level = (int8_t)sl_path_depth(p)};
}

static void list_all(struct sl_paths *paths)
{
  const struct sl_sorted_paths *s = &paths->sorted;
  paths->count = 0;
  list(paths, s->running);
  list(paths, s->next);
  for (unsigned i = s->cold_count; i > 0; i--)
    list(paths, s->cold[i - 1]);
}

/* A converged warp does not use the tables. They are reinitialised when it diverges. */
static struct sl_sorted_paths *tables(struct sl_paths *paths)
{
  if (paths->count == 1)
    paths->sorted = (struct sl_sorted_paths){.running = ordered(&paths->path[0])};
  return &paths->sorted;
}

/* End of an instruction: the sorter makes a probe if the instruction did not use the cold table. */
static void clock_sorter(struct sl_paths *paths, bool busy)
{
  if (!busy)
    sl_sorted_paths_probe(&paths->sorted);
  list_all(paths);
}

/* ---- divergence and reconvergence ---------------------------------------------------------------------------------
 */

static bool same_state(const struct sl_path *a, const struct sl_path *b)
{
  return a->pc == b->pc && a->level == b->level && a->retry == b->retry;
}

static void merge(struct sl_paths *paths, unsigned i)
{
  const struct sl_path changed = paths->path[i];
  for (unsigned j = 0; j < paths->count; j++) {
    struct sl_path *other = &paths->path[j];
    if (j == i || !same_state(other, &changed))
      continue;
    other->lanes |= changed.lanes;
    paths->path[i] = paths->path[--paths->count];
    return;
  }
}

void sl_paths_settle(struct sl_paths *paths, unsigned i)
{
  if (paths->scheme != SL_CONVERGENCE_SORTED_PATHS)
    merge(paths, i);
  else
    clock_sorter(paths, sl_sorted_paths_update(&paths->sorted, ordered(&paths->path[i]), sl_no_path()));
}

/* Splits `lanes`, a non-empty proper subset, from path i; they continue at pc. */
static void split(struct sl_paths *paths, unsigned i, sl_lanes lanes, uint32_t pc)
{
  struct sl_path *path = &paths->path[i];
  path->lanes &= ~lanes;
  paths->path[paths->count] = (struct sl_path){.lanes = lanes, .pc = pc, .level = path->level};
  merge(paths, paths->count++);
}

void sl_paths_place(struct sl_paths *paths, unsigned lane, uint32_t pc)
{
  unsigned i = 0;
  while (i + 1 < paths->count && !(paths->path[i].lanes & sl_bit(lane)))
    i++;
  if (paths->scheme == SL_CONVERGENCE_SORTED_PATHS) {
    sl_sorted_paths_place(tables(paths), lane, pc);
    list_all(paths);
  } else if (paths->path[i].lanes == sl_bit(lane)) {
    paths->path[i].pc = pc;
    paths->path[i].retry = false;
    merge(paths, i);
  } else
    split(paths, i, sl_bit(lane), pc);
}

void sl_paths_branch(struct sl_paths *paths, unsigned i, sl_lanes taken, uint32_t taken_pc, uint32_t pc)
{
  struct sl_path *path = &paths->path[i];
  if (taken == path->lanes || taken == 0 || taken_pc == pc) {
    sl_paths_advance(paths, i, taken ? taken_pc : pc);
    return;
  }
  if (paths->scheme == SL_CONVERGENCE_SORTED_PATHS) {
    struct sl_sorted_paths *s = tables(paths);
    const uint8_t depth = (uint8_t)path->level;
    clock_sorter(paths, sl_sorted_paths_update(s, sl_ordered_path(path->lanes & ~taken, pc, depth),
                                               sl_ordered_path(taken, taken_pc, depth)));
    return;
  }
  path->pc = pc;
  path->retry = false;
  split(paths, i, taken, taken_pc);
  /* The split lanes may have merged into another path, but path i has not moved. */
  merge(paths, i);
}

/* The sort unit takes two paths at a time. Each further path is sorted with the running one. */
static void scatter_sorted(struct sl_paths *paths, const uint32_t *target)
{
  struct sl_sorted_paths *s = tables(paths);
  const uint8_t depth = (uint8_t)paths->path[0].level;
  sl_lanes rest = paths->path[0].lanes;
  bool busy = false;
  for (bool first = true; rest; first = false) {
    const uint32_t pc = target[sl_lowest(rest)];
    sl_lanes together = 0;
    for (sl_lanes others = rest; others; others &= others - 1)
      together |= target[sl_lowest(others)] == pc ? sl_bit(sl_lowest(others)) : 0;
    rest &= ~together;
    const struct sl_ordered_path path = sl_ordered_path(together, pc, depth);
    busy |= first ? sl_sorted_paths_update(s, path, sl_no_path()) : sl_sorted_paths_update(s, s->running, path);
  }
  clock_sorter(paths, busy);
}

void sl_paths_scatter(struct sl_paths *paths, unsigned i, const uint32_t *target)
{
  if (paths->scheme == SL_CONVERGENCE_SORTED_PATHS) {
    scatter_sorted(paths, target);
    return;
  }
  sl_lanes rest = paths->path[i].lanes;
  const uint32_t first = target[sl_lowest(rest)];
  paths->path[i].pc = first;
  paths->path[i].retry = false;
  for (; rest; rest &= rest - 1) {
    unsigned lane = sl_lowest(rest);
    if (target[lane] != first)
      split(paths, i, sl_bit(lane), target[lane]);
  }
  merge(paths, i);
}

bool sl_paths_unsorted(const struct sl_paths *paths, unsigned i)
{
  const uint64_t key = ordered(&paths->path[i]).key;
  if (paths->scheme != SL_CONVERGENCE_SORTED_PATHS)
    return false;
  for (unsigned j = 0; j < paths->count; j++)
    if (j != i && ordered(&paths->path[j]).key <= key)
      return true;
  return false;
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
    for (unsigned j = 0; j < i && paths->scheme != SL_CONVERGENCE_SORTED_PATHS; j++)
      if (same_state(p, &paths->path[j]))
        return "two paths of a warp are in the same state";
  }
  if (seen != lanes)
    return "the paths of a warp do not cover its lanes";
  return paths->scheme == SL_CONVERGENCE_SORTED_PATHS && paths->count > 1
             ? sl_sorted_paths_broken(&paths->sorted, lanes)
             : NULL;
}
