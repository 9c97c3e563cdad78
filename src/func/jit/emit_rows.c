#include "func/jit/emit_block.h"

/* ---- rows -------------------------------------------------------------------------------------------------------- */

void sl_emit_rows_init(struct sl_emit_rows *c, const struct sl_emit_level *level, unsigned lanes, bool some)
{
  const unsigned words = lanes < level->bits / 32 ? lanes : level->bits / 32;
  c->level = level;
  c->lanes = lanes;
  c->row_bits = sl_log2(lanes) + 2;
  c->bits = words * 32;
  c->parts = lanes / words;
  c->some = some;
  c->slots = level->vectors / c->parts;
  c->victim = 0;
  sl_emit_forget(c);
}

void sl_emit_forget(struct sl_emit_rows *c)
{
  for (unsigned i = 0; i < SL_EMIT_SLOTS; i++)
    c->held[i] = -1;
  c->locked = c->unsaved = 0;
}

struct sl_x86_vector sl_emit_loader(const struct sl_insn *in)
{
  switch (in->op) {
  case SL_OP_LB: return (struct sl_x86_vector){2, 1, 0x21};  /* vpmovsxbd */
  case SL_OP_LH: return (struct sl_x86_vector){2, 1, 0x23};  /* vpmovsxwd */
  case SL_OP_LBU: return (struct sl_x86_vector){2, 1, 0x31}; /* vpmovzxbd */
  case SL_OP_LHU: return (struct sl_x86_vector){2, 1, 0x33}; /* vpmovzxwd */
  default: return sl_x86_vector_load;
  }
}

struct sl_x86_place sl_emit_place(const struct sl_emit_rows *c, unsigned reg)
{
  return sl_x86_at(SL_EMIT_REGISTERS, (size_t)reg << c->row_bits);
}

void sl_emit_save_slots(struct sl_emit_rows *c, const int16_t *held, uint32_t slots)
{
  for (unsigned slot = 0; slot < c->slots; slot++)
    if (slots >> slot & 1)
      c->level->store(c, slot, sl_emit_place(c, (unsigned)held[slot]));
}

void sl_emit_save(struct sl_emit_rows *c)
{
  sl_emit_save_slots(c, c->held, c->unsaved);
  c->unsaved = 0;
}

void sl_emit_reload(struct sl_emit_rows *c, unsigned slot, unsigned reg)
{
  c->level->load(c, slot, sl_emit_place(c, reg));
}

static unsigned find(const struct sl_emit_rows *c, int reg)
{
  unsigned i = 0;
  while (i < c->slots && c->held[i] != reg)
    i++;
  return i;
}

void sl_emit_save_register(struct sl_emit_rows *c, unsigned reg)
{
  const unsigned slot = find(c, (int)reg);
  if (slot == c->slots)
    return;
  sl_emit_save_slots(c, c->held, c->unsaved & 1u << slot);
  c->unsaved &= ~(1u << slot);
}

/* Frees a slot for a register that has none. */
static unsigned make_room(struct sl_emit_rows *c, unsigned reg)
{
  unsigned slot = find(c, -1);
  while (slot == c->slots) {
    if (!(c->locked >> c->victim & 1))
      slot = c->victim;
    c->victim = (c->victim + 1) % c->slots;
  }
  sl_emit_save_slots(c, c->held, c->unsaved & 1u << slot);
  c->unsaved &= ~(1u << slot);
  c->held[slot] = (int16_t)reg;
  return slot;
}

/* Returns the slot of a register's copy. Loads it if there is none. */
static unsigned sl_emit_use(struct sl_emit_rows *c, unsigned reg)
{
  unsigned slot = find(c, (int)reg);
  if (slot == c->slots) {
    slot = make_room(c, reg);
    sl_emit_reload(c, slot, reg);
  }
  c->locked |= 1u << slot;
  return slot;
}

/* Returns a slot for a register that the instruction writes. It holds the old lanes if some lanes are inactive. */
static unsigned sl_emit_define(struct sl_emit_rows *c, unsigned reg)
{
  if (c->some)
    return sl_emit_use(c, reg);
  unsigned slot = find(c, (int)reg);
  if (slot == c->slots)
    slot = make_room(c, reg);
  c->locked |= 1u << slot;
  return slot;
}

/* ---- values ---------------------------------------------------------------------------------------------------- */

void sl_emit_number(struct sl_emit_rows *c, unsigned rd, uint32_t value)
{
  const unsigned d = sl_emit_define(c, rd);
  c->level->spread(c, d, sl_x86_constant(value));
  sl_emit_defined(c, d);
}

/* rd = rs1 op rs2, or rs1 op a constant. */
static void registers(struct sl_emit_rows *c, struct sl_x86_vector op, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), b = sl_emit_use(c, in->rs2), d = sl_emit_define(c, in->rd);
  c->level->op(c, op, d, a, sl_emit_slot(b));
  sl_emit_defined(c, d);
}

static void number(struct sl_emit_rows *c, struct sl_x86_vector op, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), d = sl_emit_define(c, in->rd);
  c->level->op(c, op, d, a, sl_emit_word(sl_x86_constant(in->imm)));
  sl_emit_defined(c, d);
}

static void unary(struct sl_emit_rows *c, struct sl_x86_vector op, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), d = sl_emit_define(c, in->rd);
  c->level->unary(c, op, d, a);
  sl_emit_defined(c, d);
}

/* A shift by a constant is a member of an encoding group. */
static void shift(struct sl_emit_rows *c, unsigned member, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), d = sl_emit_define(c, in->rd);
  c->level->shift(c, member, d, a, in->imm & 31);
  sl_emit_defined(c, d);
}

static void shift_by(struct sl_emit_rows *c, struct sl_x86_vector op, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), b = sl_emit_use(c, in->rs2), d = sl_emit_define(c, in->rd);
  c->level->shift_by(c, op, d, a, sl_emit_slot(b));
  sl_emit_defined(c, d);
}

static void less(struct sl_emit_rows *c, enum sl_emit_relation relation, const struct sl_insn *in, bool by_number)
{
  const unsigned a = sl_emit_use(c, in->rs1), b = by_number ? a : sl_emit_use(c, in->rs2),
                 d = sl_emit_define(c, in->rd);
  c->level->relate(c, relation, d, a, by_number ? sl_emit_word(sl_x86_constant(in->imm)) : sl_emit_slot(b));
  sl_emit_defined(c, d);
}

static void choose(struct sl_emit_rows *c, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), b = sl_emit_use(c, in->rs2), d = sl_emit_define(c, in->rd);
  c->level->choose(c, d, a, b, in->op == SL_OP_CZERO_NEZ);
  sl_emit_defined(c, d);
}

static void add_number(struct sl_emit_rows *c, const struct sl_insn *in)
{
  if (in->rs1 == 0)
    sl_emit_number(c, in->rd, in->imm);
  else if (in->imm == 0)
    unary(c, sl_x86_vector_load, in);
  else
    number(c, sl_x86_vector_add, in);
}

static void float_op(struct sl_emit_rows *c, struct sl_x86_vector op, const struct sl_insn *in, bool single)
{
  const unsigned a = sl_emit_use(c, in->rs1), b = single ? a : sl_emit_use(c, in->rs2), d = sl_emit_define(c, in->rd);
  c->level->float_op(c, op, d, a, b, single);
  sl_emit_defined(c, d);
}

static void relate_floats(struct sl_emit_rows *c, unsigned predicate, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), b = sl_emit_use(c, in->rs2), d = sl_emit_define(c, in->rd);
  c->level->relate_floats(c, predicate, d, a, b);
  sl_emit_defined(c, d);
}

static void float_to_int(struct sl_emit_rows *c, const struct sl_insn *in)
{
  const unsigned a = sl_emit_use(c, in->rs1), d = sl_emit_define(c, in->rd);
  c->level->float_to_int(c, d, a);
  sl_emit_defined(c, d);
}

static bool integer_value(struct sl_emit_rows *c, const struct sl_insn *in, uint32_t pc)
{
  enum { RIGHT = 2, SIGNED = 4, LEFT = 6 };
  switch (in->op) {
  case SL_OP_LUI: sl_emit_number(c, in->rd, in->imm); return true;
  case SL_OP_AUIPC: sl_emit_number(c, in->rd, pc + in->imm); return true;
  case SL_OP_ADDI: add_number(c, in); return true;
  case SL_OP_XORI: number(c, sl_x86_vector_xor, in); return true;
  case SL_OP_ORI: number(c, sl_x86_vector_or, in); return true;
  case SL_OP_ANDI: number(c, sl_x86_vector_and, in); return true;
  case SL_OP_SLTI: less(c, SL_EMIT_LESS, in, true); return true;
  case SL_OP_SLTIU: less(c, SL_EMIT_BELOW, in, true); return true;
  case SL_OP_SLLI: shift(c, LEFT, in); return true;
  case SL_OP_SRLI: shift(c, RIGHT, in); return true;
  case SL_OP_SRAI: shift(c, SIGNED, in); return true;
  case SL_OP_ADD: registers(c, sl_x86_vector_add, in); return true;
  case SL_OP_SUB: registers(c, sl_x86_vector_subtract, in); return true;
  case SL_OP_XOR: registers(c, sl_x86_vector_xor, in); return true;
  case SL_OP_OR: registers(c, sl_x86_vector_or, in); return true;
  case SL_OP_AND: registers(c, sl_x86_vector_and, in); return true;
  case SL_OP_MUL: registers(c, sl_x86_vector_multiply, in); return true;
  case SL_OP_SLL: shift_by(c, sl_x86_vector_shift_left, in); return true;
  case SL_OP_SRL: shift_by(c, sl_x86_vector_shift_right, in); return true;
  case SL_OP_SRA: shift_by(c, sl_x86_vector_shift_signed, in); return true;
  case SL_OP_SLT: less(c, SL_EMIT_LESS, in, false); return true;
  case SL_OP_SLTU: less(c, SL_EMIT_BELOW, in, false); return true;
  case SL_OP_CZERO_EQZ:
  case SL_OP_CZERO_NEZ: choose(c, in); return true;
  default: return false;
  }
}

static bool float_value(struct sl_emit_rows *c, const struct sl_insn *in)
{
  enum { EQUAL = 0, LESS = 17, LESS_OR_EQUAL = 18 }; /* predicates, quiet; false for a NaN */
  switch (in->op) {
  case SL_OP_FADD: float_op(c, sl_x86_vector_float_add, in, false); return true;
  case SL_OP_FSUB: float_op(c, sl_x86_vector_float_subtract, in, false); return true;
  case SL_OP_FMUL: float_op(c, sl_x86_vector_float_multiply, in, false); return true;
  case SL_OP_FDIV: float_op(c, sl_x86_vector_float_divide, in, false); return true;
  case SL_OP_FSQRT: float_op(c, sl_x86_vector_float_root, in, true); return true;
  case SL_OP_FEQ: relate_floats(c, EQUAL, in); return true;
  case SL_OP_FLT: relate_floats(c, LESS, in); return true;
  case SL_OP_FLE: relate_floats(c, LESS_OR_EQUAL, in); return true;
  case SL_OP_FCVT_S_W: unary(c, sl_x86_vector_float_from_int, in); return true;
  case SL_OP_FCVT_W_S: float_to_int(c, in); return true;
  default: return false;
  }
}

bool sl_emit_value(struct sl_emit_rows *c, const struct sl_insn *in, uint32_t pc)
{
  return in->kind == SL_KIND_FPU ? float_value(c, in) : integer_value(c, in, pc);
}

bool sl_emit_condition(struct sl_emit_rows *c, const struct sl_insn *in)
{
  enum sl_emit_relation relation;
  switch (in->op) {
  case SL_OP_BEQ: relation = SL_EMIT_EQUAL; break;
  case SL_OP_BNE: relation = SL_EMIT_UNEQUAL; break;
  case SL_OP_BLT: relation = SL_EMIT_LESS; break;
  case SL_OP_BGE: relation = SL_EMIT_NOT_LESS; break;
  case SL_OP_BLTU: relation = SL_EMIT_BELOW; break;
  case SL_OP_BGEU: relation = SL_EMIT_NOT_BELOW; break;
  default: return false;
  }
  const unsigned a = sl_emit_use(c, in->rs1), b = sl_emit_use(c, in->rs2);
  c->level->compare(c, relation, a, sl_emit_slot(b));
  return true;
}

/* ---- accesses to memory ------------------------------------------------------------------------------------------ */

void sl_emit_ask(struct sl_emitter *e, struct sl_emit_access *a, enum sl_x86_condition condition)
{
  a->jump[a->jumps++] = sl_x86_jump(&e->c.x, condition);
}

struct sl_x86_place sl_emit_lowest(struct sl_emitter *e, const struct sl_insn *in)
{
  struct sl_emit_rows *c = &e->c;
  struct sl_x86_place first = sl_emit_place(c, in->rs1);
  if (c->some) {
    sl_x86_load(&c->x, SL_RCX, SL_EMIT_FIELD(lowest));
    first = sl_x86_indexed(SL_EMIT_REGISTERS, SL_RCX, (size_t)first.displacement);
  }
  sl_x86_load(&c->x, SL_RAX, first);
  return first;
}

/* Emits a check that eax is a multiple of the width. */
static void sl_emit_aligned(struct sl_emitter *e, struct sl_emit_access *a, unsigned width)
{
  if (width == 1)
    return;
  sl_x86_test_bits(&e->c.x, SL_RAX, width - 1u);
  sl_emit_ask(e, a, SL_X86_UNEQUAL);
}

void sl_emit_touched(struct sl_emitter *e, struct sl_emit_access *a, uint32_t bytes)
{
  struct sl_x86 *x = &e->c.x;
  enum { POINTER_BITS = 3 };
  sl_x86_load_wide(x, SL_RDX, SL_EMIT_FIELD(pages));
  for (unsigned last = 0; last < 1 + (bytes > 0); last++) {
    sl_x86_load_address(x, SL_RSI, sl_x86_at(SL_RAX, last * bytes));
    sl_x86_shift_right(x, SL_RSI, SL_PAGE_BITS - POINTER_BITS);
    sl_x86_binary_number(x, SL_X86_AND, SL_RSI, UINT32_MAX << POINTER_BITS);
    sl_x86_compare_wide(x, sl_x86_indexed(SL_RDX, SL_RSI, 0), 0);
    sl_emit_ask(e, a, SL_X86_EQUAL);
  }
}

/* Emits a check that no unit from eax on is code. */
static void sl_emit_no_code(struct sl_emitter *e, struct sl_emit_access *a)
{
  struct sl_x86 *x = &e->c.x;
  sl_x86_move(x, SL_RSI, SL_RAX);
  sl_x86_binary_place(x, SL_X86_SUB, SL_RSI, SL_EMIT_FIELD(code));
  sl_x86_binary_place(x, SL_X86_CMP, SL_RSI, SL_EMIT_FIELD(code_bytes));
  sl_emit_ask(e, a, SL_X86_BELOW);
}

void sl_emit_base_of_signed(struct sl_x86 *x)
{
  sl_x86_move_address(x, SL_RDX, SL_EMIT_SIGN);
  sl_x86_add_registers_wide(x, SL_RDX, SL_EMIT_MEMORY);
}

static unsigned width_bits(const struct sl_insn *in)
{
  return sl_log2(in->width);
}

/* A field of the frame that has one value per width. */
static struct sl_x86_place by_width(size_t field, const struct sl_insn *in)
{
  return sl_x86_at(SL_EMIT_FRAME, field + width_bits(in) * sizeof(uint32_t));
}

bool sl_emit_accesses(const struct sl_emitter *e, const struct sl_insn *in)
{
  enum { STACK_POINTER = 2 };
  if (in->rs1 == STACK_POINTER && !e->own_stacks)
    return false; /* without interleaving, the lanes' stacks are far apart */
  if (sl_basic_blocks_reports(e->steps, in))
    return false;
  switch (in->op) {
  case SL_OP_LW:
  case SL_OP_FLW: return in->rd != 0;
  case SL_OP_LB:
  case SL_OP_LH:
  case SL_OP_LBU:
  case SL_OP_LHU: return in->rd != 0;
  case SL_OP_SW:
  case SL_OP_SH:
  case SL_OP_SB:
  case SL_OP_FSW: return e->c.level->stores_units(in->width);
  default: return false;
  }
}

/* Emits a jump unless the lanes' units are consecutive. eax = rs1 of the lowest active lane. */
static size_t neighbours(struct sl_emitter *e, const struct sl_insn *in, unsigned slot)
{
  struct sl_emit_rows *c = &e->c;
  const unsigned width = width_bits(in);
  const struct sl_x86_place first = sl_emit_lowest(e, in);
  struct sl_x86_place row = sl_x86_at(SL_EMIT_FRAME, offsetof(struct sl_jit_frame, apart[width][SL_EMIT_LANE_0]));
  if (c->some) {
    sl_x86_load_wide(&c->x, SL_RDX, sl_x86_at(SL_EMIT_FRAME, offsetof(struct sl_jit_frame, apart_active[width])));
    row = sl_x86_at(SL_RDX, 0);
  }
  return c->level->unless_apart(c, slot, first, row);
}

/* Emits the move of consecutive units from memory offset eax. */
static void move_units(struct sl_emitter *e, const struct sl_insn *in, const struct sl_emit_access *a)
{
  struct sl_emit_rows *c = &e->c;
  const struct sl_x86_place place = sl_x86_indexed(SL_EMIT_MEMORY, SL_RAX, 0);
  if (in->kind == SL_KIND_LOAD)
    c->level->load_units(c, in, a->other, place);
  else
    c->level->store_units(c, in, a->other, place);
}

void sl_emit_access(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_rows *c = &e->c;
  struct sl_x86 *x = &c->x;
  const bool loads = in->kind == SL_KIND_LOAD;
  a->jumps = 0;
  a->slot = sl_emit_use(c, in->rs1);
  a->other = loads ? sl_emit_define(c, in->rd) : sl_emit_use(c, in->rs2);
  sl_emit_save_register(c, in->rs1); /* the code reads one of its lanes there */
  a->unsaved = c->unsaved;
  a->apart[0] = neighbours(e, in, a->slot);
  sl_x86_binary_number(x, SL_X86_ADD, SL_RAX, in->imm);
  if (c->some)
    sl_x86_binary_place(x, SL_X86_SUB, SL_RAX, by_width(offsetof(struct sl_jit_frame, before), in));
  sl_x86_move(x, SL_RCX, SL_RAX);
  sl_x86_binary_place(x, SL_X86_SUB, SL_RCX, SL_EMIT_FIELD(low));
  sl_x86_binary_place(x, SL_X86_CMP, SL_RCX, by_width(offsetof(struct sl_jit_frame, rows), in));
  a->apart[1] = sl_x86_jump(x, SL_X86_ABOVE);
  sl_emit_aligned(e, a, in->width);
  a->found = x->used;
  if (!loads || e->filled)
    sl_emit_touched(e, a, (c->lanes - 1) * in->width);
  if (!loads)
    sl_emit_no_code(e, a);
  move_units(e, in, a);
  a->result = x->used;
  if (loads)
    sl_emit_defined(c, a->other);
  a->done = x->used;
  a->unsaved_done = c->unsaved;
  for (unsigned i = 0; i < SL_EMIT_SLOTS; i++)
    a->held[i] = c->held[i];
}

static void jump_back(struct sl_x86 *x, size_t to)
{
  sl_x86_land(x, sl_x86_jump(x, SL_X86_ALWAYS), to);
}

/* Emits: the word at eax - stacks of every lane's own stack is a row of memory; eax = offset of its first byte. */
static void own_stacks(struct sl_emitter *e, struct sl_emit_access *a)
{
  struct sl_x86 *x = &e->c.x;
  sl_x86_binary_place(x, SL_X86_SUB, SL_RAX, SL_EMIT_FIELD(stacks));
  sl_emit_ask(e, a, SL_X86_BELOW);
  sl_x86_shift_right(x, SL_RAX, 2);
  sl_x86_shift_left(x, SL_RAX, e->slot_shift);
  sl_x86_binary_place(x, SL_X86_OR, SL_RAX, SL_EMIT_FIELD(stack_words));
}

void sl_emit_access_others(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_rows *c = &e->c;
  struct sl_x86 *x = &c->x;
  sl_x86_land(x, a->apart[0], x->used);
  sl_x86_land(x, a->apart[1], x->used);
  if (in->width != 4) {
    sl_emit_ask(e, a, SL_X86_ALWAYS);
    return;
  }
  const size_t anywhere = c->level->unless_equal(c, a->slot, sl_emit_lowest(e, in));
  sl_x86_binary_number(x, SL_X86_ADD, SL_RAX, in->imm);
  sl_emit_aligned(e, a, in->width);
  if (in->kind == SL_KIND_LOAD) {
    sl_x86_move(x, SL_RCX, SL_RAX);
    sl_x86_binary_place(x, SL_X86_SUB, SL_RCX, SL_EMIT_FIELD(low));
    sl_x86_binary_place(x, SL_X86_CMP, SL_RCX, SL_EMIT_FIELD(single));
    const size_t elsewhere = sl_x86_jump(x, SL_X86_ABOVE);
    if (e->filled)
      sl_emit_touched(e, a, 0);
    c->level->spread(c, a->other, sl_x86_indexed(SL_EMIT_MEMORY, SL_RAX, 0));
    jump_back(x, a->result);
    sl_x86_land(x, elsewhere, x->used);
  }
  own_stacks(e, a);
  jump_back(x, a->found);
  sl_x86_land(x, anywhere, x->used);
  c->level->words(e, in, a);
  jump_back(x, in->kind == SL_KIND_LOAD ? a->result : a->done);
}
