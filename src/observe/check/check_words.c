/* Words that a warp accesses one per lane: the stamps of all of them are compared and replaced at once. */
#include "isa/host_level.h"
#include "observe/check/check_state.h"

#if defined(__clang__)
#define EACH_WORD _Pragma("clang loop vectorize(assume_safety)") for (uint32_t i = 0; i < count; i++)
#else
#define EACH_WORD _Pragma("GCC ivdep") for (uint32_t i = 0; i < count; i++)
#endif

#define FOR_HOST static inline __attribute__((always_inline))

/* Loops over the frequent numbers of words have no rest. */
#define BY_COUNT(function, w)                                                                                          \
  ((w)->count == SL_CHECK_LINE       ? function(w, SL_CHECK_LINE)                                                      \
   : (w)->count == SL_CHECK_LINE / 2 ? function(w, SL_CHECK_LINE / 2)                                                  \
                                     : function(w, (w)->count))

/* Stamps of one kind, all of one warp: up to this time they are ordered before, by barriers; and by all that orders
 * them, which counts where an earlier write of the lane itself has to be looked at. */
struct limits {
  uint32_t settled, past;
};

/* Returns false if they are of several warps. */
FOR_HOST bool limits_of(const struct sl_check_words *w, unsigned count, const uint32_t *who, struct limits *l)
{
  const uint32_t block = UINT32_MAX << SL_CHECK_THREAD_BITS, any = who[0];
  const unsigned warp = (any & ~block) / SL_MAX_LANES;
  uint32_t differ = 0, settled = w->least, past = w->least;
  EACH_WORD
  differ |= who[i] ^ any;
  if (differ >= SL_MAX_LANES)
    return false;
  if (((any ^ w->stamp.who) & block) == 0) {
    const uint32_t seen = warp != w->number ? w->warp->seen[warp] : 0;
    const uint32_t lanes = warp != w->number ? seen : w->warp->lane_floor;
    settled = seen > settled ? seen : settled;
    past = w->warp->floor > settled ? w->warp->floor : settled;
    past = lanes > past ? lanes : past;
  }
  const bool all =
      any >> SL_CHECK_THREAD_BITS == w->stamp.who >> SL_CHECK_THREAD_BITS && warp == w->number && !w->strict;
  l->settled = all ? UINT32_MAX : settled - 1; /* the clock begins above 0 */
  l->past = all ? UINT32_MAX : past - 1;
  return true;
}

/* The lane's own access before, if it is complete. */
FOR_HOST uint32_t is_own(uint32_t who, uint32_t site, uint32_t own)
{
  return (uint32_t)(who == own) & (uint32_t)((site & SL_CHECK_ASYNC) == 0);
}

/* As in check_races.c. */
FOR_HOST uint32_t is_farther(uint32_t first, uint32_t second, uint32_t own)
{
  const uint32_t warp = ~(uint32_t)(SL_MAX_LANES - 1), block = UINT32_MAX << SL_CHECK_THREAD_BITS;
  const uint32_t old = first ^ second, new = first ^ own;
  return ((uint32_t)((new &block) != 0) & (uint32_t)((old & block) == 0)) |
         ((uint32_t)((new &warp) != 0) & (uint32_t)((old & warp) == 0));
}

FOR_HOST void find_ends(const uint64_t *address, uint32_t ends[2])
{
  enum { count = SL_CHECK_LINE };
  uint32_t low = UINT32_MAX, high = 0;
  EACH_WORD
  {
    const uint32_t at = (uint32_t)address[i];
    low = at < low ? at : low;
    high = at > high ? at : high;
  }
  ends[0] = low;
  ends[1] = high;
}

FOR_HOST bool are_settled(const struct sl_check_words *w, unsigned count)
{
  const struct sl_check_cells *c = w->cells;
  const struct sl_check_stamps *const kinds[] = {&c->write, &c->strong, &c->read[0], &c->read[1]};
  uint32_t bad = 0;
  for (unsigned k = 0; k < 4; k++) {
    const uint32_t *before = kinds[k]->time + w->first;
    struct limits l;
    if (!limits_of(w, count, kinds[k]->who + w->first, &l))
      return false;
    EACH_WORD
    bad |= (uint32_t)(before[i] > l.settled);
  }
  EACH_WORD
  bad |= c->write.site[w->first + i] & SL_CHECK_SPLIT;
  return bad == 0;
}

FOR_HOST bool read_words(const struct sl_check_words *w, unsigned count)
{
  struct sl_check_cells *c = w->cells;
  const unsigned at = w->first;
  const uint32_t own = w->stamp.who, time = w->stamp.time, site = w->stamp.site, written = w->written;
  const uint32_t *write_who = c->write.who + at, *write_time = c->write.time + at, *write_site = c->write.site + at;
  const uint32_t *strong_who = c->strong.who + at, *strong_time = c->strong.time + at;
  uint32_t *who0 = c->read[0].who + at, *time0 = c->read[0].time + at, *site0 = c->read[0].site + at;
  uint32_t *who1 = c->read[1].who + at, *time1 = c->read[1].time + at, *site1 = c->read[1].site + at;
  struct limits write, strong, first, second;
  uint32_t bad = 0;
  if (!limits_of(w, count, write_who, &write) || !limits_of(w, count, strong_who, &strong) ||
      !limits_of(w, count, who0, &first) || !limits_of(w, count, who1, &second))
    return false;
  EACH_WORD
  {
    bad |= (uint32_t)(write_time[i] > write.past) & ~is_own(write_who[i], write_site[i], own + i);
    bad |= (uint32_t)(strong_time[i] > strong.past) | (uint32_t)((write_site[i] & SL_CHECK_SPLIT) != 0);
    bad |= (uint32_t)(write_time[i] < written) & (uint32_t)(strong_time[i] < written);
  }
  if (bad != 0)
    return false;
  EACH_WORD
  {
    const uint32_t looks = (uint32_t)(write_time[i] > write.settled) | (uint32_t)(strong_time[i] > strong.settled);
    const uint32_t last0 = looks != 0 ? first.past : first.settled, last1 = looks != 0 ? second.past : second.settled;
    const uint32_t takes0 = (uint32_t)(who0[i] == own + i) | (uint32_t)(time0[i] <= last0);
    const uint32_t replaces1 =
        (uint32_t)(who1[i] == own + i) | (uint32_t)(time1[i] <= last1) | is_farther(who0[i], who1[i], own + i);
    const uint32_t takes1 = (takes0 ^ 1) & replaces1;
    who0[i] = takes0 != 0 ? own + i : who0[i];
    time0[i] = takes0 != 0 ? time : time0[i];
    site0[i] = takes0 != 0 ? site : site0[i];
    who1[i] = takes1 != 0 ? own + i : who1[i];
    time1[i] = takes1 != 0 ? time : time1[i];
    site1[i] = takes1 != 0 ? site : site1[i];
  }
  return true;
}

FOR_HOST bool write_words(const struct sl_check_words *w, unsigned count)
{
  struct sl_check_cells *c = w->cells;
  const unsigned at = w->first;
  const uint32_t own = w->stamp.who, time = w->stamp.time, site = w->stamp.site;
  struct sl_check_stamps *const kinds[] = {&c->write, &c->strong, &c->read[0], &c->read[1]};
  uint32_t bad = 0;
  for (unsigned k = 0; k < 4; k++) {
    const uint32_t *who = kinds[k]->who + at, *before = kinds[k]->time + at, *flags = kinds[k]->site + at;
    struct limits l;
    if (!limits_of(w, count, who, &l))
      return false;
    EACH_WORD
    bad |= (uint32_t)(before[i] > l.past) & ~is_own(who[i], flags[i], own + i);
  }
  EACH_WORD
  bad |= (uint32_t)((c->write.site[at + i] & SL_CHECK_SPLIT) != 0) | (uint32_t)(c->write.time[at + i] == time);
  if (bad != 0)
    return false;
  EACH_WORD
  {
    c->write.who[at + i] = own + i;
    c->write.time[at + i] = time;
    c->write.site[at + i] = site;
  }
  for (unsigned k = 1; k < 4; k++) {
    uint32_t *who = kinds[k]->who + at, *before = kinds[k]->time + at, *flags = kinds[k]->site + at;
    EACH_WORD
    who[i] = before[i] = flags[i] = 0;
  }
  uint32_t *value = c->value + at;
  if (w->value != NULL)
    EACH_WORD
  value[i] = w->value[i];
  else EACH_WORD value[i] = 0;
  return true;
}

SL_HOST_VECTORS static bool read_vectors(const struct sl_check_words *w)
{
  return BY_COUNT(read_words, w);
}

SL_HOST_VECTORS static bool write_vectors(const struct sl_check_words *w)
{
  return BY_COUNT(write_words, w);
}

SL_HOST_VECTORS static void ends_vectors(const uint64_t *address, uint32_t ends[2])
{
  find_ends(address, ends);
}

void sl_check_ends(const struct sl_check_access *a, uint32_t ends[2])
{
  ends[0] = ends[1] = (uint32_t)a->address[0];
  if (a->shape == SL_SHAPE_ROW)
    ends[1] += (SL_CHECK_LINE - 1) * a->width;
  if (a->shape == SL_SHAPE_OTHER && sl_host_has_vectors())
    ends_vectors(a->address, ends);
  else if (a->shape == SL_SHAPE_OTHER)
    find_ends(a->address, ends);
}

SL_HOST_VECTORS static bool settled_vectors(const struct sl_check_words *w)
{
  return BY_COUNT(are_settled, w);
}

unsigned sl_check_run(const struct sl_check_access *a, sl_lanes lanes, unsigned lane)
{
  const uint64_t first = a->address[lane];
  const unsigned most = SL_CHECK_LINE - sl_check_word(first), rest = lane < SL_CHECK_LINE ? SL_CHECK_LINE - lane : 1;
  unsigned n = 1;
  if (a->shape == SL_SHAPE_ROW)
    return rest < most ? rest : most;
  while (n < most && n < rest && (lanes >> (lane + n) & 1) != 0 && a->address[lane + n] == first + (uint64_t)4 * n)
    n++;
  return n;
}

bool sl_check_are_settled(const struct sl_check_words *w)
{
  return sl_host_has_vectors() ? settled_vectors(w) : are_settled(w, w->count);
}

bool sl_check_read_words(const struct sl_check_words *w)
{
  return sl_host_has_vectors() ? read_vectors(w) : read_words(w, w->count);
}

bool sl_check_write_words(const struct sl_check_words *w)
{
  return sl_host_has_vectors() ? write_vectors(w) : write_words(w, w->count);
}
