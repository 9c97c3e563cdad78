/* Row operations on AVX-512 hosts: 512 bits and mask registers. In the variant `some` k1 and k2 hold the active lanes
 * of the two parts of a row. */
#include "func/jit/emit_block.h"

/* Vector registers 28 to 31 hold no copies. */
enum { ONES = 28, COUNT, ADDRESS = 28 /* and 29 */, SPARE = 30 /* and 31 */ };
enum { ACTIVE = 1 /* and 2: mask registers */, RESULT = 3 /* and 4 */ };

#define SL_VECTOR(name, map, prefix, opcode) static const struct sl_x86_vector name = {map, prefix, opcode};
SL_VECTOR(compare_signed, 3, 1, 0x1f)   /* vpcmpd */
SL_VECTOR(compare_unsigned, 3, 1, 0x1e) /* vpcmpud */
SL_VECTOR(test, 2, 1, 0x27)             /* vptestmd */
SL_VECTOR(test_not, 2, 2, 0x27)         /* vptestnmd */
SL_VECTOR(conflicts, 2, 1, 0xc4)        /* vpconflictd */
SL_VECTOR(gather, 2, 1, 0x90)           /* vpgatherdd */
SL_VECTOR(scatter, 2, 1, 0xa0)          /* vpscatterdd */
#undef SL_VECTOR

enum { IS_EQUAL, IS_LESS, IS_UNEQUAL = 4, IS_NOT_LESS, IS_GREATER };

static struct sl_x86_lanes every(const struct sl_emit_rows *c)
{
  return (struct sl_x86_lanes){.bits = c->bits};
}

static struct sl_x86_lanes active(const struct sl_emit_rows *c, unsigned part)
{
  return (struct sl_x86_lanes){.bits = c->bits, .mask = (uint8_t)(c->some ? ACTIVE + part : 0)};
}

/* d = a op the word at a place, in every lane; `tail`: further bytes of the instruction. */
static void with_word(struct sl_emit_rows *c, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned d,
                      unsigned a, struct sl_x86_place word, unsigned tail)
{
  sl_x86_vector_place(&c->x, op, lanes, d, a, word, 4, true, tail);
}

static void broadcast(struct sl_emit_rows *c, struct sl_x86_lanes lanes, unsigned d, struct sl_x86_place word)
{
  sl_x86_vector_place(&c->x, sl_x86_vector_broadcast, lanes, d, 0, word, 4, false, 0);
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
    broadcast(c, active(c, p), sl_emit_vector(c, d, p), word);
}

/* d (a vector or mask register) = a op b, with `tail` more bytes of the instruction. */
static void apply(struct sl_emit_rows *c, struct sl_x86_vector op, struct sl_x86_lanes lanes, unsigned d, unsigned a,
                  struct sl_emit_operand b, unsigned part, unsigned tail)
{
  if (b.word)
    with_word(c, op, lanes, d, a, b.place, tail);
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
  broadcast(c, every(c), ONES, sl_x86_constant(31));
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
  broadcast(c, every(c), ONES, sl_x86_constant(1));
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
    broadcast(c, nan, result, sl_x86_constant(0x7fc00000));
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
    with_word(c, sl_x86_vector_float_compare, every(c), RESULT, from, sl_x86_constant(0x4f000000), 1);
    sl_x86_tail(&c->x, NOT_LESS_OR_UNORDERED);
    sl_x86_vector(&c->x, sl_x86_vector_float_truncate, every(c), COUNT, 0, from);
    broadcast(c, great, COUNT, sl_x86_constant(INT32_MAX));
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
    with_word(c, sl_x86_vector_subtract, every(c), COUNT, sl_emit_vector(c, a, p), word, 0);
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

/* ---- words at arbitrary addresses ------------------------------------------------------------------------------- */

/* Calls the step if a lane is in a mask of RESULT. */
static void unless(struct sl_emitter *e, struct sl_emit_access *a)
{
  sl_x86_mask_test(&e->c.x, RESULT, RESULT + e->c.parts - 1);
  sl_emit_ask(e, a, SL_X86_UNEQUAL);
}

/* d = eax in every lane. */
static void spread_eax(struct sl_emit_rows *c, unsigned d)
{
  sl_x86_vector(&c->x, sl_x86_vector_from_register, every(c), d, 0, SL_RAX);
}

/* Emits the addresses of all lanes, and checks that they are words of data. */
static void addresses(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_rows *c = &e->c;
  struct sl_x86 *x = &c->x;
  for (unsigned p = 0; p < c->parts; p++) {
    with_word(c, sl_x86_vector_add, every(c), ADDRESS + p, sl_emit_vector(c, a->slot, p), sl_x86_constant(in->imm), 0);
    with_word(c, sl_x86_vector_subtract, every(c), SPARE, ADDRESS + p, SL_EMIT_FIELD(low), 0);
    with_word(c, compare_unsigned, active(c, p), RESULT + p, SPARE, SL_EMIT_FIELD(single), 1);
    sl_x86_tail(x, IS_GREATER);
  }
  unless(e, a);
  for (unsigned p = 0; p < c->parts; p++)
    with_word(c, test, active(c, p), RESULT + p, ADDRESS + p, sl_x86_constant(3), 0);
  unless(e, a);
}

/* Checks that all are in one page, which has been touched and, for stores, has no code. */
static void one_page(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_rows *c = &e->c;
  struct sl_x86 *x = &c->x;
  sl_emit_lowest(e, in);
  sl_x86_binary_number(x, SL_X86_ADD, SL_RAX, in->imm);
  for (unsigned p = 0; p < c->parts; p++) {
    spread_eax(c, SPARE);
    sl_x86_vector(x, sl_x86_vector_xor, every(c), SPARE, SPARE, ADDRESS + p);
    with_word(c, test, active(c, p), RESULT + p, SPARE, sl_x86_constant(UINT32_MAX << SL_PAGE_BITS), 0);
  }
  unless(e, a);
  sl_emit_touched(e, a, 0);
  if (in->kind == SL_KIND_LOAD)
    return;
  sl_x86_move(x, SL_RSI, SL_RAX);
  sl_x86_binary_number(x, SL_X86_AND, SL_RSI, UINT32_MAX << SL_PAGE_BITS);
  sl_x86_binary_place(x, SL_X86_SUB, SL_RSI, SL_EMIT_FIELD(code_pages));
  sl_x86_binary_place(x, SL_X86_CMP, SL_RSI, SL_EMIT_FIELD(code_pages_bytes));
  sl_emit_ask(e, a, SL_X86_BELOW);
}

/* Checks that no two active lanes of a part have the same address. */
static void no_conflicts(struct sl_emitter *e, struct sl_emit_access *a)
{
  struct sl_emit_rows *c = &e->c;
  struct sl_x86 *x = &c->x;
  sl_x86_move(x, SL_RAX, SL_EMIT_ACTIVE);
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector(x, conflicts, every(c), SPARE, 0, ADDRESS + p);
    spread_eax(c, SPARE + 1);
    sl_x86_vector(x, test, active(c, p), RESULT + p, SPARE, c->some ? SPARE + 1 : SPARE);
    sl_x86_shift_right(x, SL_RAX, 16);
  }
  unless(e, a);
}

/* Checks that the addresses of the lower part are all below those of the upper part, whose minimum is its lowest active
 * lane's. */
static void parts_apart(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_rows *c = &e->c;
  struct sl_x86 *x = &c->x;
  struct sl_x86_place first = sl_emit_part(c, sl_emit_place(c, in->rs1), 1);
  size_t none = 0;
  if (c->some) {
    sl_x86_move(x, SL_RCX, SL_EMIT_ACTIVE);
    sl_x86_shift_right(x, SL_RCX, 16);
    none = sl_x86_jump(x, SL_X86_EQUAL);
    sl_x86_lowest_bit(x, SL_RCX, SL_RCX);
    sl_x86_shift_left(x, SL_RCX, 2);
    first = sl_x86_indexed(SL_EMIT_REGISTERS, SL_RCX, (size_t)first.displacement);
  }
  sl_x86_load(x, SL_RAX, first);
  sl_x86_binary_number(x, SL_X86_ADD, SL_RAX, in->imm);
  spread_eax(c, SPARE);
  for (unsigned p = 0; p < 2; p++) {
    sl_x86_vector(x, compare_unsigned, active(c, p), RESULT + p, ADDRESS + p, SPARE);
    sl_x86_tail(x, p == 0 ? IS_NOT_LESS : IS_LESS);
  }
  unless(e, a);
  if (c->some)
    sl_x86_land(x, none, x->used);
}

static void move_words(struct sl_emit_rows *c, const struct sl_emit_access *a, bool loads)
{
  const struct sl_x86_lanes lanes = {.bits = c->bits, .mask = RESULT};
  struct sl_x86 *x = &c->x;
  sl_emit_base_of_signed(x);
  for (unsigned p = 0; p < c->parts; p++) {
    with_word(c, sl_x86_vector_xor, every(c), ADDRESS + p, ADDRESS + p, sl_x86_constant(SL_EMIT_SIGN), 0);
    if (c->some)
      sl_x86_mask_copy(x, RESULT, ACTIVE + p);
    else
      sl_x86_mask_all(x, RESULT);
    sl_x86_vector_scattered(x, loads ? gather : scatter, lanes, sl_emit_vector(c, a->other, p), SL_RDX, ADDRESS + p);
  }
}

static void words(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  const bool loads = in->kind == SL_KIND_LOAD;
  addresses(e, in, a);
  if (!loads || e->filled)
    one_page(e, in, a);
  if (!loads)
    no_conflicts(e, a);
  if (!loads && e->c.parts == 2)
    parts_apart(e, in, a);
  move_words(&e->c, a, loads);
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
    .words = words,
};
