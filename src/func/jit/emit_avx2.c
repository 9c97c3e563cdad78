/* Row operations on AVX2 hosts: 256 bits; a condition is a vector of all-ones or all-zeros lanes. In the variant `some`
 * the active lanes are such a row of the frame. */
#include "func/jit/emit_block.h"

enum { RESULT = 12, OTHER, MASK, SUM /* vector registers that hold no copies */ };

#define SL_VECTOR(name, map, prefix, opcode) static const struct sl_x86_vector name = {map, prefix, opcode};
SL_VECTOR(equal, 1, 1, 0x76)   /* vpcmpeqd */
SL_VECTOR(greater, 1, 1, 0x66) /* vpcmpgtd */
SL_VECTOR(test, 2, 1, 0x17)    /* vptest */
SL_VECTOR(masked_store, 2, 1, 0x8e)
SL_VECTOR(minimum, 2, 1, 0x3b) /* vpminud */
#undef SL_VECTOR

#define SIGN (UINT32_C(1) << 31)

static void masks(struct sl_emit_rows *c)
{
  (void)c; /* the masks are in the frame */
}

static struct sl_x86_place mask_of(const struct sl_emit_rows *c, unsigned part)
{
  return sl_emit_part(c, SL_EMIT_FIELD(mask), part);
}

static void vector(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, unsigned b)
{
  sl_x86_vex(&c->x, op, c->bits, d, a, b);
}

static void at(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, struct sl_x86_place b)
{
  sl_x86_vex_place(&c->x, op, c->bits, d, a, b, 0);
}

static void word(struct sl_emit_rows *c, unsigned d, struct sl_x86_place from)
{
  at(c, sl_x86_vector_broadcast, d, 0, from);
}

static void number(struct sl_emit_rows *c, unsigned d, uint32_t value)
{
  word(c, d, sl_x86_constant(value));
}

static void each_part(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned slot, struct sl_x86_place place)
{
  for (unsigned p = 0; p < c->parts; p++)
    at(c, op, sl_emit_vector(c, slot, p), 0, sl_emit_part(c, place, p));
}

static void load(struct sl_emit_rows *c, unsigned d, struct sl_x86_place from)
{
  each_part(c, sl_x86_vector_load, d, from);
}

static void store(struct sl_emit_rows *c, unsigned a, struct sl_x86_place to)
{
  each_part(c, sl_x86_vector_store, a, to);
}

/* target: the register for the new value of a part of d. finish: blends it into the active lanes of d. */
static unsigned target(const struct sl_emit_rows *c, unsigned d, unsigned p)
{
  return c->some ? RESULT : sl_emit_vector(c, d, p);
}

static void finish(struct sl_emit_rows *c, unsigned d, unsigned p)
{
  if (!c->some)
    return;
  const unsigned old = sl_emit_vector(c, d, p);
  at(c, sl_x86_vector_load, MASK, 0, mask_of(c, p));
  sl_x86_vex_blend(&c->x, c->bits, old, old, RESULT, MASK);
}

static void unary(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a)
{
  for (unsigned p = 0; p < c->parts; p++) {
    vector(c, op, target(c, d, p), 0, sl_emit_vector(c, a, p));
    finish(c, d, p);
  }
}

static void spread(struct sl_emit_rows *c, unsigned d, struct sl_x86_place from)
{
  for (unsigned p = 0; p < c->parts; p++) {
    word(c, target(c, d, p), from);
    finish(c, d, p);
  }
}

/* A part of the second operand; a word operand is already in OTHER. */
static unsigned operand(const struct sl_emit_rows *c, struct sl_emit_operand b, unsigned p)
{
  return b.word ? OTHER : sl_emit_vector(c, b.slot, p);
}

static void fetch(struct sl_emit_rows *c, struct sl_emit_operand b)
{
  if (b.word)
    word(c, OTHER, b.place);
}

static void op(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, struct sl_emit_operand b)
{
  fetch(c, b);
  for (unsigned p = 0; p < c->parts; p++) {
    vector(c, op, target(c, d, p), sl_emit_vector(c, a, p), operand(c, b, p));
    finish(c, d, p);
  }
}

static void shift(struct sl_emit_rows *c, unsigned member, unsigned d, unsigned a, unsigned bits)
{
  for (unsigned p = 0; p < c->parts; p++) {
    vector(c, sl_x86_vector_shift_number, member, target(c, d, p), sl_emit_vector(c, a, p));
    sl_x86_tail(&c->x, (uint8_t)bits);
    finish(c, d, p);
  }
}

static void shift_by(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, struct sl_emit_operand b)
{
  fetch(c, b);
  number(c, SUM, 31);
  for (unsigned p = 0; p < c->parts; p++) {
    vector(c, sl_x86_vector_and, RESULT, SUM, operand(c, b, p));
    vector(c, op, target(c, d, p), sl_emit_vector(c, a, p), RESULT);
    finish(c, d, p);
  }
}

static bool is_unsigned(enum sl_emit_relation relation)
{
  return relation == SL_EMIT_BELOW || relation == SL_EMIT_NOT_BELOW;
}

/* The code computes the opposite relation. */
static bool inverts(enum sl_emit_relation relation)
{
  return relation == SL_EMIT_UNEQUAL || relation == SL_EMIT_NOT_LESS || relation == SL_EMIT_NOT_BELOW;
}

/* RESULT = the lanes of a part where the relation holds (or does not hold, if inverted). For unsigned numbers SUM holds
 * the sign bit, which maps their order to that of signed numbers. */
static void relation_of(struct sl_emit_rows *c, enum sl_emit_relation relation, unsigned a, unsigned b)
{
  if (relation == SL_EMIT_EQUAL || relation == SL_EMIT_UNEQUAL) {
    vector(c, equal, RESULT, a, b);
  } else if (is_unsigned(relation)) {
    vector(c, sl_x86_vector_xor, RESULT, SUM, a);
    vector(c, sl_x86_vector_xor, MASK, SUM, b);
    vector(c, greater, RESULT, MASK, RESULT);
  } else {
    vector(c, greater, RESULT, b, a);
  }
}

static void relate(struct sl_emit_rows *c, enum sl_emit_relation relation, unsigned d, unsigned a,
                   struct sl_emit_operand b)
{
  enum { RIGHT = 2 };
  fetch(c, b);
  if (is_unsigned(relation))
    number(c, SUM, SIGN);
  for (unsigned p = 0; p < c->parts; p++) {
    relation_of(c, relation, sl_emit_vector(c, a, p), operand(c, b, p));
    vector(c, sl_x86_vector_shift_number, RIGHT, target(c, d, p), RESULT);
    sl_x86_tail(&c->x, 31);
    finish(c, d, p);
  }
}

static void relate_floats(struct sl_emit_rows *c, unsigned predicate, unsigned d, unsigned a, unsigned b)
{
  enum { RIGHT = 2 };
  for (unsigned p = 0; p < c->parts; p++) {
    vector(c, sl_x86_vector_float_compare, RESULT, sl_emit_vector(c, a, p), sl_emit_vector(c, b, p));
    sl_x86_tail(&c->x, (uint8_t)predicate);
    vector(c, sl_x86_vector_shift_number, RIGHT, target(c, d, p), RESULT);
    sl_x86_tail(&c->x, 31);
    finish(c, d, p);
  }
}

static void compare(struct sl_emit_rows *c, enum sl_emit_relation relation, unsigned a, struct sl_emit_operand b)
{
  struct sl_x86 *x = &c->x;
  const unsigned words = c->bits / 32;
  fetch(c, b);
  if (is_unsigned(relation))
    number(c, SUM, SIGN);
  for (unsigned p = 0; p < c->parts; p++) {
    relation_of(c, relation, sl_emit_vector(c, a, p), operand(c, b, p));
    sl_x86_vex_signs(x, c->bits, p == 0 ? SL_RAX : SL_RCX, RESULT);
    if (p == 0)
      continue;
    sl_x86_shift_left(x, SL_RCX, p * words);
    sl_x86_binary(x, SL_X86_OR, SL_RAX, SL_RCX);
  }
  if (inverts(relation))
    sl_x86_binary_number(x, SL_X86_XOR, SL_RAX, (uint32_t)sl_low_bits(c->lanes));
  if (c->some)
    sl_x86_binary(x, SL_X86_AND, SL_RAX, SL_EMIT_ACTIVE);
}

static void choose(struct sl_emit_rows *c, unsigned d, unsigned a, unsigned b, bool where_zero)
{
  vector(c, sl_x86_vector_xor, SUM, SUM, SUM);
  for (unsigned p = 0; p < c->parts; p++) {
    vector(c, equal, RESULT, SUM, sl_emit_vector(c, b, p));
    vector(c, where_zero ? sl_x86_vector_and : sl_x86_vector_and_not, target(c, d, p), RESULT, sl_emit_vector(c, a, p));
    finish(c, d, p);
  }
}

static void float_op(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, unsigned b, bool single)
{
  enum { UNORDERED = 3 };
  number(c, SUM, 0x7fc00000);
  for (unsigned p = 0; p < c->parts; p++) {
    vector(c, op, RESULT, single ? 0 : sl_emit_vector(c, a, p), sl_emit_vector(c, single ? a : b, p));
    vector(c, sl_x86_vector_float_compare, OTHER, RESULT, RESULT);
    sl_x86_tail(&c->x, UNORDERED);
    sl_x86_vex_blend(&c->x, c->bits, target(c, d, p), RESULT, SUM, OTHER);
    finish(c, d, p);
  }
}

/* A value that is too large, or a NaN, becomes the greatest integer; a value that is too small already is the least. */
static void float_to_int(struct sl_emit_rows *c, unsigned d, unsigned a)
{
  enum { NOT_LESS_OR_UNORDERED = 21 };
  for (unsigned p = 0; p < c->parts; p++) {
    const unsigned from = sl_emit_vector(c, a, p);
    number(c, SUM, 0x4f000000);
    vector(c, sl_x86_vector_float_compare, OTHER, from, SUM);
    sl_x86_tail(&c->x, NOT_LESS_OR_UNORDERED);
    number(c, SUM, INT32_MAX);
    vector(c, sl_x86_vector_float_truncate, RESULT, 0, from);
    sl_x86_vex_blend(&c->x, c->bits, target(c, d, p), RESULT, SUM, OTHER);
    finish(c, d, p);
  }
}

/* Accumulates the differences of active lanes in SUM. jump_if_any jumps if SUM is not 0. */
static void bring(struct sl_emit_rows *c, unsigned p)
{
  if (c->some)
    at(c, sl_x86_vector_and, RESULT, RESULT, mask_of(c, p));
  vector(c, sl_x86_vector_or, SUM, SUM, RESULT);
}

static size_t jump_if_any(struct sl_emit_rows *c)
{
  vector(c, test, SUM, 0, SUM);
  return sl_x86_jump(&c->x, SL_X86_UNEQUAL);
}

static size_t unless_equal(struct sl_emit_rows *c, unsigned a, struct sl_x86_place from)
{
  word(c, OTHER, from);
  vector(c, sl_x86_vector_xor, SUM, SUM, SUM);
  for (unsigned p = 0; p < c->parts; p++) {
    vector(c, sl_x86_vector_xor, RESULT, OTHER, sl_emit_vector(c, a, p));
    bring(c, p);
  }
  return jump_if_any(c);
}

static size_t unless_apart(struct sl_emit_rows *c, unsigned a, struct sl_x86_place from, struct sl_x86_place row)
{
  word(c, OTHER, from);
  vector(c, sl_x86_vector_xor, SUM, SUM, SUM);
  for (unsigned p = 0; p < c->parts; p++) {
    vector(c, sl_x86_vector_subtract, RESULT, sl_emit_vector(c, a, p), OTHER);
    at(c, sl_x86_vector_xor, RESULT, RESULT, sl_emit_part(c, row, p));
    bring(c, p);
  }
  return jump_if_any(c);
}

static void load_units(struct sl_emit_rows *c, const struct sl_insn *in, unsigned d, struct sl_x86_place from)
{
  for (unsigned p = 0; p < c->parts; p++) {
    at(c, sl_emit_loader(in), target(c, d, p), 0, from);
    finish(c, d, p);
    from.displacement += (int32_t)(c->bits / 32 * in->width);
  }
}

static bool stores_units(unsigned width)
{
  return width == 4;
}

static void store_units(struct sl_emit_rows *c, const struct sl_insn *in, unsigned a, struct sl_x86_place to)
{
  (void)in;
  if (!c->some) {
    store(c, a, to);
    return;
  }
  for (unsigned p = 0; p < c->parts; p++) {
    at(c, sl_x86_vector_load, MASK, 0, mask_of(c, p));
    at(c, masked_store, sl_emit_vector(c, a, p), MASK, sl_emit_part(c, to, p)); /* vpmaskmovd */
  }
}

/* ---- words at arbitrary addresses ------------------------------------------------------------------------------- */

enum { PLACE = RESULT, OFF = OTHER, BAD = SUM };

/* PLACE = the addresses of a part. */
static void place_of(struct sl_emit_rows *c, const struct sl_insn *in, unsigned slot, unsigned p)
{
  word(c, PLACE, sl_x86_constant(in->imm));
  vector(c, sl_x86_vector_add, PLACE, PLACE, sl_emit_vector(c, slot, p));
}

/* BAD |= OFF in the active lanes. */
static void bring_bad(struct sl_emit_rows *c, unsigned p)
{
  if (c->some)
    at(c, sl_x86_vector_and, OFF, OFF, mask_of(c, p));
  vector(c, sl_x86_vector_or, BAD, BAD, OFF);
}

/* For an address beyond the last word of data, the minimum of the two differs from it. */
static void add_bad(struct sl_emit_rows *c, unsigned p)
{
  word(c, MASK, sl_x86_constant(3));
  vector(c, sl_x86_vector_and, OFF, MASK, PLACE);
  bring_bad(c, p);
  word(c, MASK, SL_EMIT_FIELD(low));
  vector(c, sl_x86_vector_subtract, PLACE, PLACE, MASK);
  word(c, MASK, SL_EMIT_FIELD(single));
  vector(c, minimum, OFF, PLACE, MASK);
  vector(c, sl_x86_vector_xor, OFF, OFF, PLACE);
  bring_bad(c, p);
}

static void gather_words(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_rows *c = &e->c;
  struct sl_x86 *x = &c->x;
  vector(c, sl_x86_vector_xor, BAD, BAD, BAD);
  for (unsigned p = 0; p < c->parts; p++) {
    place_of(c, in, a->slot, p);
    add_bad(c, p);
  }
  vector(c, test, BAD, 0, BAD);
  sl_emit_ask(e, a, SL_X86_UNEQUAL);
  sl_emit_base_of_signed(x);
  word(c, OFF, sl_x86_constant(SL_EMIT_SIGN));
  for (unsigned p = 0; p < c->parts; p++) {
    place_of(c, in, a->slot, p);
    vector(c, sl_x86_vector_xor, PLACE, PLACE, OFF);
    if (c->some)
      at(c, sl_x86_vector_load, MASK, 0, mask_of(c, p));
    else
      vector(c, equal, MASK, MASK, MASK);
    sl_x86_vex_gather(x, c->bits, sl_emit_vector(c, a->other, p), SL_RDX, PLACE, MASK);
  }
}

static void words(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  if (in->kind == SL_KIND_LOAD && !e->filled)
    gather_words(e, in, a);
  else
    sl_emit_ask(e, a, SL_X86_ALWAYS);
}

const struct sl_emit_level sl_emit_avx2 = {
    .bits = 256,
    .vectors = 12,
    .masks_in_frame = true,
    .masks = masks,
    .load = load,
    .store = store,
    .unary = unary,
    .spread = spread,
    .op = op,
    .shift = shift,
    .shift_by = shift_by,
    .relate = relate,
    .relate_floats = relate_floats,
    .compare = compare,
    .choose = choose,
    .float_op = float_op,
    .float_to_int = float_to_int,
    .unless_equal = unless_equal,
    .unless_apart = unless_apart,
    .load_units = load_units,
    .stores_units = stores_units,
    .store_units = store_units,
    .words = words,
};
