#include "observe/trace/trace_page.h"

#include <stdlib.h>

/* Grows an array of zeros. */
static bool grow(void **array, size_t size, size_t from, size_t to)
{
  char *grown = realloc(*array, to * size);
  if (grown == NULL)
    return false;
  memset(grown + from * size, 0, (to - from) * size);
  *array = grown;
  return true;
}

bool sl_page_rows_reach_code(struct sl_page_rows *rows, size_t codes)
{
  if (codes > rows->codes && !grow((void **)&rows->code, sizeof *rows->code, rows->codes, codes))
    return false;
  rows->codes = codes > rows->codes ? codes : rows->codes;
  return true;
}

bool sl_page_rows_reach_warp(struct sl_page_rows *rows, size_t warps)
{
  if (warps <= rows->warps)
    return true;
  if (!grow((void **)&rows->warp, sizeof *rows->warp, rows->warps, warps) ||
      !grow((void **)&rows->slot, sizeof *rows->slot, rows->warps != 0 ? rows->warps + 1 : 0, warps + 1))
    return false;
  rows->warps = warps;
  return true;
}

void sl_page_rows_free(struct sl_page_rows *rows)
{
  free(rows->code);
  free(rows->warp);
  free(rows->slot);
  *rows = (struct sl_page_rows){0};
}

static inline uint64_t zigzag(uint64_t value)
{
  return value << 1 ^ (0 - (value >> 63));
}

static void begin_rows(struct sl_page_rows *rows)
{
  memset(rows->before, 0, sizeof rows->before);
  memset(rows->warp, 0, rows->warps * sizeof *rows->warp);
  for (size_t i = 0; i < rows->codes; i++) {
    struct sl_page_rows_code *code = &rows->code[i];
    code->next = code->mask = code->end = code->length = 0;
    memset(code->spent, 0, sizeof code->spent);
  }
}

/* Appends a number that is not the predicted one. Returns the flag, or 0. */
static inline unsigned put_changed(struct sl_piece *piece, uint32_t *predicted, uint32_t value, unsigned flag)
{
  if (*predicted == value)
    return 0;
  *predicted = value;
  sl_piece_number(piece, value);
  return flag;
}

static uint8_t *put_cycles(uint8_t *at, uint32_t *predicted, const uint32_t *spent, unsigned stages)
{
  unsigned changed = 0;
  for (unsigned i = 0; i < stages; i++)
    changed |= (predicted[i] != spent[i] ? 1u : 0u) << i;
  *at++ = (uint8_t)changed;
  for (unsigned rest = changed; rest != 0; rest &= rest - 1) {
    const unsigned i = (unsigned)__builtin_ctz(rest);
    predicted[i] = spent[i];
    at = sl_piece_put(at, spent[i]);
  }
  return at;
}

/* Most machines have four stages or fewer. */
static inline __attribute__((always_inline)) bool differ(const uint32_t *predicted, const uint32_t *spent,
                                                         unsigned stages)
{
  uint64_t a[2], b[2];
  if (stages != 4)
    return memcmp(predicted, spent, stages * sizeof *spent) != 0;
  memcpy(a, predicted, sizeof a);
  memcpy(b, spent, sizeof b);
  return ((a[0] ^ b[0]) | (a[1] ^ b[1])) != 0;
}

static uint32_t length_of(uint64_t cycles)
{
  const uint32_t bits = cycles != 0 ? 64 - (uint32_t)__builtin_clzll(cycles) : 0;
  return bits < SL_ROW_LENGTHS ? bits : SL_ROW_LENGTHS - 1;
}

/* Writes what is not as predicted. Returns where the next record is to be. */
static inline __attribute__((always_inline)) uint8_t *put_unpredicted(uint8_t *at, struct sl_page_rows_code *last,
                                                                      const struct sl_page_row *row, unsigned *flags,
                                                                      unsigned stages)
{
  if (last->mask != row->mask) {
    *flags |= SL_ROW_MASK;
    at = sl_piece_put(at, last->mask = row->mask);
  }
  if (last->end != row->end) {
    *flags |= SL_ROW_END;
    at = sl_piece_put(at, last->end = row->end);
  }
  if (differ(last->spent, row->spent, stages)) {
    *flags |= SL_ROW_CYCLES;
    at = put_cycles(at, last->spent, row->spent, stages);
    last->length = length_of(row->left - row->began);
  }
  return at;
}

/* The loop has in variables what a compiler cannot know to be apart from the bytes. */
static inline __attribute__((always_inline)) void put_rows(struct sl_page_rows *rows, struct sl_piece *piece,
                                                           const struct sl_page_row *row, size_t count,
                                                           const unsigned stages)
{
  enum { FOLLOWS = 7 };
  struct sl_page_rows_code *const codes = rows->code;
  uint32_t *const warps = rows->warp;
  uint64_t first = piece->first, last = piece->last;
  uint8_t *at = piece->bytes + piece->count;
  for (const struct sl_page_row *const end = row + count; row < end; row++) {
    const uint32_t code = row->code, warp = row->warp;
    struct sl_page_rows_before *const before = &rows->before[codes[code].length];
    const uint64_t began = row->began, later = began - before->start, after = row->row - before->row;
    const uint64_t ahead = zigzag(later);
    uint32_t *const next = &codes[warps[warp]].next;
    uint8_t *const head = at++;
    unsigned flags = (unsigned)(ahead < FOLLOWS ? ahead : FOLLOWS) << 5;
    first = began < first ? began : first;
    last = row->left > last ? row->left : last;
    *before = (struct sl_page_rows_before){.start = began, .row = row->row};
    warps[warp] = code;
    if (warp < 0x80)
      *at++ = (uint8_t)warp;
    else
      at = sl_piece_put(at, warp);
    if (*next != code) {
      flags |= SL_ROW_CODE;
      at = sl_piece_put(at, *next = code);
    }
    if (ahead >= FOLLOWS)
      at = sl_piece_put(at, ahead);
    if (after != later) {
      flags |= SL_ROW_NUMBER;
      at = sl_piece_put(at, zigzag(after));
    }
    at = put_unpredicted(at, &codes[code], row, &flags, stages);
    *head = (uint8_t)flags;
  }
  piece->first = first;
  piece->last = last;
  piece->count = (size_t)(at - piece->bytes);
}

void sl_page_rows_put(struct sl_page_rows *rows, struct sl_piece *piece, const struct sl_page_row *row, size_t count)
{
  if (piece->rows == 0) {
    begin_rows(rows);
    piece->first = row->began;
    piece->last = 0;
  }
  piece->rows += count;
  if (rows->stages == 4)
    put_rows(rows, piece, row, count, 4);
  else
    put_rows(rows, piece, row, count, rows->stages);
}

static void begin_slots(struct sl_page_rows *rows)
{
  rows->time = rows->core = rows->slot_warp = 0;
  if (rows->slot != NULL)
    memset(rows->slot, 0, (rows->warps + 1) * sizeof *rows->slot);
  for (size_t i = 0; i < rows->codes; i++) {
    struct sl_page_rows_code *code = &rows->code[i];
    code->next_slot = code->reason = 0;
    code->cycles = 0;
  }
}

/* Appends the time of a slot. Returns the flags that tell it. */
static unsigned put_time(struct sl_piece *piece, uint64_t later, uint64_t cycles)
{
  if (later == cycles)
    return 0;
  if (later == 0)
    return 1 << 6;
  sl_piece_signed(piece, later);
  return 2 << 6;
}

void sl_page_rows_put_slot(struct sl_page_rows *rows, struct sl_piece *piece, const struct sl_page_rows_slot *slot)
{
  if (piece->rows == 0)
    begin_slots(rows);
  struct sl_page_rows_code *const last = &rows->code[slot->code];
  uint32_t *const before = &rows->slot[slot->warp];
  const size_t head = piece->count++;
  unsigned flags = put_changed(piece, &rows->core, slot->core, SL_SLOT_CORE);
  flags |= put_changed(piece, &rows->slot_warp, slot->warp, SL_SLOT_WARP);
  flags |= put_time(piece, slot->time - rows->time, slot->cycles);
  flags |= put_changed(piece, &rows->code[*before].next_slot, slot->code, SL_SLOT_CODE);
  flags |= put_changed(piece, &last->reason, slot->reason, SL_SLOT_REASON);
  if (last->cycles != slot->cycles) {
    flags |= SL_SLOT_CYCLES;
    last->cycles = slot->cycles;
    sl_piece_number(piece, slot->cycles);
  }
  piece->bytes[head] = (uint8_t)flags;
  *before = slot->code;
  rows->time = slot->time;
}
