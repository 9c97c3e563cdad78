/* Instructions on matrices: wmma through memory, mma with the fragments of the PTX ISA, ldmatrix, stmatrix, movmatrix.
 * The host computes the expected values from random operands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
#include <math.h>

#include "ptx_kernel.h"
#include "random.h"

enum { LANES = 32, WORDS = 32, TEXT = 16384, ROOM = 4096, MOST = 256 };

/* ---- formats ----------------------------------------------------------------------------------------------------- */

static const struct format {
  const char *name;
  unsigned bits;
} formats[] = {{"f16", 16}, {"bf16", 16}, {"tf32", 32}, {"f32", 32}, {"f64", 64}, {"s8", 8},
               {"u8", 8},   {"s4", 4},    {"u4", 4},    {"b1", 1},   {"s32", 32}};

static const struct format *format_of(const char *name)
{
  unsigned i = 0;
  while (strcmp(formats[i].name, name) != 0)
    i++;
  return &formats[i];
}

static double value_of(const struct format *f, uint64_t bits)
{
  uint32_t word = (uint32_t)bits;
  float single;
  double twice;
  switch (f - formats) {
  case 0: {
    const int exponent = bits >> 10 & 31;
    const double v =
        exponent == 0 ? ldexp((double)(bits & 1023), -24) : ldexp((double)(bits & 1023) + 1024, exponent - 25);
    return bits & 0x8000 ? -v : v;
  }
  case 1: word <<= 16; break;
  case 2: word &= 0xffffe000; break;
  case 3: break;
  case 4: memcpy(&twice, &bits, sizeof twice); return twice;
  case 5: return (int8_t)bits;
  case 6: return (uint8_t)bits;
  case 7: return (double)(bits & 7) - (double)(bits & 8);
  case 8: return (double)(bits & 15);
  case 9: return (double)(bits & 1);
  default: return (int32_t)word;
  }
  memcpy(&single, &word, sizeof single);
  return (double)single;
}

/* Bits of a number without extreme exponents; those that tf32 ignores are random. */
static uint64_t random_bits(const struct format *f, uint64_t *state)
{
  const uint64_t r = random64(state);
  switch (f - formats) {
  case 0: return (r & 0x83ff) | (9 + r % 11 % 12) << 10;
  case 1: return (r & 0x807f) | (uint64_t)(121 + random_below(state, 12)) << 7;
  case 2:
  case 3: return (r & 0x807fffff) | (uint64_t)(121 + random_below(state, 12)) << 23;
  case 4: return (r & UINT64_C(0x800fffffffffffff)) | (uint64_t)(1017 + random_below(state, 12)) << 52;
  case 10: return r & 3 ? (uint32_t)r : INT32_MAX - (uint32_t)(r & 0xffff); /* some sums leave the range */
  default: return r & ((UINT64_C(1) << f->bits) - 1);
  }
}

/* To nearest even. */
static double rounded_to_half(double v)
{
  if (v == 0)
    return v;
  const int exponent = ilogb(v) < -14 ? -14 : ilogb(v);
  return ldexp(nearbyint(ldexp(v, 10 - exponent)), exponent - 10);
}

/* ---- d = a * b + c ----------------------------------------------------------------------------------------------- */

struct product {
  const char *shape, *d, *a, *b, *c;
  unsigned m, n, k;
  const char *extra; /* .satfinite, .xor.popc, .and.popc */
};

static double product_of(const struct product *p, const double *a, const double *b, double c)
{
  const bool whole = strcmp(p->d, "s32") == 0;
  double twice = c;
  float single = (float)c;
  int64_t sum = whole ? (int64_t)c : 0;
  for (unsigned k = 0; k < p->k; k++) { /* a: a row; b: a column */
    single = single + (float)(a[k] * b[k]);
    twice = fma(a[k], b[k], twice);
    if (strstr(p->extra, "xor") != NULL)
      sum += a[k] != b[k];
    else if (whole)
      sum += (int64_t)(a[k] * b[k]);
  }
  if (whole && strstr(p->extra, "sat") != NULL)
    return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (double)sum;
  if (whole)
    return (int32_t)(uint32_t)sum;
  return strcmp(p->d, "f64") == 0 ? twice : strcmp(p->d, "f16") == 0 ? rounded_to_half((double)single) : (double)single;
}

/* ---- mma: fragments ---------------------------------------------------------------------------------------------- */

struct at {
  unsigned row, column;
};

/* The ISA's formulas for element i of a lane's fragment; g: lane / 4, t: lane % 4. */
typedef struct at position(unsigned g, unsigned t, unsigned i);
#define POSITION(name, row_, column_)                                                                                  \
  static struct at name(unsigned g, unsigned t, unsigned i)                                                            \
  {                                                                                                                    \
    return (struct at){(row_), (column_)};                                                                             \
  }
POSITION(a_16x16, i < 2 || (i >= 4 && i < 6) ? g : g + 8, i < 4 ? 2 * t + (i & 1) : 2 * t + (i & 1) + 8)
POSITION(b_16x8, i < 2 ? 2 * t + (i & 1) : 2 * t + (i & 1) + 8, g + 0 * i)
POSITION(a_16x8, i < 2 ? g : g + 8, 2 * t + (i & 1))
POSITION(b_8x8, 2 * t + i, g)
POSITION(a_16x4_words, i == 0 ? g : g + 8, t)
POSITION(a_16x8_words, i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4)
POSITION(a_16x16_words, i % 2 == 0 ? g : g + 8, t + i / 2 * 4)
POSITION(b_words, t + 4 * i, g)
POSITION(a_8x4, g + 0 * i, t)
POSITION(a_8x16_bytes, g, 4 * t + i)
POSITION(a_16x16_bytes, i < 4 ? g : g + 8, 4 * t + (i & 3))
POSITION(a_16x32_bytes, i < 4 || (i >= 8 && i < 12) ? g : g + 8, i < 8 ? 4 * t + (i & 3) : 4 * t + (i & 3) + 16)
POSITION(b_bytes, i < 4 ? 4 * t + (i & 3) : 4 * t + (i & 3) + 16, g)
POSITION(a_8x32_digits, g, 8 * t + i)
POSITION(a_16x64_digits, i < 8 || (i >= 16 && i < 24) ? g : g + 8, i < 16 ? 8 * t + (i & 7) : 8 * t + (i & 7) + 32)
POSITION(b_digits, i < 8 ? 8 * t + (i & 7) : 8 * t + (i & 7) + 32, g)
POSITION(a_8x128_bits, g, 32 * t + i)
POSITION(a_16x256_bits, i < 32 || (i >= 64 && i < 96) ? g : g + 8, i < 64 ? 32 * t + i % 32 : 32 * t + i % 32 + 128)
POSITION(b_bits, i < 32 ? 32 * t + i : 32 * t + i % 32 + 128, g)
POSITION(c_16x8, i < 2 ? g : g + 8, 2 * t + (i & 1))
POSITION(c_8x8, g, 2 * t + i)
/* Four products, one per lanes 4q to 4q + 3 and 16 + 4q to 16 + 4q + 3; here g is the lane. */
POSITION(a_quads_row, g < 16 ? g % 4 : g % 4 + 4, i + 0 * t)
POSITION(a_quads_column, g < 16 ? i : i + 4, g % 4 + 0 * t)
POSITION(b_quads_row, g % 4 + 0 * t, g < 16 ? i : i + 4)
POSITION(b_quads_column, i + 0 * t, g < 16 ? g % 4 : g % 4 + 4)
POSITION(c_quads_half, g < 16 ? g % 4 : g % 4 + 4, i + 0 * t)
POSITION(c_quads_single, (g & 1) + (i & 2) + (g < 16 ? 0 : 4), (i & 4) + (g & 2) + (i & 1) + 0 * t)

struct fragments {
  struct product product;
  const char *layouts;
  position *a, *b, *c;
  bool quads;
};

static const struct fragments cases[] = {
    {{"m16n8k16", "f32", "f16", "f16", "f32", 16, 8, 16, ""}, ".row.col", a_16x16, b_16x8, c_16x8, false},
    {{"m16n8k16", "f16", "f16", "f16", "f16", 16, 8, 16, ""}, ".row.col", a_16x16, b_16x8, c_16x8, false},
    {{"m16n8k8", "f32", "f16", "f16", "f32", 16, 8, 8, ""}, ".row.col", a_16x8, b_8x8, c_16x8, false},
    {{"m16n8k8", "f16", "f16", "f16", "f16", 16, 8, 8, ""}, ".row.col", a_16x8, b_8x8, c_16x8, false},
    {{"m16n8k16", "f32", "bf16", "bf16", "f32", 16, 8, 16, ""}, ".row.col", a_16x16, b_16x8, c_16x8, false},
    {{"m16n8k8", "f32", "bf16", "bf16", "f32", 16, 8, 8, ""}, ".row.col", a_16x8, b_8x8, c_16x8, false},
    {{"m16n8k4", "f32", "tf32", "tf32", "f32", 16, 8, 4, ""}, ".row.col", a_16x4_words, b_words, c_16x8, false},
    {{"m16n8k8", "f32", "tf32", "tf32", "f32", 16, 8, 8, ""}, ".row.col", a_16x8_words, b_words, c_16x8, false},
    {{"m8n8k4", "f64", "f64", "f64", "f64", 8, 8, 4, ""}, ".row.col", a_8x4, b_words, c_8x8, false},
    {{"m16n8k4", "f64", "f64", "f64", "f64", 16, 8, 4, ""}, ".row.col", a_16x4_words, b_words, c_16x8, false},
    {{"m16n8k8", "f64", "f64", "f64", "f64", 16, 8, 8, ""}, ".row.col", a_16x8_words, b_words, c_16x8, false},
    {{"m16n8k16", "f64", "f64", "f64", "f64", 16, 8, 16, ""}, ".row.col", a_16x16_words, b_words, c_16x8, false},
    {{"m8n8k16", "s32", "s8", "u8", "s32", 8, 8, 16, ""}, ".row.col", a_8x16_bytes, b_bytes, c_8x8, false},
    {{"m16n8k16", "s32", "u8", "s8", "s32", 16, 8, 16, ""}, ".row.col", a_16x16_bytes, b_bytes, c_16x8, false},
    {{"m16n8k32", "s32", "s8", "s8", "s32", 16, 8, 32, ""}, ".row.col", a_16x32_bytes, b_bytes, c_16x8, false},
    {{"m16n8k32", "s32", "u8", "u8", "s32", 16, 8, 32, ".satfinite"},
     ".row.col",
     a_16x32_bytes,
     b_bytes,
     c_16x8,
     false},
    {{"m8n8k32", "s32", "s4", "u4", "s32", 8, 8, 32, ""}, ".row.col", a_8x32_digits, b_digits, c_8x8, false},
    {{"m16n8k64", "s32", "u4", "s4", "s32", 16, 8, 64, ""}, ".row.col", a_16x64_digits, b_digits, c_16x8, false},
    {{"m8n8k128", "s32", "b1", "b1", "s32", 8, 8, 128, ".xor.popc"}, ".row.col", a_8x128_bits, b_bits, c_8x8, false},
    {{"m16n8k256", "s32", "b1", "b1", "s32", 16, 8, 256, ".and.popc"},
     ".row.col",
     a_16x256_bits,
     b_bits,
     c_16x8,
     false},
    {{"m8n8k4", "f32", "f16", "f16", "f32", 8, 8, 4, ""},
     ".row.col",
     a_quads_row,
     b_quads_column,
     c_quads_single,
     true},
    {{"m8n8k4", "f32", "f16", "f16", "f32", 8, 8, 4, ""},
     ".col.row",
     a_quads_column,
     b_quads_row,
     c_quads_single,
     true},
    {{"m8n8k4", "f16", "f16", "f16", "f16", 8, 8, 4, ""},
     ".col.col",
     a_quads_column,
     b_quads_column,
     c_quads_half,
     true},
    {{"m8n8k4", "f16", "f16", "f16", "f16", 8, 8, 4, ""}, ".row.row", a_quads_row, b_quads_row, c_quads_half, true},
};

static struct at place_of(const struct fragments *f, position *where, unsigned lane, unsigned i)
{
  return f->quads ? where(lane, 0, i) : where(lane / 4, lane % 4, i);
}

/* Elements of a lane: a quarter of each matrix in a quadruple of lanes, or all of it in the warp. */
static unsigned elements_of(const struct fragments *f, unsigned rows, unsigned columns)
{
  return rows * columns / (f->quads ? 8 : LANES);
}

static unsigned words_of(const struct format *format, unsigned elements)
{
  return elements * format->bits / 32;
}

static uint64_t field(const uint32_t *words, const struct format *format, unsigned i)
{
  if (format->bits == 64)
    return words[2 * i] | (uint64_t)words[2 * i + 1] << 32;
  return format->bits == 32 ? words[i]
                            : words[i * format->bits / 32] >> (i * format->bits % 32) & ((1u << format->bits) - 1);
}

static void set_field(uint32_t *words, const struct format *format, unsigned i, uint64_t bits)
{
  if (format->bits == 64) {
    words[2 * i] = (uint32_t)bits;
    words[2 * i + 1] = (uint32_t)(bits >> 32);
  } else if (format->bits == 32)
    words[i] = (uint32_t)bits;
  else
    words[i * format->bits / 32] |= (uint32_t)bits << (i * format->bits % 32);
}

/* Registers of a fragment as a vector, or loads of them. */
static int list_registers(char *text, size_t room, char name, bool wide, unsigned count)
{
  int at = snprintf(text, room, "{");
  for (unsigned i = 0; i < count; i++)
    at += snprintf(text + at, room - (size_t)at, "%s%%%s%c%u", i > 0 ? ", " : "", wide ? "x" : "w", name, i);
  return at + snprintf(text + at, room - (size_t)at, "}");
}

static int move_registers(char *text, size_t room, char name, bool wide, unsigned count, unsigned from, bool store)
{
  int at = 0;
  for (unsigned i = 0; i < count; i++) {
    const unsigned offset = 4 * (from + i * (wide ? 2 : 1));
    if (store)
      at += snprintf(text + at, room - (size_t)at, "st.global.b%d [%%o+%u], %%%s%c%u;\n", wide ? 64 : 32, offset,
                     wide ? "x" : "w", name, i);
    else
      at += snprintf(text + at, room - (size_t)at, "ld.global.b%d %%%s%c%u, [%%i+%u];\n", wide ? 64 : 32,
                     wide ? "x" : "w", name, i, offset);
  }
  return at;
}

static const char declarations[] = ".reg .b32 %wa<9>, %wb<9>, %wc<9>, %wd<9>;\n.reg .f64 %xa<9>, %xb<9>, %xc<9>, "
                                   "%xd<9>;\n";

static void check_fragments(const struct fragments *f, uint64_t *state)
{
  static uint32_t in[LANES][WORDS], out[LANES][WORDS];
  static double a[4][MOST * 16], b[4][MOST * 16], c[4][MOST];
  static char text[TEXT];
  const struct product *p = &f->product;
  const struct format *const formats_of[] = {format_of(p->a), format_of(p->b), format_of(p->c), format_of(p->d)};
  const unsigned elements[] = {elements_of(f, p->m, p->k), elements_of(f, p->k, p->n), elements_of(f, p->m, p->n)};
  const unsigned width[] = {p->k, p->n, p->n};
  position *const positions[] = {f->a, f->b, f->c};
  double(*const values[])[MOST * 16] = {a, b};
  unsigned from[4] = {0};
  memset(in, 0, sizeof in);
  for (unsigned x = 0; x < 3; x++) {
    from[x + 1] = from[x] + words_of(formats_of[x], elements[x]);
    for (unsigned lane = 0; lane < LANES; lane++)
      for (unsigned i = 0; i < elements[x]; i++) {
        const uint64_t bits = random_bits(formats_of[x], state);
        const struct at at = place_of(f, positions[x], lane, i);
        const unsigned quad = f->quads ? lane / 4 % 4 : 0, number = at.row * width[x] + at.column;
        set_field(&in[lane][from[x]], formats_of[x], i, bits);
        *(x == 2 ? &c[quad][number] : &values[x][quad][number]) = value_of(formats_of[x], bits);
      }
  }
  const bool wide = strcmp(p->d, "f64") == 0;
  int at = snprintf(text, sizeof text, "%s%s%s", PTX_HEAD, PTX_ENTRY(128), declarations);
  unsigned counts[4];
  for (unsigned x = 0; x < 4; x++)
    counts[x] = words_of(formats_of[x], elements[x < 2 ? x : 2]) / (wide ? 2 : 1);
  for (unsigned x = 0; x < 3; x++)
    at += move_registers(text + at, sizeof text - (size_t)at, (char)('a' + x), wide, counts[x], from[x], false);
  at += snprintf(text + at, sizeof text - (size_t)at, "mma.sync.aligned.%s%s.%s.%s.%s.%s%s ", p->shape, f->layouts,
                 p->d, p->a, p->b, p->c, p->extra);
  for (unsigned x = 0; x < 4; x++) {
    at += list_registers(text + at, sizeof text - (size_t)at, "dabc"[x], wide, counts[(x + 3) % 4]);
    at += snprintf(text + at, sizeof text - (size_t)at, x < 3 ? ", " : ";\n");
  }
  at += move_registers(text + at, sizeof text - (size_t)at, 'd', wide, counts[3], 0, true);
  snprintf(text + at, sizeof text - (size_t)at, "ret; }\n");
  ptx_kernel_run(
      &(struct ptx_kernel){.text = text, .in = in, .in_bytes = sizeof in, .out = out, .out_bytes = sizeof out});
  for (unsigned lane = 0; lane < LANES; lane++)
    for (unsigned i = 0; i < elements[2]; i++) {
      const struct at where = place_of(f, f->c, lane, i);
      const unsigned quad = f->quads ? lane / 4 % 4 : 0;
      double column[MOST];
      for (unsigned k = 0; k < p->k; k++)
        column[k] = b[quad][k * p->n + where.column];
      const double wanted = product_of(p, &a[quad][where.row * p->k], column, c[quad][where.row * p->n + where.column]);
      const double got = value_of(formats_of[3], field(out[lane], formats_of[3], i));
      if (got < wanted || got > wanted)
        fail_msg("%s%s %s %s: lane %u, element %u: %.17g instead of %.17g", p->shape, f->layouts, p->d, p->a, lane, i,
                 got, wanted);
    }
}

static void mma_multiplies_fragments_of_the_isa(void **unused)
{
  (void)unused;
  uint64_t state = 1;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check_fragments(&cases[i], &state);
}

/* ---- wmma: memory ------------------------------------------------------------------------------------------------ */

/* A matrix in memory, by rows or by columns, at a stride. */
struct stored {
  const struct format *format;
  unsigned rows, columns, stride;
  bool by_column;
  unsigned registers;
};

static unsigned index_of(const struct stored *s, unsigned row, unsigned column)
{
  return s->by_column ? column * s->stride + row : row * s->stride + column;
}

static const struct product products[] = {
    {"m16n16k16", "f32", "f16", "f16", "f32", 16, 16, 16, ""},
    {"m16n16k16", "f16", "f16", "f16", "f16", 16, 16, 16, ""},
    {"m16n16k16", "f16", "f16", "f16", "f32", 16, 16, 16, ""},
    {"m32n8k16", "f32", "f16", "f16", "f32", 32, 8, 16, ""},
    {"m32n8k16", "f16", "f16", "f16", "f16", 32, 8, 16, ""},
    {"m8n32k16", "f32", "f16", "f16", "f16", 8, 32, 16, ""},
    {"m16n16k16", "f32", "bf16", "bf16", "f32", 16, 16, 16, ""},
    {"m32n8k16", "f32", "bf16", "bf16", "f32", 32, 8, 16, ""},
    {"m8n32k16", "f32", "bf16", "bf16", "f32", 8, 32, 16, ""},
    {"m16n16k8", "f32", "tf32", "tf32", "f32", 16, 16, 8, ""},
    {"m8n8k4", "f64", "f64", "f64", "f64", 8, 8, 4, ""},
    {"m16n16k16", "s32", "s8", "s8", "s32", 16, 16, 16, ""},
    {"m32n8k16", "s32", "u8", "u8", "s32", 32, 8, 16, ""},
    {"m8n32k16", "s32", "u8", "u8", "s32", 8, 32, 16, ".satfinite"},
    {"m8n8k32", "s32", "s4", "s4", "s32", 8, 8, 32, ""},
    {"m8n8k128", "s32", "b1", "b1", "s32", 8, 8, 128, ".xor.popc"},
};

static int append_tile(char *text, size_t room, const struct product *p, const struct stored *s, char matrix,
                       const char *space, unsigned offset)
{
  const bool store = matrix == 'd', wide = s->format->bits == 64;
  char registers[256];
  list_registers(registers, sizeof registers, matrix, wide, s->registers);
  if (store)
    return snprintf(text, room, "wmma.store.d.sync.aligned.%s.%s%s.%s [%%o+%u], %s, %u;\n",
                    s->by_column ? "col" : "row", p->shape, space, s->format->name, offset, registers, s->stride);
  return snprintf(text, room, "wmma.load.%c.sync.aligned.%s.%s%s.%s %s, [%%i+%u], %u;\n", matrix,
                  s->by_column ? "col" : "row", p->shape, space, s->format->name, registers, offset, s->stride);
}

static void check_product(const struct product *p, unsigned layouts, const char *space, uint64_t *state)
{
  enum { PART = 32768 };
  static uint8_t in[3 * PART], out[PART];
  static double a[MOST * 16], b[MOST * 16], c[MOST];
  static char text[TEXT];
  double *const values[] = {a, b, c};
  const bool small = format_of(p->a)->bits < 8, half = strcmp(p->a, "f16") == 0;
  struct stored s[4] = {{format_of(p->a), p->m, p->k, 0, !small && layouts & 1, 0},
                        {format_of(p->b), p->k, p->n, 0, small || layouts & 2, 0},
                        {format_of(p->c), p->m, p->n, 0, layouts & 4, 0},
                        {format_of(p->d), p->m, p->n, 0, layouts & 8, 0}};
  memset(in, 0, sizeof in);
  for (unsigned x = 0; x < 4; x++) {
    const unsigned bits = s[x].format->bits;
    s[x].stride = (s[x].by_column ? s[x].rows : s[x].columns) + x * 128 / bits;
    s[x].registers = x < 2 && half ? 8 : s[x].rows * s[x].columns * (bits < 32 ? bits : 32) / 1024;
    for (unsigned row = 0; row < s[x].rows && x < 3; row++)
      for (unsigned column = 0; column < s[x].columns; column++) {
        const uint64_t value = random_bits(s[x].format, state);
        values[x][row * s[x].columns + column] = value_of(s[x].format, value);
        const unsigned at = index_of(&s[x], row, column) * bits;
        if (bits < 8)
          in[x * PART + at / 8] = (uint8_t)(in[x * PART + at / 8] | value << at % 8);
        else
          memcpy(&in[x * PART + at / 8], &value, bits / 8);
      }
  }
  int at = snprintf(text, sizeof text, "%s%s%s", PTX_HEAD, PTX_ENTRY(0), declarations);
  for (unsigned x = 0; x < 3; x++)
    at += append_tile(text + at, sizeof text - (size_t)at, p, &s[x], (char)('a' + x), space, x * PART);
  at += snprintf(text + at, sizeof text - (size_t)at, "wmma.mma%s.sync.aligned.%s.%s.%s.%s",
                 strstr(p->extra, "popc") != NULL ? p->extra : "", s[0].by_column ? "col" : "row",
                 s[1].by_column ? "col" : "row", p->shape, p->d);
  if (!half)
    at += snprintf(text + at, sizeof text - (size_t)at, ".%s.%s", p->a, p->b);
  at += snprintf(text + at, sizeof text - (size_t)at, ".%s%s ", p->c, strstr(p->extra, "sat") != NULL ? p->extra : "");
  for (unsigned x = 0; x < 4; x++) {
    at += list_registers(text + at, sizeof text - (size_t)at, "dabc"[x], s[(x + 3) % 4].format->bits == 64,
                         s[(x + 3) % 4].registers);
    at += snprintf(text + at, sizeof text - (size_t)at, x < 3 ? ", " : ";\n");
  }
  at += append_tile(text + at, sizeof text - (size_t)at, p, &s[3], 'd', space, 0);
  snprintf(text + at, sizeof text - (size_t)at, "ret; }\n");
  ptx_kernel_run(
      &(struct ptx_kernel){.text = text, .in = in, .in_bytes = sizeof in, .out = out, .out_bytes = sizeof out});
  for (unsigned row = 0; row < p->m; row++)
    for (unsigned column = 0; column < p->n; column++) {
      double of_column[MOST];
      uint64_t bits = 0;
      for (unsigned k = 0; k < p->k; k++)
        of_column[k] = b[k * p->n + column];
      const double wanted = product_of(p, &a[row * p->k], of_column, c[row * p->n + column]);
      memcpy(&bits, out + index_of(&s[3], row, column) * s[3].format->bits / 8, s[3].format->bits / 8);
      const double got = value_of(s[3].format, bits);
      if (got < wanted || got > wanted)
        fail_msg("%s %s %s %s, layouts %u: (%u, %u): %.17g instead of %.17g", p->shape, p->d, p->a, p->c, layouts, row,
                 column, got, wanted);
    }
}

static void wmma_multiplies_matrices_in_memory(void **unused)
{
  (void)unused;
  uint64_t state = 2;
  for (size_t i = 0; i < sizeof products / sizeof *products; i++)
    for (unsigned layouts = 0; layouts < 16; layouts += i == 0 ? 1 : 5)
      check_product(&products[i], layouts, layouts % 2 ? ".global" : "", &state);
}

/* ---- rows of 8 elements of 16 bits ------------------------------------------------------------------------------- */

/* Each thread writes its 16 bytes to shared memory, at a stride of 48; lane l of the address operand has row l. */
static const char rows_text[] = PTX_HEAD PTX_ENTRY(
    16) ".shared .align 16 .b8 rows[2048];\n.shared .align 16 .b8 again[512];\n"
        "mov.b32 %r20, rows; mul.lo.u32 %r21, %t, 48; add.u32 %r20, %r20, %r21;\n"
        "ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%i]; st.shared.v4.b32 [%r20], {%r0, %r1, %r2, %r3};\n"
        "bar.sync 0;\n"
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%r20];\n"
        "st.global.v4.b32 [%o], {%r0, %r1, %r2, %r3};\n"
        "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r4, %r5, %r6, %r7}, [%r20];\n"
        "st.global.v4.b32 [%o+512], {%r4, %r5, %r6, %r7};\n"
        "ldmatrix.sync.aligned.m8n8.x2.shared::cta.b16 {%r4, %r5}, [%r20];\n"
        "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%r6}, [%r20];\n"
        "movmatrix.sync.aligned.m8n8.trans.b16 %r7, %r6;\n"
        "st.global.v4.b32 [%o+1024], {%r4, %r5, %r6, %r7};\n"
        "mov.b32 %r20, again; shl.b32 %r21, %t, 4; add.u32 %r20, %r20, %r21;\n"
        "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%r20], {%r0, %r1, %r2, %r3};\n"
        "bar.sync 0; ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [%r20];\n"
        "st.global.v4.b32 [%o+1536], {%r0, %r1, %r2, %r3}; ret; }\n";

static void ldmatrix_distributes_rows(void **unused)
{
  (void)unused;
  static uint16_t in[LANES][8], out[4][LANES][8];
  uint64_t state = 3;
  for (unsigned i = 0; i < LANES * 8; i++)
    in[i / 8][i % 8] = (uint16_t)random32(&state);
  ptx_kernel_run(
      &(struct ptx_kernel){.text = rows_text, .in = in, .in_bytes = sizeof in, .out = out, .out_bytes = sizeof out});
  for (unsigned lane = 0; lane < LANES; lane++)
    for (unsigned i = 0; i < 8; i++) {
      const unsigned matrix = i / 2, g = lane / 4, t = 2 * (lane % 4) + i % 2;
      assert_int_equal(out[0][lane][i], in[8 * matrix + g][t]);
      assert_int_equal(out[1][lane][i], in[8 * matrix + t][g]);
      assert_int_equal(out[2][lane][i], matrix < 2 ? in[8 * matrix + g][t] : matrix == 2 ? in[t][g] : in[g][t]);
      assert_int_equal(out[3][lane][i], in[8 * (lane / 8) + i][lane % 8]);
    }
}

/* ---- faults and time --------------------------------------------------------------------------------------------- */

static void matrices_need_the_whole_warp(void **unused)
{
  (void)unused;
  uint32_t out[32];
  const struct ptx_kernel guarded = {
      .text = PTX_HEAD PTX_ENTRY(
          4) "setp.lt.u32 %p1, %t, 31;\n@%p1 movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;\nret; }\n",
      .out = out,
      .out_bytes = sizeof out};
  const struct ptx_kernel diverged = {
      .text = PTX_HEAD PTX_ENTRY(4) "setp.ne.u32 %p1, %t, 7;\n@%p1 bra L;\n"
                                    "wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1, %r2}, [%i];\nL: ret; }\n",
      .out = out,
      .out_bytes = sizeof out};
  const struct ptx_kernel narrow = {
      .text = PTX_HEAD PTX_ENTRY(
          4) "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%g1, %g2}, {%g3}, {%g4}, {%g5, %g6};\n"
             "ret; }\n",
      .threads = 48,
      .out = out,
      .out_bytes = sizeof out};
  ptx_kernel_faults(&guarded, "needs all 32 threads of the warp, but lanes 0-30 execute it alone");
  ptx_kernel_faults(&diverged, "needs all 32 threads of the warp, but lane 7 executes it alone");
  ptx_kernel_faults(&narrow, "needs all 32 threads of the warp, but lanes 0-15 execute it alone");
}

static void matrices_outside_of_memory_fault(void **unused)
{
  (void)unused;
  uint32_t out[32];
  const struct ptx_kernel outside = {
      .text = PTX_HEAD PTX_ENTRY(0) "wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1, %r2}, [%i], 1048576;\nret; }\n",
      .out = out,
      .out_bytes = sizeof out};
  const struct ptx_kernel misaligned = {
      .text = PTX_HEAD PTX_ENTRY(0) "wmma.load.a.sync.aligned.row.m16n16k16.s8 {%r1, %r2}, [%i], 20;\nret; }\n",
      .out = out,
      .out_bytes = sizeof out};
  ptx_kernel_faults(&outside, "is outside global memory");
  ptx_kernel_faults(&misaligned, "misaligned address");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mma_multiplies_fragments_of_the_isa), cmocka_unit_test(wmma_multiplies_matrices_in_memory),
      cmocka_unit_test(ldmatrix_distributes_rows), cmocka_unit_test(matrices_need_the_whole_warp),
      cmocka_unit_test(matrices_outside_of_memory_fault)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
