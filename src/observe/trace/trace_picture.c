#include "observe/trace/trace_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  FIRST_SHIFT = 5,
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

static void halve(struct sl_picture *picture)
{
  for (size_t r = 0; r < picture->row_count; r++) {
    struct sl_picture_row *row = &picture->rows[r];
    for (size_t i = 0; i < row->count; i += 2) {
      struct sl_picture_bin both = row->bins[i];
      if (i + 1 < row->count && row->bins[i + 1].category == both.category)
        both.lead =
            (uint16_t)(both.lead + row->bins[i + 1].lead < UINT16_MAX ? both.lead + row->bins[i + 1].lead : UINT16_MAX);
      else if (i + 1 < row->count && row->bins[i + 1].category != 0)
        sl_picture_vote(&both, row->bins[i + 1].category, row->bins[i + 1].lead);
      row->bins[i / 2] = both;
    }
    const size_t count = (row->count + 1) / 2;
    if (row->count > count) /* an empty row has no memory */
      memset(row->bins + count, 0, (row->count - count) * sizeof *row->bins);
    row->count = count;
  }
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

/* A level: per row, a byte per bin. */
static void write_level(struct sl_picture *picture, const char *plane, size_t bins, struct sl_packer *packer)
{
  struct sl_piece piece = {0};
  if (sl_piece_room(&piece, picture->row_count * bins + 1))
    for (size_t r = 0; r < picture->row_count; r++, piece.count += bins) {
      const struct sl_picture_row *row = &picture->rows[r];
      const size_t count = row->count < bins ? row->count : bins;
      for (size_t i = 0; i < count; i++)
        piece.bytes[piece.count + i] = row->bins[i].category;
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
  write_series(picture, bins, packer);
  write_level(picture, plane, bins, packer);
  while (bins > FEW_BINS) {
    halve(picture);
    halve(picture);
    bins = (size_t)(last >> picture->shift) + 1;
    write_level(picture, plane, bins, packer);
  }
}
