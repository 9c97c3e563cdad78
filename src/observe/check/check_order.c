/* The order of threads: times of barriers and warp synchronisation, and what fences and atomics publish.
 *
 * One clock advances at each event that orders. The accesses of a thread before time T have stamps below T, so that a
 * bound on the time says which accesses of a thread, a warp or a block are ordered before what follows. */
#include <stdlib.h>
#include <string.h>

#include "observe/check/check_state.h"

/* Keys of bounds: the block, then the whole block, a warp or a thread. */
#define BLOCK_KEY(block) ((uint64_t)(block) << 32)
#define WARP_KEY(block, warp) ((uint64_t)(block) << 32 | UINT64_C(0x10000) | (warp))
#define THREAD_KEY(who)                                                                                                \
  ((uint64_t)((who) >> SL_CHECK_THREAD_BITS) << 32 | UINT64_C(0x20000) | ((who) & ((1u << SL_CHECK_THREAD_BITS) - 1)))

/* When the clock overflows, the order of the past is forgotten. */
uint32_t sl_check_tick(struct sl_check *check)
{
  if (++check->clock < UINT32_MAX)
    return check->clock;
  sl_check_shadow_free(check);
  sl_check_locks_clear(check);
  sl_check_past_clear(check);
  check->clock = check->launched = 2;
  for (size_t i = 0; i < check->blocks; i++) {
    struct sl_check_block *b = check->block[i];
    b->begin = 2;
    sl_check_lines_free(b->shared, b->shared_lines);
    if (b->shared != NULL)
      memset(b->shared, 0, b->shared_lines * sizeof *b->shared);
    for (unsigned w = 0; w < b->warps; w++) {
      b->warp[w].floor = b->warp[w].lane_floor = 2;
      b->warp[w].view.count = b->warp[w].relaxed.count = 0;
      memset(b->warp[w].seen, 0, sizeof b->warp[w].seen);
      memset(b->warp[w].fence, 0, sizeof b->warp[w].fence);
      free(b->warp[w].lane_seen);
      b->warp[w].lane_seen = NULL;
    }
  }
  return ++check->clock;
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

static bool view_room(struct sl_check *check, struct sl_check_view *view, size_t count)
{
  if (count <= view->room)
    return true;
  struct sl_check_bound *grown = realloc(view->bound, 2 * count * sizeof *grown);
  check->out_of_memory |= grown == NULL;
  if (grown == NULL)
    return false;
  view->bound = grown;
  view->room = 2 * count;
  return true;
}

/* The later bounds of both. */
static void merge(struct sl_check *check, struct sl_check_view *to, const struct sl_check_view *from)
{
  size_t both = 0;
  for (size_t i = 0, j = 0; i < to->count && j < from->count;) {
    both += to->bound[i].key == from->bound[j].key;
    const bool first = to->bound[i].key <= from->bound[j].key, second = from->bound[j].key <= to->bound[i].key;
    i += first;
    j += second;
  }
  size_t i = to->count, j = from->count, at = i + j - both;
  if (from->count == 0 || !view_room(check, to, at))
    return;
  to->count = at;
  while (j > 0) { /* from the end, in place */
    const struct sl_check_bound *f = &from->bound[j - 1];
    if (i > 0 && to->bound[i - 1].key > f->key) {
      to->bound[--at] = to->bound[i-- - 1];
      continue;
    }
    struct sl_check_bound bound = *f;
    if (i > 0 && to->bound[i - 1].key == f->key && to->bound[--i].time > bound.time)
      bound.time = to->bound[i].time;
    to->bound[--at] = bound;
    j--;
  }
}

static uint32_t bound_of(const struct sl_check_view *view, uint64_t key)
{
  size_t low = 0, high = view->count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (view->bound[middle].key < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low < view->count && view->bound[low].key == key ? view->bound[low].time : 0;
}

bool sl_check_is_in_view(const struct sl_check_warp *w, const struct sl_check_stamp *stamp)
{
  const uint32_t number = stamp->who >> SL_CHECK_THREAD_BITS;
  const unsigned warp = (stamp->who & ((1u << SL_CHECK_THREAD_BITS) - 1)) / SL_MAX_LANES;
  return stamp->time < bound_of(&w->view, BLOCK_KEY(number)) ||
         stamp->time < bound_of(&w->view, WARP_KEY(number, warp)) ||
         stamp->time < bound_of(&w->view, THREAD_KEY(stamp->who));
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

static sl_warps live_warps(const struct sl_check_block *b)
{
  sl_warps live = 0;
  for (unsigned i = 0; i < b->warps; i++)
    live |= b->warp[i].live != 0 ? sl_bit(i) : 0;
  return live;
}

static void forget_lanes(struct sl_check_warp *w)
{
  free(w->lane_seen);
  w->lane_seen = NULL;
}

/* What the warps know together becomes what each of them knows. */
static void share(struct sl_check *check, struct sl_check_block *b, sl_warps warps, uint32_t now)
{
  struct sl_check_warp all = {.floor = 0};
  for (sl_warps rest = warps; rest != 0; rest &= rest - 1) {
    const struct sl_check_warp *w = &b->warp[sl_lowest(rest)];
    all.floor = w->floor > all.floor ? w->floor : all.floor;
    for (unsigned i = 0; i < b->warps; i++)
      all.seen[i] = w->seen[i] > all.seen[i] ? w->seen[i] : all.seen[i];
    all.seen[sl_lowest(rest)] = w->arrived != 0 ? w->arrived : now;
    if (w->view.count > 0)
      merge(check, &all.view, &w->view);
  }
  for (sl_warps rest = warps; rest != 0; rest &= rest - 1) {
    struct sl_check_warp *w = &b->warp[sl_lowest(rest)];
    if (w->arrived != 0)
      continue;
    w->floor = all.floor;
    memcpy(w->seen, all.seen, sizeof w->seen);
    if (all.view.count > 0)
      merge(check, &w->view, &all.view);
  }
  free(all.view.bound);
}

void sl_check_join(struct sl_check *check, struct sl_check_block *b, sl_warps warps)
{
  const uint32_t now = sl_check_tick(check);
  bool all = (live_warps(b) & ~warps) == 0, views = false;
  for (sl_warps rest = warps; rest != 0; rest &= rest - 1) {
    views |= b->warp[sl_lowest(rest)].view.count > 0;
    all &= b->warp[sl_lowest(rest)].arrived == 0;
  }
  views |= !all;
  if (views)
    share(check, b, warps, now);
  for (sl_warps rest = warps; rest != 0; rest &= rest - 1) {
    const unsigned i = sl_lowest(rest);
    struct sl_check_warp *w = &b->warp[i];
    if (w->arrived != 0)
      continue;
    if (all)
      w->floor = now;
    w->lane_floor = now;
    forget_lanes(w);
    for (unsigned scope = 0; scope < SL_CHECK_SCOPES; scope++) {
      if (w->fenced[scope])
        b->published[scope][i] = now;
      w->fenced[scope] = false;
    }
  }
}

void sl_check_join_blocks(struct sl_check *check)
{
  struct sl_check_bound bound[SL_MAX_WARPS];
  struct sl_check_view all = {.count = 0};
  const uint32_t now = sl_check_tick(check);
  for (size_t i = 0; i < check->blocks; i++) {
    const struct sl_check_block *b = check->block[i];
    struct sl_check_view own = {.bound = bound};
    for (sl_warps rest = b->released; rest != 0; rest &= rest - 1)
      bound[own.count++] = (struct sl_check_bound){WARP_KEY(b->number, sl_lowest(rest)), now};
    merge(check, &all, &own);
  }
  for (size_t i = 0; i < check->blocks; i++)
    for (sl_warps rest = check->block[i]->released; rest != 0; rest &= rest - 1)
      merge(check, &check->block[i]->warp[sl_lowest(rest)].view, &all);
  free(all.bound);
}

/* A row per lane, from which lane_floor is missing. */
static bool make_lane_seen(struct sl_check *check, struct sl_check_warp *w)
{
  if (w->lane_seen == NULL)
    w->lane_seen = calloc(SL_MAX_LANES, sizeof *w->lane_seen);
  check->out_of_memory |= w->lane_seen == NULL;
  return w->lane_seen != NULL;
}

void sl_check_join_lanes(struct sl_check *check, struct sl_check_block *b, unsigned warp, sl_lanes lanes)
{
  struct sl_check_warp *w = &b->warp[warp];
  uint32_t all[SL_MAX_LANES] = {0};
  if (!b->strict)
    return;
  const uint32_t now = sl_check_tick(check);
  if ((w->live & ~lanes) == 0) {
    w->lane_floor = now;
    if (w->lane_seen != NULL)
      forget_lanes(w);
    return;
  }
  if (!make_lane_seen(check, w))
    return;
  for (sl_lanes rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    for (unsigned i = 0; i < SL_MAX_LANES; i++)
      all[i] = w->lane_seen[l][i] > all[i] ? w->lane_seen[l][i] : all[i];
    all[l] = now;
  }
  for (sl_lanes rest = lanes; rest != 0; rest &= rest - 1)
    memcpy(w->lane_seen[sl_lowest(rest)], all, sizeof all);
}

/* ---- fences and atomics ------------------------------------------------------------------------------------------ */

void sl_check_fence(struct sl_check *check, struct sl_check_block *b, unsigned warp, sl_lanes lanes, unsigned scope)
{
  struct sl_check_warp *w = &b->warp[warp];
  const uint32_t now = sl_check_tick(check);
  b->fences = true;
  merge(check, &w->view, &w->relaxed);
  w->relaxed.count = 0;
  for (unsigned s = scope; s < SL_CHECK_SCOPES; s++) {
    w->fenced[s] = true;
    for (sl_lanes rest = lanes; rest != 0; rest &= rest - 1)
      w->fence[s][sl_lowest(rest)] = now;
  }
}

static size_t slot_of(const struct sl_check_locks *l, uint64_t key)
{
  size_t i = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (l->room - 1);
  while (l->slot[i].version != 0 && l->slot[i].key != key)
    i = (i + 1) & (l->room - 1);
  return i;
}

static struct sl_check_lock *lock_of(struct sl_check *check, uint64_t key)
{
  struct sl_check_locks *l = &check->locks;
  if (2 * l->count >= l->room) {
    const struct sl_check_locks old = *l;
    const size_t room = old.room != 0 ? 2 * old.room : 64;
    l->slot = calloc(room, sizeof *l->slot);
    check->out_of_memory |= l->slot == NULL;
    if (l->slot == NULL) {
      *l = old;
      return NULL;
    }
    l->room = room;
    for (size_t i = 0; i < old.room; i++)
      if (old.slot[i].version != 0)
        l->slot[slot_of(l, old.slot[i].key)] = old.slot[i];
    free(old.slot);
  }
  struct sl_check_lock *lock = &l->slot[slot_of(l, key)];
  if (lock->version == 0) {
    *lock = (struct sl_check_lock){.key = key, .version = ++l->version};
    l->count++;
  }
  return lock;
}

void sl_check_locks_clear(struct sl_check *check)
{
  struct sl_check_locks *l = &check->locks;
  for (size_t i = 0; i < l->room; i++)
    for (unsigned s = 0; s < SL_CHECK_SCOPES; s++)
      free(l->slot[i].view[s].bound);
  free(l->slot);
  *l = (struct sl_check_locks){.version = l->version};
}

bool sl_check_has_lock(const struct sl_check *check, uint64_t key)
{
  return check->locks.count > 0 && check->locks.slot[slot_of(&check->locks, key)].version != 0;
}

void sl_check_acquire(struct sl_check *check, struct sl_check_block *b, unsigned warp, uint64_t key, bool relaxed)
{
  if (check->locks.count == 0)
    return;
  const struct sl_check_lock *lock = &check->locks.slot[slot_of(&check->locks, key)];
  struct sl_check_warp *w = &b->warp[warp];
  if (lock->version == 0 || lock->version == w->merged)
    return;
  if (!relaxed)
    w->merged = lock->version;
  merge(check, relaxed ? &w->relaxed : &w->view, &lock->view[0]);
  if (lock->block == b->number)
    merge(check, relaxed ? &w->relaxed : &w->view, &lock->view[1]);
}

static uint32_t earlier(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static void put(struct sl_check_bound *bound, size_t *count, uint64_t key, uint32_t time)
{
  if (time != 0)
    bound[(*count)++] = (struct sl_check_bound){key, time};
}

/* The accesses of the block that a fence of the lane at time `fence` covers, and fences of others before barriers. */
static size_t own_bounds(const struct sl_check_block *b, unsigned warp, unsigned lane, unsigned scope, uint32_t fence,
                         struct sl_check_bound *bound)
{
  const struct sl_check_warp *w = &b->warp[warp];
  size_t count = 0;
  put(bound, &count, BLOCK_KEY(b->number), earlier(w->floor, fence));
  for (unsigned i = 0; i < b->warps; i++) {
    const uint32_t known = i == warp ? earlier(w->lane_floor, fence) : earlier(w->seen[i], fence);
    const uint32_t published = earlier(b->published[scope][i], w->floor > w->seen[i] ? w->floor : w->seen[i]);
    put(bound, &count, WARP_KEY(b->number, i), known > published ? known : published);
  }
  for (unsigned l = 0; l < b->lanes; l++) {
    const uint32_t who = b->number << SL_CHECK_THREAD_BITS | (warp * SL_MAX_LANES + l);
    const uint32_t known = !b->strict || l == lane ? fence
                           : w->lane_seen != NULL  ? earlier(w->lane_seen[lane][l], fence)
                                                   : 0;
    put(bound, &count, THREAD_KEY(who), known);
  }
  return count;
}

void sl_check_release(struct sl_check *check, struct sl_check_block *b, unsigned warp, unsigned lane, uint64_t key,
                      bool fences, bool replaces)
{
  struct sl_check_bound bound[1 + SL_MAX_WARPS + SL_MAX_LANES];
  const struct sl_check_warp *w = &b->warp[warp];
  const bool any = fences || b->fences;
  if (!any && (check->locks.count == 0 || !replaces || check->locks.slot[slot_of(&check->locks, key)].version == 0))
    return;
  struct sl_check_lock *lock = lock_of(check, key);
  if (lock == NULL)
    return;
  lock->version = ++check->locks.version;
  if (lock->block != b->number || replaces)
    lock->view[1].count = 0;
  if (replaces)
    lock->view[0].count = 0;
  lock->block = b->number;
  const uint32_t now = fences ? sl_check_tick(check) : 0;
  for (unsigned s = 0; s < SL_CHECK_SCOPES && any; s++) {
    const struct sl_check_view own = {bound, own_bounds(b, warp, lane, s, fences ? now : w->fence[s][lane], bound), 0};
    merge(check, &lock->view[s], &own);
    merge(check, &lock->view[s], &w->view);
  }
}
