#include "core/paths.h"

void sl_paths_start(struct sl_paths *paths, sl_lanes lanes, uint32_t pc)
{
  paths->count = 1;
  paths->path[0] = (struct sl_path){.lanes = lanes, .pc = pc};
}

static unsigned priority(const struct sl_path *path)
{
  return (unsigned)path->level * 2 + path->retry;
}

unsigned sl_paths_select_diverged(const struct sl_paths *paths)
{
  unsigned best = 0;
  for (unsigned i = 1; i < paths->count; i++) {
    const struct sl_path *a = &paths->path[i], *b = &paths->path[best];
    unsigned pa = priority(a), pb = priority(b);
    if (pa > pb || (pa == pb && a->lanes > b->lanes)) /* the set with the highest lane is the greater number */
      best = i;
  }
  return best;
}

void sl_paths_merge(struct sl_paths *paths, unsigned i)
{
  const struct sl_path changed = paths->path[i];
  for (unsigned j = 0; j < paths->count; j++) {
    struct sl_path *other = &paths->path[j];
    if (j == i || other->pc != changed.pc || other->level != changed.level || other->retry != changed.retry)
      continue;
    other->lanes |= changed.lanes;
    paths->path[i] = paths->path[--paths->count];
    return;
  }
}

void sl_paths_split(struct sl_paths *paths, unsigned i, sl_lanes lanes, uint32_t pc)
{
  struct sl_path *path = &paths->path[i];
  path->lanes &= ~lanes;
  paths->path[paths->count] = (struct sl_path){.lanes = lanes, .pc = pc, .level = path->level};
  sl_paths_merge(paths, paths->count++);
}

void sl_paths_branch(struct sl_paths *paths, unsigned i, sl_lanes taken, uint32_t taken_pc, uint32_t pc)
{
  struct sl_path *path = &paths->path[i];
  if (taken == path->lanes || taken == 0 || taken_pc == pc) {
    sl_paths_advance(paths, i, taken ? taken_pc : pc);
    return;
  }
  path->pc = pc;
  path->retry = false;
  sl_paths_split(paths, i, taken, taken_pc);
  /* The split may have merged away, but never moved, path i. */
  sl_paths_merge(paths, i);
}

void sl_paths_scatter(struct sl_paths *paths, unsigned i, const uint32_t *target)
{
  sl_lanes rest = paths->path[i].lanes;
  const uint32_t first = target[sl_lowest(rest)];
  paths->path[i].pc = first;
  paths->path[i].retry = false;
  for (; rest; rest &= rest - 1) {
    unsigned lane = sl_lowest(rest);
    if (target[lane] != first)
      sl_paths_split(paths, i, sl_bit(lane), target[lane]);
  }
  sl_paths_merge(paths, i);
}
