#include "func/jit/emit_words.h"

enum { ADDRESS = 28 /* and 29 */, SPARE = 30 /* and 31 */, ACTIVE = 1 /* and 2 */, DIFFERS = 3 /* and 4 */ };

#define SL_VECTOR(name, map, prefix, opcode) static const struct sl_x86_vector name = {map, prefix, opcode};
SL_VECTOR(compare_unsigned, 3, 1, 0x1e) /* vpcmpud */
SL_VECTOR(test, 2, 1, 0x27)             /* vptestmd */
SL_VECTOR(conflicts, 2, 1, 0xc4)        /* vpconflictd */
SL_VECTOR(gather, 2, 1, 0x90)           /* vpgatherdd */
SL_VECTOR(scatter, 2, 1, 0xa0)          /* vpscatterdd */
#undef SL_VECTOR

enum { IS_LESS = 1, IS_NOT_LESS = 5, IS_GREATER };

static struct sl_x86_lanes every(const struct sl_emit_rows *c)
{
  return (struct sl_x86_lanes){.bits = c->bits};
}

static struct sl_x86_lanes active(const struct sl_emit_rows *c, unsigned part)
{
  return (struct sl_x86_lanes){.bits = c->bits, .mask = (uint8_t)(c->some ? ACTIVE + part : 0)};
}

/* Calls the step if a lane is in a mask of DIFFERS. */
static void unless(struct sl_emitter *e, struct sl_emit_access *a)
{
  sl_x86_mask_test(&e->c.x, DIFFERS, DIFFERS + e->c.parts - 1);
  sl_emit_ask(e, a, SL_X86_UNEQUAL);
}

/* d = eax in every lane. */
static void spread(struct sl_emit_rows *c, unsigned d)
{
  sl_x86_vector(&c->x, sl_x86_vector_from_register, every(c), d, 0, SL_RAX);
}

/* Emits the addresses of all lanes, and checks that they are words of data. */
static void addresses(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_rows *c = &e->c;
  struct sl_x86 *x = &c->x;
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector_place(x, sl_x86_vector_add, every(c), ADDRESS + p, sl_emit_vector(c, a->slot, p),
                        sl_x86_constant(in->imm), 4, true, 0);
    sl_x86_vector_place(x, sl_x86_vector_subtract, every(c), SPARE, ADDRESS + p, SL_EMIT_FIELD(low), 4, true, 0);
    sl_x86_vector_place(x, compare_unsigned, active(c, p), DIFFERS + p, SPARE, SL_EMIT_FIELD(single), 4, true, 1);
    sl_x86_tail(x, IS_GREATER);
  }
  unless(e, a);
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector_place(x, test, active(c, p), DIFFERS + p, ADDRESS + p, sl_x86_constant(3), 4, true, 0);
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
    spread(c, SPARE);
    sl_x86_vector(x, sl_x86_vector_xor, every(c), SPARE, SPARE, ADDRESS + p);
    sl_x86_vector_place(x, test, active(c, p), DIFFERS + p, SPARE, sl_x86_constant(UINT32_MAX << SL_PAGE_BITS), 4, true,
                        0);
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
    spread(c, SPARE + 1);
    sl_x86_vector(x, test, active(c, p), DIFFERS + p, SPARE, c->some ? SPARE + 1 : SPARE);
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
  spread(c, SPARE);
  for (unsigned p = 0; p < 2; p++) {
    sl_x86_vector(x, compare_unsigned, active(c, p), DIFFERS + p, ADDRESS + p, SPARE);
    sl_x86_tail(x, p == 0 ? IS_NOT_LESS : IS_LESS);
  }
  unless(e, a);
  if (c->some)
    sl_x86_land(x, none, x->used);
}

static void move_words(struct sl_emit_rows *c, const struct sl_emit_access *a, bool loads)
{
  const struct sl_x86_lanes lanes = {.bits = c->bits, .mask = DIFFERS};
  struct sl_x86 *x = &c->x;
  sl_emit_base_of_signed(x);
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector_place(x, sl_x86_vector_xor, every(c), ADDRESS + p, ADDRESS + p, sl_x86_constant(SL_EMIT_SIGN), 4,
                        true, 0);
    if (c->some)
      sl_x86_mask_copy(x, DIFFERS, ACTIVE + p);
    else
      sl_x86_mask_all(x, DIFFERS);
    sl_x86_vector_scattered(x, loads ? gather : scatter, lanes, sl_emit_vector(c, a->other, p), SL_RDX, ADDRESS + p);
  }
}

void sl_emit_words_avx512(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
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
