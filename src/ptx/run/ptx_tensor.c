#include "ptx/run/ptx_execute.h"

#include <math.h>
#include <string.h>

#include "ptx/run/ptx_values.h"

enum { GROUP = 8, THREADS = 4 /* of a row */ };

/* ---- fragments of wmma ------------------------------------------------------------------------------------------- */

enum {
  SIDE = 16,
  PAIRS = 4 /* registers with different pairs of f16; a fragment has each twice */
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
static void gather_factor(const struct sl_ptx_warp *w, const struct sl_ptx_place *place, float *to)
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

static unsigned element_of_sum(unsigned r, unsigned lane)
{
  const unsigned row = lane / THREADS + GROUP * (r / 2 % 2), column = 2 * (lane % THREADS) + r % 2 + GROUP * (r / 4);
  return row * SIDE + column;
}

/* Executes d = a * b + c. False: other shapes or formats. */
static bool sl_ptx_wmma_multiply(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in)
{
  const struct sl_ptx_more *more = in->more;
  float a[SIDE * SIDE], turned[SIDE * SIDE], b[SIDE * SIDE], d[SIDE * SIDE];
  if (!is_wmma(more) || more->format[SL_PTX_A] != SL_PTX_M_F16 || more->format[SL_PTX_C] != SL_PTX_M_F32 ||
      more->format[SL_PTX_D] != SL_PTX_M_F32)
    return false;
  gather_factor(w, more->place[SL_PTX_A], a);
  gather_factor(w, more->place[SL_PTX_B], turned);
  for (unsigned j = 0; j < SIDE; j++)
    for (unsigned k = 0; k < SIDE; k++)
      b[k * SIDE + j] = turned[j * SIDE + k];
  for (unsigned r = 0; r < 2 * PAIRS; r++) {
    float sums[SL_PTX_LANES];
    memcpy(sums, place_of(w, more->place[SL_PTX_C][r]), sizeof sums);
    for (unsigned lane = 0; lane < SL_PTX_LANES; lane++)
      d[element_of_sum(r, lane)] = sums[lane];
  }
  add_products(d, a, b);
  for (unsigned r = 0; r < 2 * PAIRS; r++) {
    float sums[SL_PTX_LANES];
    for (unsigned lane = 0; lane < SL_PTX_LANES; lane++)
      sums[lane] = CANONICAL32(d[element_of_sum(r, lane)]);
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
      const unsigned element = element_of_sum(r, lane), i = element / SIDE, j = element % SIDE;
      uint8_t *at = data + (column ? offset[j] + 4 * i : offset[i] + 4 * j);
      memcpy(more->store ? at : own + 4 * lane, more->store ? own + 4 * lane : at, 4);
    }
  }
}

/* Moves a matrix between registers and memory. Line i is at data + offset[i]. False: as above, and sums of f16. */
static bool sl_ptx_wmma_move(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *data,
                             const uint64_t *offset)
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

/* ---- matrices of all shapes -------------------------------------------------------------------------------------- */

enum { QUADS = 4, MOST = 4096 /* elements of a matrix: 16 x 256 */ };

static const uint8_t bits_of_format[SL_PTX_M_FORMATS] = {16, 16, 32, 32, 64, 8, 8, 4, 4, 1, 32};

/* A matrix, or four of them: element (row, column) of the first is at row * columns + column. */
struct matrix {
  unsigned rows, columns;
  union {
    float single[MOST];
    double twice[MOST / 16];
    int32_t whole[MOST];
  } at;
};

static unsigned rows_of(const struct sl_ptx_more *more, unsigned matrix)
{
  return matrix == SL_PTX_B ? more->k : more->m;
}

static unsigned columns_of(const struct sl_ptx_more *more, unsigned matrix)
{
  return matrix == SL_PTX_A ? more->k : more->n;
}

/* Elements of a matrix in a register. */
static unsigned elements_of(uint8_t format)
{
  return bits_of_format[format] < 32 ? 32u / bits_of_format[format] : 1;
}

/* Registers with different elements. */
static unsigned registers_of(const struct sl_ptx_more *more, unsigned matrix)
{
  return rows_of(more, matrix) * columns_of(more, matrix) / (SL_PTX_LANES * elements_of(more->format[matrix]));
}

struct position {
  unsigned row, column;
};

/* The position of element j in register r of a lane. */
static struct position position_of(const struct sl_ptx_more *more, unsigned matrix, unsigned r, unsigned lane,
                                   unsigned j)
{
  const unsigned each = elements_of(more->format[matrix]), g = lane / THREADS, t = lane % THREADS;
  if (matrix == SL_PTX_D || matrix == SL_PTX_C) { /* pairs of elements, in one register or in two */
    const unsigned pair = each == 2 ? r : r / 2, groups = more->m / GROUP;
    return (struct position){g + GROUP * (pair % groups), 2 * t + (each == 2 ? j : r % 2) + GROUP * (pair / groups)};
  }
  const unsigned groups = (unsigned)(matrix == SL_PTX_A ? more->m : more->n) / GROUP;
  const unsigned major = g + GROUP * (r % groups), k = each * (t + THREADS * (r / groups)) + j;
  return matrix == SL_PTX_A ? (struct position){major, k} : (struct position){k, major};
}

/* The same in mma.m8n8k4 of f16, where lanes 4q to 4q + 3 and 16 + 4q to 16 + 4q + 3 have matrix q. */
static struct position quad_position_of(const struct sl_ptx_more *more, unsigned matrix, unsigned r, unsigned lane,
                                        unsigned j)
{
  const unsigned own = lane % THREADS, half = lane < 16 ? 0 : THREADS, i = 2 * r + j;
  if (matrix == SL_PTX_A)
    return more->column[matrix] ? (struct position){i + half, own} : (struct position){own + half, i};
  if (matrix == SL_PTX_B)
    return more->column[matrix] ? (struct position){i, own + half} : (struct position){own, i + half};
  if (more->format[matrix] == SL_PTX_M_F16)
    return (struct position){own + half, i};
  return (struct position){(lane & 1) + (r & 2) + half, (r & 4) + (lane & 2) + (r & 1)};
}

static uint64_t read_register(const struct sl_ptx_warp *w, struct sl_ptx_place place, unsigned lane, unsigned bytes)
{
  uint64_t value = 0;
  memcpy(&value, w->area[place.area] + place.offset + (size_t)lane * bytes, bytes);
  return value;
}

static void write_register(const struct sl_ptx_warp *w, struct sl_ptx_place place, unsigned lane, unsigned bytes,
                           uint64_t value)
{
  memcpy(w->area[place.area] + place.offset + (size_t)lane * bytes, &value, bytes);
}

/* ---- d = a * b + c ----------------------------------------------------------------------------------------------- */

static void set_element(struct matrix *m, unsigned at, uint8_t format, uint64_t bits)
{
  enum { UNUSED = 0x1fff }; /* bits of a word in tf32 */
  switch ((enum sl_ptx_format)format) {
  case SL_PTX_M_F16: m->at.single[at] = sl_ptx_from_f16((uint16_t)bits); break;
  case SL_PTX_M_BF16: m->at.single[at] = sl_ptx_from_bf16((uint16_t)bits); break;
  case SL_PTX_M_TF32: m->at.single[at] = sl_ptx_float_of((uint32_t)bits & ~(uint32_t)UNUSED); break;
  case SL_PTX_M_F32: m->at.single[at] = sl_ptx_float_of((uint32_t)bits); break;
  case SL_PTX_M_F64: memcpy(&m->at.twice[at], &bits, sizeof bits); break;
  case SL_PTX_M_INT8: m->at.whole[at] = (int8_t)bits; break;
  case SL_PTX_M_UINT8: m->at.whole[at] = (uint8_t)bits; break;
  case SL_PTX_M_INT4: m->at.whole[at] = (int32_t)(bits & 15) - ((bits & 8) != 0 ? 16 : 0); break;
  case SL_PTX_M_UINT4: m->at.whole[at] = bits & 15; break;
  case SL_PTX_M_BIT: m->at.whole[at] = bits & 1; break;
  default: m->at.whole[at] = (int32_t)bits; break;
  }
}

static void gather(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, unsigned matrix, struct matrix *m)
{
  const struct sl_ptx_more *more = in->more;
  const bool quads = in->mode == SL_PTX_TENSOR_QUADS;
  const uint8_t format = more->format[matrix];
  const unsigned each = elements_of(format), bytes = format == SL_PTX_M_F64 ? 8 : 4;
  const unsigned count = quads ? more->registers[matrix] : registers_of(more, matrix);
  m->rows = rows_of(more, matrix);
  m->columns = columns_of(more, matrix);
  for (unsigned r = 0; r < count; r++)
    for (unsigned lane = 0; lane < SL_PTX_LANES; lane++) {
      const uint64_t value = read_register(w, more->place[matrix][r], lane, bytes);
      for (unsigned j = 0; j < each; j++) {
        const struct position p = (quads ? quad_position_of : position_of)(more, matrix, r, lane, j);
        const unsigned number = quads ? lane / THREADS % QUADS : 0;
        set_element(m, (number * m->rows + p.row) * m->columns + p.column, format,
                    value >> (j * bits_of_format[format] % 64));
      }
    }
}

#define MULTIPLY(name, member, type, sum)                                                                              \
  static void name(struct matrix *d, const struct matrix *a, const struct matrix *b, unsigned number)                  \
  {                                                                                                                    \
    const type *const left = a->at.member + (size_t)number * a->rows * a->columns, *const right =                      \
                                                                                       b->at.member + (size_t)number * \
                                                                                                          b->rows *    \
                                                                                                          b->columns;  \
    type *const result = d->at.member + (size_t)number * d->rows * d->columns;                                         \
    for (unsigned i = 0; i < d->rows; i++)                                                                             \
      for (unsigned k = 0; k < a->columns; k++) {                                                                      \
        const type x = left[i * a->columns + k];                                                                       \
        for (unsigned j = 0; j < d->columns; j++) {                                                                    \
          const type y = right[k * b->columns + j], z = result[i * d->columns + j];                                    \
          result[i * d->columns + j] = sum;                                                                            \
        }                                                                                                              \
      }                                                                                                                \
  }
MULTIPLY(multiply_singles, single, float, z + x * y)
MULTIPLY(multiply_doubles, twice, double, fma(x, y, z))
MULTIPLY(multiply_bits_xor, whole, int32_t, z + (x ^ y))
MULTIPLY(multiply_bits_and, whole, int32_t, z + (x & y))
#undef MULTIPLY

/* A sum of 256 products of bytes has less than 32 bits, c as well. */
static void multiply_integers(struct matrix *d, const struct matrix *a, const struct matrix *b, bool saturate)
{
  for (unsigned i = 0; i < d->rows; i++)
    for (unsigned j = 0; j < d->columns; j++) {
      int64_t sum = d->at.whole[i * d->columns + j];
      for (unsigned k = 0; k < a->columns; k++)
        sum += a->at.whole[i * a->columns + k] * b->at.whole[k * b->columns + j];
      if (saturate)
        sum = (int64_t)sl_ptx_clamped(sum, INT32_MIN, INT32_MAX);
      d->at.whole[i * d->columns + j] = (int32_t)(uint32_t)sum;
    }
}

static uint64_t element_of(const struct matrix *m, unsigned at, uint8_t format)
{
  uint64_t bits = 0;
  if (format == SL_PTX_M_F16)
    return sl_ptx_to_f16((double)m->at.single[at]);
  if (format == SL_PTX_M_F32) {
    const float value = CANONICAL32(m->at.single[at]);
    memcpy(&bits, &value, sizeof value);
  } else if (format == SL_PTX_M_F64) {
    const double value = CANONICAL64(m->at.twice[at]);
    memcpy(&bits, &value, sizeof value);
  } else {
    bits = (uint32_t)m->at.whole[at];
  }
  return bits;
}

static void scatter(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, const struct matrix *d)
{
  const struct sl_ptx_more *more = in->more;
  const bool quads = in->mode == SL_PTX_TENSOR_QUADS;
  const uint8_t format = more->format[SL_PTX_D];
  const unsigned each = elements_of(format), bytes = format == SL_PTX_M_F64 ? 8 : 4;
  for (unsigned r = 0; r < more->registers[SL_PTX_D]; r++)
    for (unsigned lane = 0; lane < SL_PTX_LANES; lane++) {
      uint64_t value = 0;
      for (unsigned j = 0; j < each; j++) {
        const struct position p = (quads ? quad_position_of : position_of)(more, SL_PTX_D, r, lane, j);
        const unsigned number = quads ? lane / THREADS % QUADS : 0;
        value |= element_of(d, (number * d->rows + p.row) * d->columns + p.column, format) << (j * 16);
      }
      write_register(w, more->place[SL_PTX_D][r], lane, bytes, value);
    }
}

static void multiply(struct sl_ptx_warp *w, const struct sl_ptx_insn *in)
{
  struct matrix a, b, d;
  const struct sl_ptx_more *more = in->more;
  gather(w, in, SL_PTX_A, &a);
  gather(w, in, SL_PTX_B, &b);
  gather(w, in, SL_PTX_C, &d);
  switch ((enum sl_ptx_format)more->format[SL_PTX_A]) {
  case SL_PTX_M_F16:
  case SL_PTX_M_BF16:
  case SL_PTX_M_TF32:
    for (unsigned i = 0; i < (in->mode == SL_PTX_TENSOR_QUADS ? (unsigned)QUADS : 1); i++)
      multiply_singles(&d, &a, &b, i);
    break;
  case SL_PTX_M_F64: multiply_doubles(&d, &a, &b, 0); break;
  case SL_PTX_M_BIT: (more->bits_and ? multiply_bits_and : multiply_bits_xor)(&d, &a, &b, 0); break;
  default: multiply_integers(&d, &a, &b, in->saturate); break;
  }
  scatter(w, in, &d);
}

/* ---- rows of 8 elements of 16 bits ------------------------------------------------------------------------------- */

/* A lane holds elements 2t and 2t + 1 of row g. */
static void transpose(const struct sl_ptx_warp *w, const struct sl_ptx_more *more)
{
  uint16_t element[GROUP][GROUP];
  for (unsigned lane = 0; lane < SL_PTX_LANES; lane++) {
    const uint64_t pair = read_register(w, more->place[SL_PTX_A][0], lane, 4);
    element[lane / THREADS][2 * (lane % THREADS)] = (uint16_t)pair;
    element[lane / THREADS][2 * (lane % THREADS) + 1] = (uint16_t)(pair >> 16);
  }
  for (unsigned lane = 0; lane < SL_PTX_LANES; lane++) {
    const unsigned g = lane / THREADS, t = 2 * (lane % THREADS);
    write_register(w, more->place[SL_PTX_D][0], lane, 4, SL_PTX_PAIR(element[t][g], element[t + 1][g]));
  }
}

void sl_ptx_tensor(struct sl_ptx_warp *w, const struct sl_ptx_insn *in)
{
  if (in->mode == SL_PTX_TENSOR_MOVE)
    transpose(w, in->more);
  else if (!sl_ptx_wmma_multiply(w, in))
    multiply(w, in);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Moves `bytes` bytes of a register from bit `shift` on. */
static void move_part(const struct sl_ptx_more *more, uint64_t *value, unsigned shift, uint8_t *at, unsigned bytes)
{
  uint64_t part = *value >> shift;
  if (more->store) {
    memcpy(at, &part, bytes);
    return;
  }
  part = 0;
  memcpy(&part, at, bytes);
  *value |= part << shift;
}

/* ldmatrix, stmatrix: register r has matrix r. */
static void move_rows(const struct sl_ptx_more *more, unsigned r, unsigned lane, uint8_t *data, const uint64_t *offset,
                      uint64_t *value)
{
  const unsigned g = lane / THREADS, t = 2 * (lane % THREADS);
  if (!more->transposed) {
    move_part(more, value, 0, data + offset[GROUP * r + g] + 2 * t, 4);
    return;
  }
  move_part(more, value, 0, data + offset[GROUP * r + t] + 2 * g, 2);
  move_part(more, value, 16, data + offset[GROUP * r + t + 1] + 2 * g, 2);
}

static void move_elements(const struct sl_ptx_more *more, unsigned r, unsigned lane, uint8_t *data,
                          const uint64_t *offset, uint64_t *value)
{
  const unsigned matrix = more->matrix, bits = bits_of_format[more->format[matrix]],
                 each = elements_of(more->format[matrix]);
  const bool column = more->column[matrix], together = bits < 32 && column == (matrix == SL_PTX_B);
  const unsigned step = together ? each : 1, register_number = r % registers_of(more, matrix);
  for (unsigned j = 0; j < each; j += step) { /* those of a register follow one another in a line, or in a column */
    const struct position p = position_of(more, matrix, register_number, lane, j);
    const unsigned line = column ? p.column : p.row, at = column ? p.row : p.column;
    move_part(more, value, j * bits, data + offset[line] + at * bits / 8, step * bits / 8);
  }
}

void sl_ptx_tile_move(const struct sl_ptx_warp *w, const struct sl_ptx_insn *in, uint8_t *data, const uint64_t *offset)
{
  const struct sl_ptx_more *more = in->more;
  const unsigned bytes = more->format[more->matrix] == SL_PTX_M_F64 ? 8 : 4;
  if (sl_ptx_wmma_move(w, in, data, offset))
    return;
  for (unsigned r = 0; r < more->registers[more->matrix]; r++)
    for (unsigned lane = 0; lane < SL_PTX_LANES; lane++) {
      const struct sl_ptx_place place = more->place[more->matrix][r];
      uint64_t value = more->store ? read_register(w, place, lane, bytes) : 0;
      (in->mode == SL_PTX_TILE_ROWS ? move_rows : move_elements)(more, r, lane, data, offset, &value);
      if (!more->store)
        write_register(w, place, lane, bytes, value);
    }
}

uint64_t sl_ptx_tile_bytes(const struct sl_ptx_more *more, uint32_t stride)
{
  return (uint64_t)stride * bits_of_format[more->format[more->matrix]] / 8;
}
