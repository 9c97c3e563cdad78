/* The schemes that keep the paths of a warp as a list in any order and find the first one by comparison. No two paths
 * of the list are in the same state. */
#include "convergence/convergence.h"

static bool same_state(const struct sl_path *a, const struct sl_path *b)
{
  return a->pc == b->pc && a->level == b->level && a->retry == b->retry;
}

/* Fields of path i may have just changed: they are read and copied one by one, because a load of several would wait
 * until the host has written them. */
static inline void merge(struct sl_paths *paths, unsigned i)
{
  struct sl_path *const changed = &paths->path[i];
  const uint32_t pc = changed->pc;
  const int level = changed->level;
  const bool retry = changed->retry;
  for (unsigned j = 0; j < paths->count; j++) {
    struct sl_path *other = &paths->path[j];
    if (other->pc != pc || other->level != level || other->retry != retry || j == i)
      continue;
    other->lanes |= changed->lanes;
    const struct sl_path *const last = &paths->path[--paths->count];
    changed->lanes = last->lanes;
    changed->pc = last->pc;
    changed->level = last->level;
    changed->retry = last->retry;
    return;
  }
}

static void settle(void *warp, unsigned group)
{
  merge(warp, group);
}

/* Splits `lanes`, a non-empty proper subset, from path i; they continue at pc. */
static void split(struct sl_paths *paths, unsigned i, sl_lanes lanes, uint32_t pc)
{
  struct sl_path *path = &paths->path[i];
  path->lanes &= ~lanes;
  paths->path[paths->count] = (struct sl_path){.lanes = lanes, .pc = pc, .level = path->level};
  merge(paths, paths->count++);
}

static void branch(void *warp, unsigned group, sl_lanes taken, uint32_t taken_pc, uint32_t pc)
{
  struct sl_paths *paths = warp;
  paths->path[group].pc = pc;
  paths->path[group].retry = false;
  split(paths, group, taken, taken_pc);
  /* The split lanes may have merged into another path, but the group has not moved. */
  merge(paths, group);
}

static void scatter(void *warp, unsigned group, const uint32_t *target)
{
  struct sl_paths *paths = warp;
  sl_lanes rest = paths->path[group].lanes;
  const uint32_t first = target[sl_lowest(rest)];
  paths->path[group].pc = first;
  paths->path[group].retry = false;
  for (; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    if (target[lane] != first)
      split(paths, group, sl_bit(lane), target[lane]);
  }
  merge(paths, group);
}

static void place(void *warp, unsigned lane, uint32_t pc)
{
  struct sl_paths *paths = warp;
  unsigned i = 0;
  while (i + 1 < paths->count && !(paths->path[i].lanes & sl_bit(lane)))
    i++;
  if (paths->path[i].lanes != sl_bit(lane)) {
    split(paths, i, sl_bit(lane), pc);
    return;
  }
  paths->path[i].pc = pc;
  paths->path[i].retry = false;
  merge(paths, i);
}

static const char *broken(const void *warp, sl_lanes lanes)
{
  const struct sl_paths *paths = warp;
  (void)lanes;
  for (unsigned i = 0; i < paths->count; i++)
    for (unsigned j = 0; j < i; j++)
      if (same_state(&paths->path[i], &paths->path[j]))
        return "two paths of a warp are in the same state";
  return NULL;
}

/* ---- nesting ----------------------------------------------------------------------------------------------------- */

/* Nesting: the level of a path counts the program's marks, push and pop. The path with the greatest (level, retry bit)
 * runs. On a tie the path with the highest-numbered lane runs, because the hardware's reduction tree prefers the higher
 * lane. A path that replays an instruction keeps its turn by the retry bit.
 *
 * Source: SIMTight paper, section III-A, stage 2. */
static int priority(const struct sl_path *path)
{
  return path->level * 2 + path->retry;
}

/* The set with the highest lane is the greater number. The comparison is unpredictable, so the code has no branch on
 * it. */
static bool nested_before(const struct sl_path *a, const struct sl_path *b)
{
  const int pa = priority(a), pb = priority(b);
  return (pa > pb) | ((pa == pb) & (a->lanes > b->lanes));
}

static unsigned first_nested(const void *warp)
{
  const struct sl_paths *paths = warp;
  unsigned best = 0;
  for (unsigned i = 1; i < paths->count; i++)
    best = nested_before(&paths->path[i], &paths->path[best]) ? i : best;
  return best;
}

static enum sl_marked mark(void *warp, unsigned group, const struct sl_mark *m)
{
  struct sl_path *path = &((struct sl_paths *)warp)->path[group];
  if (m->kind == SL_MARK_PUSH && path->level == SL_NEST_MAX)
    return SL_MARKED_FULL;
  if (m->kind == SL_MARK_POP && path->level == 0)
    return SL_MARKED_EMPTY;
  path->level = (int16_t)(path->level + (m->kind == SL_MARK_PUSH ? 1 : -1));
  return SL_MARKED;
}

static void retry(void *warp, unsigned group)
{
  struct sl_paths *paths = warp;
  paths->path[group].retry = true;
  if (paths->count > 1)
    settle(paths, group);
}

const struct sl_convergence sl_convergence_nesting = {
    .name = "nesting",
    .levels_are_marks = true,
    .order_is_known = true,
    .select = first_nested,
    .before = nested_before,
    .settle = settle,
    .branch = branch,
    .scatter = scatter,
    .mark = mark,
    .retry = retry,
    .place = place,
    .broken = broken,
    .places = sl_paths_places,
};

/* ---- depth and PC ------------------------------------------------------------------------------------------------ */

/* Depth and PC: the level of a path counts calls and returns. The deepest path runs; on a tie, the one with the lowest
 * PC. The full order is known at once, as with a reduction tree over all threads. Marks have no effect, and a path that
 * replays an instruction is first anyway.
 *
 * Sources: Collange, "Stack-less SIMT reconvergence at low cost", 2011; Simty paper (RR-8944), section 3.1. */
static bool deeper_before(const struct sl_path *a, const struct sl_path *b)
{
  return a->level > b->level || (a->level == b->level && a->pc < b->pc);
}

static unsigned deepest(const void *warp)
{
  const struct sl_paths *paths = warp;
  unsigned best = 0;
  for (unsigned i = 1; i < paths->count; i++)
    if (deeper_before(&paths->path[i], &paths->path[best]))
      best = i;
  return best;
}

const struct sl_convergence sl_convergence_depth_pc = {
    .name = "depth-pc",
    .order_is_known = true,
    .select = deepest,
    .before = deeper_before,
    .settle = settle,
    .branch = branch,
    .scatter = scatter,
    .place = place,
    .broken = broken,
    .places = sl_paths_places,
};
