#include "observe/trace/trace_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  FIRST_SHIFT = 6,     /* single instructions are drawn, up to 80,000, when a pixel has as many cycles of a busy core */
  MANY_BINS = 3 << 20, /* 12 MB */
  FEW_BINS = 1024      /* of the coarsest level: about a display's width */
};

bool sl_picture_open(struct sl_picture *picture, size_t series)
{
  *picture = (struct sl_picture){.shift = FIRST_SHIFT, .series_count = series};
  picture->series = calloc(series + 1, sizeof *picture->series);
  picture->series_room = calloc(series + 1, sizeof *picture->series_room);
  picture->lost = picture->series == NULL || picture->series_room == NULL;
  return !picture->lost;
}

void sl_picture_free(struct sl_picture *picture)
{
  for (size_t i = 0; i < picture->row_count; i++)
    free(picture->rows[i].bins);
  for (size_t i = 0; i < picture->series_count && picture->series != NULL; i++)
    free(picture->series[i]);
  free(picture->rows);
  free(picture->series);
  free(picture->series_room);
  *picture = (struct sl_picture){0};
}

/* Both bins as one. Without branches, so that loops over it become vector operations. */
static inline struct sl_picture_bin join(struct sl_picture_bin a, struct sl_picture_bin b)
{
  const unsigned sum = (unsigned)a.lead + b.lead, most = sum < UINT16_MAX ? sum : UINT16_MAX;
  const unsigned rest = a.lead > b.lead ? (unsigned)a.lead - b.lead : (unsigned)b.lead - a.lead;
  return (struct sl_picture_bin){.category = b.lead > a.lead ? b.category : a.category,
                                 .lead = (uint16_t)(a.category == b.category ? most : rest)};
}

static void halve_row(struct sl_picture_row *row)
{
  const size_t pairs = row->count / 2, count = (row->count + 1) / 2;
  for (size_t i = 0; i < pairs; i++)
    row->bins[i] = join(row->bins[2 * i], row->bins[2 * i + 1]);
  if (count > pairs)
    row->bins[pairs] = row->bins[2 * pairs];
  if (row->count > count) /* an empty row has no memory */
    memset(row->bins + count, 0, (row->count - count) * sizeof *row->bins);
  row->count = count;
}

static void halve(struct sl_picture *picture)
{
  for (size_t r = 0; r < picture->row_count; r++)
    halve_row(&picture->rows[r]);
  for (size_t s = 0; s < picture->series_count; s++) {
    uint64_t *sums = picture->series[s];
    const size_t room = picture->series_room[s];
    for (size_t i = 0; i < room; i++) {
      const uint64_t sum = sums[i];
      sums[i] = 0;
      sums[i / 2] += sum;
    }
  }
  picture->shift++;
}

/* Grows an array of zeros to more than `at` elements. */
static bool extend(struct sl_picture *picture, void **array, size_t *room, size_t at, size_t size)
{
  size_t more = *room != 0 ? *room : 64;
  while (more <= at)
    more *= 2;
  char *grown = realloc(*array, more * size);
  if (grown == NULL) {
    picture->lost = true;
    return false;
  }
  memset(grown + *room * size, 0, (more - *room) * size);
  picture->bins += more - *room;
  *array = grown;
  *room = more;
  return true;
}

static inline bool reach(struct sl_picture *picture, void **array, size_t *room, size_t at, size_t size)
{
  return at < *room || extend(picture, array, room, at, size);
}

/* Makes bins coarser until the one of the last cycle fits. */
static void fit(struct sl_picture *picture, size_t room, uint64_t last)
{
  while ((last >> picture->shift) >= room && picture->bins + (last >> picture->shift) - room > MANY_BINS)
    halve(picture);
}

bool sl_picture_reach_row(struct sl_picture *picture, size_t row, uint64_t last)
{
  if (picture->lost)
    return false;
  if (row >= picture->row_count) {
    if (!reach(picture, (void **)&picture->rows, &picture->row_room, row, sizeof *picture->rows))
      return false;
    picture->row_count = row + 1;
  }
  struct sl_picture_row *r = &picture->rows[row];
  fit(picture, r->room, last);
  if (!reach(picture, (void **)&r->bins, &r->room, (size_t)(last >> picture->shift), sizeof *r->bins))
    return false;
  r->count = r->room;
  return true;
}

void sl_picture_add_bins(struct sl_picture *picture, size_t series, uint64_t from, uint64_t to, uint64_t amount)
{
  if (picture->lost)
    return;
  fit(picture, picture->series_room[series], to - 1);
  const size_t end = (size_t)((to - 1) >> picture->shift);
  if (!reach(picture, (void **)&picture->series[series], &picture->series_room[series], end, sizeof(uint64_t)))
    return;
  for (size_t i = (size_t)(from >> picture->shift); i <= end; i++) {
    const uint64_t begins = (uint64_t)i << picture->shift, ends = begins + (UINT64_C(1) << picture->shift);
    picture->series[series][i] += amount * ((to < ends ? to : ends) - (from > begins ? from : begins));
  }
}

/* Makes four bins of each row one. What is behind them stays: the picture is not painted any more. */
static void quarter(struct sl_picture *picture)
{
  for (size_t r = 0; r < picture->row_count; r++) {
    struct sl_picture_row *row = &picture->rows[r];
    struct sl_picture_bin *const bins = row->bins, none = {0};
    const size_t whole = row->count / 4;
    for (size_t i = 0; i < whole; i++)
      bins[i] = join(join(bins[4 * i], bins[4 * i + 1]), join(bins[4 * i + 2], bins[4 * i + 3]));
    const struct sl_picture_bin *last = bins + 4 * whole;
    const size_t rest = row->count % 4;
    if (rest > 0)
      bins[whole] = join(join(last[0], rest > 1 ? last[1] : none), rest > 2 ? last[2] : none);
    row->count = whole + (rest > 0);
  }
  picture->shift += 2;
}

/* A level: per row, a byte per bin. */
static void write_level(struct sl_picture *picture, const char *plane, size_t bins, struct sl_packer *packer)
{
  struct sl_piece piece = {0};
  if (sl_piece_room(&piece, picture->row_count * bins + 1))
    for (size_t r = 0; r < picture->row_count; r++, piece.count += bins) {
      const struct sl_picture_row *row = &picture->rows[r];
      const size_t count = row->count < bins ? row->count : bins;
      uint8_t *const bytes = piece.bytes + piece.count;
      for (size_t i = 0; i < count; i++)
        bytes[i] = row->bins[i].category;
      memset(piece.bytes + piece.count + count, 0, bins - count);
    }
  piece.rows = bins;
  piece.first = picture->shift;
  sl_packer_write(packer, &piece, "level", plane);
  sl_piece_free(&piece);
}

static void write_series(struct sl_picture *picture, size_t bins, struct sl_packer *packer)
{
  for (size_t s = 0; s < picture->series_count; s++) {
    struct sl_piece piece = {0};
    char name[32];
    if (sl_piece_room(&piece, 10 * bins + 1))
      for (size_t i = 0; i < bins; i++)
        sl_piece_number(&piece, i < picture->series_room[s] ? picture->series[s][i] : 0);
    piece.rows = bins;
    piece.first = picture->shift;
    snprintf(name, sizeof name, "%zu", s);
    sl_packer_write(packer, &piece, "series", name);
    sl_piece_free(&piece);
  }
}

void sl_picture_write(struct sl_picture *picture, const char *plane, uint64_t cycles, struct sl_packer *packer)
{
  const uint64_t last = cycles > 0 ? cycles - 1 : 0;
  size_t bins = (size_t)(last >> picture->shift) + 1;
  for (size_t i = 0; i < picture->row_count; i++)
    picture->rows[i].count = picture->rows[i].count < bins ? picture->rows[i].count : bins;
  write_series(picture, bins, packer);
  write_level(picture, plane, bins, packer);
  while (bins > FEW_BINS) {
    quarter(picture);
    bins = (size_t)(last >> picture->shift) + 1;
    write_level(picture, plane, bins, packer);
  }
}
