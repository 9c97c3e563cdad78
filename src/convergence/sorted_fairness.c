/* Fairness of sorted paths: the favoured path is the running one by force. */
#include "convergence/convergence.h"
#include "convergence/sorted_paths.h"

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
