#include "func/convergence/path_list.h"

static bool same_state(const struct sl_path *a, const struct sl_path *b)
{
  return a->pc == b->pc && a->level == b->level && a->retry == b->retry;
}

static inline void merge(struct sl_paths *paths, unsigned i)
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

void sl_path_list_settle(void *warp, unsigned group)
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

void sl_path_list_branch(void *warp, unsigned group, sl_lanes taken, uint32_t taken_pc, uint32_t pc)
{
  struct sl_paths *paths = warp;
  paths->path[group].pc = pc;
  paths->path[group].retry = false;
  split(paths, group, taken, taken_pc);
  /* The split lanes may have merged into another path, but the group has not moved. */
  merge(paths, group);
}

void sl_path_list_scatter(void *warp, unsigned group, const uint32_t *target)
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

void sl_path_list_place(void *warp, unsigned lane, uint32_t pc)
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

const char *sl_path_list_broken(const void *warp, sl_lanes lanes)
{
  const struct sl_paths *paths = warp;
  (void)lanes;
  for (unsigned i = 0; i < paths->count; i++)
    for (unsigned j = 0; j < i; j++)
      if (same_state(&paths->path[i], &paths->path[j]))
        return "two paths of a warp are in the same state";
  return NULL;
}
