/* Internals of the checker: an access to a word or byte of the shadow, and what its fast and its general way share. */
#ifndef SL_OBSERVE_CHECK_CHECK_TOUCH_H
#define SL_OBSERVE_CHECK_CHECK_TOUCH_H

#include <string.h>

#include "observe/check/check_state.h"

/* One lane's access to one word or byte. */
struct sl_check_touch {
  const struct sl_check_access *access;
  unsigned lane, bytes;
  uint64_t address, space; /* space: the bits that the shadow's addresses have besides */
  struct sl_check_stamp stamp;
  unsigned warp;
  uint32_t first;       /* the warp's first thread */
  uint32_t least;       /* earlier stamps are ordered before */
  uint32_t floor;       /* the same for stamps of the block */
  const uint32_t *seen; /* the same by warp of the block */
  uint32_t lane_floor;  /* the same for stamps of the own warp */
  uint32_t value;
  bool has_value;
  bool uniform; /* all lanes store to one address */
  enum { BOTH, LOOKS, RECORDS } phase;
};

/* Whether barriers order the access after an earlier one: the common case, and false for others. */
static inline __attribute__((always_inline)) bool sl_check_is_settled(const struct sl_check_touch *t,
                                                                      const struct sl_check_stamp *other)
{
  const unsigned warp = (other->who & ((1u << SL_CHECK_THREAD_BITS) - 1)) / SL_MAX_LANES;
  if (other->time < t->least)
    return true;
  if ((other->who ^ t->stamp.who) >> SL_CHECK_THREAD_BITS != 0)
    return false;
  return other->time < t->floor || other->time < (warp != t->warp ? t->seen[warp] : t->lane_floor);
}

/* Whether a reader that differs more from the first one replaces the second: its block, or else its warp. */
static inline bool sl_check_is_farther(const struct sl_check_stamp *first, const struct sl_check_stamp *second,
                                       uint32_t who)
{
  const uint32_t warp = ~(uint32_t)(SL_MAX_LANES - 1), block = ~(uint32_t)((1u << SL_CHECK_THREAD_BITS) - 1);
  const uint32_t old = first->who ^ second->who, new = first->who ^ who;
  return ((new &block) != 0 && (old & block) == 0) || ((new &warp) != 0 && (old & warp) == 0);
}

static inline uint32_t sl_check_value_of(const struct sl_check_access *a, unsigned lane, unsigned offset,
                                         unsigned bytes)
{
  const unsigned e = offset / a->bytes;
  const bool wide = (a->wide >> e & 1) != 0;
  const uint8_t *from = a->element[e] + lane * (wide ? 8u : 4u) + offset % a->bytes;
  uint32_t value = 0;
  __builtin_memcpy(&value, from, bytes);
  return value;
}

/* The cells of the line of an aligned word; NULL as sl_check_spread. Lanes of an instruction often access one page. */
static inline struct sl_check_cells *sl_check_cells_at(struct sl_check *check, const struct sl_check_touch *t,
                                                       uint64_t address)
{
  const struct sl_check_block *b = t->access->block;
  if (t->access->shared && b->shared != NULL) {
    struct sl_check_line *own = address / 4 < b->shared_words ? &b->shared[address / 4 / SL_CHECK_LINE] : NULL;
    return own != NULL ? sl_check_cells(check, own) : NULL;
  }
  const uint64_t number = (address | t->space) / SL_CHECK_PAGE;
  struct sl_check_page *last = check->shadow.recent[sl_check_recent(number)];
  struct sl_check_line *line;
  if (last != NULL && last->number == number)
    line = &last->line[address % SL_CHECK_PAGE / 4 / SL_CHECK_LINE];
  else
    line = sl_check_line_at(check, t->access, address);
  return line != NULL ? sl_check_cells(check, line) : NULL;
}

/* Stamps are copied next, 8 bytes at a time: who and time are stored as one, which the host's processor forwards. */
static inline void sl_check_set_lane(struct sl_check_touch *t, unsigned lane)
{
  const uint64_t both = (uint64_t)t->stamp.time << 32 | (t->first + lane); /* little-endian, like the host */
  t->lane = lane;
  memcpy(&t->stamp, &both, sizeof both);
}

/* Whether all lanes access one address. */
static inline bool sl_check_is_one_address(const struct sl_check_access *a)
{
  const uint64_t address = a->address[sl_lowest(a->active)];
  sl_lanes rest = a->active;
  if (a->shape != SL_SHAPE_OTHER)
    return a->shape == SL_SHAPE_SAME;
  if (a->range != NULL)
    return a->range->low == a->range->high;
  while (rest != 0 && a->address[sl_lowest(rest)] == address)
    rest &= rest - 1;
  return rest == 0;
}

/* Performs the plain loads or stores of aligned words that barriers order after earlier accesses: most accesses.
 * Returns the lanes that must be looked at one by one. */
sl_lanes sl_check_words(struct sl_check *check, struct sl_check_touch *touch);

#endif
