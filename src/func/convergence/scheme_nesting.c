/* Nesting: the level of a path counts the program's marks, push and pop. The path with the greatest (level, retry bit)
 * runs. On a tie the path with the highest-numbered lane runs, because the hardware's reduction tree prefers the higher
 * lane. A path that replays an instruction keeps its turn by the retry bit.
 *
 * Source: SIMTight paper, section III-A, stage 2. */
#include "func/convergence/path_list.h"

static int priority(const struct sl_path *path)
{
  return path->level * 2 + path->retry;
}

/* The set with the highest lane is the greater number. The comparison is unpredictable, so the code has no branch on
 * it. */
static bool goes_before(const struct sl_path *a, const struct sl_path *b)
{
  const int pa = priority(a), pb = priority(b);
  return (pa > pb) | ((pa == pb) & (a->lanes > b->lanes));
}

static unsigned first_of(const void *warp)
{
  const struct sl_paths *paths = warp;
  unsigned best = 0;
  for (unsigned i = 1; i < paths->count; i++)
    best = goes_before(&paths->path[i], &paths->path[best]) ? i : best;
  return best;
}

static enum sl_marked mark(void *warp, unsigned group, const struct sl_mark *mark)
{
  struct sl_path *path = &((struct sl_paths *)warp)->path[group];
  if (mark->kind == SL_MARK_PUSH && path->level == SL_NEST_MAX)
    return SL_MARKED_FULL;
  if (mark->kind == SL_MARK_POP && path->level == 0)
    return SL_MARKED_EMPTY;
  path->level = (int16_t)(path->level + (mark->kind == SL_MARK_PUSH ? 1 : -1));
  return SL_MARKED;
}

static void retry(void *warp, unsigned group)
{
  struct sl_paths *paths = warp;
  paths->path[group].retry = true;
  if (paths->count > 1)
    sl_path_list_settle(paths, group);
}

const struct sl_convergence sl_convergence_nesting = {
    .name = "nesting",
    .levels_are_marks = true,
    .order_is_known = true,
    .select = first_of,
    .settle = sl_path_list_settle,
    .branch = sl_path_list_branch,
    .scatter = sl_path_list_scatter,
    .mark = mark,
    .retry = retry,
    .place = sl_path_list_place,
    .broken = sl_path_list_broken,
};
