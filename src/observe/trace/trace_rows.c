#include "observe/trace/trace_rows.h"

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
  rows->start = rows->row = 0;
  memset(rows->warp, 0, rows->warps * sizeof *rows->warp);
  for (size_t i = 0; i < rows->codes; i++) {
    struct sl_page_rows_code *code = &rows->code[i];
    code->next = code->mask = code->end = 0;
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

/* The functions below take and return where to write, since a compiler cannot know that the bytes are not the piece. */
static inline uint8_t *put_number(uint8_t *at, uint64_t value)
{
  for (; value >= 0x80; value >>= 7)
    *at++ = (uint8_t)(value | 0x80);
  *at++ = (uint8_t)value;
  return at;
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
    at = put_number(at, spent[i]);
  }
  return at;
}

/* Most machines have four stages or fewer. */
static inline bool differ(const uint32_t *predicted, const uint32_t *spent, unsigned stages)
{
  uint64_t a[2], b[2];
  if (stages != 4)
    return memcmp(predicted, spent, stages * sizeof *spent) != 0;
  memcpy(a, predicted, sizeof a);
  memcpy(b, spent, sizeof b);
  return ((a[0] ^ b[0]) | (a[1] ^ b[1])) != 0;
}

void sl_page_rows_put(struct sl_page_rows *rows, struct sl_piece *piece, const struct sl_page_row *row)
{
  enum { FOLLOWS = 7 };
  if (piece->rows == 0)
    begin_rows(rows);
  const uint32_t code = row->code;
  struct sl_page_rows_code *const last = &rows->code[code];
  const uint64_t later = row->began - rows->start, number = row->row - rows->row, start = zigzag(later);
  uint32_t *const before = &rows->warp[row->warp];
  uint8_t *const head = piece->bytes + piece->count;
  unsigned flags = (unsigned)(start < FOLLOWS ? start : FOLLOWS) << 5;
  uint8_t *at = put_number(head + 1, row->warp);
  if (start >= FOLLOWS)
    at = put_number(at, start);
  if (number != later) {
    flags |= SL_ROW_NUMBER;
    at = put_number(at, zigzag(number));
  }
  uint32_t *const next = &rows->code[*before].next;
  if (*next != code) {
    flags |= SL_ROW_CODE;
    at = put_number(at, *next = code);
  }
  if (last->mask != row->mask) {
    flags |= SL_ROW_MASK;
    at = put_number(at, last->mask = row->mask);
  }
  if (last->end != row->end) {
    flags |= SL_ROW_END;
    at = put_number(at, last->end = row->end);
  }
  if (differ(last->spent, row->spent, row->stages)) {
    flags |= SL_ROW_CYCLES;
    at = put_cycles(at, last->spent, row->spent, row->stages);
  }
  *head = (uint8_t)flags;
  piece->count = (size_t)(at - piece->bytes);
  *before = code;
  rows->start = row->began;
  rows->row = row->row;
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
