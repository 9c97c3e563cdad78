#include "convergence/sorted_paths.h"

#include "convergence/convergence.h"

typedef struct sl_ordered_path path;

void sl_sorted_paths_start(struct sl_sorted_paths *paths, sl_lanes lanes, uint32_t pc)
{
  *paths = (struct sl_sorted_paths){.running = sl_ordered_path(lanes, pc, 0)};
}

/* Sorts a pair. An equal b merges into a; an empty path comes last. */
static void sort_pair(path *a, path *b)
{
  if (b->lanes == 0)
    return;
  if (a->lanes != 0 && a->key == b->key) {
    a->lanes |= b->lanes;
    *b = sl_no_path();
  } else if (a->lanes == 0 || b->key < a->key) {
    const path first = *b;
    *b = *a;
    *a = first;
  }
}

/* Three comparators sort three paths. The third closes a gap that a merge leaves in the middle. */
static void sort_three(path *a, path *b, path *c)
{
  sort_pair(a, b);
  sort_pair(b, c);
  sort_pair(a, b);
  sort_pair(b, c);
}

static void push(struct sl_sorted_paths *paths, path p)
{
  paths->cold[paths->cold_count++] = p;
  paths->probe = 0;
}

static path pop(struct sl_sorted_paths *paths)
{
  paths->probe = 0;
  return paths->cold[--paths->cold_count];
}

bool sl_sorted_paths_sort(struct sl_sorted_paths *paths, path a, path b)
{
  path c = paths->next;
  sort_three(&a, &b, &c);
  const bool full = c.lanes != 0, empty = b.lanes == 0 && paths->cold_count > 0;
  if (full)
    push(paths, c);
  if (empty)
    b = pop(paths);
  paths->running = a;
  paths->next = b;
  paths->uncompared = empty;
  return full || empty;
}

void sl_sorted_paths_probe(struct sl_sorted_paths *paths)
{
  if (paths->cold_count == 0)
    return;
  if (paths->probe >= paths->cold_count) {
    paths->probe = 0;
    return;
  }
  path *place = &paths->cold[paths->cold_count - 1 - paths->probe];
  if (place->key < paths->next.key) {
    const path earlier = *place;
    *place = paths->next;
    paths->next = earlier;
    paths->uncompared = true;
    paths->probe = 0;
  } else {
    paths->probe++;
  }
}

void sl_sorted_paths_settle(struct sl_sorted_paths *paths)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < paths->cold_count; i++) {
    path p = paths->cold[i];
    if (p.key == paths->running.key) {
      paths->running.lanes |= p.lanes;
      continue;
    }
    sort_pair(&paths->next, &p);
    if (p.lanes != 0)
      paths->cold[kept++] = p;
  }
  paths->cold_count = (uint8_t)kept;
  sort_pair(&paths->running, &paths->next);
  if (paths->next.lanes == 0 && kept > 0) {
    paths->next = pop(paths);
    sl_sorted_paths_settle(paths);
  }
}

path sl_sorted_paths_of(const struct sl_sorted_paths *paths, unsigned lane)
{
  if (paths->running.lanes >> lane & 1)
    return paths->running;
  if (paths->next.lanes >> lane & 1)
    return paths->next;
  for (unsigned i = 0; i < paths->cold_count; i++)
    if (paths->cold[i].lanes >> lane & 1)
      return paths->cold[i];
  return sl_no_path();
}

/* Inserts a path into a sorted list, or merges it with an equal one. Returns the new length. */
static unsigned insert(path *list, unsigned count, path p)
{
  unsigned i = 0;
  while (i < count && list[i].key < p.key)
    i++;
  if (p.lanes == 0)
    return count;
  if (i < count && list[i].key == p.key) {
    list[i].lanes |= p.lanes;
    return count;
  }
  for (unsigned k = count; k > i; k--)
    list[k] = list[k - 1];
  list[i] = p;
  return count + 1;
}

void sl_sorted_paths_place(struct sl_sorted_paths *paths, unsigned lane, uint32_t pc)
{
  path list[SL_MAX_LANES + 1], all[SL_MAX_LANES + 2] = {paths->running, paths->next};
  unsigned count = 0;
  for (unsigned i = 0; i < paths->cold_count; i++)
    all[2 + i] = paths->cold[i];
  const uint8_t depth = sl_path_depth(sl_sorted_paths_of(paths, lane));
  for (unsigned i = 0; i < 2u + paths->cold_count; i++)
    count = insert(list, count, (path){all[i].lanes & ~sl_bit(lane), all[i].key});
  count = insert(list, count, sl_ordered_path(sl_bit(lane), pc, depth));
  *paths = (struct sl_sorted_paths){.running = list[0], .next = count > 1 ? list[1] : sl_no_path()};
  while (count > 2)
    paths->cold[paths->cold_count++] = list[--count];
}

bool sl_sorted_paths_stuck(const struct sl_sorted_paths *paths)
{
  const uint64_t key = paths->running.key | SL_PATH_ORDINARY; /* it may have arrived while it was favoured */
  bool together = true;
  if (!(key & SL_PATH_PARKED) || (paths->next.lanes && !(paths->next.key & SL_PATH_PARKED)))
    return false;
  together = paths->next.lanes == 0 || paths->next.key == key;
  for (unsigned i = 0; i < paths->cold_count; i++) {
    if (!(paths->cold[i].key & SL_PATH_PARKED))
      return false;
    together = together && paths->cold[i].key == key;
  }
  return !together;
}

const char *sl_sorted_paths_broken(const struct sl_sorted_paths *paths, sl_lanes lanes)
{
  sl_lanes seen = paths->running.lanes;
  if (paths->next.lanes & seen)
    return "two paths of a warp share a lane";
  seen |= paths->next.lanes;
  if (paths->cold_count > SL_MAX_LANES || paths->cold_count > sl_count(lanes))
    return "the cold context table overflows";
  for (unsigned i = 0; i < paths->cold_count; i++) {
    if (paths->cold[i].lanes & seen)
      return "two paths of a warp share a lane";
    if (paths->cold[i].lanes == 0)
      return "the cold context table holds an empty path";
    seen |= paths->cold[i].lanes;
  }
  if (seen != lanes)
    return "the paths of a warp do not cover its lanes";
  if (!paths->uncompared && paths->next.lanes != 0 && paths->next.key <= paths->running.key)
    return "the hot paths of a warp are not in order";
  return NULL;
}

bool sl_sorted_paths_valid(const struct sl_sorted_paths *paths, sl_lanes lanes)
{
  const void *uncompared = &paths->uncompared; /* in hostile bytes it may be no bool */
  return *(const uint8_t *)uncompared <= 1 && paths->cold_count <= SL_MAX_LANES && paths->running.lanes != 0 &&
         sl_sorted_paths_broken(paths, lanes) == NULL;
}

unsigned sl_sorted_paths_places(const struct sl_sorted_paths *paths, struct sl_warp_path place[SL_MAX_LANES])
{
  unsigned count = 0;
  if (paths->running.lanes)
    place[count++] = (struct sl_warp_path){paths->running.lanes, sl_path_pc(paths->running)};
  if (paths->next.lanes)
    place[count++] = (struct sl_warp_path){paths->next.lanes, sl_path_pc(paths->next)};
  for (unsigned i = 0; i < paths->cold_count; i++)
    place[count++] = (struct sl_warp_path){paths->cold[i].lanes, sl_path_pc(paths->cold[i])};
  return count;
}

/* Fairness of sorted paths: the favoured path is the running one by force. */

static bool is_favoured(struct sl_ordered_path p)
{
  return p.lanes != 0 && !(p.key & SL_PATH_ORDINARY);
}

static bool can_run(struct sl_ordered_path p)
{
  return p.lanes != 0 && !(p.key & SL_PATH_PARKED);
}

static unsigned count_runnable(const struct sl_sorted_paths *paths)
{
  unsigned count = can_run(paths->running) + (unsigned)can_run(paths->next);
  for (unsigned i = 0; i < paths->cold_count; i++)
    count += can_run(paths->cold[i]);
  return count;
}

static struct sl_ordered_path *place_of(struct sl_sorted_paths *paths, unsigned lane)
{
  if (paths->running.lanes >> lane & 1)
    return &paths->running;
  if (paths->next.lanes >> lane & 1)
    return &paths->next;
  for (unsigned i = 0; i < paths->cold_count; i++)
    if (paths->cold[i].lanes >> lane & 1)
      return &paths->cold[i];
  return NULL;
}

/* Makes the path that can run and has waited longest the running one. */
static void favour_sorted(struct sl_fairness *fair, struct sl_sorted_paths *paths)
{
  struct sl_ordered_path *oldest = NULL;
  for (unsigned n = 0; oldest == NULL || !can_run(*oldest); n++)
    oldest = place_of(paths, fair->queue[n]);
  const struct sl_ordered_path chosen = *oldest;
  *oldest = paths->running;
  paths->running = (struct sl_ordered_path){chosen.lanes, chosen.key & ~SL_PATH_ORDINARY};
  paths->uncompared = true;
  paths->probe = 0;
  sl_fair_move_to_end(fair, chosen.lanes);
}

/* The running path becomes an ordinary one, and takes its place in the order. */
static void unfavour_sorted(struct sl_fairness *fair, struct sl_sorted_paths *paths)
{
  sl_fair_move_to_end(fair, paths->running.lanes);
  paths->running.key |= SL_PATH_ORDINARY;
  sl_sorted_paths_update(paths, paths->running, sl_no_path());
}

/* A favoured path merges with an equal one. Returns true if that was popped from the cold context table. */
static bool merge_favoured(struct sl_sorted_paths *paths)
{
  if (paths->next.lanes == 0 || paths->next.key != (paths->running.key | SL_PATH_ORDINARY))
    return false;
  paths->running.lanes |= paths->next.lanes;
  paths->next = sl_no_path();
  return sl_sorted_paths_update(paths, paths->running, sl_no_path());
}

bool sl_fair_update(struct sl_fairness *fair, struct sl_sorted_paths *paths, struct sl_ordered_path a,
                    struct sl_ordered_path b)
{
  const bool favoured = is_favoured(paths->running);
  a.key |= SL_PATH_ORDINARY;
  b.key |= SL_PATH_ORDINARY;
  struct sl_ordered_path *first = a.lanes != 0 && (b.lanes == 0 || a.key < b.key) ? &a : &b;
  if (favoured && can_run(*first))
    first->key &= ~SL_PATH_ORDINARY;
  bool used = sl_sorted_paths_update(paths, a, b);
  if (is_favoured(paths->running))
    used |= merge_favoured(paths);
  if (paths->next.lanes == 0 && paths->cold_count == 0) {
    paths->running.key |= SL_PATH_ORDINARY;
    sl_fair_start(fair);
    return used;
  }
  fair->turns = count_runnable(paths) > 1 && favoured == is_favoured(paths->running) ? fair->turns + 1 : 0;
  if (fair->turns < fair->period)
    return used;
  fair->turns = 0;
  if (favoured)
    unfavour_sorted(fair, paths);
  else
    favour_sorted(fair, paths);
  return true;
}
