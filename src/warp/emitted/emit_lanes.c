#include "warp/emitted/emit_lanes.h"

#define VECTOR(name, map, prefix, opcode) const struct sl_x86_vector sl_x86_vector_##name = {map, prefix, opcode}

VECTOR(load, 1, 2, 0x6f); /* vmovdqu32 */
VECTOR(store, 1, 2, 0x7f);
VECTOR(broadcast, 2, 1, 0x58); /* vpbroadcastd */
VECTOR(add, 1, 1, 0xfe);       /* vpaddd */
VECTOR(subtract, 1, 1, 0xfa);
VECTOR(or, 1, 1, 0xeb);
VECTOR(test, 2, 1, 0x27);    /* vptestmd */
VECTOR(compare, 3, 1, 0x1f); /* vpcmpd */

VECTOR(compare_unsigned, 3, 1, 0x1e);
VECTOR(xor, 1, 1, 0xef);

static const struct sl_x86_vector and = {1, 1, 0xdb}, multiply = {2, 1, 0x40}, shift_left = {2, 1, 0x47},
                                  shift_right = {2, 1, 0x45}, shift_signed = {2, 1, 0x46}, shift_number = {1, 1, 0x72},
                                  test_not = {2, 2, 0x27};

enum { ONES = SL_EMIT_TEMPORARY, COUNT, RESULT_MASK = 3 };

void sl_emit_lanes_init(struct sl_emit_lanes *c, unsigned lanes, bool some)
{
  const unsigned words = lanes < 16 ? lanes : 16;
  c->lanes = lanes;
  c->row_bits = sl_log2(lanes) + 2;
  c->bits = words * 32;
  c->parts = lanes / words;
  c->some = some;
  c->slots = SL_EMIT_SLOTS / c->parts;
  c->victim = 0;
  sl_emit_forget(c);
}

void sl_emit_forget(struct sl_emit_lanes *c)
{
  for (unsigned i = 0; i < SL_EMIT_SLOTS; i++)
    c->held[i] = -1;
  c->locked = 0;
}

struct sl_x86_lanes sl_emit_every(const struct sl_emit_lanes *c)
{
  return (struct sl_x86_lanes){.bits = c->bits};
}

struct sl_x86_lanes sl_emit_active(const struct sl_emit_lanes *c, unsigned part)
{
  return (struct sl_x86_lanes){.bits = c->bits, .mask = (uint8_t)(c->some ? 1 + part : 0)};
}

struct sl_x86_place sl_emit_place(const struct sl_emit_lanes *c, unsigned reg, unsigned part)
{
  return sl_x86_at(SL_EMIT_REGISTERS, ((size_t)reg << c->row_bits) + (size_t)part * c->bits / 8);
}

static void each_part(struct sl_emit_lanes *c, struct sl_x86_vector op, unsigned slot, unsigned reg)
{
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector_place(&c->x, op, sl_emit_every(c), sl_emit_vector(c, slot, p), 0, sl_emit_place(c, reg, p),
                        c->bits / 8, false, 0);
}

void sl_emit_store(struct sl_emit_lanes *c, unsigned slot, unsigned reg)
{
  each_part(c, sl_x86_vector_store, slot, reg);
}

void sl_emit_reload(struct sl_emit_lanes *c, unsigned slot, unsigned reg)
{
  each_part(c, sl_x86_vector_load, slot, reg);
}

static unsigned find(const struct sl_emit_lanes *c, int reg)
{
  unsigned i = 0;
  while (i < c->slots && c->held[i] != reg)
    i++;
  return i;
}

/* A slot for a register that has none. */
static unsigned make_room(struct sl_emit_lanes *c, unsigned reg)
{
  unsigned slot = find(c, -1);
  while (slot == c->slots) {
    if (!(c->locked >> c->victim & 1))
      slot = c->victim;
    c->victim = (c->victim + 1) % c->slots;
  }
  c->held[slot] = (int16_t)reg;
  return slot;
}

unsigned sl_emit_use(struct sl_emit_lanes *c, unsigned reg)
{
  unsigned slot = find(c, (int)reg);
  if (slot == c->slots) {
    slot = make_room(c, reg);
    sl_emit_reload(c, slot, reg);
  }
  c->locked |= 1u << slot;
  return slot;
}

unsigned sl_emit_define(struct sl_emit_lanes *c, unsigned reg)
{
  if (c->some)
    return sl_emit_use(c, reg);
  unsigned slot = find(c, (int)reg);
  if (slot == c->slots)
    slot = make_room(c, reg);
  c->locked |= 1u << slot;
  return slot;
}

void sl_emit_masks(struct sl_emit_lanes *c)
{
  sl_x86_mask_from(&c->x, 1, SL_EMIT_ACTIVE);
  if (c->parts == 1)
    return;
  sl_x86_move(&c->x, SL_RCX, SL_EMIT_ACTIVE);
  sl_x86_shift_right(&c->x, SL_RCX, 16);
  sl_x86_mask_from(&c->x, 2, SL_RCX);
}

void sl_emit_number(struct sl_emit_lanes *c, unsigned rd, uint32_t value)
{
  const unsigned d = sl_emit_define(c, rd);
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector_place(&c->x, sl_x86_vector_broadcast, sl_emit_active(c, p), sl_emit_vector(c, d, p), 0,
                        sl_x86_constant(value), 4, false, 0);
  sl_emit_store(c, d, rd);
}

/* rd = rs1 op rs2, or op a number. */
static void registers(struct sl_emit_lanes *c, struct sl_x86_vector op, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), b = sl_emit_use(c, in->rs2), d = sl_emit_define(c, in->rd);
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector(&c->x, op, sl_emit_active(c, p), sl_emit_vector(c, d, p), sl_emit_vector(c, a, p),
                  sl_emit_vector(c, b, p));
  sl_emit_store(c, d, in->rd);
}

static void number(struct sl_emit_lanes *c, struct sl_x86_vector op, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), d = sl_emit_define(c, in->rd);
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector_place(&c->x, op, sl_emit_active(c, p), sl_emit_vector(c, d, p), sl_emit_vector(c, a, p),
                        sl_x86_constant(in->imm), 4, true, 0);
  sl_emit_store(c, d, in->rd);
}

/* Shifts by a number are d = b by it: the group's member is where d is elsewhere. */
static void shift(struct sl_emit_lanes *c, unsigned member, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), d = sl_emit_define(c, in->rd);
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector(&c->x, shift_number, sl_emit_active(c, p), member, sl_emit_vector(c, d, p), sl_emit_vector(c, a, p));
    sl_x86_tail(&c->x, (uint8_t)(in->imm & 31));
  }
  sl_emit_store(c, d, in->rd);
}

/* Only five bits of the count count. */
static void shift_by_register(struct sl_emit_lanes *c, struct sl_x86_vector op, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), b = sl_emit_use(c, in->rs2), d = sl_emit_define(c, in->rd);
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector_place(&c->x, and, sl_emit_every(c), COUNT, sl_emit_vector(c, b, p), sl_x86_constant(31), 4, true, 0);
    sl_x86_vector(&c->x, op, sl_emit_active(c, p), sl_emit_vector(c, d, p), sl_emit_vector(c, a, p), COUNT);
  }
  sl_emit_store(c, d, in->rd);
}

/* rd = the lanes of a mask that is computed part by part: `value` there, elsewhere 0. */
static void masked(struct sl_emit_lanes *c, unsigned d, unsigned p, unsigned from)
{
  struct sl_x86_lanes there = {.bits = c->bits, .mask = RESULT_MASK, .zeroing = true};
  if (!c->some) {
    sl_x86_vector(&c->x, sl_x86_vector_load, there, sl_emit_vector(c, d, p), 0, from);
    return;
  }
  sl_x86_vector(&c->x, sl_x86_vector_load, there, COUNT, 0, from);
  sl_x86_vector(&c->x, sl_x86_vector_load, sl_emit_active(c, p), sl_emit_vector(c, d, p), 0, COUNT);
}

/* rd = rs1 < rs2 or a number. */
static void less(struct sl_emit_lanes *c, struct sl_x86_vector op, const struct sl_insn *in, bool by_number)
{
  const unsigned a = sl_emit_use(c, in->rs1), b = by_number ? a : sl_emit_use(c, in->rs2),
                 d = sl_emit_define(c, in->rd);
  sl_x86_vector_place(&c->x, sl_x86_vector_broadcast, sl_emit_every(c), ONES, 0, sl_x86_constant(1), 4, false, 0);
  for (unsigned p = 0; p < c->parts; p++) {
    if (by_number)
      sl_x86_vector_place(&c->x, op, sl_emit_every(c), RESULT_MASK, sl_emit_vector(c, a, p), sl_x86_constant(in->imm),
                          4, true, 1);
    else
      sl_x86_vector(&c->x, op, sl_emit_every(c), RESULT_MASK, sl_emit_vector(c, a, p), sl_emit_vector(c, b, p));
    sl_x86_tail(&c->x, SL_X86_IS_LESS);
    masked(c, d, p, ONES);
  }
  sl_emit_store(c, d, in->rd);
}

/* rd = rs1 where rs2 is 0, or is not, else 0. */
static void select(struct sl_emit_lanes *c, struct sl_x86_vector test, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), b = sl_emit_use(c, in->rs2), d = sl_emit_define(c, in->rd);
  for (unsigned p = 0; p < c->parts; p++) {
    const unsigned vector = sl_emit_vector(c, b, p);
    sl_x86_vector(&c->x, test, sl_emit_every(c), RESULT_MASK, vector, vector);
    masked(c, d, p, sl_emit_vector(c, a, p));
  }
  sl_emit_store(c, d, in->rd);
}

static void move(struct sl_emit_lanes *c, unsigned rd, unsigned rs)
{
  const unsigned a = sl_emit_use(c, rs), d = sl_emit_define(c, rd);
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector(&c->x, sl_x86_vector_load, sl_emit_active(c, p), sl_emit_vector(c, d, p), 0, sl_emit_vector(c, a, p));
  sl_emit_store(c, d, rd);
}

static void add_number(struct sl_emit_lanes *c, const struct sl_insn *in)
{
  if (in->rs1 == 0)
    sl_emit_number(c, in->rd, in->imm);
  else if (in->imm == 0)
    move(c, in->rd, in->rs1);
  else
    number(c, sl_x86_vector_add, in);
}

bool sl_emit_value(struct sl_emit_lanes *c, const struct sl_insn *in, uint32_t pc)
{
  enum { RIGHT = 2, SIGNED = 4, LEFT = 6 };
  switch (in->op) {
  case SL_OP_LUI: sl_emit_number(c, in->rd, in->imm); return true;
  case SL_OP_AUIPC: sl_emit_number(c, in->rd, pc + in->imm); return true;
  case SL_OP_ADDI: add_number(c, in); return true;
  case SL_OP_XORI: number(c, sl_x86_vector_xor, in); return true;
  case SL_OP_ORI: number(c, sl_x86_vector_or, in); return true;
  case SL_OP_ANDI: number(c, and, in); return true;
  case SL_OP_SLTI: less(c, sl_x86_vector_compare, in, true); return true;
  case SL_OP_SLTIU: less(c, sl_x86_vector_compare_unsigned, in, true); return true;
  case SL_OP_SLLI: shift(c, LEFT, in); return true;
  case SL_OP_SRLI: shift(c, RIGHT, in); return true;
  case SL_OP_SRAI: shift(c, SIGNED, in); return true;
  case SL_OP_ADD: registers(c, sl_x86_vector_add, in); return true;
  case SL_OP_SUB: registers(c, sl_x86_vector_subtract, in); return true;
  case SL_OP_XOR: registers(c, sl_x86_vector_xor, in); return true;
  case SL_OP_OR: registers(c, sl_x86_vector_or, in); return true;
  case SL_OP_AND: registers(c, and, in); return true;
  case SL_OP_MUL: registers(c, multiply, in); return true;
  case SL_OP_SLL: shift_by_register(c, shift_left, in); return true;
  case SL_OP_SRL: shift_by_register(c, shift_right, in); return true;
  case SL_OP_SRA: shift_by_register(c, shift_signed, in); return true;
  case SL_OP_SLT: less(c, sl_x86_vector_compare, in, false); return true;
  case SL_OP_SLTU: less(c, sl_x86_vector_compare_unsigned, in, false); return true;
  case SL_OP_CZERO_EQZ: select(c, sl_x86_vector_test, in); return true;
  case SL_OP_CZERO_NEZ: select(c, test_not, in); return true;
  default: return false;
  }
}

bool sl_emit_condition(struct sl_emit_lanes *c, const struct sl_insn *in)
{
  struct sl_x86_vector op = sl_x86_vector_compare;
  uint8_t relation;
  switch (in->op) {
  case SL_OP_BEQ: relation = SL_X86_IS_EQUAL; break;
  case SL_OP_BNE: relation = SL_X86_IS_UNEQUAL; break;
  case SL_OP_BLT: relation = SL_X86_IS_LESS; break;
  case SL_OP_BGE: relation = SL_X86_IS_NOT_LESS; break;
  case SL_OP_BLTU: relation = SL_X86_IS_LESS, op = sl_x86_vector_compare_unsigned; break;
  case SL_OP_BGEU: relation = SL_X86_IS_NOT_LESS, op = sl_x86_vector_compare_unsigned; break;
  default: return false;
  }
  const unsigned a = sl_emit_use(c, in->rs1), b = sl_emit_use(c, in->rs2);
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector(&c->x, op, sl_emit_active(c, p), RESULT_MASK + p, sl_emit_vector(c, a, p), sl_emit_vector(c, b, p));
    sl_x86_tail(&c->x, relation);
  }
  if (c->parts == 2)
    sl_x86_mask_join(&c->x, RESULT_MASK, RESULT_MASK + 1, RESULT_MASK);
  sl_x86_mask_to(&c->x, SL_RAX, RESULT_MASK);
  return true;
}
