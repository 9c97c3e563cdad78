/* Plain accesses to words that barriers order after earlier ones: only stamps change. */
#include "isa/lanes.h"
#include "observe/check/check_touch.h"

#include <string.h>

/* A thread reads the word. Returns false if more than barriers is needed to order it after writes. */
static inline __attribute__((always_inline)) bool read_word(const struct sl_check_touch *t, struct sl_check_cell *c,
                                                            uint32_t first)
{
  struct sl_check_stamp *r = c->read;
  if (!sl_check_is_settled(t, &c->write) || !sl_check_is_settled(t, &c->strong) ||
      (c->write.site & SL_CHECK_SPLIT) != 0 || (c->write.time < first && c->strong.time < first))
    return false;
  if (r[0].who == t->stamp.who && r[0].site == t->stamp.site)
    r[0].time = t->stamp.time;
  else if (r[0].who == t->stamp.who || sl_check_is_settled(t, &r[0]))
    r[0] = t->stamp;
  else if (r[1].who == t->stamp.who || sl_check_is_settled(t, &r[1]) || sl_check_is_farther(&r[0], &r[1], t->stamp.who))
    r[1] = t->stamp;
  return true;
}

/* A thread writes the word. Returns false as above, or if another lane has written it in this instruction. */
static inline __attribute__((always_inline)) bool write_word(const struct sl_check_touch *t, struct sl_check_cell *c,
                                                             uint32_t value)
{
  const struct sl_check_stamp none = {0, 0, 0};
  if (!sl_check_is_settled(t, &c->write) || !sl_check_is_settled(t, &c->strong) ||
      !sl_check_is_settled(t, &c->read[0]) || !sl_check_is_settled(t, &c->read[1]) ||
      (c->write.site & SL_CHECK_SPLIT) != 0 || c->write.time == t->stamp.time)
    return false;
  c->write = t->stamp;
  c->value = value;
  c->strong = none;
  c->read[0] = none;
  c->read[1] = none;
  return true;
}

/* The words of a lane's plain load or store that lie in a line. Returns whether barriers order them after earlier
 * accesses. */
static inline __attribute__((always_inline)) bool touch_lane_words(const struct sl_check_touch *t,
                                                                   struct sl_check_cell *cells, unsigned words,
                                                                   uint32_t first, bool stores)
{
  for (unsigned i = 0; i < words; i++) {
    const bool done = stores
                          ? write_word(t, &cells[i], t->has_value ? sl_check_value_of(t->access, t->lane, 4 * i, 4) : 0)
                          : read_word(t, &cells[i], first);
    if (!done)
      return false;
  }
  return true;
}

/* The lanes behind the first ones that access an address, with one of these. */
static inline sl_lanes skip_same(const struct sl_check_access *a, sl_lanes lanes, uint64_t address)
{
  sl_lanes last = lanes, rest = lanes & (lanes - 1);
  while (rest != 0 && a->address[sl_lowest(rest)] == address) {
    last = rest;
    rest &= rest - 1;
  }
  return last;
}

/* Words whose readers the line has already: a load by the warp adds nothing. */
static uint32_t covered(const struct sl_check_touch *t, const struct sl_check_readers *r, unsigned words)
{
  const uint32_t own = t->stamp.who / SL_MAX_LANES;
  if (r->words == 0 || r->width != words || r->warp[0] == own || r->warp[1] == own || r->written >= t->least ||
      r->time < t->least)
    return 0;
  for (unsigned i = 0; i < 2; i++)
    if (r->time < t->seen[r->warp[i] % SL_MAX_WARPS])
      return 0;
  return r->words;
}

/* Adds the words of a lane that has read them. Returns false if their readers are not those of the words before. */
static inline bool add_readers(struct sl_check_readers *r, const struct sl_check_cell *c, unsigned word, unsigned words)
{
  for (unsigned i = 0; i < words; i++) {
    const uint32_t warp[2] = {c[i].read[0].who / SL_MAX_LANES, c[i].read[1].who / SL_MAX_LANES};
    const uint32_t least = c[i].read[0].time < c[i].read[1].time ? c[i].read[0].time : c[i].read[1].time;
    const uint32_t last = c[i].write.time > c[i].strong.time ? c[i].write.time : c[i].strong.time;
    if (r->words == 0)
      memcpy(r->warp, warp, sizeof warp);
    if (warp[0] != r->warp[0] || warp[1] != r->warp[1] || warp[0] == warp[1])
      return false;
    r->time = least < r->time ? least : r->time;
    r->written = last > r->written ? last : r->written;
    r->words |= UINT32_C(1) << word;
  }
  return true;
}

/* A load has read words. `read`: its readers of all of them, or none. */
static void set_readers(struct sl_check_readers *r, uint32_t words, const struct sl_check_readers *read)
{
  r->words = r->width == read->width ? r->words & ~words : 0;
  if (read->words == 0)
    return;
  if (r->words != 0 && memcmp(r->warp, read->warp, sizeof r->warp) == 0) {
    r->words |= read->words;
    r->time = read->time < r->time ? read->time : r->time;
    r->written = read->written > r->written ? read->written : r->written;
  } else
    *r = *read;
}

/* Plain loads or stores of aligned words that barriers order after earlier accesses: most accesses. `words`: of a lane.
 * `sums`: lines have readers. Returns the other lanes. A third reader of the warp adds nothing. */
static inline __attribute__((always_inline)) sl_lanes touch_words(struct sl_check *check,
                                                                  const struct sl_check_touch *all, sl_lanes lanes,
                                                                  uint32_t first, bool stores, unsigned words,
                                                                  bool sums)
{
  enum { SAVED = 2, COST = 1, LEAST = -1024, MOST = 1024 };
  struct sl_check_touch t = *all;
  const struct sl_check_access *a = all->access;
  uint64_t line = ~UINT64_C(0);
  struct sl_check_cells *cells = NULL;
  sl_lanes left = 0;
  uint32_t once = 0, twice = 0; /* words of the line that lanes have read */
  struct sl_check_readers read;
  bool alike = false;
  for (sl_lanes rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest), word = a->address[lane] / 4 % SL_CHECK_LINE;
    const uint64_t address = a->address[lane];
    if (address / (4 * SL_CHECK_LINE) != line) {
      if (sums && once != 0)
        set_readers(&cells->readers, once, &read);
      line = address / (4 * SL_CHECK_LINE);
      cells = sl_check_cells_at(check, &t, address);
      once = twice = 0;
      if (cells != NULL && stores)
        cells->readers.words = 0;
      if (cells != NULL && sums) {
        twice = covered(&t, &cells->readers, words);
        const int pay = check->readers_pay + (twice != 0 ? SAVED : -COST);
        check->readers_pay = pay < LEAST ? LEAST : pay > MOST ? MOST : pay;
        read = (struct sl_check_readers){.width = words, .time = UINT32_MAX};
        alike = true;
      }
    }
    if (!stores && (twice >> word & 1) != 0) {
      rest = skip_same(a, rest, address);
      continue;
    }
    sl_check_set_lane(&t, lane);
    const bool done =
        cells != NULL && address % (4 * words) == 0 && touch_lane_words(&t, &cells->word[word], words, first, stores);
    left |= done ? 0 : sl_bit(lane);
    if (done && !stores) {
      twice |= once & UINT32_C(1) << word;
      once |= UINT32_C(1) << word;
      if (sums && alike)
        alike = add_readers(&read, &cells->word[word], word, words);
      if (sums && !alike)
        read.words = 0;
    }
  }
  if (sums && once != 0)
    set_readers(&cells->readers, once, &read);
  return left;
}

static sl_lanes read_words(struct sl_check *check, const struct sl_check_touch *t, sl_lanes lanes, uint32_t first)
{
  enum {
    WARPS = 4 /* of a block, from which on most loads are by third warps */,
    SELDOM = 1 << 12,
    OFTEN = 16,
    LOSS = -512
  };
  const struct sl_check_access *a = t->access;
  const unsigned words = a->width / 4;
  const bool large = a->shared && a->block->shared != NULL && a->block->warps >= WARPS;
  if (large && (check->readers_pay > LOSS || check->clock / SELDOM % OFTEN == 0))
    return words == 1 ? touch_words(check, t, lanes, first, false, 1, true)
                      : touch_words(check, t, lanes, first, false, words, true);
  return words == 1 ? touch_words(check, t, lanes, first, false, 1, false)
                    : touch_words(check, t, lanes, first, false, words, false);
}

/* Other lanes of the instruction look at the words that are left only after these have been written, so that two lanes
 * that write one word are seen. */
static sl_lanes write_words(struct sl_check *check, const struct sl_check_touch *t)
{
  const sl_lanes lanes = t->access->active;
  const unsigned words = t->access->width / 4;
  return words == 1 ? touch_words(check, t, lanes, 0, true, 1, false)
                    : touch_words(check, t, lanes, 0, true, words, false);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

enum pattern { OTHER, ONE_WORD, ROW };

static bool is_consecutive(const struct sl_check_access *a)
{
  if (a->shape != SL_SHAPE_OTHER)
    return a->shape == SL_SHAPE_ROW;
  if (a->range != NULL)
    return a->range->consecutive;
  unsigned i = 1;
  while (i < SL_CHECK_LINE && a->address[i] == a->address[0] + (uint64_t)4 * i)
    i++;
  return i == SL_CHECK_LINE;
}

/* How the addresses of a warp with all of 32 lanes follow each other. */
static enum pattern pattern_of(const struct sl_check_access *a)
{
  if (a->active != sl_low_bits(SL_CHECK_LINE) || a->width != 4)
    return OTHER;
  if (a->address[0] % (4 * SL_CHECK_LINE) == 0 && is_consecutive(a))
    return ROW;
  return sl_check_is_one_address(a) ? ONE_WORD : OTHER;
}

/* A thread's own accesses are ordered. */
static bool is_past_row(const struct sl_check_touch *t, const struct sl_check_stamp *row)
{
  return row->who == t->stamp.who || sl_check_is_settled(t, row);
}

/* Whether the earlier accesses to the line are ordered before this one by barriers, and were of instructions that wrote
 * or read one value per word. */
static bool is_settled_for(const struct sl_check_touch *t, const struct sl_check_line *line, bool stores)
{
  bool settled = true;
  if (!line->spread)
    return is_past_row(t, &line->write) &&
           (!stores || (is_past_row(t, &line->read[0]) && is_past_row(t, &line->read[1])));
  for (unsigned i = 0; i < SL_CHECK_LINE && stores && settled; i++) {
    const struct sl_check_cell *c = &line->cells->word[i];
    settled = (c->write.site & SL_CHECK_SPLIT) == 0 && sl_check_is_settled(t, &c->write) &&
              sl_check_is_settled(t, &c->strong) && sl_check_is_settled(t, &c->read[0]) &&
              sl_check_is_settled(t, &c->read[1]);
  }
  return stores && settled;
}

/* Lane i stores to word i. Returns false if the line must be looked at word by word. */
static bool store_row(struct sl_check *check, const struct sl_check_touch *t)
{
  const struct sl_check_access *a = t->access;
  const struct sl_check_stamp none = {0, 0, 0};
  struct sl_check_line *line = sl_check_line_at(check, a, a->address[0]);
  if (line == NULL || (t->has_value && (a->bytes != 4 || (a->wide & 1) != 0)) || !is_settled_for(t, line, true))
    return false;
  line->spread = false;
  line->write = t->stamp;
  line->read[0] = line->read[1] = none;
  if (t->has_value)
    memcpy(line->value, a->element[0], sizeof line->value);
  else
    memset(line->value, 0, sizeof line->value);
  return true;
}

/* Lane i reads word i. `first` as in read_word. */
static bool read_row(struct sl_check *check, const struct sl_check_touch *t, uint32_t first)
{
  struct sl_check_line *line = sl_check_line_at(check, t->access, t->access->address[0]);
  if (line == NULL || !is_settled_for(t, line, false) || line->write.time < first)
    return false;
  struct sl_check_stamp *r = line->read;
  if (r[0].who == t->stamp.who || sl_check_is_settled(t, &r[0]))
    r[0] = t->stamp;
  else if (r[1].who == t->stamp.who || sl_check_is_settled(t, &r[1]) || sl_check_is_farther(&r[0], &r[1], t->stamp.who))
    r[1] = t->stamp;
  return true;
}

sl_lanes sl_check_words(struct sl_check *check, struct sl_check_touch *t)
{
  const struct sl_check_access *a = t->access;
  const bool tells = a->shared ? !check->options.no_uninitialised : check->options.uninitialised;
  const uint32_t first = !tells ? 0 : a->shared ? a->block->begin : 1;
  const enum pattern pattern = pattern_of(a);
  sl_check_set_lane(t, 0);
  if (pattern == ROW && (a->stores ? store_row(check, t) : read_row(check, t, first)))
    return 0;
  if (a->stores)
    return t->phase == BOTH ? write_words(check, t) : a->active;
  const sl_lanes left = read_words(check, t, pattern == ONE_WORD ? sl_low_bits(2) : a->active, first);
  return pattern == ONE_WORD && left != 0 ? a->active : left;
}
