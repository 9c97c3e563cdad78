#include "observe/trace/trace_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/host_level.h"

enum {
  FIRST_SHIFT = 6,     /* single instructions are drawn, up to 80,000, when a pixel has as many cycles of a busy core */
  MANY_BINS = 3 << 20, /* 12 MB */
  FEW_BINS = 1024      /* of the coarsest level: about a display's width */
};

bool sl_picture_open(struct sl_picture *picture, size_t series)
{
  *picture = (struct sl_picture){.shift = FIRST_SHIFT, .series_count = series};
  picture->series = calloc(series + 1, sizeof *picture->series);
  picture->lost = picture->series == NULL;
  return !picture->lost;
}

void sl_picture_free(struct sl_picture *picture)
{
  for (size_t i = 0; i < picture->row_count; i++)
    free(picture->rows[i].bins);
  for (size_t i = 0; i < picture->series_count && picture->series != NULL; i++)
    free(picture->series[i].amount);
  free(picture->rows);
  free(picture->series);
  *picture = (struct sl_picture){0};
}

#define SPECIALISED static inline __attribute__((always_inline))

/* Both bins as one. Without branches, so that loops over it become vector operations. */
SPECIALISED sl_picture_bin join(sl_picture_bin a, sl_picture_bin b)
{
  const uint32_t lead_a = a >> SL_PICTURE_LEAD, lead_b = b >> SL_PICTURE_LEAD;
  const uint32_t sum = lead_a + lead_b, together = sum < SL_PICTURE_MOST ? sum : SL_PICTURE_MOST;
  const uint32_t apart = lead_a > lead_b ? lead_a - lead_b : lead_b - lead_a;
  const uint32_t equal = 0u - (uint32_t)(((a ^ b) & SL_PICTURE_CATEGORY) == 0);
  const uint32_t lead = (together & equal) | (apart & ~equal);
  return ((lead_b > lead_a ? b : a) & SL_PICTURE_CATEGORY) | lead << SL_PICTURE_LEAD;
}

/* Joins pairs of bins, of which none is before its place. */
SPECIALISED void join_pairs(sl_picture_bin *bins, size_t pairs)
{
  enum { BLOCK = 64 };
  sl_picture_bin joined[BLOCK];
  for (size_t at = 0; at < pairs; at += BLOCK) {
    const size_t some = pairs - at < BLOCK ? pairs - at : BLOCK;
    for (size_t i = 0; i < some; i++)
      joined[i] = join(bins[2 * (at + i)], bins[2 * (at + i) + 1]);
    memcpy(bins + at, joined, some * sizeof *joined);
  }
}

SPECIALISED void take_categories(uint8_t *bytes, const sl_picture_bin *bins, size_t count)
{
  for (size_t i = 0; i < count; i++)
    bytes[i] = (uint8_t)bins[i];
}

/* The loops over bins, for any host and with vectors. */
static void join_baseline(sl_picture_bin *bins, size_t pairs)
{
  join_pairs(bins, pairs);
}

SL_HOST_VECTORS static void join_vectors(sl_picture_bin *bins, size_t pairs)
{
  join_pairs(bins, pairs);
}

static void take_baseline(uint8_t *restrict bytes, const sl_picture_bin *restrict bins, size_t count)
{
  take_categories(bytes, bins, count);
}

SL_HOST_VECTORS static void take_vectors(uint8_t *restrict bytes, const sl_picture_bin *restrict bins, size_t count)
{
  take_categories(bytes, bins, count);
}

/* Makes two bins of a row one. What is behind them stays. */
static void halve_row(struct sl_picture_row *row)
{
  const size_t pairs = row->count / 2;
  (sl_host_has_vectors() ? join_vectors : join_baseline)(row->bins, pairs);
  if (row->count % 2 != 0)
    row->bins[pairs] = row->bins[2 * pairs];
  row->count = (row->count + 1) / 2;
}

static void halve(struct sl_picture *picture)
{
  for (size_t r = 0; r < picture->row_count; r++) {
    struct sl_picture_row *row = &picture->rows[r];
    const size_t count = row->count;
    halve_row(row);
    if (count > row->count) /* an empty row has no memory */
      memset(row->bins + row->count, 0, (count - row->count) * sizeof *row->bins);
    row->count = count;
  }
  for (size_t s = 0; s < picture->series_count; s++) {
    uint64_t *sums = picture->series[s].amount;
    const size_t count = picture->series[s].count;
    for (size_t i = 0; i < count; i++) {
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
  fit(picture, r->count, last);
  return reach(picture, (void **)&r->bins, &r->count, (size_t)(last >> picture->shift), sizeof *r->bins);
}

void sl_picture_add_bins(struct sl_picture *picture, size_t series, uint64_t from, uint64_t to, uint64_t amount)
{
  if (picture->lost)
    return;
  struct sl_picture_series *const s = &picture->series[series];
  fit(picture, s->count, to - 1);
  const size_t end = (size_t)((to - 1) >> picture->shift);
  if (!reach(picture, (void **)&s->amount, &s->count, end, sizeof *s->amount))
    return;
  for (size_t i = (size_t)(from >> picture->shift); i <= end; i++) {
    const uint64_t begins = (uint64_t)i << picture->shift, ends = begins + (UINT64_C(1) << picture->shift);
    s->amount[i] += amount * ((to < ends ? to : ends) - (from > begins ? from : begins));
  }
}

/* Makes four bins of each row one. The picture is not painted any more. */
static void quarter(struct sl_picture *picture)
{
  for (size_t r = 0; r < picture->row_count; r++) {
    halve_row(&picture->rows[r]);
    halve_row(&picture->rows[r]);
  }
  picture->shift += 2;
}

/* Categories of a level: a byte per bin, a row after another, and then one that is none. NULL: out of memory. */
static uint8_t *categories_of(const struct sl_picture *picture, size_t bins)
{
  const size_t size = picture->row_count * bins;
  uint8_t *const bytes = malloc(size + 1);
  if (bytes == NULL)
    return NULL;
  for (size_t r = 0; r < picture->row_count; r++) {
    const struct sl_picture_row *row = &picture->rows[r];
    const size_t count = row->count < bins ? row->count : bins;
    (sl_host_has_vectors() ? take_vectors : take_baseline)(bytes + r * bins, row->bins, count);
    memset(bytes + r * bins + count, 0, bins - count);
  }
  bytes[size] = UINT8_MAX;
  return bytes;
}

static void write_level(struct sl_picture *picture, const char *plane, unsigned categories, size_t bins,
                        struct sl_packer *packer)
{
  struct sl_piece piece = {0};
  const size_t size = picture->row_count * bins;
  uint8_t *const bytes = categories_of(picture, bins);
  if (bytes != NULL && sl_piece_room(&piece, size + 10)) { /* a run has at most a byte per bin */
    uint8_t *to = sl_piece_put(piece.bytes, categories);
    for (const uint8_t *at = bytes, *end; at < bytes + size; at = end) {
      for (end = at + 1; *end == *at;)
        end++;
      to = sl_piece_put(to, (uint64_t)(end - at - 1) * categories + *at);
    }
    piece.count = (size_t)(to - piece.bytes);
  }
  piece.lost = piece.lost || bytes == NULL;
  free(bytes);
  piece.rows = bins;
  piece.first = picture->shift;
  sl_packer_write(packer, &piece, SL_PIECE_LEVEL, plane);
  sl_piece_free(&piece);
}

/* A series without amounts has no piece. */
static void write_series(struct sl_picture *picture, size_t bins, struct sl_packer *packer)
{
  for (size_t s = 0; s < picture->series_count; s++) {
    const struct sl_picture_series *series = &picture->series[s];
    struct sl_piece piece = {0};
    uint64_t any = 0;
    char name[32];
    for (size_t i = 0; i < series->count; i++)
      any |= series->amount[i];
    if (any == 0)
      continue;
    if (sl_piece_room(&piece, 10 * bins + 1))
      for (size_t i = 0; i < bins; i++)
        sl_piece_number(&piece, i < series->count ? series->amount[i] : 0);
    piece.rows = bins;
    piece.first = picture->shift;
    snprintf(name, sizeof name, "%zu", s);
    sl_packer_write(packer, &piece, SL_PIECE_SERIES, name);
    sl_piece_free(&piece);
  }
}

void sl_picture_write(struct sl_picture *picture, const char *plane, unsigned categories, uint64_t cycles,
                      struct sl_packer *packer)
{
  const uint64_t last = cycles > 0 ? cycles - 1 : 0;
  size_t bins = (size_t)(last >> picture->shift) + 1;
  for (size_t i = 0; i < picture->row_count; i++)
    picture->rows[i].count = picture->rows[i].count < bins ? picture->rows[i].count : bins;
  write_series(picture, bins, packer);
  write_level(picture, plane, categories, bins, packer);
  while (bins > FEW_BINS) {
    quarter(picture);
    bins = (size_t)(last >> picture->shift) + 1;
    write_level(picture, plane, categories, bins, packer);
  }
}
