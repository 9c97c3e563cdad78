/* The picture of a whole run: rows of bins, of which each has the category that most of its cycles have.
 *
 * A row is a warp or an issue slot. The bins begin with 2^6 cycles; when all rows together have too many, every pair
 * becomes one. A bin keeps a candidate and its lead (the majority vote of Boyer and Moore): a category with more than
 * half of a bin's cycles is the one shown. Coarser levels combine four bins each. Series count amounts per bin. */
#ifndef SL_OBSERVE_TRACE_PICTURE_H
#define SL_OBSERVE_TRACE_PICTURE_H

#include "base/types.h"
#include "observe/trace/trace_pieces.h"

/* A category in the lower half, 0: none, and its lead in the upper half. */
typedef uint32_t sl_picture_bin;

enum { SL_PICTURE_LEAD = 16, SL_PICTURE_CATEGORY = (1 << SL_PICTURE_LEAD) - 1, SL_PICTURE_MOST = UINT16_MAX };

struct sl_picture_row {
  sl_picture_bin *bins;
  size_t count;
};

struct sl_picture_series {
  uint64_t *amount; /* per bin */
  size_t count;
};

struct sl_picture {
  struct sl_picture_row *rows;
  size_t row_count, row_room;
  struct sl_picture_series *series;
  size_t series_count;
  unsigned shift; /* a bin has 2^shift cycles */
  size_t bins;    /* of all rows and series together */
  bool lost;      /* out of memory */
};

/* Sets the number of series. */
bool sl_picture_open(struct sl_picture *picture, size_t series);

/* A bin to which at most SL_PICTURE_MOST cycles of a category are given. */
static inline sl_picture_bin sl_picture_vote_few(sl_picture_bin bin, uint32_t category, uint32_t cycles)
{
  const uint32_t lead = cycles << SL_PICTURE_LEAD, all = ~(uint32_t)SL_PICTURE_CATEGORY;
  if ((bin & SL_PICTURE_CATEGORY) == category)
    return bin <= UINT32_MAX - lead ? bin + lead : category | all;
  return bin >= lead ? bin - lead : category | (lead - (bin & all));
}

static inline sl_picture_bin sl_picture_vote(sl_picture_bin bin, uint32_t category, uint64_t cycles)
{
  const uint64_t lead = (bin & SL_PICTURE_CATEGORY) == category ? 0 : bin >> SL_PICTURE_LEAD;
  if (cycles <= SL_PICTURE_MOST)
    return sl_picture_vote_few(bin, category, (uint32_t)cycles);
  const uint64_t next = cycles - lead < SL_PICTURE_MOST ? cycles - lead : SL_PICTURE_MOST;
  return category | (uint32_t)next << SL_PICTURE_LEAD;
}

/* Whether a row has the bin of a time. */
static inline bool sl_picture_has(const struct sl_picture *picture, size_t row, uint64_t bin)
{
  return row < picture->row_count && bin < picture->rows[row].count;
}

/* For the functions below: makes room, and any time. */
bool sl_picture_reach_row(struct sl_picture *picture, size_t row, uint64_t last);
void sl_picture_add_bins(struct sl_picture *picture, size_t series, uint64_t from, uint64_t to, uint64_t amount);

/* Paints `category`, from 1, in a row from cycle `from` to before `to`. */
static inline void sl_picture_paint(struct sl_picture *picture, size_t row, uint64_t from, uint64_t to,
                                    uint32_t category)
{
  if (from >= to)
    return;
  if (__builtin_expect(!sl_picture_has(picture, row, (to - 1) >> picture->shift), 0) &&
      !sl_picture_reach_row(picture, row, to - 1))
    return;
  const unsigned shift = picture->shift;
  sl_picture_bin *bin = &picture->rows[row].bins[from >> shift];
  for (uint64_t next = ((from >> shift) + 1) << shift; next < to; next += UINT64_C(1) << shift, bin++) {
    *bin = sl_picture_vote(*bin, category, next - from);
    from = next;
  }
  *bin = sl_picture_vote(*bin, category, to - from);
}

/* The same for a single cycle. */
static inline void sl_picture_dot(struct sl_picture *picture, size_t row, uint64_t time, uint32_t category)
{
  const uint64_t at = time >> picture->shift;
  if (__builtin_expect(!sl_picture_has(picture, row, at), 0)) {
    sl_picture_paint(picture, row, time, time + 1, category);
    return;
  }
  sl_picture_bin *const bin = &picture->rows[row].bins[at];
  *bin = sl_picture_vote_few(*bin, category, 1);
}

/* Adds to a series an amount per cycle of this time. */
static inline void sl_picture_add(struct sl_picture *picture, size_t series, uint64_t from, uint64_t to,
                                  uint64_t amount)
{
  const uint64_t bin = from >> picture->shift;
  if (from >= to)
    return;
  if (bin != (to - 1) >> picture->shift || bin >= picture->series[series].count)
    sl_picture_add_bins(picture, series, from, to, amount);
  else
    picture->series[series].amount[bin] += amount * (to - from);
}

/* Writes all levels as pieces "level", named by the plane, and the series that have amounts as pieces "series", named
 * by their numbers. The range of a piece begins with its shift. A level has the number of categories N, and then the
 * bins of one row after another, as runs of equal ones: (bins - 1) * N + category. Consumes the picture. `cycles`: of
 * the run; categories: 0 and those painted. */
void sl_picture_write(struct sl_picture *picture, const char *plane, unsigned categories, uint64_t cycles,
                      struct sl_packer *packer);

void sl_picture_free(struct sl_picture *picture);

#endif
