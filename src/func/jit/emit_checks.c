#include "func/jit/emit_checks.h"

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
