/* The picture of a whole run: rows of bins, of which each has the category that most of its cycles have.
 *
 * A row is a warp or an issue slot. The bins begin with 2^6 cycles; when all rows together have too many, every pair
 * becomes one. A bin keeps a candidate and its lead (the majority vote of Boyer and Moore): a category with more than
 * half of a bin's cycles is the one shown. Coarser levels combine four bins each. Series count amounts per bin. */
#ifndef SL_OBSERVE_TRACE_PICTURE_H
#define SL_OBSERVE_TRACE_PICTURE_H

#include "base/types.h"
#include "observe/trace/trace_pieces.h"

struct sl_picture_bin {
  uint8_t category; /* 0: none */
  uint16_t lead;
};

struct sl_picture_row {
  struct sl_picture_bin *bins;
  size_t count, room; /* bins in use, and for which there is memory */
};

struct sl_picture {
  struct sl_picture_row *rows;
  size_t row_count, row_room;
  uint64_t **series; /* per series, a number per bin */
  size_t *series_room;
  size_t series_count;
  unsigned shift; /* a bin has 2^shift cycles */
  size_t bins;    /* of all rows and series together */
  bool lost;      /* out of memory */
};

/* Sets the number of series. */
bool sl_picture_open(struct sl_picture *picture, size_t series);

/* Gives cycles of a category to a bin. */
static inline void sl_picture_vote(struct sl_picture_bin *bin, uint8_t category, uint64_t cycles)
{
  const uint64_t lead = bin->category == category ? bin->lead + cycles
                        : cycles > bin->lead      ? cycles - bin->lead
                                                  : bin->lead - cycles;
  bin->category = bin->category != category && cycles > bin->lead ? category : bin->category;
  bin->lead = lead > UINT16_MAX ? UINT16_MAX : (uint16_t)lead;
}

/* For the functions below: makes room, and any time. */
bool sl_picture_reach_row(struct sl_picture *picture, size_t row, uint64_t last);
void sl_picture_add_bins(struct sl_picture *picture, size_t series, uint64_t from, uint64_t to, uint64_t amount);

/* Paints `category`, from 1, in a row from cycle `from` to before `to`. */
static inline void sl_picture_paint(struct sl_picture *picture, size_t row, uint64_t from, uint64_t to,
                                    uint8_t category)
{
  if (from >= to)
    return;
  if (__builtin_expect(row >= picture->row_count || (to - 1) >> picture->shift >= picture->rows[row].count, 0) &&
      !sl_picture_reach_row(picture, row, to - 1))
    return;
  const unsigned shift = picture->shift;
  struct sl_picture_bin *bin = &picture->rows[row].bins[from >> shift];
  for (uint64_t next = ((from >> shift) + 1) << shift; next < to; next += UINT64_C(1) << shift) {
    sl_picture_vote(bin++, category, next - from);
    from = next;
  }
  sl_picture_vote(bin, category, to - from);
}

/* The same for a single cycle. */
static inline void sl_picture_dot(struct sl_picture *picture, size_t row, uint64_t time, uint8_t category)
{
  const uint64_t at = time >> picture->shift;
  if (__builtin_expect(row >= picture->row_count || at >= picture->rows[row].count, 0)) {
    sl_picture_paint(picture, row, time, time + 1, category);
    return;
  }
  struct sl_picture_bin *const bin = &picture->rows[row].bins[at];
  if (bin->category == category)
    bin->lead = (uint16_t)(bin->lead + (bin->lead < UINT16_MAX));
  else if (bin->lead > 0)
    bin->lead--;
  else
    *bin = (struct sl_picture_bin){.category = category, .lead = 1};
}

/* Adds to a series an amount per cycle of this time. */
static inline void sl_picture_add(struct sl_picture *picture, size_t series, uint64_t from, uint64_t to,
                                  uint64_t amount)
{
  const uint64_t bin = from >> picture->shift;
  if (from >= to)
    return;
  if (bin != (to - 1) >> picture->shift || bin >= picture->series_room[series])
    sl_picture_add_bins(picture, series, from, to, amount);
  else
    picture->series[series][bin] += amount * (to - from);
}

/* Writes all levels as pieces "level", named by the plane, and the series as pieces "series", named by their numbers.
 * The range of a piece begins with its shift. Consumes the picture. `cycles`: of the run. */
void sl_picture_write(struct sl_picture *picture, const char *plane, uint64_t cycles, struct sl_packer *packer);

void sl_picture_free(struct sl_picture *picture);

#endif
