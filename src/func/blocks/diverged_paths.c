#include "func/blocks/path_blocks.h"

/* Under depth-pc, levels may be negative. */
static uint64_t place_of(int level, uint32_t pc)
{
  return (uint64_t)((uint16_t)level ^ 0x8000u) << 32 | pc;
}

static bool goes_before(const struct sl_diverged *a, unsigned i, unsigned j)
{
  const uint64_t level_i = a->place[i] >> 32, level_j = a->place[j] >> 32;
  const bool first = a->nesting ? a->lanes[i] > a->lanes[j] : a->place[i] < a->place[j];
  return (level_i > level_j) | ((level_i == level_j) & first);
}

static void choose(struct sl_diverged *a)
{
  unsigned best = 0;
  for (unsigned i = 1; i < a->count; i++)
    best = goes_before(a, i, best) ? i : best;
  a->now = best;
}

bool sl_diverged_begin(struct sl_diverged *a, const struct sl_paths *paths)
{
  if (!sl_paths_scheme(paths)->order_is_known || paths->fair.period)
    return false;
  a->count = paths->count;
  a->nesting = sl_paths_scheme(paths)->levels_are_marks;
  bool retry = false;
  for (unsigned i = 0; i < paths->count; i++) {
    const struct sl_path *p = &paths->path[i];
    a->place[i] = place_of(p->level, p->pc);
    a->lanes[i] = p->lanes;
    retry |= p->retry;
  }
  choose(a);
  return !retry;
}

void sl_diverged_end(const struct sl_diverged *a, struct sl_paths *paths)
{
  paths->count = a->count;
  for (unsigned i = 0; i < a->count; i++)
    paths->path[i] = (struct sl_path){
        .lanes = a->lanes[i], .pc = (uint32_t)a->place[i], .level = (int16_t)sl_diverged_level_of(a->place[i])};
}

/* Merges path i with another path at its place, if there is one. Returns the index of the result. */
static unsigned merge(struct sl_diverged *a, unsigned i)
{
  unsigned j = 0;
  while (j < a->count && (j == i || a->place[j] != a->place[i]))
    j++;
  if (j == a->count)
    return i;
  a->lanes[j] |= a->lanes[i];
  a->count--;
  a->place[i] = a->place[a->count];
  a->lanes[i] = a->lanes[a->count];
  return j == a->count ? i : j;
}

void sl_diverged_move(struct sl_diverged *a, uint32_t pc)
{
  a->place[a->now] = (a->place[a->now] & ~(uint64_t)UINT32_MAX) | pc;
  a->now = merge(a, a->now);
  if (!a->nesting)
    choose(a);
}

void sl_diverged_split(struct sl_diverged *a, sl_lanes taken, uint32_t pc, uint32_t next)
{
  const unsigned other = a->count++;
  const int level = sl_diverged_level(a);
  a->lanes[a->now] &= ~taken;
  a->place[a->now] = place_of(level, next);
  a->lanes[other] = taken;
  a->place[other] = place_of(level, pc);
  merge(a, other);
  merge(a, a->now);
  choose(a);
}

void sl_diverged_change_level(struct sl_diverged *a, int change, uint32_t pc)
{
  a->place[a->now] = place_of(sl_diverged_level(a) + change, pc);
  a->now = merge(a, a->now);
  choose(a);
}
