#include "ptx/text/ptx_forms.h"

#include <stdlib.h>

/* By enum sl_ptx_format. */
static const char *const format_names[] = {"f16", "bf16", "tf32", "f32", "f64", "s8",
                                           "u8",  "s4",   "u4",   "b1",  "s32", NULL};
static const uint8_t format_bits[SL_PTX_M_FORMATS] = {16, 16, 32, 32, 64, 8, 8, 4, 4, 1, 32};

/* Shapes of the formats of a and b; wmma and mma have different ones. */
static const struct shape {
  const char *name;
  uint8_t m, n;
  uint16_t k;
  uint16_t wmma, mma; /* a bit per format */
} shapes[] = {
#define F(name) (1u << SL_PTX_M_##name)
    {"m16n16k16", 16, 16, 16, F(F16) | F(BF16) | F(INT8) | F(UINT8), 0},
    {"m32n8k16", 32, 8, 16, F(F16) | F(BF16) | F(INT8) | F(UINT8), 0},
    {"m8n32k16", 8, 32, 16, F(F16) | F(BF16) | F(INT8) | F(UINT8), 0},
    {"m16n16k8", 16, 16, 8, F(TF32), 0},
    {"m8n8k4", 8, 8, 4, F(F64), F(F64) | F(F16)},
    {"m8n8k16", 8, 8, 16, 0, F(INT8) | F(UINT8)},
    {"m8n8k32", 8, 8, 32, F(INT4) | F(UINT4), F(INT4) | F(UINT4)},
    {"m8n8k128", 8, 8, 128, F(BIT), F(BIT)},
    {"m16n8k4", 16, 8, 4, 0, F(TF32) | F(F64)},
    {"m16n8k8", 16, 8, 8, 0, F(F16) | F(BF16) | F(TF32) | F(F64)},
    {"m16n8k16", 16, 8, 16, 0, F(F16) | F(BF16) | F(F64) | F(INT8) | F(UINT8)},
    {"m16n8k32", 16, 8, 32, 0, F(INT8) | F(UINT8) | F(INT4) | F(UINT4)},
    {"m16n8k64", 16, 8, 64, 0, F(INT4) | F(UINT4)},
    {"m16n8k128", 16, 8, 128, 0, F(BIT)},
    {"m16n8k256", 16, 8, 256, 0, F(BIT)},
#undef F
};

static bool refused(struct sl_ptx_parser *p, const struct sl_ptx_statement *st)
{
  const struct sl_ptx_token *last = st->modifier_count ? &st->modifiers[st->modifier_count - 1] : &st->opcode;
  return sl_ptx_error(p, &st->opcode, "simtlab does not support '%.*s': docs/how-to/ptx.md lists the supported forms",
                      (int)(last->text + last->length - st->opcode.text), st->opcode.text);
}

static struct sl_ptx_more *more_of(struct sl_ptx_parser *p, struct sl_ptx_statement *st, enum sl_ptx_kind kind,
                                   enum sl_ptx_tensor_mode mode)
{
  struct sl_ptx_more *more = calloc(1, sizeof *more);
  if (more == NULL) {
    p->status = sl_no_memory(p->err, sizeof *more);
    return NULL;
  }
  more->next = p->module->more;
  p->module->more = more;
  st->in.more = more;
  st->in.kind = (uint8_t)kind;
  st->in.class = kind == SL_PTX_K_TENSOR ? SL_PTX_C_MMA : SL_PTX_C_MEMORY;
  st->in.mode = (uint8_t)mode;
  return more;
}

static const struct shape *take_shape(struct sl_ptx_statement *st)
{
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (sl_ptx_modifier(st, shapes[i].name))
      return &shapes[i];
  return NULL;
}

static unsigned rows_of(const struct sl_ptx_more *more, unsigned matrix)
{
  return matrix == SL_PTX_B ? more->k : more->m;
}

static unsigned columns_of(const struct sl_ptx_more *more, unsigned matrix)
{
  return matrix == SL_PTX_A ? more->k : more->n;
}

/* Registers of a fragment: those of wmma for f16 hold some elements twice. */
static unsigned registers_of(const struct sl_ptx_more *more, unsigned matrix, bool wmma)
{
  const unsigned bits = format_bits[more->format[matrix]], each = bits < 32 ? 32 / bits : 1;
  const bool factor = matrix == SL_PTX_A || matrix == SL_PTX_B;
  if (factor && wmma && more->format[matrix] == SL_PTX_M_F16)
    return SL_PTX_FRAGMENT;
  return rows_of(more, matrix) * columns_of(more, matrix) / (SL_PTX_LANES * each);
}

/* The next .row or .col: 0 or 1; 2: there is none. */
static unsigned take_layout(struct sl_ptx_statement *st)
{
  for (unsigned i = 0; i < st->modifier_count; i++) {
    const bool row = sl_ptx_token_is(&st->modifiers[i], "row");
    if (!st->taken[i] && (row || sl_ptx_token_is(&st->modifiers[i], "col"))) {
      st->taken[i] = true;
      return row ? 0 : 1;
    }
  }
  return 2;
}

/* The registers of a matrix in an operand. */
static bool take_fragment(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand,
                          enum sl_ptx_matrix matrix, bool writes)
{
  const struct sl_ptx_operand *o = &st->operands[operand];
  struct sl_ptx_more *more = st->in.more;
  const unsigned count = o->vector ? o->count : 1, wanted = more->registers[matrix];
  const uint8_t format = more->format[matrix];
  const enum sl_ptx_type type = format == SL_PTX_M_F64 ? SL_PTX_F64 : format == SL_PTX_M_F32 ? SL_PTX_F32 : SL_PTX_B32;
  if (o->address || o->second.kind != SL_PTX_I_NONE || count != wanted)
    return sl_ptx_error(p, &o->at, "the fragment has %u register%s, not %u", wanted, wanted == 1 ? "" : "s", count);
  for (unsigned i = 0; i < count; i++) {
    struct sl_ptx_insn one = {.dsts = 0};
    const struct sl_ptx_item *item = o->vector ? sl_ptx_vector_item(p, o, i) : &o->item;
    if (!(writes ? sl_ptx_element : sl_ptx_source)(p, &one, item, type, true, &more->place[matrix][i]))
      return false;
    if (one.dsts > 0)
      more->dst[more->dsts++] = one.dst[0];
    if (one.srcs > 0)
      more->src[more->srcs++] = one.src[0];
  }
  return true;
}

/* The formats of d, a, b and c, in this order; those of a and b may be missing in wmma: they are f16. */
static bool take_formats(struct sl_ptx_statement *st, struct sl_ptx_more *more, bool wmma)
{
  uint8_t format[SL_PTX_MATRICES];
  unsigned count = 0;
  for (unsigned i = 0; i < st->modifier_count; i++)
    for (unsigned f = 0; f < SL_PTX_M_FORMATS; f++)
      if (!st->taken[i] && count < SL_PTX_MATRICES && sl_ptx_token_is(&st->modifiers[i], format_names[f])) {
        format[count++] = (uint8_t)f;
        st->taken[i] = true;
      }
  if (count == 2 && wmma) {
    format[SL_PTX_C] = format[1];
    format[SL_PTX_A] = format[SL_PTX_B] = SL_PTX_M_F16;
  } else if (count != SL_PTX_MATRICES) {
    return false;
  }
  for (unsigned i = 0; i < SL_PTX_MATRICES; i++)
    more->format[i] = format[i];
  return true;
}

static bool is_whole(uint8_t format)
{
  return format >= SL_PTX_M_INT8 && format != SL_PTX_M_INT32;
}

/* Whether the formats can be combined. */
static bool formats_fit(const struct sl_ptx_more *more)
{
  const uint8_t a = more->format[SL_PTX_A], b = more->format[SL_PTX_B], c = more->format[SL_PTX_C],
                d = more->format[SL_PTX_D];
  if (is_whole(a))
    return format_bits[a] == format_bits[b] && is_whole(b) && c == SL_PTX_M_INT32 && d == SL_PTX_M_INT32;
  if (a == SL_PTX_M_F16)
    return b == a && (c == SL_PTX_M_F16 || c == SL_PTX_M_F32) && (d == SL_PTX_M_F16 || d == SL_PTX_M_F32);
  const uint8_t sum = a == SL_PTX_M_F64 ? SL_PTX_M_F64 : SL_PTX_M_F32;
  return a == b && c == sum && d == sum;
}

/* The operation on bits: .xor.popc and .and.popc. */
static bool take_bits(struct sl_ptx_statement *st, struct sl_ptx_more *more)
{
  const unsigned operation = sl_ptx_modifier_of(st, (const char *const[]){"xor", "and", NULL}, 2);
  more->bits_and = operation == 1;
  const bool popc = sl_ptx_modifier(st, "popc");
  return more->format[SL_PTX_A] == SL_PTX_M_BIT ? operation < 2 && popc : operation == 2 && !popc;
}

/* d = a * b + c, of wmma.mma and mma. */
static bool multiply(struct sl_ptx_parser *p, struct sl_ptx_statement *st, bool wmma)
{
  enum { UNIT = 1024 }; /* bits of operands in a 64th of the work of 4096 multiply-adds of 16 bits */
  struct sl_ptx_more *more = more_of(p, st, SL_PTX_K_TENSOR, SL_PTX_TENSOR_MMA);
  if (more == NULL)
    return false;
  const bool sync = sl_ptx_modifier(st, "sync") && sl_ptx_modifier(st, "aligned");
  const struct shape *shape = take_shape(st);
  const unsigned a = take_layout(st), b = take_layout(st);
  st->in.saturate = sl_ptx_modifier(st, "satfinite");
  if (!sync || shape == NULL || !take_formats(st, more, wmma) || !formats_fit(more) || !take_bits(st, more) ||
      !((wmma ? shape->wmma : shape->mma) >> more->format[SL_PTX_A] & 1))
    return refused(p, st);
  (void)(more->format[SL_PTX_A] == SL_PTX_M_F64 && sl_ptx_modifier(st, "rn"));
  more->m = shape->m;
  more->n = shape->n;
  more->k = shape->k;
  const bool quads = !wmma && more->format[SL_PTX_A] == SL_PTX_M_F16 && shape->k == 4;
  st->in.mode = quads ? SL_PTX_TENSOR_QUADS : SL_PTX_TENSOR_MMA;
  more->column[SL_PTX_A] = a == 1;
  more->column[SL_PTX_B] = b == 1;
  const bool fixed = a == 0 && b == 1;
  if (a == 2 || b == 2 || (!fixed && !quads && !(wmma && format_bits[more->format[SL_PTX_A]] >= 8)))
    return refused(p, st);
  more->share =
      (uint8_t)((quads ? 4u : 1u) * shape->m * shape->n * shape->k * format_bits[more->format[SL_PTX_A]] / UNIT);
  for (unsigned i = 0; i < SL_PTX_MATRICES; i++) {
    const bool factor = i == SL_PTX_A || i == SL_PTX_B;
    more->registers[i] = (uint8_t)(!quads                            ? registers_of(more, i, wmma)
                                   : factor                          ? 2
                                   : more->format[i] == SL_PTX_M_F16 ? SL_PTX_FRAGMENT / 2
                                                                     : SL_PTX_FRAGMENT);
  }
  if (!sl_ptx_operands_are(p, st, 4, 4) || !sl_ptx_modifiers_known(p, st))
    return false;
  for (unsigned i = 0; i < SL_PTX_MATRICES; i++)
    if (!take_fragment(p, st, i, (enum sl_ptx_matrix)i, i == SL_PTX_D))
      return false;
  return true;
}

bool sl_ptx_form_mma(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  return multiply(p, st, false);
}

/* wmma.load has the format of one matrix, which must exist in that shape. */
static bool take_tile(struct sl_ptx_statement *st, struct sl_ptx_more *more, enum sl_ptx_matrix matrix)
{
  const struct shape *shape = take_shape(st);
  const unsigned format = sl_ptx_modifier_of(st, format_names, SL_PTX_M_FORMATS);
  const unsigned layout = take_layout(st);
  if (shape == NULL || format == SL_PTX_M_FORMATS || layout == 2)
    return false;
  const bool factor = matrix == SL_PTX_A || matrix == SL_PTX_B;
  static const uint8_t sums[SL_PTX_M_FORMATS] = {
      [SL_PTX_M_BF16] = SL_PTX_M_F32,    [SL_PTX_M_TF32] = SL_PTX_M_F32,    [SL_PTX_M_F64] = SL_PTX_M_F64,
      [SL_PTX_M_INT8] = SL_PTX_M_INT32,  [SL_PTX_M_UINT8] = SL_PTX_M_INT32, [SL_PTX_M_INT4] = SL_PTX_M_INT32,
      [SL_PTX_M_UINT4] = SL_PTX_M_INT32, [SL_PTX_M_BIT] = SL_PTX_M_INT32};
  bool exists = factor && shape->wmma >> format & 1;
  for (unsigned f = 0; f < SL_PTX_M_FORMATS && !factor; f++)
    exists |= (shape->wmma >> f & 1) &&
              (f == SL_PTX_M_F16 ? format == SL_PTX_M_F16 || format == SL_PTX_M_F32 : format == sums[f]);
  more->m = shape->m;
  more->n = shape->n;
  more->k = shape->k;
  more->format[matrix] = (uint8_t)format;
  more->column[matrix] = layout == 1;
  more->matrix = (uint8_t)matrix;
  more->registers[matrix] = (uint8_t)registers_of(more, matrix, true);
  const unsigned rows = rows_of(more, matrix), columns = columns_of(more, matrix);
  more->lines = (uint8_t)(layout == 1 ? columns : rows);
  more->line_bytes = (uint8_t)((layout == 1 ? rows : columns) * format_bits[format] / 8);
  return exists && (format_bits[format] >= 8 || layout == (matrix == SL_PTX_B));
}

/* wmma.load.a d, [address], stride; wmma.store.d [address], d, stride: the stride in elements may be missing. */
static bool tile(struct sl_ptx_parser *p, struct sl_ptx_statement *st, bool store)
{
  struct sl_ptx_more *more = more_of(p, st, SL_PTX_K_TILE, SL_PTX_TILE_MATRIX);
  if (more == NULL)
    return false;
  const unsigned matrix = sl_ptx_modifier_of(st, (const char *const[]){"d", "a", "b", "c", NULL}, SL_PTX_MATRICES);
  const bool sync = sl_ptx_modifier(st, "sync") && sl_ptx_modifier(st, "aligned");
  sl_ptx_take_space(st);
  if (!sync || matrix == SL_PTX_MATRICES || (matrix == SL_PTX_D) != store ||
      !take_tile(st, more, (enum sl_ptx_matrix)matrix))
    return refused(p, st);
  more->store = store;
  if (!sl_ptx_operands_are(p, st, 2, 3) || !sl_ptx_modifiers_known(p, st) ||
      !sl_ptx_take_address(p, st, store ? 0 : 1) ||
      !take_fragment(p, st, store ? 1 : 0, (enum sl_ptx_matrix)matrix, !store))
    return false;
  const uint32_t elements = more->line_bytes * 8u / format_bits[more->format[matrix]];
  st->in.b = sl_ptx_constant(p, elements, false);
  return st->operand_count == 2 || sl_ptx_take_source(p, st, 2, SL_PTX_B32, true, &st->in.b);
}

bool sl_ptx_form_wmma(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  switch (sl_ptx_modifier_of(st, (const char *const[]){"load", "store", "mma", NULL}, 3)) {
  case 0: return tile(p, st, false);
  case 1: return tile(p, st, true);
  case 2: return multiply(p, st, true);
  default: return refused(p, st);
  }
}

bool sl_ptx_form_matrix(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned store)
{
  enum { LINES = 8, LINE = 16 };
  struct sl_ptx_more *more = more_of(p, st, SL_PTX_K_TILE, SL_PTX_TILE_ROWS);
  if (more == NULL)
    return false;
  const bool known = sl_ptx_modifier(st, "sync") && sl_ptx_modifier(st, "aligned") && sl_ptx_modifier(st, "m8n8");
  const unsigned count = sl_ptx_modifier_of(st, (const char *const[]){"x1", "x2", "x4", NULL}, 3);
  more->transposed = sl_ptx_modifier(st, "trans");
  sl_ptx_take_space(st);
  if (!known || count == 3 || !sl_ptx_modifier(st, "b16") ||
      (st->in.space != SL_PTX_SHARED && st->in.space != SL_PTX_GENERIC))
    return refused(p, st);
  more->registers[SL_PTX_D] = (uint8_t)(1u << count);
  more->format[SL_PTX_D] = SL_PTX_M_F16;
  more->matrix = SL_PTX_D;
  more->store = store;
  more->lines = (uint8_t)(LINES << count);
  more->line_bytes = LINE;
  return sl_ptx_operands_are(p, st, 2, 2) && sl_ptx_modifiers_known(p, st) &&
         sl_ptx_take_address(p, st, store ? 0 : 1) && take_fragment(p, st, store ? 1 : 0, SL_PTX_D, !store);
}

bool sl_ptx_form_movmatrix(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused)
{
  (void)unused;
  struct sl_ptx_more *more = more_of(p, st, SL_PTX_K_TENSOR, SL_PTX_TENSOR_MOVE);
  if (more == NULL)
    return false;
  st->in.class = SL_PTX_C_SHFL;
  if (!sl_ptx_modifier(st, "sync") || !sl_ptx_modifier(st, "aligned") || !sl_ptx_modifier(st, "m8n8") ||
      !sl_ptx_modifier(st, "trans") || !sl_ptx_modifier(st, "b16"))
    return refused(p, st);
  more->registers[SL_PTX_D] = more->registers[SL_PTX_A] = 1;
  return sl_ptx_operands_are(p, st, 2, 2) && sl_ptx_modifiers_known(p, st) && take_fragment(p, st, 0, SL_PTX_D, true) &&
         take_fragment(p, st, 1, SL_PTX_A, false);
}
