/* cp.async: copies from global to shared memory that end when their thread has waited for them.
 *
 * Until then nothing orders the store with any access, not even one of the same thread or behind a barrier: its stamp
 * is at the end of time. The thread's wait gives it the time of the wait, and barriers then order it like any store of
 * the thread. The copy's loads count as done at once. Source: PTX ISA, "cp.async", "cp.async.wait_group". */
#include <stdlib.h>

#include "observe/check/check_feed.h"

enum { MOST = 1 << 16 /* copies of a block that are followed at once; others count as complete */ };

/* An instruction of a warp. */
struct sl_check_copy {
  unsigned warp, words;
  uint32_t site;
  sl_lanes lanes; /* whose copies are under way */
  uint32_t group[SL_MAX_LANES];
  uint32_t address[SL_MAX_LANES];
};

struct sl_check_copies {
  struct sl_check_copy *copy;
  size_t count, room;
  uint32_t group[SL_MAX_WARPS][SL_MAX_LANES]; /* groups that the thread has committed */
};

static struct sl_check_copies *copies_of(struct sl_check *check, struct sl_check_block *b)
{
  if (b->copies == NULL)
    b->copies = calloc(1, sizeof *b->copies);
  check->out_of_memory |= b->copies == NULL;
  return b->copies;
}

/* The thread's stamp of a copy at a place becomes that of a store at this time. */
static void end_cell(struct sl_check_cell *c, uint32_t who, uint32_t site, uint32_t now)
{
  if ((c->write.site & SL_CHECK_ASYNC) == 0 || c->write.who != who || (c->write.site & SL_CHECK_SITE) != site)
    return; /* another store has come, and was reported */
  c->write.time = now;
  c->write.site &= ~(uint32_t)SL_CHECK_ASYNC;
}

static void end_lane(struct sl_check *check, struct sl_check_block *b, struct sl_check_copy *copy, unsigned lane,
                     uint32_t now)
{
  const struct sl_check_access a = {.block = b, .warp = copy->warp, .shared = true};
  const uint32_t who = b->number << SL_CHECK_THREAD_BITS | (copy->warp * SL_MAX_LANES + lane);
  for (unsigned i = 0; i < copy->words; i++) {
    struct sl_check_cell *c = sl_check_cell_at(check, &a, copy->address[lane] + 4 * i);
    if (c != NULL && (c->write.site & SL_CHECK_SPLIT) != 0) {
      struct sl_check_cell *byte = sl_check_bytes_of(check, c);
      for (unsigned k = 0; k < 4 && byte != NULL; k++)
        end_cell(&byte[k], who, copy->site, now);
    } else if (c != NULL)
      end_cell(c, who, copy->site, now);
  }
  copy->lanes &= ~sl_bit(lane);
}

void sl_check_copy(struct sl_check *check, const struct sl_check_access *a)
{
  struct sl_check_copies *all = copies_of(check, a->block);
  if (all == NULL || all->count == MOST || !sl_check_grow(check, &all->copy, all->count, &all->room, sizeof *all->copy))
    return;
  struct sl_check_access access = *a;
  struct sl_check_copy *copy = &all->copy[all->count++];
  *copy = (struct sl_check_copy){.warp = a->warp, .words = a->width / 4, .site = a->site, .lanes = a->active};
  for (sl_lanes rest = a->active; rest != 0; rest &= rest - 1) {
    const unsigned l = sl_lowest(rest);
    copy->group[l] = all->group[a->warp][l];
    copy->address[l] = (uint32_t)a->address[l];
  }
  access.flags |= SL_CHECK_ASYNC;
  sl_check_access(check, &access);
}

void sl_check_commit(struct sl_check *check, struct sl_check_block *b, unsigned warp, sl_lanes lanes)
{
  struct sl_check_copies *all = copies_of(check, b);
  for (sl_lanes rest = all != NULL ? lanes : 0; rest != 0; rest &= rest - 1)
    all->group[warp][sl_lowest(rest)]++;
}

void sl_check_wait(struct sl_check *check, struct sl_check_block *b, unsigned warp, sl_lanes lanes, bool all_groups,
                   uint32_t groups)
{
  struct sl_check_copies *all = b->copies;
  size_t kept = 0;
  if (all == NULL)
    return;
  const uint32_t now = sl_check_tick(check);
  for (size_t i = 0; i < all->count; i++) {
    struct sl_check_copy *copy = &all->copy[i];
    for (sl_lanes rest = copy->warp == warp ? copy->lanes & lanes : 0; rest != 0; rest &= rest - 1) {
      const unsigned l = sl_lowest(rest);
      if (all_groups || copy->group[l] + (uint64_t)groups < all->group[warp][l])
        end_lane(check, b, copy, l, now);
    }
    if (copy->lanes != 0)
      all->copy[kept++] = *copy;
  }
  all->count = kept;
}

void sl_check_copies_end(struct sl_check *check, struct sl_check_block *b)
{
  struct sl_check_copies *all = b->copies;
  for (size_t i = 0; all != NULL && i < all->count; i++)
    while (all->copy[i].lanes != 0)
      end_lane(check, b, &all->copy[i], sl_lowest(all->copy[i].lanes), 0);
  sl_check_copies_free(b);
}

void sl_check_copies_free(struct sl_check_block *b)
{
  if (b->copies != NULL)
    free(b->copies->copy);
  free(b->copies);
  b->copies = NULL;
}
