/* Row operations on AVX-512 hosts: 512 bits and mask registers. In the variant `some` k1 and k2 hold the active lanes
 * of the two parts of a row. */
#include "func/jit/emit_rows.h"

enum { ONES = 28, COUNT, ACTIVE = 1 /* and 2: mask registers */, RESULT = 3 /* and 4 */ };

static const struct sl_x86_vector compare_signed = {3, 1, 0x1f}, compare_unsigned = {3, 1, 0x1e}, /* vpcmpd, vpcmpud */
    test = {2, 1, 0x27}, test_not = {2, 2, 0x27};                                                 /* vptestmd */

enum { IS_EQUAL, IS_LESS, IS_UNEQUAL = 4, IS_NOT_LESS };

static struct sl_x86_lanes every(const struct sl_emit_rows *c)
{
  return (struct sl_x86_lanes){.bits = c->bits};
}

static struct sl_x86_lanes active(const struct sl_emit_rows *c, unsigned part)
{
  return (struct sl_x86_lanes){.bits = c->bits, .mask = (uint8_t)(c->some ? ACTIVE + part : 0)};
}

static void masks(struct sl_emit_rows *c)
{
  sl_x86_mask_from(&c->x, ACTIVE, SL_EMIT_ACTIVE);
  if (c->parts == 1)
    return;
  sl_x86_move(&c->x, SL_RCX, SL_EMIT_ACTIVE);
  sl_x86_shift_right(&c->x, SL_RCX, 16);
  sl_x86_mask_from(&c->x, ACTIVE + 1, SL_RCX);
}

static void each_part(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned slot, struct sl_x86_place place)
{
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector_place(&c->x, op, every(c), sl_emit_vector(c, slot, p), 0, sl_emit_part(c, place, p), c->bits / 8,
                        false, 0);
}

static void load(struct sl_emit_rows *c, unsigned d, struct sl_x86_place from)
{
  each_part(c, sl_x86_vector_load, d, from);
}

static void store(struct sl_emit_rows *c, unsigned a, struct sl_x86_place to)
{
  each_part(c, sl_x86_vector_store, a, to);
}

static void unary(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a)
{
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector(&c->x, op, active(c, p), sl_emit_vector(c, d, p), 0, sl_emit_vector(c, a, p));
}

static void spread(struct sl_emit_rows *c, unsigned d, struct sl_x86_place word)
{
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector_place(&c->x, sl_x86_vector_broadcast, active(c, p), sl_emit_vector(c, d, p), 0, word, 4, false, 0);
}

/* d (a vector or mask register) = a op b, with `tail` more bytes of the instruction. */
static void apply(struct sl_emit_rows *c, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned d, unsigned a,
                  struct sl_emit_operand b, unsigned part, unsigned tail)
{
  if (b.word)
    sl_x86_vector_place(&c->x, op, lanes, d, a, b.place, 4, true, tail);
  else
    sl_x86_vector(&c->x, op, lanes, d, a, sl_emit_vector(c, b.slot, part));
}

static void op(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, struct sl_emit_operand b)
{
  for (unsigned p = 0; p < c->parts; p++)
    apply(c, op, active(c, p), sl_emit_vector(c, d, p), sl_emit_vector(c, a, p), b, p, 0);
}

static void shift(struct sl_emit_rows *c, unsigned member, unsigned d, unsigned a, unsigned bits)
{
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector(&c->x, sl_x86_vector_shift_number, active(c, p), member, sl_emit_vector(c, d, p),
                  sl_emit_vector(c, a, p));
    sl_x86_tail(&c->x, (uint8_t)bits);
  }
}

static void shift_by(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, struct sl_emit_operand b)
{
  sl_x86_vector_place(&c->x, sl_x86_vector_broadcast, every(c), ONES, 0, sl_x86_constant(31), 4, false, 0);
  for (unsigned p = 0; p < c->parts; p++) {
    apply(c, sl_x86_vector_and, every(c), COUNT, ONES, b, p, 0);
    sl_x86_vector(&c->x, op, active(c, p), sl_emit_vector(c, d, p), sl_emit_vector(c, a, p), COUNT);
  }
}

/* d = the values of `from` in the lanes of a mask register, else 0. */
static void masked(struct sl_emit_rows *c, unsigned d, unsigned p, unsigned from)
{
  struct sl_x86_lanes there = {.bits = c->bits, .mask = RESULT, .zeroing = true};
  if (!c->some) {
    sl_x86_vector(&c->x, sl_x86_vector_load, there, sl_emit_vector(c, d, p), 0, from);
    return;
  }
  sl_x86_vector(&c->x, sl_x86_vector_load, there, COUNT, 0, from);
  sl_x86_vector(&c->x, sl_x86_vector_load, active(c, p), sl_emit_vector(c, d, p), 0, COUNT);
}

/* Sets a mask register to the lanes of a part where the relation holds. */
static void relation_of(struct sl_emit_rows *c, enum sl_emit_relation relation, struct sl_x86_lanes lanes,
                        unsigned mask, unsigned a, struct sl_emit_operand b, unsigned p)
{
  static const uint8_t code[] = {
      [SL_EMIT_EQUAL] = IS_EQUAL, [SL_EMIT_UNEQUAL] = IS_UNEQUAL,   [SL_EMIT_LESS] = IS_LESS,
      [SL_EMIT_BELOW] = IS_LESS,  [SL_EMIT_NOT_LESS] = IS_NOT_LESS, [SL_EMIT_NOT_BELOW] = IS_NOT_LESS};
  const bool is_unsigned = relation == SL_EMIT_BELOW || relation == SL_EMIT_NOT_BELOW;
  apply(c, is_unsigned ? compare_unsigned : compare_signed, lanes, mask, sl_emit_vector(c, a, p), b, p, 1);
  sl_x86_tail(&c->x, code[relation]);
}

static void ones(struct sl_emit_rows *c)
{
  sl_x86_vector_place(&c->x, sl_x86_vector_broadcast, every(c), ONES, 0, sl_x86_constant(1), 4, false, 0);
}

static void relate(struct sl_emit_rows *c, enum sl_emit_relation relation, unsigned d, unsigned a,
                   struct sl_emit_operand b)
{
  ones(c);
  for (unsigned p = 0; p < c->parts; p++) {
    relation_of(c, relation, every(c), RESULT, a, b, p);
    masked(c, d, p, ONES);
  }
}

static void relate_floats(struct sl_emit_rows *c, unsigned predicate, unsigned d, unsigned a, unsigned b)
{
  ones(c);
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector(&c->x, sl_x86_vector_float_compare, every(c), RESULT, sl_emit_vector(c, a, p),
                  sl_emit_vector(c, b, p));
    sl_x86_tail(&c->x, (uint8_t)predicate);
    masked(c, d, p, ONES);
  }
}

static void compare(struct sl_emit_rows *c, enum sl_emit_relation relation, unsigned a, struct sl_emit_operand b)
{
  for (unsigned p = 0; p < c->parts; p++)
    relation_of(c, relation, active(c, p), RESULT + p, a, b, p);
  if (c->parts == 2)
    sl_x86_mask_join(&c->x, RESULT, RESULT + 1, RESULT);
  sl_x86_mask_to(&c->x, SL_RAX, RESULT);
}

static void choose(struct sl_emit_rows *c, unsigned d, unsigned a, unsigned b, bool where_zero)
{
  for (unsigned p = 0; p < c->parts; p++) {
    const unsigned vector = sl_emit_vector(c, b, p);
    sl_x86_vector(&c->x, where_zero ? test_not : test, every(c), RESULT, vector, vector);
    masked(c, d, p, sl_emit_vector(c, a, p));
  }
}

static void float_op(struct sl_emit_rows *c, struct sl_x86_vector op, unsigned d, unsigned a, unsigned b, bool single)
{
  enum { UNORDERED = 3 };
  const struct sl_x86_lanes nan = {.bits = c->bits, .mask = RESULT};
  for (unsigned p = 0; p < c->parts; p++) {
    const unsigned result = c->some ? COUNT : sl_emit_vector(c, d, p);
    sl_x86_vector(&c->x, op, every(c), result, single ? 0 : sl_emit_vector(c, a, p),
                  sl_emit_vector(c, single ? a : b, p));
    sl_x86_vector(&c->x, sl_x86_vector_float_compare, every(c), RESULT, result, result);
    sl_x86_tail(&c->x, UNORDERED);
    sl_x86_vector_place(&c->x, sl_x86_vector_broadcast, nan, result, 0, sl_x86_constant(0x7fc00000), 4, false, 0);
    if (c->some)
      sl_x86_vector(&c->x, sl_x86_vector_load, active(c, p), sl_emit_vector(c, d, p), 0, COUNT);
  }
}

/* A value that is too large, or a NaN, becomes the greatest integer; a value that is too small already is the least. */
static void float_to_int(struct sl_emit_rows *c, unsigned d, unsigned a)
{
  enum { NOT_LESS_OR_UNORDERED = 21 };
  const struct sl_x86_lanes great = {.bits = c->bits, .mask = RESULT};
  for (unsigned p = 0; p < c->parts; p++) {
    const unsigned from = sl_emit_vector(c, a, p);
    sl_x86_vector_place(&c->x, sl_x86_vector_float_compare, every(c), RESULT, from, sl_x86_constant(0x4f000000), 4,
                        true, 1);
    sl_x86_tail(&c->x, NOT_LESS_OR_UNORDERED);
    sl_x86_vector(&c->x, sl_x86_vector_float_truncate, every(c), COUNT, 0, from);
    sl_x86_vector_place(&c->x, sl_x86_vector_broadcast, great, COUNT, 0, sl_x86_constant(INT32_MAX), 4, false, 0);
    sl_x86_vector(&c->x, sl_x86_vector_load, active(c, p), sl_emit_vector(c, d, p), 0, COUNT);
  }
}

static size_t jump_if_any(struct sl_emit_rows *c)
{
  sl_x86_mask_test(&c->x, RESULT, RESULT + c->parts - 1);
  return sl_x86_jump(&c->x, SL_X86_UNEQUAL);
}

static size_t unless_equal(struct sl_emit_rows *c, unsigned a, struct sl_x86_place word)
{
  for (unsigned p = 0; p < c->parts; p++)
    relation_of(c, SL_EMIT_UNEQUAL, active(c, p), RESULT + p, a, sl_emit_word(word), p);
  return jump_if_any(c);
}

static size_t unless_apart(struct sl_emit_rows *c, unsigned a, struct sl_x86_place word, struct sl_x86_place row)
{
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector_place(&c->x, sl_x86_vector_subtract, every(c), COUNT, sl_emit_vector(c, a, p), word, 4, true, 0);
    sl_x86_vector_place(&c->x, compare_signed, active(c, p), RESULT + p, COUNT, sl_emit_part(c, row, p), c->bits / 8,
                        false, 1);
    sl_x86_tail(&c->x, IS_UNEQUAL);
  }
  return jump_if_any(c);
}

/* Loads whole vectors, even for some lanes. Inactive lanes may read pages that the host has not allocated. A masked
 * load then takes hundreds of cycles each time, because it does not allocate them. */
static void load_units(struct sl_emit_rows *c, const struct sl_insn *in, unsigned d, struct sl_x86_place from)
{
  const unsigned bytes = c->bits / 32 * in->width;
  for (unsigned p = 0; p < c->parts; p++) {
    const unsigned to = c->some ? COUNT : sl_emit_vector(c, d, p);
    sl_x86_vector_place(&c->x, sl_emit_loader(in), every(c), to, 0, from, bytes, false, 0);
    if (c->some)
      sl_x86_vector(&c->x, sl_x86_vector_load, active(c, p), sl_emit_vector(c, d, p), 0, COUNT);
    from.displacement += (int32_t)bytes;
  }
}

static bool stores_units(unsigned width)
{
  (void)width;
  return true;
}

static void store_units(struct sl_emit_rows *c, const struct sl_insn *in, unsigned a, struct sl_x86_place to)
{
  static const struct sl_x86_vector movers[] = {[1] = {2, 2, 0x31}, [2] = {2, 2, 0x33}}; /* vpmovdb, vpmovdw */
  const struct sl_x86_vector mover = in->width == 4 ? sl_x86_vector_store : movers[in->width];
  const unsigned bytes = c->bits / 32 * in->width;
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector_place(&c->x, mover, active(c, p), sl_emit_vector(c, a, p), 0, to, bytes, false, 0);
    to.displacement += (int32_t)bytes;
  }
}

const struct sl_emit_level sl_emit_avx512 = {
    .bits = 512,
    .vectors = 28,
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
};
