#include "warp/emitted/emit_access.h"

enum { APART = SL_EMIT_TEMPORARY, SPARE = APART + 2, DIFFERS = 3 };

#define FIELD(name) sl_x86_at(SL_EMIT_FRAME, offsetof(struct sl_emitted_frame, name))

static unsigned width_bits(const struct sl_insn *in)
{
  return sl_log2(in->width);
}

/* A number of the frame that there is for each width. */
static struct sl_x86_place by_width(size_t field, const struct sl_insn *in)
{
  return sl_x86_at(SL_EMIT_FRAME, field + width_bits(in) * sizeof(uint32_t));
}

bool sl_emit_accesses(const struct sl_emitter *e, const struct sl_insn *in)
{
  enum { STACK_POINTER = 2 };
  if (in->rs1 == STACK_POINTER && !e->own_stacks)
    return false; /* where stacks are not interleaved those of lanes are far apart */
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
  case SL_OP_FSW: return true;
  default: return false;
  }
}

static void ask(struct sl_emitter *e, struct sl_emit_access *a, enum sl_x86_condition condition)
{
  a->jump[a->jumps++] = sl_x86_jump(&e->c.x, condition);
}

/* eax = rs1 of the lowest active lane, which is at the place returned. */
static struct sl_x86_place lowest(struct sl_emitter *e, const struct sl_insn *in)
{
  struct sl_emit_lanes *c = &e->c;
  struct sl_x86_place first = sl_emit_place(c, in->rs1, 0);
  if (c->some) {
    sl_x86_load(&c->x, SL_RCX, FIELD(lowest));
    first = sl_x86_indexed(SL_EMIT_REGISTERS, SL_RCX, (size_t)first.displacement);
  }
  sl_x86_load(&c->x, SL_RAX, first);
  return first;
}

/* The distances of all lanes' rs1 from that, to vectors. */
static void distances(struct sl_emitter *e, const struct sl_insn *in, const struct sl_emit_access *a)
{
  struct sl_emit_lanes *c = &e->c;
  const struct sl_x86_place first = lowest(e, in);
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector_place(&c->x, sl_x86_vector_subtract, sl_emit_every(c), APART + p, sl_emit_vector(c, a->slot, p),
                        first, 4, true, 0);
}

/* Jumps unless the lanes are as far apart as units that follow each other. */
static size_t neighbours(struct sl_emitter *e, const struct sl_insn *in)
{
  struct sl_emit_lanes *c = &e->c;
  const unsigned width = width_bits(in);
  const size_t table = offsetof(struct sl_emitted_frame, apart[width][SL_EMIT_LANE_0]);
  struct sl_x86_place row = sl_x86_at(SL_EMIT_FRAME, table);
  if (c->some) {
    sl_x86_load_wide(&c->x, SL_RDX, sl_x86_at(SL_EMIT_FRAME, offsetof(struct sl_emitted_frame, apart_active[width])));
    row = sl_x86_at(SL_RDX, 0);
  }
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector_place(&c->x, sl_x86_vector_compare, sl_emit_active(c, p), DIFFERS + p, APART + p, row, c->bits / 8,
                        false, 1);
    sl_x86_tail(&c->x, SL_X86_IS_UNEQUAL);
    row.displacement += (int32_t)(c->bits / 8);
  }
  sl_x86_mask_test(&c->x, DIFFERS, DIFFERS + c->parts - 1);
  return sl_x86_jump(&c->x, SL_X86_UNEQUAL);
}

static void aligned(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  if (in->width == 1)
    return;
  sl_x86_test_bits(&e->c.x, SL_RAX, in->width - 1u);
  ask(e, a, SL_X86_UNEQUAL);
}

/* The pages of the units from eax on, up to `bytes` behind, have been touched. */
static void touched(struct sl_emitter *e, struct sl_emit_access *a, uint32_t bytes)
{
  struct sl_x86 *x = &e->c.x;
  enum { POINTER_BITS = 3 };
  sl_x86_load_wide(x, SL_RDX, FIELD(pages));
  for (unsigned last = 0; last < 1 + (bytes > 0); last++) {
    sl_x86_load_address(x, SL_RSI, sl_x86_at(SL_RAX, last * bytes));
    sl_x86_shift_right(x, SL_RSI, SL_PAGE_BITS - POINTER_BITS);
    sl_x86_binary_number(x, SL_X86_AND, SL_RSI, UINT32_MAX << POINTER_BITS);
    sl_x86_compare_wide(x, sl_x86_indexed(SL_RDX, SL_RSI, 0), 0);
    ask(e, a, SL_X86_EQUAL);
  }
}

/* None of the units from eax on is code. */
static void no_code(struct sl_emitter *e, struct sl_emit_access *a)
{
  struct sl_x86 *x = &e->c.x;
  sl_x86_move(x, SL_RSI, SL_RAX);
  sl_x86_binary_place(x, SL_X86_SUB, SL_RSI, FIELD(code));
  sl_x86_binary_place(x, SL_X86_CMP, SL_RSI, FIELD(code_bytes));
  ask(e, a, SL_X86_BELOW);
}

/* The vector instruction that moves units between memory and words. */
static struct sl_x86_vector mover(const struct sl_insn *in)
{
  switch (in->op) {
  case SL_OP_LB: return (struct sl_x86_vector){2, 1, 0x21};  /* vpmovsxbd */
  case SL_OP_LH: return (struct sl_x86_vector){2, 1, 0x23};  /* vpmovsxwd */
  case SL_OP_LBU: return (struct sl_x86_vector){2, 1, 0x31}; /* vpmovzxbd */
  case SL_OP_LHU: return (struct sl_x86_vector){2, 1, 0x33}; /* vpmovzxwd */
  case SL_OP_SB: return (struct sl_x86_vector){2, 2, 0x31};  /* vpmovdb */
  case SL_OP_SH: return (struct sl_x86_vector){2, 2, 0x33};  /* vpmovdw */
  case SL_OP_SW:
  case SL_OP_FSW: return sl_x86_vector_store;
  default: return sl_x86_vector_load;
  }
}

/* Units from memory's byte eax on. */
static void move_units(struct sl_emitter *e, const struct sl_insn *in, const struct sl_emit_access *a)
{
  struct sl_emit_lanes *c = &e->c;
  const unsigned unit = c->bits / 32 * in->width;
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector_place(&c->x, mover(in), sl_emit_active(c, p), sl_emit_vector(c, a->other, p), 0,
                        sl_x86_indexed(SL_EMIT_MEMORY, SL_RAX, (size_t)p * unit), unit, false, 0);
}

void sl_emit_access(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_lanes *c = &e->c;
  struct sl_x86 *x = &c->x;
  const bool loads = in->kind == SL_KIND_LOAD;
  a->jumps = 0;
  a->slot = sl_emit_use(c, in->rs1);
  a->other = loads ? sl_emit_define(c, in->rd) : sl_emit_use(c, in->rs2);
  distances(e, in, a);
  a->apart[0] = neighbours(e, in);
  sl_x86_binary_number(x, SL_X86_ADD, SL_RAX, in->imm);
  if (c->some)
    sl_x86_binary_place(x, SL_X86_SUB, SL_RAX, by_width(offsetof(struct sl_emitted_frame, before), in));
  sl_x86_move(x, SL_RCX, SL_RAX);
  sl_x86_binary_place(x, SL_X86_SUB, SL_RCX, FIELD(low));
  sl_x86_binary_place(x, SL_X86_CMP, SL_RCX, by_width(offsetof(struct sl_emitted_frame, rows), in));
  a->apart[1] = sl_x86_jump(x, SL_X86_ABOVE);
  aligned(e, in, a);
  a->found = x->used;
  if (!loads || e->filled)
    touched(e, a, (c->lanes - 1) * in->width);
  if (!loads)
    no_code(e, a);
  move_units(e, in, a);
  a->result = x->used;
  if (loads)
    sl_emit_store(c, a->other, in->rd);
  a->done = x->used;
  for (unsigned i = 0; i < SL_EMIT_SLOTS; i++)
    a->held[i] = c->held[i];
}

static void jump_back(struct sl_x86 *x, size_t to)
{
  sl_x86_land(x, sl_x86_jump(x, SL_X86_ALWAYS), to);
}

/* Word eax - stacks of every lane's own stack is a row of memory; eax = its first byte. */
static void own_stacks(struct sl_emitter *e, struct sl_emit_access *a)
{
  struct sl_x86 *x = &e->c.x;
  sl_x86_binary_place(x, SL_X86_SUB, SL_RAX, FIELD(stacks));
  ask(e, a, SL_X86_BELOW);
  sl_x86_shift_right(x, SL_RAX, 2);
  sl_x86_shift_left(x, SL_RAX, e->slot_shift);
  sl_x86_binary_place(x, SL_X86_OR, SL_RAX, FIELD(stack_words));
}

/* ---- words anywhere ----------------------------------------------------------------------------------------------
 */

/* The step is called if some lane is in a mask of DIFFERS. */
static void unless(struct sl_emitter *e, struct sl_emit_access *a)
{
  sl_x86_mask_test(&e->c.x, DIFFERS, DIFFERS + e->c.parts - 1);
  ask(e, a, SL_X86_UNEQUAL);
}

/* d = every lane has eax. */
static void spread(struct sl_emitter *e, unsigned d)
{
  static const struct sl_x86_vector from_register = {2, 1, 0x7c}; /* vpbroadcastd */
  sl_x86_vector(&e->c.x, from_register, sl_emit_every(&e->c), d, 0, SL_RAX);
}

/* Compares the addresses with a word that all lanes are compared with, and asks. */
static void compare_all(struct sl_emitter *e, unsigned part, unsigned vector, struct sl_x86_place word,
                        uint8_t relation)
{
  struct sl_emit_lanes *c = &e->c;
  sl_x86_vector_place(&c->x, sl_x86_vector_compare_unsigned, sl_emit_active(c, part), DIFFERS + part, vector, word, 4,
                      true, 1);
  sl_x86_tail(&c->x, relation);
}

/* Addresses of all lanes, which are words of data. */
static void word_addresses(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_lanes *c = &e->c;
  struct sl_x86 *x = &c->x;
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector_place(x, sl_x86_vector_add, sl_emit_every(c), APART + p, sl_emit_vector(c, a->slot, p),
                        sl_x86_constant(in->imm), 4, true, 0);
    sl_x86_vector_place(x, sl_x86_vector_subtract, sl_emit_every(c), SPARE + p, APART + p, FIELD(low), 4, true, 0);
    compare_all(e, p, SPARE + p, FIELD(single), SL_X86_IS_GREATER);
  }
  unless(e, a);
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector_place(x, sl_x86_vector_test, sl_emit_active(c, p), DIFFERS + p, APART + p, sl_x86_constant(3), 4,
                        true, 0);
  unless(e, a);
}

/* All in one page, which has been touched and, for stores, has no code. */
static void one_page(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_lanes *c = &e->c;
  lowest(e, in);
  sl_x86_binary_number(&c->x, SL_X86_ADD, SL_RAX, in->imm);
  for (unsigned p = 0; p < c->parts; p++) {
    spread(e, SPARE);
    sl_x86_vector(&c->x, sl_x86_vector_xor, sl_emit_every(c), SPARE, SPARE, APART + p);
    sl_x86_vector_place(&c->x, sl_x86_vector_test, sl_emit_active(c, p), DIFFERS + p, SPARE,
                        sl_x86_constant(UINT32_MAX << SL_PAGE_BITS), 4, true, 0);
  }
  unless(e, a);
  touched(e, a, 0);
  if (in->kind == SL_KIND_LOAD)
    return;
  sl_x86_move(&c->x, SL_RSI, SL_RAX);
  sl_x86_binary_number(&c->x, SL_X86_AND, SL_RSI, UINT32_MAX << SL_PAGE_BITS);
  sl_x86_binary_place(&c->x, SL_X86_SUB, SL_RSI, FIELD(code_pages));
  sl_x86_binary_place(&c->x, SL_X86_CMP, SL_RSI, FIELD(code_pages_bytes));
  ask(e, a, SL_X86_BELOW);
}

/* No two active lanes of a part have one address. */
static void no_conflicts(struct sl_emitter *e, struct sl_emit_access *a)
{
  static const struct sl_x86_vector conflicts = {2, 1, 0xc4}; /* vpconflictd */
  struct sl_emit_lanes *c = &e->c;
  struct sl_x86 *x = &c->x;
  sl_x86_move(x, SL_RAX, SL_EMIT_ACTIVE);
  for (unsigned p = 0; p < c->parts; p++) {
    sl_x86_vector(x, conflicts, sl_emit_every(c), SPARE, 0, APART + p);
    spread(e, SPARE + 1);
    sl_x86_vector(x, sl_x86_vector_test, sl_emit_active(c, p), DIFFERS + p, SPARE, c->some ? SPARE + 1 : SPARE);
    sl_x86_shift_right(x, SL_RAX, 16);
  }
  unless(e, a);
}

/* The addresses of the lower part are all below those of the upper one, of which its lowest active lane has the least.
 */
static void parts_apart(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_lanes *c = &e->c;
  struct sl_x86 *x = &c->x;
  struct sl_x86_place first = sl_emit_place(c, in->rs1, 1);
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
  spread(e, SPARE);
  for (unsigned p = 0; p < 2; p++) {
    sl_x86_vector(x, sl_x86_vector_compare_unsigned, sl_emit_active(c, p), DIFFERS + p, APART + p, SPARE);
    sl_x86_tail(x, p == 0 ? SL_X86_IS_NOT_LESS : SL_X86_IS_LESS);
  }
  unless(e, a);
  if (c->some)
    sl_x86_land(x, none, x->used);
}

static void words(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  static const struct sl_x86_vector gather = {2, 1, 0x90}, scatter = {2, 1, 0xa0}; /* vpgatherdd, vpscatterdd */
  const uint32_t sign = UINT32_C(1) << 31;
  struct sl_emit_lanes *c = &e->c;
  struct sl_x86 *x = &c->x;
  const bool loads = in->kind == SL_KIND_LOAD;
  word_addresses(e, in, a);
  if (!loads || e->filled)
    one_page(e, in, a);
  if (!loads)
    no_conflicts(e, a);
  if (!loads && c->parts == 2)
    parts_apart(e, in, a);
  sl_x86_move_address(x, SL_RDX, sign); /* words of a vector are signed */
  sl_x86_add_registers_wide(x, SL_RDX, SL_EMIT_MEMORY);
  for (unsigned p = 0; p < c->parts; p++) {
    const struct sl_x86_lanes lanes = {.bits = c->bits, .mask = DIFFERS};
    sl_x86_vector_place(x, sl_x86_vector_xor, sl_emit_every(c), APART + p, APART + p, sl_x86_constant(sign), 4, true,
                        0);
    if (c->some)
      sl_x86_mask_copy(x, DIFFERS, 1 + p);
    else
      sl_x86_mask_all(x, DIFFERS);
    sl_x86_vector_scattered(x, loads ? gather : scatter, lanes, sl_emit_vector(c, a->other, p), SL_RDX, APART + p);
  }
}

void sl_emit_access_others(struct sl_emitter *e, const struct sl_insn *in, struct sl_emit_access *a)
{
  struct sl_emit_lanes *c = &e->c;
  struct sl_x86 *x = &c->x;
  sl_x86_land(x, a->apart[0], x->used);
  sl_x86_land(x, a->apart[1], x->used);
  if (in->width != 4) {
    ask(e, a, SL_X86_ALWAYS);
    return;
  }
  for (unsigned p = 0; p < c->parts; p++)
    sl_x86_vector(x, sl_x86_vector_test, sl_emit_active(c, p), DIFFERS + p, APART + p, APART + p);
  sl_x86_mask_test(x, DIFFERS, DIFFERS + c->parts - 1);
  const size_t anywhere = sl_x86_jump(x, SL_X86_UNEQUAL);
  lowest(e, in);
  sl_x86_binary_number(x, SL_X86_ADD, SL_RAX, in->imm);
  aligned(e, in, a);
  if (in->kind == SL_KIND_LOAD) {
    sl_x86_move(x, SL_RCX, SL_RAX);
    sl_x86_binary_place(x, SL_X86_SUB, SL_RCX, FIELD(low));
    sl_x86_binary_place(x, SL_X86_CMP, SL_RCX, FIELD(single));
    const size_t elsewhere = sl_x86_jump(x, SL_X86_ABOVE);
    if (e->filled)
      touched(e, a, 0);
    for (unsigned p = 0; p < c->parts; p++)
      sl_x86_vector_place(x, sl_x86_vector_broadcast, sl_emit_active(c, p), sl_emit_vector(c, a->other, p), 0,
                          sl_x86_indexed(SL_EMIT_MEMORY, SL_RAX, 0), 4, false, 0);
    jump_back(x, a->result);
    sl_x86_land(x, elsewhere, x->used);
  }
  own_stacks(e, a);
  jump_back(x, a->found);
  sl_x86_land(x, anywhere, x->used);
  words(e, in, a);
  jump_back(x, in->kind == SL_KIND_LOAD ? a->result : a->done);
}
