/* Accesses: each lane's bytes against what other threads have done to them. */
#include "isa/lanes.h"
#include "observe/check/check_state.h"

#include <string.h>

/* One lane's access to one word or byte. */
struct touch {
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

/* Both are strong for each other. */
static bool is_no_race(const struct touch *t, const struct sl_check_stamp *other)
{
  const uint32_t volatiles = SL_CHECK_VOLATILE_STORE | SL_CHECK_VOLATILE_DATA;
  if ((t->stamp.site & other->site & SL_CHECK_STRONG) == 0)
    return false;
  if (((t->stamp.site ^ other->site) & volatiles) == volatiles || (t->stamp.site & other->site & SL_CHECK_VOLATILE_OWN))
    return false;
  return ((t->stamp.site | other->site) & SL_CHECK_IN_BLOCK) == 0 ||
         t->stamp.who >> SL_CHECK_THREAD_BITS == other->who >> SL_CHECK_THREAD_BITS;
}

/* Whether barriers order the access after an earlier one: the common case, and false for others. */
static inline __attribute__((always_inline)) bool is_settled(const struct touch *t, const struct sl_check_stamp *other)
{
  const unsigned warp = (other->who & ((1u << SL_CHECK_THREAD_BITS) - 1)) / SL_MAX_LANES;
  if (other->time < t->least)
    return true;
  if ((other->who ^ t->stamp.who) >> SL_CHECK_THREAD_BITS != 0)
    return false;
  return other->time < t->floor || other->time < (warp != t->warp ? t->seen[warp] : t->lane_floor);
}

static inline bool races(const struct touch *t, const struct sl_check_stamp *other)
{
  return other->time >= t->least && (other->who != t->stamp.who || (other->site & SL_CHECK_ASYNC) != 0) &&
         !is_no_race(t, other) && !sl_check_is_ordered(t->access->block, t->access->warp, t->lane, other);
}

/* Both store one value, which they compute alike: such as a flag that any thread may set. */
static bool is_same_constant(const struct touch *t, const struct sl_check_cell *c, const struct sl_check_stamp *write)
{
  const uint32_t both = t->stamp.site & write->site;
  const bool alike = (both & SL_CHECK_CONSTANT) != 0 || ((both & SL_CHECK_BLOCK_CONSTANT) != 0 &&
                                                         (t->stamp.who ^ write->who) >> SL_CHECK_THREAD_BITS == 0);
  return alike && t->value == c->value && t->access->stores;
}

static void report(struct sl_check *check, const struct touch *t, const struct sl_check_stamp *other, const char *did,
                   const uint32_t *value)
{
  sl_check_race(check, t->access, t->lane, t->address, other, did, value, t->bytes);
}

static void against_writes(struct sl_check *check, const struct touch *t, const struct sl_check_cell *c)
{
  if (races(t, &c->write) && !is_same_constant(t, c, &c->write))
    report(check, t, &c->write, (c->write.site & SL_CHECK_ASYNC) != 0 ? "copies asynchronously" : "writes",
           (c->write.site & SL_CHECK_VALUE) != 0 ? &c->value : NULL);
  if (races(t, &c->strong) && !((c->strong.site & SL_CHECK_VALUE) != 0 && is_same_constant(t, c, &c->strong)))
    report(check, t, &c->strong, (c->strong.site & SL_CHECK_ATOMIC) != 0 ? "updates atomically" : "writes",
           (c->strong.site & SL_CHECK_VALUE) != 0 ? &c->value : NULL);
}

/* Whether a reader that differs more from the first one replaces the second: its block, or else its warp. */
static inline bool is_farther(const struct sl_check_stamp *first, const struct sl_check_stamp *second, uint32_t who)
{
  const uint32_t warp = ~(uint32_t)(SL_MAX_LANES - 1), block = ~(uint32_t)((1u << SL_CHECK_THREAD_BITS) - 1);
  const uint32_t old = first->who ^ second->who, new = first->who ^ who;
  return ((new &block) != 0 && (old & block) == 0) || ((new &warp) != 0 && (old & warp) == 0);
}

/* A thread's plain read stays when it reads strongly later. */
static bool keeps(const struct sl_check_stamp *old, const struct touch *t)
{
  return old->who == t->stamp.who && old->time >= t->least && (old->site & SL_CHECK_STRONG) == 0;
}

static inline __attribute__((always_inline)) bool is_past(const struct touch *t, const struct sl_check_stamp *old)
{
  return is_settled(t, old) || old->who == t->stamp.who ||
         sl_check_is_ordered(t->access->block, t->access->warp, t->lane, old);
}

static inline __attribute__((always_inline)) void touch_load(struct sl_check *check, const struct touch *t,
                                                             struct sl_check_cell *c)
{
  if (!is_settled(t, &c->write) || !is_settled(t, &c->strong))
    against_writes(check, t, c);
  struct sl_check_stamp *r = c->read;
  if (r[0].who == t->stamp.who && r[0].site == t->stamp.site) { /* a loop */
    r[0].time = t->stamp.time;
    return;
  }
  if ((t->stamp.site & SL_CHECK_STRONG) != 0 && (keeps(&r[0], t) || keeps(&r[1], t)))
    return;
  if (is_past(t, &r[0]))
    r[0] = t->stamp;
  else if (is_past(t, &r[1]) || is_farther(&r[0], &r[1], t->stamp.who))
    r[1] = t->stamp;
}

/* Another lane has written the byte in this instruction. */
static bool is_same_instruction(const struct touch *t, const struct sl_check_stamp *write)
{
  return write->time == t->stamp.time && write->who / SL_MAX_LANES == t->stamp.who / SL_MAX_LANES;
}

/* Lanes of an instruction store to one address: different values, or equal ones that are not so in every run. */
static void against_lanes(struct sl_check *check, const struct touch *t, const struct sl_check_cell *c,
                          const struct sl_check_stamp *write)
{
  if (write->who != t->stamp.who && (write->site & t->stamp.site & SL_CHECK_VALUE) != 0 &&
      (c->value != t->value || check->options.equal_stores || !(t->uniform || is_same_constant(t, c, write))))
    report(check, t, write, "writes", &c->value);
}

/* The cell's value becomes that of a strong store. */
static void set_strong(const struct touch *t, struct sl_check_cell *c)
{
  c->strong = t->stamp;
  if ((t->stamp.site & SL_CHECK_VOLATILE_OWN) == 0 || c->value == t->value) {
    c->strong.site &= (t->stamp.site & SL_CHECK_VOLATILE_OWN) != 0 ? ~(uint32_t)0 : ~(uint32_t)SL_CHECK_VALUE;
    return;
  }
  c->write.site &= ~(uint32_t)(SL_CHECK_VALUE | SL_CHECK_CONSTANT | SL_CHECK_BLOCK_CONSTANT);
  c->value = t->value;
}

static void against_reads(struct sl_check *check, const struct touch *t, const struct sl_check_cell *c)
{
  for (unsigned i = 0; i < 2; i++)
    if (races(t, &c->read[i]))
      report(check, t, &c->read[i], "reads", NULL);
}

static void touch_store(struct sl_check *check, const struct touch *t, struct sl_check_cell *c)
{
  const struct sl_check_stamp none = {0, 0, 0};
  if (is_same_instruction(t, &c->write))
    against_lanes(check, t, c, &c->write);
  else if (is_same_instruction(t, &c->strong) && (t->stamp.site & SL_CHECK_VOLATILE_OWN) != 0)
    against_lanes(check, t, c, &c->strong);
  else if (t->phase != RECORDS) {
    if (!is_settled(t, &c->write) || !is_settled(t, &c->strong))
      against_writes(check, t, c);
    if (!is_settled(t, &c->read[0]) || !is_settled(t, &c->read[1]))
      against_reads(check, t, c);
  }
  if (t->phase == LOOKS)
    return;
  if ((t->stamp.site & SL_CHECK_STRONG) != 0) {
    set_strong(t, c);
    return;
  }
  c->write = t->stamp;
  c->value = t->value;
  c->strong = none;
  c->read[0] = none;
  c->read[1] = none;
}

/* No thread has written the byte in this block, or to this buffer. */
static void read_unwritten(struct sl_check *check, const struct touch *t, struct sl_check_cell *c)
{
  const struct sl_check_access *a = t->access;
  const unsigned bytes = (a->flags & SL_CHECK_STRONG) != 0 ? 1 : t->bytes; /* of a word that is updated by bytes */
  if (check->options.no_uninitialised || (!a->shared && !check->options.uninitialised))
    return;
  const bool speculated = a->fixed && !check->options.checkable;
  if (!speculated && (a->shared || !sl_check_is_written(check, t->address, bytes)) &&
      !sl_check_is_padding(check, a, t->lane, t->address, t->bytes))
    sl_check_defect(check, "uninitialised read", a, t->lane, t->address, t->bytes, "which nothing has written");
  if (!a->shared)
    c->write.time = 1; /* before all launches */
}

static inline __attribute__((always_inline)) void touch_one(struct sl_check *check, const struct touch *t,
                                                            struct sl_check_cell *c)
{
  const struct sl_check_access *a = t->access;
  const uint32_t first = a->shared ? a->block->begin : 1;
  if (a->loads && c->write.time < first && c->strong.time < first)
    read_unwritten(check, t, c);
  if (a->stores)
    touch_store(check, t, c);
  else
    touch_load(check, t, c);
}

static inline uint32_t value_of(const struct sl_check_access *a, unsigned lane, unsigned offset, unsigned bytes)
{
  const unsigned e = offset / a->bytes;
  const bool wide = (a->wide >> e & 1) != 0;
  const uint8_t *from = a->element[e] + lane * (wide ? 8u : 4u) + offset % a->bytes;
  uint32_t value = 0;
  __builtin_memcpy(&value, from, bytes);
  return value;
}

static void touch_bytes(struct sl_check *check, struct touch *t, uint64_t address, unsigned offset, unsigned count)
{
  const struct sl_check_access *a = t->access;
  t->bytes = 1;
  for (unsigned i = 0; i < count; i++) {
    struct sl_check_cell *c = sl_check_cell_at(check, a, address + i);
    c = c != NULL ? sl_check_bytes_of(check, c) : NULL;
    if (c == NULL)
      continue;
    t->address = address + i;
    if (t->has_value)
      t->value = value_of(a, t->lane, offset + i, 1);
    touch_one(check, t, &c[(address + i) % 4]);
  }
}

/* The cells of the line of an aligned word; NULL as sl_check_spread. Lanes of an instruction often access one page. */
static inline struct sl_check_cells *cells_at(struct sl_check *check, const struct touch *t, uint64_t address)
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

static inline struct sl_check_cell *word_at(struct sl_check *check, const struct touch *t, uint64_t address)
{
  return sl_check_word(cells_at(check, t, address), address);
}

/* Returns whether nothing was written there in this launch. */
static inline bool touch_lane(struct sl_check *check, struct touch *t, uint64_t address)
{
  bool clean = true;
  const struct sl_check_access *a = t->access;
  const unsigned step = a->width < 4 || address % 4 != 0 ? 0 : 4;
  if (step == 0) {
    touch_bytes(check, t, address, 0, a->width);
    return false;
  }
  for (unsigned offset = 0; offset + 4 <= a->width; offset += 4) {
    struct sl_check_cell *c = word_at(check, t, address + offset);
    if (c == NULL)
      continue;
    if ((c->write.site & SL_CHECK_SPLIT) != 0) {
      touch_bytes(check, t, address + offset, offset, 4);
      clean = false;
      continue;
    }
    t->bytes = 4;
    t->address = address + offset;
    if (t->has_value)
      t->value = value_of(a, t->lane, offset, 4);
    touch_one(check, t, c);
    clean &= c->write.time < t->least && c->strong.time < t->least;
  }
  return clean;
}

/* The address of a lock: shared memory has addresses of its own in each block. */
static uint64_t lock_key(const struct sl_check_access *a, unsigned lane)
{
  return a->address[lane] | (a->shared ? (uint64_t)(a->block->number + 1) << 40 : 0);
}

bool sl_check_is_lock(const struct sl_check *check, const struct sl_check_access *a, unsigned lane)
{
  for (unsigned i = 0; i < check->flags; i++)
    if (a->address[lane] >= check->flag[i].first && a->address[lane] < check->flag[i].end)
      return true;
  return sl_check_has_lock(check, lock_key(a, lane));
}

/* Stamps are copied next, 8 bytes at a time: who and time are stored as one, which the host's processor forwards. */
static inline void set_lane(struct touch *t, unsigned lane)
{
  const uint64_t both = (uint64_t)t->stamp.time << 32 | (t->first + lane); /* little-endian, like the host */
  t->lane = lane;
  memcpy(&t->stamp, &both, sizeof both);
}

/* Lanes that store to one address look at earlier accesses before the first of them replaces these. */
static void look(struct sl_check *check, struct touch *t)
{
  t->phase = LOOKS;
  for (sl_lanes rest = t->access->active; rest != 0; rest &= rest - 1) {
    set_lane(t, sl_lowest(rest));
    touch_lane(check, t, t->access->address[t->lane]);
  }
  t->phase = RECORDS;
}

/* A thread reads the word. Returns false if more than barriers is needed to order it after writes. */
static inline __attribute__((always_inline)) bool read_word(const struct touch *t, struct sl_check_cell *c,
                                                            uint32_t first)
{
  struct sl_check_stamp *r = c->read;
  if (!is_settled(t, &c->write) || !is_settled(t, &c->strong) || (c->write.site & SL_CHECK_SPLIT) != 0 ||
      (c->write.time < first && c->strong.time < first))
    return false;
  if (r[0].who == t->stamp.who && r[0].site == t->stamp.site)
    r[0].time = t->stamp.time;
  else if (r[0].who == t->stamp.who || is_settled(t, &r[0]))
    r[0] = t->stamp;
  else if (r[1].who == t->stamp.who || is_settled(t, &r[1]) || is_farther(&r[0], &r[1], t->stamp.who))
    r[1] = t->stamp;
  return true;
}

/* A thread writes the word. Returns false as above, or if another lane has written it in this instruction. */
static inline __attribute__((always_inline)) bool write_word(const struct touch *t, struct sl_check_cell *c,
                                                             uint32_t value)
{
  const struct sl_check_stamp none = {0, 0, 0};
  if (!is_settled(t, &c->write) || !is_settled(t, &c->strong) || !is_settled(t, &c->read[0]) ||
      !is_settled(t, &c->read[1]) || (c->write.site & SL_CHECK_SPLIT) != 0 || c->write.time == t->stamp.time)
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
static inline __attribute__((always_inline)) bool touch_lane_words(const struct touch *t, struct sl_check_cell *cells,
                                                                   unsigned words, uint32_t first, bool stores)
{
  for (unsigned i = 0; i < words; i++) {
    const bool done = stores ? write_word(t, &cells[i], t->has_value ? value_of(t->access, t->lane, 4 * i, 4) : 0)
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
static uint32_t covered(const struct touch *t, const struct sl_check_readers *r, unsigned words)
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
static inline bool add_readers(struct sl_check_readers *r, const struct sl_check_cell *c, unsigned word)
{
  for (unsigned i = 0; i < r->width; i++) {
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
static inline __attribute__((always_inline)) sl_lanes touch_words(struct sl_check *check, const struct touch *all,
                                                                  sl_lanes lanes, uint32_t first, bool stores,
                                                                  unsigned words, bool sums)
{
  struct touch t = *all;
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
      cells = cells_at(check, &t, address);
      once = twice = 0;
      if (cells != NULL && stores)
        cells->readers.words = 0;
      if (cells != NULL && sums) {
        twice = covered(&t, &cells->readers, words);
        read = (struct sl_check_readers){.width = words, .time = UINT32_MAX};
        alike = true;
      }
    }
    if (!stores && (twice >> word & 1) != 0) {
      rest = skip_same(a, rest, address);
      continue;
    }
    set_lane(&t, lane);
    const bool done =
        cells != NULL && address % (4 * words) == 0 && touch_lane_words(&t, &cells->word[word], words, first, stores);
    left |= done ? 0 : sl_bit(lane);
    if (done && !stores) {
      twice |= once & UINT32_C(1) << word;
      once |= UINT32_C(1) << word;
      if (sums && alike)
        alike = add_readers(&read, &cells->word[word], word);
      if (sums && !alike)
        read.words = 0;
    }
  }
  if (sums && once != 0)
    set_readers(&cells->readers, once, &read);
  return left;
}

static sl_lanes read_words(struct sl_check *check, const struct touch *t, sl_lanes lanes, uint32_t first)
{
  enum { WARPS = 4 /* of a block, from which on most loads are by third warps */ };
  const struct sl_check_access *a = t->access;
  const unsigned words = a->width / 4;
  if (a->shared && a->block->shared != NULL && a->block->warps >= WARPS)
    return touch_words(check, t, lanes, first, false, words, true);
  return words == 1 ? touch_words(check, t, lanes, first, false, 1, false)
                    : touch_words(check, t, lanes, first, false, words, false);
}

/* Other lanes of the instruction look at the words that are left only after these have been written, so that two lanes
 * that write one word are seen. */
static sl_lanes write_words(struct sl_check *check, const struct touch *t)
{
  const sl_lanes lanes = t->access->active;
  const unsigned words = t->access->width / 4;
  return words == 1 ? touch_words(check, t, lanes, 0, true, 1, false)
                    : touch_words(check, t, lanes, 0, true, words, false);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

enum pattern { OTHER, ONE_WORD, ROW };

/* Whether all lanes access one address. */
static bool is_one_address(const struct sl_check_access *a)
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
  return is_one_address(a) ? ONE_WORD : OTHER;
}

/* A thread's own accesses are ordered. */
static bool is_past_row(const struct touch *t, const struct sl_check_stamp *row)
{
  return row->who == t->stamp.who || is_settled(t, row);
}

/* Whether the earlier accesses to the line are ordered before this one by barriers, and were of instructions that wrote
 * or read one value per word. */
static bool is_settled_for(const struct touch *t, const struct sl_check_line *line, bool stores)
{
  bool settled = true;
  if (!line->spread)
    return is_past_row(t, &line->write) &&
           (!stores || (is_past_row(t, &line->read[0]) && is_past_row(t, &line->read[1])));
  for (unsigned i = 0; i < SL_CHECK_LINE && stores && settled; i++) {
    const struct sl_check_cell *c = &line->cells->word[i];
    settled = (c->write.site & SL_CHECK_SPLIT) == 0 && is_settled(t, &c->write) && is_settled(t, &c->strong) &&
              is_settled(t, &c->read[0]) && is_settled(t, &c->read[1]);
  }
  return stores && settled;
}

/* Lane i stores to word i. Returns false if the line must be looked at word by word. */
static bool store_row(struct sl_check *check, const struct touch *t)
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
static bool read_row(struct sl_check *check, const struct touch *t, uint32_t first)
{
  struct sl_check_line *line = sl_check_line_at(check, t->access, t->access->address[0]);
  if (line == NULL || !is_settled_for(t, line, false) || line->write.time < first)
    return false;
  struct sl_check_stamp *r = line->read;
  if (r[0].who == t->stamp.who || is_settled(t, &r[0]))
    r[0] = t->stamp;
  else if (r[1].who == t->stamp.who || is_settled(t, &r[1]) || is_farther(&r[0], &r[1], t->stamp.who))
    r[1] = t->stamp;
  return true;
}

/* The lanes of a plain access that must be looked at one by one. */
static sl_lanes access_words(struct sl_check *check, struct touch *t)
{
  const struct sl_check_access *a = t->access;
  const bool tells = a->shared ? !check->options.no_uninitialised : check->options.uninitialised;
  const uint32_t first = !tells ? 0 : a->shared ? a->block->begin : 1;
  const enum pattern pattern = pattern_of(a);
  set_lane(t, 0);
  if (pattern == ROW && (a->stores ? store_row(check, t) : read_row(check, t, first)))
    return 0;
  if (a->stores)
    return t->phase == BOTH ? write_words(check, t) : a->active;
  const sl_lanes left = read_words(check, t, pattern == ONE_WORD ? sl_low_bits(2) : a->active, first);
  return pattern == ONE_WORD && left != 0 ? a->active : left;
}

void sl_check_access(struct sl_check *check, const struct sl_check_access *a)
{
  const struct sl_check_block *b = a->block;
  if (a->shared && check->gaps > 0)
    sl_check_gaps(check, a);
  if (!a->shared && (check->launches_apart || check->copies_apart))
    sl_check_apart(check, a);
  const bool strong = (a->flags & SL_CHECK_STRONG) != 0, copies = (a->flags & SL_CHECK_ASYNC) != 0;
  const struct sl_check_warp *w = &b->warp[a->warp];
  const uint32_t floor = w->floor; /* shared memory is of one block */
  struct touch t = {.access = a,
                    .stamp = {.time = copies      ? UINT32_MAX
                                      : a->stores ? sl_check_tick(check)
                                                  : check->clock},
                    .warp = a->warp,
                    .first = b->number << SL_CHECK_THREAD_BITS | a->warp * SL_MAX_LANES,
                    .least = !a->shared         ? check->launched
                             : b->begin > floor ? b->begin
                                                : floor,
                    .floor = floor,
                    .space = sl_check_space(a),
                    .seen = w->seen,
                    .lane_floor = b->strict ? w->lane_floor : UINT32_MAX,
                    .has_value = a->element[0] != NULL};
  t.stamp.site = a->site | a->flags | (t.has_value ? SL_CHECK_VALUE : 0);
  const bool simple = !(a->loads && a->stores) && !strong && !copies && w->view.count == 0 && w->lane_seen == NULL;
  const bool plain = simple && (a->width == 4 || a->width == 8 || a->width == 16);
  if (a->stores)
    t.uniform = is_one_address(a);
  if (a->stores && !strong && t.uniform && (a->active & (a->active - 1)) != 0)
    look(check, &t);
  uint64_t before = ~UINT64_C(0);
  unsigned same = 0; /* lanes that read the same clean address */
  for (sl_lanes rest = plain ? access_words(check, &t) : a->active; rest != 0; rest &= rest - 1) {
    set_lane(&t, sl_lowest(rest));
    if (a->address[t.lane] == before && same >= 2) /* a third reader of the warp adds nothing */
      continue;
    const bool clean = touch_lane(check, &t, a->address[t.lane]) && !a->stores && !strong;
    same = clean ? (a->address[t.lane] == before ? same + 1 : 1) : 0;
    before = a->address[t.lane];
    if (strong && a->loads && (!a->stores || a->returns)) /* its own access is not ordered by what it reads */
      sl_check_acquire(check, a->block, a->warp, lock_key(a, t.lane), a->relaxed);
    if (strong && a->stores)
      sl_check_release(check, a->block, a->warp, t.lane, lock_key(a, t.lane), a->releases, !a->loads);
  }
}
