/* Accesses: each lane's bytes against what other threads have done to them. */
#include "isa/lanes.h"
#include "observe/check/check_touch.h"

#include <string.h>

/* Both are strong for each other. */
static bool is_no_race(const struct sl_check_touch *t, const struct sl_check_stamp *other)
{
  const uint32_t volatiles = SL_CHECK_VOLATILE_STORE | SL_CHECK_VOLATILE_DATA;
  if ((t->stamp.site & other->site & SL_CHECK_STRONG) == 0)
    return false;
  if (((t->stamp.site ^ other->site) & volatiles) == volatiles || (t->stamp.site & other->site & SL_CHECK_VOLATILE_OWN))
    return false;
  return ((t->stamp.site | other->site) & SL_CHECK_IN_BLOCK) == 0 ||
         t->stamp.who >> SL_CHECK_THREAD_BITS == other->who >> SL_CHECK_THREAD_BITS;
}

static inline bool races(const struct sl_check_touch *t, const struct sl_check_stamp *other)
{
  return other->time >= t->least && (other->who != t->stamp.who || (other->site & SL_CHECK_ASYNC) != 0) &&
         !is_no_race(t, other) && !sl_check_is_ordered(t->access->block, t->access->warp, t->lane, other);
}

/* Both store one value, which they compute alike: such as a flag that any thread may set. */
static bool is_same_constant(const struct sl_check_touch *t, const struct sl_check_cell *c,
                             const struct sl_check_stamp *write)
{
  const uint32_t both = t->stamp.site & write->site;
  const bool alike = (both & SL_CHECK_CONSTANT) != 0 || ((both & SL_CHECK_BLOCK_CONSTANT) != 0 &&
                                                         (t->stamp.who ^ write->who) >> SL_CHECK_THREAD_BITS == 0);
  return alike && t->value == c->value && t->access->stores;
}

static void report(struct sl_check *check, const struct sl_check_touch *t, const struct sl_check_stamp *other,
                   const char *did, const uint32_t *value)
{
  sl_check_race(check, t->access, t->lane, t->address, other, did, value, t->bytes);
}

static void against_writes(struct sl_check *check, const struct sl_check_touch *t, const struct sl_check_cell *c)
{
  if (races(t, &c->write) && !is_same_constant(t, c, &c->write))
    report(check, t, &c->write, (c->write.site & SL_CHECK_ASYNC) != 0 ? "copies asynchronously" : "writes",
           (c->write.site & SL_CHECK_VALUE) != 0 ? &c->value : NULL);
  if (races(t, &c->strong) && !((c->strong.site & SL_CHECK_VALUE) != 0 && is_same_constant(t, c, &c->strong)))
    report(check, t, &c->strong, (c->strong.site & SL_CHECK_ATOMIC) != 0 ? "updates atomically" : "writes",
           (c->strong.site & SL_CHECK_VALUE) != 0 ? &c->value : NULL);
}

/* A thread's plain read stays when it reads strongly later. */
static bool keeps(const struct sl_check_stamp *old, const struct sl_check_touch *t)
{
  return old->who == t->stamp.who && old->time >= t->least && (old->site & SL_CHECK_STRONG) == 0;
}

static inline __attribute__((always_inline)) bool is_past(const struct sl_check_touch *t,
                                                          const struct sl_check_stamp *old)
{
  return sl_check_is_settled(t, old) || old->who == t->stamp.who ||
         sl_check_is_ordered(t->access->block, t->access->warp, t->lane, old);
}

static inline __attribute__((always_inline)) void touch_load(struct sl_check *check, const struct sl_check_touch *t,
                                                             struct sl_check_cell *c)
{
  if (!sl_check_is_settled(t, &c->write) || !sl_check_is_settled(t, &c->strong))
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
  else if (is_past(t, &r[1]) || sl_check_is_farther(&r[0], &r[1], t->stamp.who))
    r[1] = t->stamp;
}

/* Another lane has written the byte in this instruction. */
static bool is_same_instruction(const struct sl_check_touch *t, const struct sl_check_stamp *write)
{
  return write->time == t->stamp.time && write->who / SL_MAX_LANES == t->stamp.who / SL_MAX_LANES;
}

/* Lanes of an instruction store to one address: different values, or equal ones that are not so in every run. */
static void against_lanes(struct sl_check *check, const struct sl_check_touch *t, const struct sl_check_cell *c,
                          const struct sl_check_stamp *write)
{
  if (write->who != t->stamp.who && (write->site & t->stamp.site & SL_CHECK_VALUE) != 0 &&
      (c->value != t->value || check->options.equal_stores || !(t->uniform || is_same_constant(t, c, write))))
    report(check, t, write, "writes", &c->value);
}

/* The cell's value becomes that of a strong store. */
static void set_strong(const struct sl_check_touch *t, struct sl_check_cell *c)
{
  c->strong = t->stamp;
  if ((t->stamp.site & SL_CHECK_VOLATILE_OWN) == 0 || c->value == t->value) {
    c->strong.site &= (t->stamp.site & SL_CHECK_VOLATILE_OWN) != 0 ? ~(uint32_t)0 : ~(uint32_t)SL_CHECK_VALUE;
    return;
  }
  c->write.site &= ~(uint32_t)(SL_CHECK_VALUE | SL_CHECK_CONSTANT | SL_CHECK_BLOCK_CONSTANT);
  c->value = t->value;
}

static void against_reads(struct sl_check *check, const struct sl_check_touch *t, const struct sl_check_cell *c)
{
  for (unsigned i = 0; i < 2; i++)
    if (races(t, &c->read[i]))
      report(check, t, &c->read[i], "reads", NULL);
}

static void touch_store(struct sl_check *check, const struct sl_check_touch *t, struct sl_check_cell *c)
{
  const struct sl_check_stamp none = {0, 0, 0};
  if (is_same_instruction(t, &c->write))
    against_lanes(check, t, c, &c->write);
  else if (is_same_instruction(t, &c->strong) && (t->stamp.site & SL_CHECK_VOLATILE_OWN) != 0)
    against_lanes(check, t, c, &c->strong);
  else if (t->phase != RECORDS) {
    if (!sl_check_is_settled(t, &c->write) || !sl_check_is_settled(t, &c->strong))
      against_writes(check, t, c);
    if (!sl_check_is_settled(t, &c->read[0]) || !sl_check_is_settled(t, &c->read[1]))
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
static void read_unwritten(struct sl_check *check, const struct sl_check_touch *t, struct sl_check_cell *c)
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

static inline __attribute__((always_inline)) void touch_one(struct sl_check *check, const struct sl_check_touch *t,
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

static void touch_bytes(struct sl_check *check, struct sl_check_touch *t, uint64_t address, unsigned offset,
                        unsigned count)
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
      t->value = sl_check_value_of(a, t->lane, offset + i, 1);
    touch_one(check, t, &c[(address + i) % 4]);
  }
}

static inline struct sl_check_cell *word_at(struct sl_check *check, const struct sl_check_touch *t, uint64_t address)
{
  return sl_check_word(sl_check_cells_at(check, t, address), address);
}

/* Returns whether nothing was written there in this launch. */
static inline bool touch_lane(struct sl_check *check, struct sl_check_touch *t, uint64_t address)
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
      t->value = sl_check_value_of(a, t->lane, offset, 4);
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

/* Lanes that store to one address look at earlier accesses before the first of them replaces these. */
static void look(struct sl_check *check, struct sl_check_touch *t)
{
  t->phase = LOOKS;
  for (sl_lanes rest = t->access->active; rest != 0; rest &= rest - 1) {
    sl_check_set_lane(t, sl_lowest(rest));
    touch_lane(check, t, t->access->address[t->lane]);
  }
  t->phase = RECORDS;
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
  struct sl_check_touch t = {.access = a,
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
    t.uniform = sl_check_is_one_address(a);
  if (a->stores && !strong && t.uniform && (a->active & (a->active - 1)) != 0)
    look(check, &t);
  uint64_t before = ~UINT64_C(0);
  unsigned same = 0; /* lanes that read the same clean address */
  for (sl_lanes rest = plain ? sl_check_words(check, &t) : a->active; rest != 0; rest &= rest - 1) {
    sl_check_set_lane(&t, sl_lowest(rest));
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
