
#include "func/jit/emit_block.h"

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

void sl_emit_aligned(struct sl_emitter *e, struct sl_emit_access *a, unsigned width)
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

void sl_emit_no_code(struct sl_emitter *e, struct sl_emit_access *a)
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
