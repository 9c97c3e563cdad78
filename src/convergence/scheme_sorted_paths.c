/* Sorted paths: the order of depth and PC, as far as two hot tables and a background sorter know it (sorted_paths.h).
 * The tables are the scheme's own state, and the list of paths shows them: the running one first. A converged warp does
 * not use them.
 *
 * Source: Simty paper (RR-8944), section 3.3. */
#include "convergence/sorted_paths.h"

#include "convergence/convergence.h"

SL_HOLDS(SL_PATHS_OWN, sizeof(struct sl_sorted_paths), "the tables of sorted paths");

static struct sl_sorted_paths *own(struct sl_paths *paths)
{
  return (struct sl_sorted_paths *)(void *)paths->own;
}

static const struct sl_sorted_paths *own_const(const struct sl_paths *paths)
{
  return (const struct sl_sorted_paths *)(const void *)paths->own;
}

static struct sl_ordered_path ordered(const struct sl_path *p)
{
  return sl_ordered_path(p->lanes, p->pc, (uint8_t)p->level);
}

static void list(struct sl_paths *paths, struct sl_ordered_path p)
{
  if (p.lanes != 0)
    paths->path[paths->count++] =
        (struct sl_path){.lanes = p.lanes, .pc = sl_path_pc(p), .level = (int8_t)sl_path_depth(p)};
}

static void list_all(struct sl_paths *paths)
{
  const struct sl_sorted_paths *s = own(paths);
  paths->count = 0;
  list(paths, s->running);
  list(paths, s->next);
  for (unsigned i = s->cold_count; i > 0; i--)
    list(paths, s->cold[i - 1]);
}

/* The tables are reinitialised when a warp diverges. */
static struct sl_sorted_paths *tables(struct sl_paths *paths)
{
  if (paths->count == 1)
    *own(paths) = (struct sl_sorted_paths){.running = ordered(&paths->path[0])};
  return own(paths);
}

/* End of an instruction: the sorter makes a probe if the instruction did not use the cold table. */
static void clock_sorter(struct sl_paths *paths, bool busy)
{
  if (!busy)
    sl_sorted_paths_probe(own(paths));
  list_all(paths);
}

/* The running path becomes a and b. Returns true if this used the cold table. */
static bool update(struct sl_paths *paths, struct sl_ordered_path a, struct sl_ordered_path b)
{
  return paths->fair.period ? sl_fair_update(&paths->fair, own(paths), a, b) : sl_sorted_paths_update(own(paths), a, b);
}

static unsigned first_of(const void *warp)
{
  (void)warp;
  return 0;
}

static void settle(void *warp, unsigned group)
{
  struct sl_paths *paths = warp;
  const struct sl_ordered_path path = ordered(&paths->path[group]);
  const struct sl_ordered_path running = own(paths)->running;
  const bool parked = (running.key & SL_PATH_PARKED) && sl_path_pc(path) == sl_path_pc(running); /* while it stays */
  clock_sorter(paths, parked ? update(paths, sl_no_path(), sl_parked_path(path)) : update(paths, path, sl_no_path()));
}

static void branch(void *warp, unsigned group, sl_lanes taken, uint32_t taken_pc, uint32_t pc)
{
  struct sl_paths *paths = warp;
  const struct sl_path *path = &paths->path[group];
  const uint8_t depth = (uint8_t)path->level;
  tables(paths);
  clock_sorter(
      paths, update(paths, sl_ordered_path(path->lanes & ~taken, pc, depth), sl_ordered_path(taken, taken_pc, depth)));
}

/* The sort unit takes two paths at a time. Each further path is sorted with the running one. */
static void scatter(void *warp, unsigned group, const uint32_t *target)
{
  struct sl_paths *paths = warp;
  struct sl_sorted_paths *s = tables(paths);
  const uint8_t depth = (uint8_t)paths->path[group].level;
  sl_lanes rest = paths->path[group].lanes;
  bool busy = false;
  for (bool first = true; rest; first = false) {
    const uint32_t pc = target[sl_lowest(rest)];
    sl_lanes together = 0;
    for (sl_lanes others = rest; others; others &= others - 1)
      together |= target[sl_lowest(others)] == pc ? sl_bit(sl_lowest(others)) : 0;
    rest &= ~together;
    const struct sl_ordered_path path = sl_ordered_path(together, pc, depth);
    busy |= first ? update(paths, path, sl_no_path()) : sl_sorted_paths_update(s, s->running, path);
  }
  clock_sorter(paths, busy);
}

/* A waiting path may precede the group, or equal it, without the sorter having found it yet. With fairness the group
 * may have run before its turn, and parks. */
static bool arrive(void *warp, unsigned group)
{
  struct sl_paths *paths = warp;
  if (paths->fair.period) {
    own(paths)->running = sl_parked_path(own(paths)->running);
    return !sl_sorted_paths_stuck(own(paths));
  }
  const uint64_t key = ordered(&paths->path[group]).key;
  for (unsigned i = 0; i < paths->count; i++)
    if (i != group && ordered(&paths->path[i]).key <= key)
      return true;
  return false;
}

static void place(void *warp, unsigned lane, uint32_t pc)
{
  sl_sorted_paths_place(tables(warp), lane, pc);
  list_all(warp);
}

static bool valid(const void *warp, sl_lanes lanes)
{
  const struct sl_paths *paths = warp;
  return paths->count == 1 || sl_sorted_paths_valid(own_const(paths), lanes);
}

static const char *broken(const void *warp, sl_lanes lanes)
{
  const struct sl_paths *paths = warp;
  return paths->count > 1 ? sl_sorted_paths_broken(own_const(paths), lanes) : NULL;
}

const struct sl_convergence sl_convergence_sorted_paths = {
    .name = "sorted-paths",
    .select = first_of,
    .settle = settle,
    .branch = branch,
    .scatter = scatter,
    .arrive = arrive,
    .place = place,
    .valid = valid,
    .broken = broken,
    .places = sl_paths_places,
};
