#include "compiler/isa64/lir/lir.h"

#include "compiler/isa64/compile_mir.h"

struct select {
  struct sl_lir *lir;
  const struct sl_mir_function *f;
  const struct sl_mir_insn *in; /* the current instruction */
  const struct sl_mir_operand *operand;
  struct sl_lir_insn out; /* its translation, without operands so far */
  struct sl_error *err;
};

static enum sl_status refuse(const struct select *s, const char *why)
{
  return sl_fail(s->err, SL_USAGE, "%s: %s", sl_mir_opcode_name(s->in->opcode), why);
}

static enum sl_status no_memory(const struct select *s)
{
  return sl_no_memory(s->err, sizeof(struct sl_lir_insn));
}

/* Whether the objects that the function names exist. */
static bool exists(const struct sl_mir_function *f, const struct sl_mir_operand *operand)
{
  switch (operand->kind) {
  case SL_MIR_STACK: return operand->number < f->stack_count;
  case SL_MIR_FIXED: return operand->number < f->fixed_count;
  case SL_MIR_CONSTANT: return operand->number < f->constant_count;
  case SL_MIR_JUMP_TABLE: return operand->number < f->table_count;
  default: return true;
  }
}

/* Translates immediate operand k: a number, or part of an address. */
static enum sl_status immediate(struct select *s, uint32_t k)
{
  static const uint8_t fixes[] = {
      [SL_MIR_PLAIN] = SL_FIX_VALUE, [SL_MIR_CALLED] = SL_FIX_PC,       [SL_MIR_HIGH] = SL_FIX_HIGH,
      [SL_MIR_LOW] = SL_FIX_LOW,     [SL_MIR_TP_HIGH] = SL_FIX_TP_HIGH, [SL_MIR_TP_LOW] = SL_FIX_TP_LOW,
      [SL_MIR_TP_ADD] = SL_FIX_NONE};
  const struct sl_mir_operand *operand = &s->operand[k];
  s->out.imm += (uint32_t)operand->value;
  if (operand->kind == SL_MIR_IMMEDIATE)
    return SL_OK;
  if (s->out.place != SL_LIR_NUMBER || !sl_lir_place_of(operand, &s->out.place, &s->out.target))
    return refuse(s, "an operand is not an immediate");
  s->out.fix = fixes[operand->target];
  return SL_OK;
}

/* Translates base operand k of an address: a register, or a frame object. */
static enum sl_status base(struct select *s, uint32_t k)
{
  const struct sl_mir_operand *operand = &s->operand[k];
  if (operand->kind != SL_MIR_STACK && operand->kind != SL_MIR_FIXED)
    return SL_OK;
  s->out.imm += (uint32_t)operand->value;
  if (s->out.place != SL_LIR_NUMBER || !sl_lir_place_of(operand, &s->out.place, &s->out.target))
    return refuse(s, "a frame object and an address cannot be added");
  return SL_OK;
}

static enum sl_status add(struct select *s)
{
  return sl_lir_add(s->lir, &s->out) ? SL_OK : no_memory(s);
}

/* Puts register operand k into a field; results come first in machine IR. */
static enum sl_status put(struct select *s, uint32_t k, enum sl_lir_field field)
{
  const struct sl_mir_operand *operand = &s->operand[k];
  const uint32_t reg = sl_lir_register(s->lir, operand);
  if (reg == SL_LIR_NONE)
    return refuse(s, "an operand is not a register");
  const enum sl_lir_role role = (operand->flags & SL_MIR_DEF) == 0 ? SL_LIR_USE
                                : (operand->flags & SL_MIR_EARLY)  ? SL_LIR_EARLY_DEF
                                                                   : SL_LIR_DEF;
  if ((role == SL_LIR_USE) == (field == SL_LIR_RD))
    return refuse(s, "results and operands are in the wrong order");
  return sl_lir_add_operand(s->lir, reg, role, field) ? SL_OK : no_memory(s);
}

/* Puts registers into `fields` in order, beginning with operand 0; "d123" means rd, rs1, rs2, rs3. */
static enum sl_status registers(struct select *s, const char *fields)
{
  enum sl_status status = add(s);
  for (uint32_t k = 0; status == SL_OK && fields[k] != '\0'; k++)
    status = put(s, k, fields[k] == 'd' ? SL_LIR_RD : (enum sl_lir_field)(fields[k] - '0'));
  return status;
}

static enum sl_status with_immediate(struct select *s, const char *fields, uint32_t k, int32_t base_at)
{
  enum sl_status status = immediate(s, k);
  if (status == SL_OK && base_at >= 0)
    status = base(s, (uint32_t)base_at);
  return status == SL_OK ? registers(s, fields) : status;
}

static enum sl_status constant(struct select *s)
{
  const enum sl_status status = registers(s, "d");
  return status == SL_OK && !sl_lir_add_operand(s->lir, SL_ZERO, SL_LIR_USE, SL_LIR_RS1) ? no_memory(s) : status;
}

/* An upper immediate that is a number is an ordinary constant. */
static enum sl_status upper(struct select *s)
{
  const enum sl_status status = immediate(s, 1);
  if (status != SL_OK || s->out.place != SL_LIR_NUMBER)
    return status == SL_OK ? registers(s, "d") : status;
  s->out.op = SL_OP_ADDI;
  s->out.imm <<= 12;
  return constant(s);
}

static enum sl_status access(struct select *s, const char *fields)
{
  if (s->in->shared) {
    if (s->out.op != SL_OP_LW && s->out.op != SL_OP_SW)
      return refuse(s, "shared memory supports only word accesses; use 32-bit types there");
    s->out.op = s->out.op == SL_OP_LW ? SL_OP_LW_SHARED : SL_OP_SW_SHARED;
  }
  return with_immediate(s, fields, 2, 1);
}

static enum sl_status copy(struct select *s)
{
  const struct sl_mir_operand *from = &s->operand[1];
  if (from->kind == SL_MIR_PHYSICAL && from->number == SL_ZERO) {
    s->out.op = SL_OP_ADDI;
    return constant(s);
  }
  s->out.op = SL_LIR_COPY;
  return registers(s, "d1");
}

/* Adds implicit registers, such as arguments. The effects of calls on ra and sp are known. */
static enum sl_status others(struct select *s, uint32_t k)
{
  enum sl_status status = SL_OK;
  for (; status == SL_OK && k < s->in->operand_count; k++) {
    const struct sl_mir_operand *operand = &s->operand[k];
    if (operand->kind == SL_MIR_CALL_MASK || operand->kind == SL_MIR_FLOAT_STATE ||
        (operand->kind == SL_MIR_PHYSICAL && (operand->number == SL_RA || operand->number == SL_SP)))
      continue;
    const uint32_t reg = sl_lir_register(s->lir, operand);
    if (reg == SL_LIR_NONE || (operand->flags & SL_MIR_IMPLICIT) == 0)
      return refuse(s, "an operand is not supported");
    const enum sl_lir_role role = (operand->flags & SL_MIR_DEF) != 0 ? SL_LIR_DEF : SL_LIR_USE;
    status = sl_lir_add_operand(s->lir, reg, role, SL_LIR_NO_FIELD) ? SL_OK : no_memory(s);
  }
  return status;
}

static enum sl_status transfer(struct select *s, enum sl_lir_op op, bool by_register)
{
  s->out.op = (uint16_t)op;
  s->lir->calls = s->lir->calls || op == SL_LIR_CALL || op == SL_LIR_CALL_REGISTER;
  enum sl_status status = SL_OK;
  if (!by_register && op != SL_LIR_RETURN) {
    status = immediate(s, 0);
    s->out.fix = SL_FIX_PC;
    if (status == SL_OK && s->out.place != SL_LIR_SYMBOL)
      return refuse(s, "the call's target is not a symbol");
  }
  if (status == SL_OK)
    status = add(s);
  if (status == SL_OK && by_register)
    status = put(s, 0, SL_LIR_RS1);
  return status == SL_OK ? others(s, op == SL_LIR_RETURN ? 0 : 1) : status;
}

/* Stack arguments are part of the frame, unless the frame's size is unknown. */
static enum sl_status stack(struct select *s, bool down)
{
  const uint32_t bytes = (uint32_t)s->operand[0].value;
  if (bytes > 1 << 20)
    return refuse(s, "too many arguments");
  s->lir->outgoing = bytes > s->lir->outgoing ? bytes : s->lir->outgoing;
  if (!s->lir->dynamic || bytes == 0)
    return SL_OK;
  s->out.op = SL_LIR_STACK;
  s->out.imm = down ? 0 - bytes : bytes;
  return add(s);
}

static enum sl_status rounding(struct select *s, const char *fields, uint32_t k)
{
  s->out.mode = (uint8_t)(s->operand[k].value & 7);
  return registers(s, fields);
}

static enum sl_status csr(struct select *s, bool is_immediate)
{
  s->out.csr = (uint16_t)(s->operand[1].value & 0xfff);
  s->out.imm = is_immediate ? (uint32_t)s->operand[2].value : 0;
  const enum sl_status status = registers(s, "d");
  return status == SL_OK && !is_immediate ? put(s, 2, SL_LIR_RS1) : status;
}

/* Operands: result and scratch register, then the address and the loop's inputs; the ordering last. */
static enum sl_status loop(struct select *s, enum sl_lir_op op)
{
  s->out.op = (uint16_t)op;
  s->out.csr = s->in->opcode;
  s->out.mode = 3;
  enum sl_status status = add(s);
  for (uint32_t k = 0; status == SL_OK && k + 1 < s->in->operand_count; k++) {
    const uint32_t reg = sl_lir_register(s->lir, &s->operand[k]);
    if (reg == SL_LIR_NONE)
      return refuse(s, "an operand is not a register");
    status =
        sl_lir_add_operand(s->lir, reg, k < 2 ? SL_LIR_EARLY_DEF : SL_LIR_USE, SL_LIR_NO_FIELD) ? SL_OK : no_memory(s);
  }
  return status;
}

/* Returns the minimum number of operands for a shape. */
static uint32_t least_operands(enum sl_mir_shape shape)
{
  static const uint8_t least[] = {[SL_SHAPE_U] = 2,
                                  [SL_SHAPE_I] = 3,
                                  [SL_SHAPE_R] = 3,
                                  [SL_SHAPE_R1] = 2,
                                  [SL_SHAPE_RM] = 4,
                                  [SL_SHAPE_R1M] = 3,
                                  [SL_SHAPE_R4M] = 5,
                                  [SL_SHAPE_LOAD] = 3,
                                  [SL_SHAPE_STORE] = 3,
                                  [SL_SHAPE_BRANCH] = 3,
                                  [SL_SHAPE_AMO] = 3,
                                  [SL_SHAPE_LR] = 2,
                                  [SL_SHAPE_CSR] = 3,
                                  [SL_SHAPE_CSRI] = 3,
                                  [SL_SHAPE_COPY] = 2,
                                  [SL_SHAPE_FENCE] = 2,
                                  [SL_SHAPE_JUMP] = 1,
                                  [SL_SHAPE_CALL] = 1,
                                  [SL_SHAPE_TAIL] = 1,
                                  [SL_SHAPE_CALL_INDIRECT] = 1,
                                  [SL_SHAPE_TAIL_INDIRECT] = 1,
                                  [SL_SHAPE_JUMP_INDIRECT] = 2,
                                  [SL_SHAPE_ADDRESS] = 2,
                                  [SL_SHAPE_TP_ADDRESS] = 3,
                                  [SL_SHAPE_STACK_DOWN] = 1,
                                  [SL_SHAPE_STACK_UP] = 1,
                                  [SL_SHAPE_UNDEFINED] = 1,
                                  [SL_SHAPE_ASSEMBLY] = 2,
                                  [SL_SHAPE_COMPARE_EXCHANGE] = 6,
                                  [SL_SHAPE_LOOP_ATOMIC] = 5,
                                  [SL_SHAPE_SKIP] = 0};
  return least[shape];
}

static enum sl_status sl_lir_select_assembly(struct sl_lir *lir, const struct sl_mir_insn *in, struct sl_error *err);

static enum sl_status instruction(struct select *s)
{
  const enum sl_mir_shape shape = sl_mir_shape(s->in->opcode);
  if (s->in->operand_count < least_operands(shape))
    return refuse(s, "it has too few operands");
  switch (shape) {
  case SL_SHAPE_U: return upper(s);
  case SL_SHAPE_I: return with_immediate(s, "d1", 2, 1);
  case SL_SHAPE_R: return registers(s, "d12");
  case SL_SHAPE_R1: return registers(s, "d1");
  case SL_SHAPE_RM: return rounding(s, "d12", 3);
  case SL_SHAPE_R1M: return rounding(s, "d1", 2);
  case SL_SHAPE_R4M: return rounding(s, "d123", 4);
  case SL_SHAPE_LOAD: return access(s, "d1");
  case SL_SHAPE_STORE: return access(s, "21");
  case SL_SHAPE_BRANCH: return with_immediate(s, "12", 2, -1);
  case SL_SHAPE_AMO: return registers(s, "d12");
  case SL_SHAPE_LR: return registers(s, "d1");
  case SL_SHAPE_CSR: return csr(s, false);
  case SL_SHAPE_CSRI: return csr(s, true);
  case SL_SHAPE_FENCE: s->out.imm = (uint32_t)(s->operand[0].value << 4 | s->operand[1].value); return add(s);
  case SL_SHAPE_FENCE_TSO: s->out.imm = 0x33; return add(s); /* orders reads and writes */
  case SL_SHAPE_NONE: return add(s);
  case SL_SHAPE_COPY: return copy(s);
  case SL_SHAPE_JUMP: s->out.op = SL_LIR_JUMP; return with_immediate(s, "", 0, -1);
  case SL_SHAPE_RETURN: return transfer(s, SL_LIR_RETURN, false);
  case SL_SHAPE_CALL: return transfer(s, SL_LIR_CALL, false);
  case SL_SHAPE_CALL_INDIRECT: return transfer(s, SL_LIR_CALL_REGISTER, true);
  case SL_SHAPE_TAIL: return transfer(s, SL_LIR_TAIL, false);
  case SL_SHAPE_TAIL_INDIRECT: return transfer(s, SL_LIR_TAIL_REGISTER, true);
  case SL_SHAPE_JUMP_INDIRECT: {
    s->out.op = SL_LIR_JUMP_REGISTER;
    s->out.imm = (uint32_t)s->operand[1].value;
    const enum sl_status status = add(s);
    return status == SL_OK ? put(s, 0, SL_LIR_RS1) : status;
  }
  case SL_SHAPE_ADDRESS: {
    s->out.op = SL_OP_ADDI;
    const enum sl_status status = immediate(s, 1);
    s->out.fix = SL_FIX_VALUE;
    return status == SL_OK ? constant(s) : status;
  }
  case SL_SHAPE_TP_ADDRESS: s->out.op = SL_OP_ADD; return registers(s, "d12");
  case SL_SHAPE_STACK_DOWN: return stack(s, true);
  case SL_SHAPE_STACK_UP: return stack(s, false);
  case SL_SHAPE_UNDEFINED: s->out.op = SL_LIR_UNDEFINED; return registers(s, "d");
  case SL_SHAPE_TRAP: s->out.op = SL_LIR_TRAP; return add(s);
  case SL_SHAPE_ASSEMBLY: return sl_lir_select_assembly(s->lir, s->in, s->err);
  case SL_SHAPE_COMPARE_EXCHANGE: return loop(s, SL_LIR_COMPARE_EXCHANGE);
  case SL_SHAPE_LOOP_ATOMIC: return loop(s, SL_LIR_ATOMIC_LOOP);
  case SL_SHAPE_SKIP: break;
  }
  return SL_OK;
}

/* Replaces block numbers of the machine IR by those of the LIR. */
static void renumber(struct sl_lir *lir, size_t first)
{
  for (size_t i = first; i < lir->insn_count; i++)
    if (lir->insn[i].place == SL_LIR_BLOCK) {
      lir->insn[i].target = lir->placed[lir->insn[i].target];
      lir->insn[i].fix = SL_FIX_NONE;
    }
}

static bool ends(const struct sl_lir *lir, size_t first)
{
  if (lir->insn_count == first)
    return false;
  const struct sl_lir_insn *last = &lir->insn[lir->insn_count - 1];
  return sl_lir_is_exit(last) || last->op == SL_LIR_JUMP || last->op == SL_LIR_JUMP_REGISTER || last->op == SL_LIR_TRAP;
}

static enum sl_status block(struct select *s, uint32_t number)
{
  const struct sl_mir_block *from = &s->f->block[number];
  const size_t first = s->lir->insn_count;
  for (uint32_t i = 0; i < from->insn_count; i++) {
    s->in = &s->f->insn[from->insn + i];
    s->operand = s->f->operand + s->in->operand;
    for (uint32_t k = 0; k < s->in->operand_count; k++)
      if (!exists(s->f, &s->operand[k]))
        return refuse(s, "it refers to a frame object that does not exist");
    s->out = (struct sl_lir_insn){.op = (uint16_t)sl_mir_op(s->in->opcode),
                                  .mode = (uint8_t)sl_mir_ordering(s->in->opcode),
                                  .file = s->in->file,
                                  .line = s->in->line,
                                  .column = s->in->column,
                                  .origin = SL_LIR_NONE};
    const enum sl_status status = instruction(s);
    if (status != SL_OK)
      return status;
  }
  if (!ends(s->lir, first) && from->edge_count > 0) {
    if (number + 1 >= s->f->block_count)
      return sl_fail(s->err, SL_USAGE, "its last block does not end with a jump");
    const struct sl_lir_insn jump = {.op = SL_LIR_JUMP, .place = SL_LIR_BLOCK, .target = number + 1};
    if (!sl_lir_add(s->lir, &jump))
      return no_memory(s);
  }
  renumber(s->lir, first);
  struct sl_lir_block *to = &s->lir->block[s->lir->placed[number]];
  to->insn = (uint32_t)first;
  to->insn_count = (uint32_t)(s->lir->insn_count - first);
  return SL_OK;
}

/* The frame decides which registers are available, so its facts are collected before any operand is translated. */
static enum sl_status frame_facts(struct sl_lir *lir, const struct sl_mir_function *f, struct sl_error *err)
{
  bool over_aligned = false;
  for (size_t i = 0; i < f->stack_count; i++) {
    lir->dynamic = lir->dynamic || f->stack[i].kind == SL_MIR_DYNAMIC_OBJECT;
    over_aligned = over_aligned || f->stack[i].alignment > 16;
  }
  lir->frame_pointer = lir->dynamic || over_aligned || f->frame_address_taken;
  if (lir->dynamic && over_aligned)
    return sl_fail(err, SL_USAGE, "it has both objects aligned to more than 16 bytes and objects of variable size");
  return SL_OK;
}

static bool allocate(struct sl_lir *lir, const struct sl_mir_function *f)
{
  lir->block_count = f->block_count;
  lir->block = sl_zeroed(f->block_count, sizeof *lir->block);
  lir->edge = sl_zeroed(f->edge_count, sizeof *lir->edge);
  lir->placed = sl_zeroed(f->block_count, sizeof *lir->placed);
  lir->kind_count = f->register_count;
  lir->kind = sl_zeroed(f->register_count, 1);
  if (lir->block == NULL || lir->edge == NULL || lir->placed == NULL || lir->kind == NULL)
    return false;
  return true;
}

enum sl_status sl_lir_select(struct sl_mir_module *module, const struct sl_mir_function *f, struct sl_lir *lir,
                             struct sl_error *err)
{
  *lir = (struct sl_lir){.module = module, .source = f};
  double *frequency = sl_zeroed(f->block_count, sizeof *frequency);
  uint32_t *order = sl_zeroed(f->block_count, sizeof *order);
  enum sl_status status = SL_OK;
  if (frequency == NULL || order == NULL || !allocate(lir, f) || !sl_frequencies(f, frequency) ||
      !sl_block_order(f, frequency, order))
    status = sl_no_memory(err, f->block_count * sizeof *order);
  else
    status = frame_facts(lir, f, err);
  for (uint32_t i = 0; status == SL_OK && i < f->block_count; i++)
    lir->placed[order[i]] = i;
  struct select s = {.lir = lir, .f = f, .err = err};
  for (uint32_t i = 0; status == SL_OK && i < f->block_count; i++) {
    const uint32_t b = order[i];
    lir->block[i].frequency = frequency[b];
    lir->block[i].edge = f->block[b].edge;
    lir->block[i].edge_count = f->block[b].edge_count;
    status = block(&s, b);
  }
  for (size_t i = 0; status == SL_OK && i < f->edge_count; i++)
    lir->edge[i] = lir->placed[f->edge[i].block];
  free(frequency);
  free(order);
  return status;
}

/* Inline assembly of machine IR: a template, and groups of operands. A flag word precedes each group (LLVM's
 * InlineAsm.h: kind in bits 2:0, number of operands in 15:3). */

enum group { REGISTER_USE = 1, REGISTER_DEF, REGISTER_EARLY_DEF, CLOBBER, IMMEDIATE, MEMORY, FUNCTION };

static enum sl_status asm_refuse(struct sl_error *err, const char *why)
{
  return sl_fail(err, SL_USAGE, "inline assembly: %s", why);
}

static bool add_register(struct sl_lir *lir, const struct sl_mir_operand *operand, enum group kind)
{
  const uint32_t reg = sl_lir_register(lir, operand);
  const enum sl_lir_role role = kind == REGISTER_DEF                            ? SL_LIR_DEF
                                : kind == REGISTER_EARLY_DEF || kind == CLOBBER ? SL_LIR_EARLY_DEF
                                                                                : SL_LIR_USE;
  return reg != SL_LIR_NONE && sl_lir_add_operand(lir, reg, role, SL_LIR_NO_FIELD);
}

static enum sl_status piece_of(struct sl_lir *lir, const struct sl_mir_operand *operand, uint32_t count,
                               enum group kind, struct sl_error *err)
{
  struct sl_lir_insn *insn = &lir->insn[lir->insn_count - 1];
  struct sl_lir_piece piece = {.operand = insn->operand_count, .value = (int32_t)operand->value};
  if (count != (kind == MEMORY ? 2u : 1u))
    return asm_refuse(err, "an operand is more than one register");
  switch (kind) {
  case REGISTER_USE:
  case REGISTER_DEF:
  case REGISTER_EARLY_DEF: piece.kind = SL_LIR_PIECE_REGISTER; break;
  case IMMEDIATE:
  case FUNCTION:
    piece.kind = operand->kind == SL_MIR_IMMEDIATE ? SL_LIR_PIECE_IMMEDIATE : SL_LIR_PIECE_SYMBOL;
    if (operand->kind != SL_MIR_IMMEDIATE &&
        (!sl_lir_place_of(operand, &piece.place, &piece.target) || piece.place != SL_LIR_SYMBOL))
      return asm_refuse(err, "an operand is neither number nor symbol");
    break;
  default:
    piece.kind = SL_LIR_PIECE_MEMORY;
    if (operand[1].kind != SL_MIR_IMMEDIATE)
      return asm_refuse(err, "a memory operand is relative to a symbol");
    piece.value += (int32_t)operand[1].value;
    sl_lir_place_of(operand, &piece.place, &piece.target);
  }
  if (piece.kind <= SL_LIR_PIECE_MEMORY && piece.kind != SL_LIR_PIECE_IMMEDIATE && !add_register(lir, operand, kind))
    return asm_refuse(err, "an operand is not a register");
  if (!SL_GROW(lir->piece, lir->piece_count))
    return sl_no_memory(err, sizeof piece);
  lir->piece[lir->piece_count++] = piece;
  insn->piece_count++;
  return SL_OK;
}

/* Select one instruction of inline assembly (lir_select.c), and one operand of any instruction. */
static enum sl_status sl_lir_select_assembly(struct sl_lir *lir, const struct sl_mir_insn *in, struct sl_error *err)
{
  const struct sl_mir_operand *operand = lir->source->operand + in->operand;
  if (operand[0].kind != SL_MIR_SYMBOL)
    return asm_refuse(err, "the template is missing");
  const struct sl_lir_insn out = {.op = SL_LIR_ASSEMBLY,
                                  .text = operand[0].number,
                                  .piece = (uint32_t)lir->piece_count,
                                  .file = in->file,
                                  .line = in->line,
                                  .column = in->column};
  if (!sl_lir_add(lir, &out))
    return sl_no_memory(err, sizeof out);
  for (uint32_t k = 2; k < in->operand_count && operand[k].kind != SL_MIR_METADATA;) {
    if (operand[k].kind != SL_MIR_IMMEDIATE)
      return asm_refuse(err, "its operands are not supported");
    const enum group kind = (enum group)(operand[k].value & 7);
    const uint32_t count = (uint32_t)operand[k].value >> 3 & 0x1fff;
    if (kind < REGISTER_USE || kind > FUNCTION || count == 0 || count >= in->operand_count - k)
      return asm_refuse(err, "its operands are not supported");
    enum sl_status status = SL_OK;
    if (kind == CLOBBER) {
      /* Clobbers of ra, sp or floating-point state need no operand. */
      if (operand[k + 1].kind == SL_MIR_PHYSICAL && !add_register(lir, &operand[k + 1], kind))
        status = asm_refuse(err, "a clobber is not a register");
    } else {
      status = piece_of(lir, &operand[k + 1], count, kind, err);
    }
    if (status != SL_OK)
      return status;
    k += count + 1;
  }
  return SL_OK;
}
