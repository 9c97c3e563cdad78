#include "ptx/tensor/ptx_tensor.h"

#include <string.h>

#include "ptx/run/ptx_values.h"

enum {
  SIDE = 16,
  GROUP = 8,
  THREADS = 4, /* of a row */
  PAIRS = 4    /* registers with different pairs of f16; a fragment has each twice */
};

/* Part of a row: registers of every x86-64 have four floats. */
typedef float quarter __attribute__((vector_size(16)));
enum { QUARTERS = SIDE / 4 };

static uint8_t *place_of(const struct sl_ptx_warp *w, struct sl_ptx_place place)
{
  return w->area[place.area] + place.offset;
}

static bool is_wmma(const struct sl_ptx_more *more)
{
  return more->m == SIDE && more->n == SIDE && more->k == SIDE;
}

/* ---- d = a * b + c ----------------------------------------------------------------------------------------------- */

/* Exact: 2^112 is the ratio of the formats' exponents. Infinities and NaNs have the largest exponent. */
static void widen(float *to, const uint16_t *from)
{
  for (unsigned i = 0; i < SIDE * SIDE; i++) {
    const uint32_t sign = (uint32_t)(from[i] & SL_PTX_HALF_SIGN) << 16, rest = (uint32_t)(from[i] & 0x7fff) << 13;
    const uint32_t most = rest >= UINT32_C(31) << 23 ? UINT32_C(255) << 23 : 0;
    float value;
    const float scaled = sl_ptx_float_of(rest) * 0x1p112f;
    uint32_t bits;
    memcpy(&bits, &scaled, sizeof bits);
    bits |= sign | most;
    memcpy(&value, &bits, sizeof value);
    to[i] = value;
  }
}

/* By rows of pairs: of a row of A, of a column of B. */
static void gather(const struct sl_ptx_warp *w, const struct sl_ptx_place *place, float *to)
{
  uint16_t half[SIDE * SIDE];
  for (unsigned r = 0; r < PAIRS; r++) {
    const uint8_t *from = place_of(w, place[r]);
    for (unsigned lane = 0; lane < SL_PTX_LANES; lane++) {
      const unsigned line = lane / THREADS + GROUP * (r % 2), pair = lane % THREADS + THREADS * (r / 2);
      memcpy(&half[line * SIDE + 2 * pair], from + 4 * lane, 4);
    }
  }
  widen(to, half);
}

static void add_products(float *d, const float *a, const float *b)
{
  for (unsigned i = 0; i < SIDE; i++) {
    quarter row[QUARTERS], factor[QUARTERS];
    memcpy(row, d + i * SIDE, sizeof row);
    for (unsigned k = 0; k < SIDE; k++) {
      memcpy(factor, b + k * SIDE, sizeof factor);
      for (unsigned q = 0; q < QUARTERS; q++)
        row[q] += a[i * SIDE + k] * factor[q];
    }
    memcpy(d + i * SIDE, row, sizeof row);
  }
}

static unsigned element_of(unsigned r, unsigned lane)
{
  const unsigned row = lane / THREADS + GROUP * (r / 2 % 2), column = 2 * (lane % THREADS) + r % 2 + GROUP * (r / 4);
  return row * SIDE + column;
}

bool sl_ptx_wmma_multiply(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in)
{
  const struct sl_ptx_more *more = in->more;
  float a[SIDE * SIDE], turned[SIDE * SIDE], b[SIDE * SIDE], d[SIDE * SIDE];
  if (!is_wmma(more) || more->format[SL_PTX_A] != SL_PTX_M_F16 || more->format[SL_PTX_C] != SL_PTX_M_F32 ||
      more->format[SL_PTX_D] != SL_PTX_M_F32)
    return false;
  gather(w, more->place[SL_PTX_A], a);
  gather(w, more->place[SL_PTX_B], turned);
  for (unsigned j = 0; j < SIDE; j++)
    for (unsigned k = 0; k < SIDE; k++)
      b[k * SIDE + j] = turned[j * SIDE + k];
  for (unsigned r = 0; r < 2 * PAIRS; r++) {
    float sums[SL_PTX_LANES];
    memcpy(sums, place_of(w, more->place[SL_PTX_C][r]), sizeof sums);
    for (unsigned lane = 0; lane < SL_PTX_LANES; lane++)
      d[element_of(r, lane)] = sums[lane];
  }
  add_products(d, a, b);
  for (unsigned r = 0; r < 2 * PAIRS; r++) {
    float sums[SL_PTX_LANES];
    for (unsigned lane = 0; lane < SL_PTX_LANES; lane++)
      sums[lane] = CANONICAL32(d[element_of(r, lane)]);
    memcpy(place_of(w, more->place[SL_PTX_D][r]), sums, sizeof sums);
  }
  return true;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void load_factor(const struct sl_ptx_warp *w, const struct sl_ptx_more *more, const uint8_t *data,
                        const uint64_t *offset)
{
  const unsigned matrix = more->matrix;
  const bool adjacent = more->column[matrix] == (matrix == SL_PTX_B);
  for (unsigned r = 0; r < PAIRS; r++) {
    uint16_t pairs[SL_PTX_LANES][2];
    for (unsigned lane = 0; lane < SL_PTX_LANES; lane++) {
      const unsigned line = lane / THREADS + GROUP * (r % 2), k = 2 * (lane % THREADS + THREADS * (r / 2));
      memcpy(&pairs[lane][0], data + (adjacent ? offset[line] + 2 * k : offset[k] + 2 * line), 2);
      memcpy(&pairs[lane][1], data + (adjacent ? offset[line] + 2 * k + 2 : offset[k + 1] + 2 * line), 2);
    }
    memcpy(place_of(w, more->place[matrix][r]), pairs, sizeof pairs);
    memcpy(place_of(w, more->place[matrix][r + PAIRS]), pairs, sizeof pairs);
  }
}

static void move_sums(const struct sl_ptx_warp *w, const struct sl_ptx_more *more, uint8_t *data,
                      const uint64_t *offset)
{
  const bool column = more->column[more->matrix];
  for (unsigned r = 0; r < 2 * PAIRS; r++) {
    uint8_t *own = place_of(w, more->place[more->matrix][r]);
    for (unsigned lane = 0; lane < SL_PTX_LANES; lane++) {
      const unsigned element = element_of(r, lane), i = element / SIDE, j = element % SIDE;
      uint8_t *at = data + (column ? offset[j] + 4 * i : offset[i] + 4 * j);
      memcpy(more->store ? at : own + 4 * lane, more->store ? own + 4 * lane : at, 4);
    }
  }
}

bool sl_ptx_wmma_move(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *data, const uint64_t *offset)
{
  const struct sl_ptx_more *more = in->more;
  const unsigned matrix = more->matrix;
  if (in->mode != SL_PTX_TILE_MATRIX || !is_wmma(more))
    return false;
  if (more->format[matrix] == SL_PTX_M_F32) {
    move_sums(w, more, data, offset);
    return true;
  }
  if (more->format[matrix] != SL_PTX_M_F16 || (matrix != SL_PTX_A && matrix != SL_PTX_B))
    return false;
  load_factor(w, more, data, offset);
  return true;
}
