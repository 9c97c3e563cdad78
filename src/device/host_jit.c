#include "device/host_jit.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "func/jit/x86.h"
#include "isa/host_level.h"

enum { MAPPED = 8, STEP = 4, STEP_BITS = 2, BYTES_PER_INSTRUCTION = 160, BYTES_BESIDE = 4096 };

/* rbx: host->x, rbp: the pages of memory, r15: the rest of the budget, r14: entries by instruction. */
static const enum sl_x86_register X = SL_RBX, PAGES = SL_RBP, LEFT = SL_R15, ENTRIES = SL_R14;

static const enum sl_x86_register homes[MAPPED] = {SL_RSI, SL_RDI, SL_R8, SL_R9, SL_R10, SL_R11, SL_R12, SL_R13};

/* Called with x, pages, budget, entries and the address to begin at; returns the rest of the budget. */
typedef uint64_t enter_function(uint32_t *x, uint8_t **pages, uint64_t left, const uint64_t *entries, uint64_t begin);

struct sl_host_jit {
  struct sl_executable memory;
  enter_function *enter;
  uint64_t *entry; /* by instruction: host address, 0: not a leader */
  uint32_t base, count;
};

/* A jump whose target is not yet written: to a leader, or out of the code before an instruction. */
struct pending {
  size_t jump;
  uint32_t index;
  uint32_t back; /* out: instructions of the block that are not executed */
  bool out;
};

struct translation {
  struct sl_x86 x86;
  const struct sl_insn *insn;
  uint32_t count; /* instructions up to the last one of the program */
  uint32_t base, low;
  uint8_t *leader;
  size_t *offset; /* of leaders */
  struct pending *pending;
  size_t pending_count, pending_room;
  bool full;                      /* out of memory */
  uint8_t home[SL_HOST_SINK + 1]; /* 1 + index in `homes`; 0: in memory */
  uint8_t mapped[MAPPED];
  unsigned mapped_count;
  size_t leave;
};

/* ---- analysis ---------------------------------------------------------------------------------------------------- */

/* Whether a jump from an instruction leads to another one of the program; others are left to the interpreter. */
static bool leads_to(const struct translation *t, uint32_t index, uint32_t *target)
{
  const uint32_t offset = (index << STEP_BITS) + t->insn[index].imm;
  *target = offset >> STEP_BITS;
  return offset % STEP == 0 && *target != 0 && *target < t->count && *target != index;
}

static bool is_translated(const struct translation *t, uint32_t index)
{
  const struct sl_insn *in = &t->insn[index];
  uint32_t target;
  if (in->rd > SL_HOST_SINK || in->rs1 >= SL_HOST_SINK || in->rs2 >= SL_HOST_SINK)
    return false;
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_ALU:
  case SL_KIND_MUL: return (sl_op_info(in->op)->set & (SL_ISA_I | SL_ISA_M)) != 0 && in->op != SL_OP_MULHSU;
  case SL_KIND_DIV:
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_BRANCH:
  case SL_KIND_JALR:
  case SL_KIND_FENCE:
  case SL_KIND_FLUSH:
  case SL_KIND_PUSH:
  case SL_KIND_POP: return true;
  case SL_KIND_JAL: return leads_to(t, index, &target);
  default: return false;
  }
}

static bool ends_block(const struct sl_insn *in)
{
  return in->kind == SL_KIND_BRANCH || in->kind == SL_KIND_JAL || in->kind == SL_KIND_JALR;
}

static void find_leaders(struct translation *t)
{
  t->leader[0] = 1;
  for (uint32_t i = 0; i < t->count; i++) {
    const struct sl_insn *in = &t->insn[i];
    uint32_t target;
    if (!is_translated(t, i))
      t->leader[i] = t->leader[i + 1] = 1;
    if (ends_block(in))
      t->leader[i + 1] = 1;
    if ((in->kind == SL_KIND_BRANCH || in->kind == SL_KIND_JAL) && leads_to(t, i, &target))
      t->leader[target] = 1;
  }
}

/* Chooses the registers that become registers of the host. An instruction counts eight times per loop around it. */
static bool map_registers(struct translation *t)
{
  enum { DEEPEST = 5, LONGEST = 512 };
  uint64_t uses[SL_HOST_SINK + 1] = {0};
  int32_t *depth = calloc((size_t)t->count + 1, sizeof *depth), now = 0;
  if (depth == NULL)
    return false;
  for (uint32_t i = 0, target; i < t->count; i++)
    if (t->insn[i].kind == SL_KIND_BRANCH && leads_to(t, i, &target) && target < i && i - target < LONGEST) {
      depth[target]++;
      depth[i + 1]--;
    }
  for (uint32_t i = 0; i < t->count; i++) {
    const struct sl_insn *in = &t->insn[i];
    now += depth[i];
    const uint64_t weight = UINT64_C(1) << 3 * (now < DEEPEST ? now : DEEPEST);
    if (!is_translated(t, i))
      continue;
    uses[in->rd] += weight;
    uses[in->rs1] += weight;
    uses[in->rs2] += weight;
  }
  free(depth);
  for (t->mapped_count = 0; t->mapped_count < MAPPED; t->mapped_count++) {
    unsigned best = 0;
    for (unsigned r = 1; r < SL_HOST_SINK; r++)
      if (t->home[r] == 0 && uses[r] > (best == 0 ? 0 : uses[best]))
        best = r;
    if (best == 0)
      break;
    t->mapped[t->mapped_count] = (uint8_t)best;
    t->home[best] = (uint8_t)(t->mapped_count + 1);
  }
  return true;
}

/* ---- registers --------------------------------------------------------------------------------------------------- */

static struct sl_x86_place place_of(unsigned r)
{
  return sl_x86_at(X, 4 * (size_t)r);
}

static void get(struct translation *t, enum sl_x86_register to, unsigned r)
{
  if (r == 0)
    sl_x86_move_number(&t->x86, to, 0);
  else if (t->home[r] == 0)
    sl_x86_load(&t->x86, to, place_of(r));
  else if (homes[t->home[r] - 1] != to)
    sl_x86_move(&t->x86, to, homes[t->home[r] - 1]);
}

static void put(struct translation *t, unsigned r, enum sl_x86_register from)
{
  if (r == SL_HOST_SINK)
    return;
  if (t->home[r] == 0)
    sl_x86_store_unit(&t->x86, place_of(r), from, 4);
  else if (homes[t->home[r] - 1] != from)
    sl_x86_move(&t->x86, homes[t->home[r] - 1], from);
}

static void with(struct translation *t, enum sl_x86_binary op, enum sl_x86_register a, unsigned r)
{
  if (t->home[r] != 0)
    sl_x86_binary(&t->x86, op, a, homes[t->home[r] - 1]);
  else
    sl_x86_binary_place(&t->x86, op, a, place_of(r)); /* x0 is 0 in memory, too */
}

/* The register in which rd is computed. It is not that of rs2, which is still to be read. */
static enum sl_x86_register result_of(const struct translation *t, const struct sl_insn *in)
{
  return t->home[in->rd] != 0 && in->rd != in->rs2 ? homes[t->home[in->rd] - 1] : SL_RAX;
}

/* ---- jumps ------------------------------------------------------------------------------------------------------- */

static void remember(struct translation *t, struct pending p)
{
  if (t->pending_count == t->pending_room) {
    const size_t room = t->pending_room == 0 ? 1024 : 2 * t->pending_room;
    struct pending *grown = realloc(t->pending, room * sizeof *grown);
    if (grown == NULL) {
      t->full = true;
      return;
    }
    t->pending = grown;
    t->pending_room = room;
  }
  t->pending[t->pending_count++] = p;
}

static void jump_to(struct translation *t, unsigned condition, uint32_t index)
{
  const size_t jump = sl_x86_jump(&t->x86, (enum sl_x86_condition)condition);
  remember(t, (struct pending){.jump = jump, .index = index});
}

/* Leaves before instruction `index`, with the last `back` instructions of the block not executed. */
static void leave_if(struct translation *t, unsigned condition, uint32_t index, uint32_t back)
{
  const size_t jump = sl_x86_jump(&t->x86, (enum sl_x86_condition)condition);
  remember(t, (struct pending){.jump = jump, .index = index, .back = back, .out = true});
}

static void finish_jumps(struct translation *t)
{
  for (size_t i = 0; i < t->pending_count && !t->full && !t->x86.full; i++) {
    const struct pending *p = &t->pending[i];
    if (!p->out) {
      sl_x86_land(&t->x86, p->jump, t->offset[p->index]);
      continue;
    }
    sl_x86_land(&t->x86, p->jump, t->x86.used);
    if (p->back != 0)
      sl_x86_add_wide(&t->x86, LEFT, (int32_t)p->back);
    sl_x86_move_number(&t->x86, SL_RAX, t->base + (p->index << STEP_BITS));
    sl_x86_land(&t->x86, sl_x86_jump(&t->x86, SL_X86_ALWAYS), t->leave);
  }
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static void immediate(struct translation *t, const struct sl_insn *in, enum sl_x86_binary op)
{
  const enum sl_x86_register d = t->home[in->rd] != 0 ? homes[t->home[in->rd] - 1] : SL_RAX;
  get(t, d, in->rs1);
  if (in->imm != 0 || op == SL_X86_AND)
    sl_x86_binary_number(&t->x86, op, d, in->imm);
  put(t, in->rd, d);
}

static void binary(struct translation *t, const struct sl_insn *in, enum sl_x86_binary op)
{
  const enum sl_x86_register d = result_of(t, in);
  get(t, d, in->rs1);
  with(t, op, d, in->rs2);
  put(t, in->rd, d);
}

static void compare(struct translation *t, const struct sl_insn *in, bool number, enum sl_x86_condition condition)
{
  get(t, SL_RCX, in->rs1);
  if (number)
    sl_x86_binary_number(&t->x86, SL_X86_CMP, SL_RCX, in->imm);
  else
    with(t, SL_X86_CMP, SL_RCX, in->rs2);
  sl_x86_condition_to_eax(&t->x86, condition);
  put(t, in->rd, SL_RAX);
}

static void shift(struct translation *t, const struct sl_insn *in, bool number, enum sl_x86_shift kind)
{
  const enum sl_x86_register d = result_of(t, in);
  if (!number)
    get(t, SL_RCX, in->rs2);
  get(t, d, in->rs1);
  if (number)
    sl_x86_shift_by(&t->x86, kind, d, in->imm & 31);
  else
    sl_x86_shift_by_cl(&t->x86, kind, d);
  put(t, in->rd, d);
}

static void multiply(struct translation *t, const struct sl_insn *in)
{
  get(t, SL_RAX, in->rs1);
  get(t, SL_RCX, in->rs2);
  if (in->op == SL_OP_MUL)
    sl_x86_multiply(&t->x86, SL_RAX, SL_RCX);
  else
    sl_x86_unary(&t->x86, in->op == SL_OP_MULH ? SL_X86_MULTIPLY_SIGNED : SL_X86_MULTIPLY, SL_RCX);
  put(t, in->rd, in->op == SL_OP_MUL ? SL_RAX : SL_RDX);
}

/* A division by 0 has the quotient -1 and the dividend as remainder. That by -1 is a negation, since the least number
 * has no positive counterpart. */
static void divide(struct translation *t, const struct sl_insn *in)
{
  struct sl_x86 *o = &t->x86;
  const bool sign = in->op == SL_OP_DIV || in->op == SL_OP_REM, remainder = in->op == SL_OP_REM || in->op == SL_OP_REMU;
  size_t minus = 0, from_minus = 0;
  get(t, SL_RAX, in->rs1);
  get(t, SL_RCX, in->rs2);
  sl_x86_binary_number(o, SL_X86_CMP, SL_RCX, 0);
  const size_t zero = sl_x86_jump(o, SL_X86_EQUAL);
  if (sign) {
    sl_x86_binary_number(o, SL_X86_CMP, SL_RCX, UINT32_MAX);
    minus = sl_x86_jump(o, SL_X86_EQUAL);
    sl_x86_sign_to_edx(o);
  } else {
    sl_x86_move_number(o, SL_RDX, 0);
  }
  sl_x86_unary(o, sign ? SL_X86_DIVIDE_SIGNED : SL_X86_DIVIDE, SL_RCX);
  const size_t done = sl_x86_jump(o, SL_X86_ALWAYS);
  if (sign) {
    sl_x86_land(o, minus, o->used);
    sl_x86_unary(o, SL_X86_NEGATE, SL_RAX);
    sl_x86_move_number(o, SL_RDX, 0);
    from_minus = sl_x86_jump(o, SL_X86_ALWAYS);
  }
  sl_x86_land(o, zero, o->used);
  sl_x86_move(o, SL_RDX, SL_RAX);
  sl_x86_move_number(o, SL_RAX, UINT32_MAX);
  sl_x86_land(o, done, o->used);
  if (sign)
    sl_x86_land(o, from_minus, o->used);
  put(t, in->rd, remainder ? SL_RDX : SL_RAX);
}

/* A load or store. Addresses with a fault and pages that have never been touched are left to the interpreter. */
static void access(struct translation *t, uint32_t index, uint32_t back)
{
  struct sl_x86 *o = &t->x86;
  const struct sl_insn *in = &t->insn[index];
  get(t, SL_RAX, in->rs1);
  if (in->imm != 0)
    sl_x86_binary_number(o, SL_X86_ADD, SL_RAX, in->imm);
  if (in->width > 1) {
    sl_x86_test_bits(o, SL_RAX, in->width - 1u);
    leave_if(t, SL_X86_UNEQUAL, index, back);
  }
  sl_x86_binary_number(o, SL_X86_CMP, SL_RAX, t->low);
  leave_if(t, SL_X86_BELOW, index, back);
  sl_x86_move(o, SL_RCX, SL_RAX);
  sl_x86_shift_right(o, SL_RCX, SL_PAGE_BITS - 3);
  sl_x86_binary_number(o, SL_X86_AND, SL_RCX, ~7u);
  sl_x86_load_wide(o, SL_RCX, sl_x86_indexed(PAGES, SL_RCX, 0));
  sl_x86_test_wide(o, SL_RCX);
  leave_if(t, SL_X86_EQUAL, index, back);
  sl_x86_low_half(o, SL_RAX, SL_RAX);
  const struct sl_x86_place at = sl_x86_indexed(SL_RCX, SL_RAX, 0);
  if (in->kind == SL_KIND_STORE) {
    get(t, SL_RDX, in->rs2);
    sl_x86_store_unit(o, at, SL_RDX, in->width);
    return;
  }
  const enum sl_x86_register d = t->home[in->rd] != 0 ? homes[t->home[in->rd] - 1] : SL_RAX;
  sl_x86_load_unit(o, d, at, in->width, in->op == SL_OP_LB || in->op == SL_OP_LH);
  put(t, in->rd, d);
}

static void branch(struct translation *t, uint32_t index)
{
  const struct sl_insn *in = &t->insn[index];
  const enum sl_x86_condition condition = in->op == SL_OP_BEQ    ? SL_X86_EQUAL
                                          : in->op == SL_OP_BNE  ? SL_X86_UNEQUAL
                                          : in->op == SL_OP_BLT  ? SL_X86_LESS
                                          : in->op == SL_OP_BGE  ? SL_X86_NOT_LESS
                                          : in->op == SL_OP_BLTU ? SL_X86_BELOW
                                                                 : SL_X86_NOT_BELOW;
  uint32_t target;
  const enum sl_x86_register a = t->home[in->rs1] != 0 ? homes[t->home[in->rs1] - 1] : SL_RAX;
  get(t, a, in->rs1);
  with(t, SL_X86_CMP, a, in->rs2);
  if (leads_to(t, index, &target))
    jump_to(t, condition, target);
  else
    leave_if(t, condition, index, 1);
}

/* An indirect jump to another leader; the interpreter takes all others. */
static void jump_indirect(struct translation *t, uint32_t index)
{
  struct sl_x86 *o = &t->x86;
  const struct sl_insn *in = &t->insn[index];
  const uint32_t pc = t->base + (index << STEP_BITS);
  get(t, SL_RAX, in->rs1);
  if (in->imm != 0)
    sl_x86_binary_number(o, SL_X86_ADD, SL_RAX, in->imm);
  sl_x86_binary_number(o, SL_X86_AND, SL_RAX, ~1u);
  sl_x86_binary_number(o, SL_X86_CMP, SL_RAX, pc);
  leave_if(t, SL_X86_EQUAL, index, 1);
  sl_x86_binary_number(o, SL_X86_SUB, SL_RAX, t->base);
  leave_if(t, SL_X86_EQUAL, index, 1);
  sl_x86_binary_number(o, SL_X86_CMP, SL_RAX, t->count << STEP_BITS);
  leave_if(t, SL_X86_NOT_BELOW, index, 1);
  sl_x86_test_bits(o, SL_RAX, STEP - 1);
  leave_if(t, SL_X86_UNEQUAL, index, 1);
  sl_x86_shift_left(o, SL_RAX, 1); /* bytes of the table */
  sl_x86_load_wide(o, SL_RDX, sl_x86_indexed(ENTRIES, SL_RAX, 0));
  sl_x86_test_wide(o, SL_RDX);
  leave_if(t, SL_X86_EQUAL, index, 1);
  if (in->rd != SL_HOST_SINK) {
    sl_x86_move_number(o, SL_RAX, pc + STEP);
    put(t, in->rd, SL_RAX);
  }
  sl_x86_jump_register(o, SL_RDX);
}

static void jump(struct translation *t, uint32_t index)
{
  uint32_t target;
  leads_to(t, index, &target);
  if (t->insn[index].rd != SL_HOST_SINK) {
    sl_x86_move_number(&t->x86, SL_RAX, t->base + ((index + 1) << STEP_BITS));
    put(t, t->insn[index].rd, SL_RAX);
  }
  jump_to(t, SL_X86_ALWAYS, target);
}

static void constant(struct translation *t, const struct sl_insn *in, uint32_t value)
{
  const enum sl_x86_register d = t->home[in->rd] != 0 ? homes[t->home[in->rd] - 1] : SL_RAX;
  sl_x86_move_number(&t->x86, d, value);
  put(t, in->rd, d);
}

/* `back`: instructions of the block from this one on. */
static void translate(struct translation *t, uint32_t index, uint32_t back)
{
  const struct sl_insn *in = &t->insn[index];
  switch (in->op) {
  case SL_OP_LUI: constant(t, in, in->imm); return;
  case SL_OP_AUIPC: constant(t, in, t->base + (index << STEP_BITS) + in->imm); return;
  case SL_OP_ADDI: immediate(t, in, SL_X86_ADD); return;
  case SL_OP_XORI: immediate(t, in, SL_X86_XOR); return;
  case SL_OP_ORI: immediate(t, in, SL_X86_OR); return;
  case SL_OP_ANDI: immediate(t, in, SL_X86_AND); return;
  case SL_OP_SLTI: compare(t, in, true, SL_X86_LESS); return;
  case SL_OP_SLTIU: compare(t, in, true, SL_X86_BELOW); return;
  case SL_OP_SLT: compare(t, in, false, SL_X86_LESS); return;
  case SL_OP_SLTU: compare(t, in, false, SL_X86_BELOW); return;
  case SL_OP_SLLI: shift(t, in, true, SL_X86_LEFT); return;
  case SL_OP_SRLI: shift(t, in, true, SL_X86_RIGHT); return;
  case SL_OP_SRAI: shift(t, in, true, SL_X86_RIGHT_SIGNED); return;
  case SL_OP_SLL: shift(t, in, false, SL_X86_LEFT); return;
  case SL_OP_SRL: shift(t, in, false, SL_X86_RIGHT); return;
  case SL_OP_SRA: shift(t, in, false, SL_X86_RIGHT_SIGNED); return;
  case SL_OP_ADD: binary(t, in, SL_X86_ADD); return;
  case SL_OP_SUB: binary(t, in, SL_X86_SUB); return;
  case SL_OP_XOR: binary(t, in, SL_X86_XOR); return;
  case SL_OP_OR: binary(t, in, SL_X86_OR); return;
  case SL_OP_AND: binary(t, in, SL_X86_AND); return;
  case SL_OP_MUL:
  case SL_OP_MULH:
  case SL_OP_MULHU: multiply(t, in); return;
  default: break;
  }
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_DIV: divide(t, in); return;
  case SL_KIND_LOAD:
  case SL_KIND_STORE: access(t, index, back); return;
  case SL_KIND_BRANCH: branch(t, index); return;
  case SL_KIND_JAL: jump(t, index); return;
  case SL_KIND_JALR: jump_indirect(t, index); return;
  default: return; /* fences and annotations do nothing */
  }
}

/* ---- the program ------------------------------------------------------------------------------------------------- */

static const enum sl_x86_register saved[] = {SL_RBX, SL_RBP, SL_R12, SL_R13, SL_R14, SL_R15};
enum { SAVED = sizeof saved / sizeof *saved };

/* The function that enters the code, and the end of all ways out of it, with the pc in eax. */
static void frame(struct translation *t)
{
  struct sl_x86 *o = &t->x86;
  const size_t pc = offsetof(struct sl_host, pc) - offsetof(struct sl_host, x);
  for (unsigned i = 0; i < SAVED; i++)
    sl_x86_push(o, saved[i]);
  sl_x86_move_wide(o, X, SL_RDI);
  sl_x86_move_wide(o, PAGES, SL_RSI);
  sl_x86_move_wide(o, LEFT, SL_RDX);
  sl_x86_move_wide(o, ENTRIES, SL_RCX);
  sl_x86_move_wide(o, SL_RAX, SL_R8);
  for (unsigned i = 0; i < t->mapped_count; i++)
    sl_x86_load(o, homes[i], place_of(t->mapped[i]));
  sl_x86_jump_register(o, SL_RAX);
  t->leave = o->used;
  sl_x86_store_unit(o, sl_x86_at(X, pc), SL_RAX, 4);
  for (unsigned i = 0; i < t->mapped_count; i++)
    sl_x86_store_unit(o, place_of(t->mapped[i]), homes[i], 4);
  sl_x86_move_wide(o, SL_RAX, LEFT);
  for (unsigned i = SAVED; i-- > 0;)
    sl_x86_pop(o, saved[i]);
  sl_x86_return(o);
}

/* Instructions of the block that begins at a leader. */
static uint32_t block_length(const struct translation *t, uint32_t first)
{
  uint32_t i = first;
  while (i < t->count && is_translated(t, i) && (i == first || !t->leader[i]))
    if (ends_block(&t->insn[i++]))
      break;
  return i - first;
}

static void write_block(struct translation *t, uint32_t first)
{
  const uint32_t length = block_length(t, first), behind = first + length;
  t->offset[first] = t->x86.used;
  if (length > 0) {
    sl_x86_add_wide(&t->x86, LEFT, -(int32_t)length);
    leave_if(t, SL_X86_NEGATIVE, first, length);
  }
  for (uint32_t i = first; i < behind; i++)
    translate(t, i, behind - i);
  /* The next block follows, if its first instruction can be executed here. */
  if (length == 0 || behind >= t->count)
    leave_if(t, SL_X86_ALWAYS, behind, 0);
}

static bool write_program(struct translation *t)
{
  frame(t);
  for (uint32_t i = 0; i < t->count; i++)
    if (t->leader[i])
      write_block(t, i);
  finish_jumps(t);
  return !t->full && !t->x86.full;
}

static void free_translation(struct translation *t)
{
  free(t->leader);
  free(t->offset);
  free(t->pending);
  free(t);
}

static bool translate_all(struct sl_host_jit *jit, struct translation *t)
{
  t->leader = sl_lines_of((size_t)t->count + 1, 1);
  t->offset = sl_lines_of((size_t)t->count + 1, sizeof *t->offset);
  if (t->leader == NULL || t->offset == NULL ||
      !sl_executable_open(&jit->memory, (size_t)t->count * BYTES_PER_INSTRUCTION + BYTES_BESIDE))
    return false;
  t->x86.code = jit->memory.code;
  t->x86.room = jit->memory.bytes;
  find_leaders(t);
  if (!map_registers(t) || !write_program(t) || !sl_executable_seal(&jit->memory, t->x86.used))
    return false;
  const uint64_t code = (uint64_t)(uintptr_t)jit->memory.code;
  for (uint32_t i = 0; i < t->count; i++)
    jit->entry[i] = t->leader[i] && is_translated(t, i) ? code + t->offset[i] : 0;
  memcpy(&jit->enter, &(void *){jit->memory.code}, sizeof jit->enter);
  return true;
}

struct sl_host_jit *sl_host_jit_open(const struct sl_host *host)
{
  uint32_t count = host->code.count;
  if (!sl_host_has_vectors()) /* the code returns as that of sl_jit_open does */
    return NULL;
  while (count > 0 && host->code.insn[count - 1].word == 0)
    count--;
  struct sl_host_jit *jit = calloc(1, sizeof *jit);
  struct translation *t = calloc(1, sizeof *t);
  bool done = jit != NULL && t != NULL && (jit->entry = sl_lines_of((size_t)count + 1, sizeof *jit->entry)) != NULL;
  if (done) {
    jit->base = host->code.base;
    jit->count = count;
    *t = (struct translation){
        .insn = host->code.insn, .count = count, .base = host->code.base, .low = host->memory->low};
    done = translate_all(jit, t);
  }
  if (t != NULL)
    free_translation(t);
  if (!done && jit != NULL) {
    sl_host_jit_close(jit);
    jit = NULL;
  }
  return jit;
}

void sl_host_jit_close(struct sl_host_jit *jit)
{
  if (jit == NULL)
    return;
  sl_executable_close(&jit->memory);
  free(jit->entry);
  free(jit);
}

uint64_t sl_host_jit_run(const struct sl_host_jit *jit, struct sl_host *host, uint64_t most)
{
  const uint32_t offset = host->pc - jit->base, index = offset >> STEP_BITS;
  const uint64_t budget = most < INT32_MAX ? most : INT32_MAX;
  if (index >= jit->count || offset % STEP != 0 || jit->entry[index] == 0)
    return 0;
  const uint64_t left = jit->enter(host->x, host->memory->pages, budget, jit->entry, jit->entry[index]);
  host->instructions += budget - left;
  return budget - left;
}
