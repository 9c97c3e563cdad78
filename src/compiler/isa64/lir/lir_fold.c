#include "compiler/isa64/lir/lir.h"

#include "compiler/isa64/compile_mir.h"

/* Each round can create constants for the next one; chains are short. */
enum { ROUNDS = 4, SEVERAL = UINT32_MAX };

struct fold {
  struct sl_lir *lir;
  uint32_t *definition; /* per virtual register: 1 + number of the instruction; 0: none; SEVERAL */
  uint32_t *uses;
  bool *dead; /* instructions to remove */
  bool changed;
};

static void count(struct fold *f)
{
  for (size_t v = 0; v < f->lir->kind_count; v++)
    f->definition[v] = f->uses[v] = 0;
  for (uint32_t i = 0; i < f->lir->insn_count; i++) {
    const struct sl_lir_operand *operand = sl_lir_operands(f->lir, &f->lir->insn[i]);
    for (uint32_t k = 0; !f->dead[i] && k < f->lir->insn[i].operand_count; k++) {
      if (operand[k].reg < SL_LIR_VIRTUAL)
        continue;
      const uint32_t v = operand[k].reg - SL_LIR_VIRTUAL;
      if (operand[k].role == SL_LIR_USE)
        f->uses[v]++;
      else
        f->definition[v] = f->definition[v] == 0 ? i + 1 : SEVERAL;
    }
  }
}

/* Returns the only definition of a virtual register, or NULL. */
static const struct sl_lir_insn *definition(const struct fold *f, uint32_t reg)
{
  if (reg == SL_LIR_NONE || reg < SL_LIR_VIRTUAL)
    return NULL;
  const uint32_t at = f->definition[reg - SL_LIR_VIRTUAL];
  return at == 0 || at == SEVERAL ? NULL : &f->lir->insn[at - 1];
}

/* Returns the constant that a register always holds, or NULL. */
static const struct sl_lir_insn *constant(const struct fold *f, uint32_t reg)
{
  const struct sl_lir_insn *insn = definition(f, reg);
  return insn != NULL && sl_lir_is_constant(f->lir, insn) ? insn : NULL;
}

static bool number(const struct fold *f, uint32_t reg, uint32_t *value)
{
  if (reg == SL_ZERO) {
    *value = 0;
    return true;
  }
  const struct sl_lir_insn *c = constant(f, reg);
  if (c == NULL || c->place != SL_LIR_NUMBER)
    return false;
  *value = c->imm;
  return true;
}

static struct sl_lir_operand *in_field(const struct fold *f, struct sl_lir_insn *insn, enum sl_lir_field field)
{
  struct sl_lir_operand *operand = sl_lir_operands(f->lir, insn);
  for (uint32_t k = 0; k < insn->operand_count; k++)
    if (operand[k].field == field)
      return &operand[k];
  return NULL;
}

/* rd = constant, in an instruction that has at least rd and rs1. */
static void become_constant(struct fold *f, struct sl_lir_insn *insn, const struct sl_lir_insn *from, uint32_t imm)
{
  const uint32_t base = from == NULL ? SL_ZERO : sl_lir_field(f->lir, from, SL_LIR_RS1);
  in_field(f, insn, SL_LIR_RS1)->reg = base;
  insn->op = SL_OP_ADDI;
  insn->place = from == NULL ? SL_LIR_NUMBER : from->place;
  insn->fix = from == NULL ? SL_FIX_NONE : from->fix;
  insn->target = from == NULL ? 0 : from->target;
  insn->imm = imm;
  insn->operand_count = 2; /* rd and rs1 come first */
  f->changed = true;
}

/* Folds a base that is a constant address, or the upper part of an address whose lower part is the offset. */
static void fold_base(struct fold *f, struct sl_lir_insn *insn)
{
  struct sl_lir_operand *base = in_field(f, insn, SL_LIR_RS1);
  const struct sl_lir_insn *c = base != NULL ? constant(f, base->reg) : NULL;
  if (c == NULL)
    return;
  const bool parts = c->op == SL_OP_LUI;
  if (parts ? c->fix != SL_FIX_HIGH || insn->fix != SL_FIX_LOW || insn->place != c->place ||
                  insn->target != c->target || insn->imm != c->imm
            : insn->place != SL_LIR_NUMBER && c->place != SL_LIR_NUMBER)
    return;
  if (parts) {
    base->reg = SL_ZERO;
    insn->fix = SL_FIX_VALUE;
  } else {
    if (insn->place != SL_LIR_NUMBER && insn->fix != SL_FIX_VALUE)
      return;
    base->reg = sl_lir_field(f->lir, c, SL_LIR_RS1);
    insn->imm += c->imm;
    if (c->place != SL_LIR_NUMBER) {
      insn->place = c->place;
      insn->fix = c->fix;
      insn->target = c->target;
    }
  }
  f->changed = true;
}

/* Returns the operation with an immediate in place of rs2, or SL_OP_UNKNOWN. */
static enum sl_op immediate_form(enum sl_op op)
{
  switch (op) {
  case SL_OP_ADD:
  case SL_OP_SUB: return SL_OP_ADDI;
  case SL_OP_AND: return SL_OP_ANDI;
  case SL_OP_OR: return SL_OP_ORI;
  case SL_OP_XOR: return SL_OP_XORI;
  case SL_OP_SLT: return SL_OP_SLTI;
  case SL_OP_SLTU: return SL_OP_SLTIU;
  case SL_OP_SLL: return SL_OP_SLLI;
  case SL_OP_SRL: return SL_OP_SRLI;
  case SL_OP_SRA: return SL_OP_SRAI;
  default: return SL_OP_UNKNOWN;
  }
}

static bool commutes(enum sl_op op)
{
  return op == SL_OP_ADD || op == SL_OP_AND || op == SL_OP_OR || op == SL_OP_XOR;
}

static void fold_second(struct fold *f, struct sl_lir_insn *insn)
{
  const enum sl_op op = (enum sl_op)insn->op, form = immediate_form(op);
  struct sl_lir_operand *rs1 = in_field(f, insn, SL_LIR_RS1), *rs2 = in_field(f, insn, SL_LIR_RS2);
  if (form == SL_OP_UNKNOWN || rs2 == NULL)
    return;
  const struct sl_lir_insn *c = constant(f, rs2->reg);
  const bool swapped = c == NULL && commutes(op);
  if (swapped)
    c = constant(f, rs1->reg);
  const bool address = c != NULL && c->place != SL_LIR_NUMBER;
  if (c == NULL || c->op == SL_OP_LUI || (address && (op != SL_OP_ADD || c->fix != SL_FIX_VALUE)))
    return;
  if (swapped)
    rs1->reg = rs2->reg;
  insn->op = (uint16_t)form;
  insn->imm = op == SL_OP_SUB ? 0 - c->imm : c->imm;
  if (op == SL_OP_SLL || op == SL_OP_SRL || op == SL_OP_SRA)
    insn->imm &= 31;
  insn->place = c->place;
  insn->fix = c->fix;
  insn->target = c->target;
  insn->operand_count = 2;
  f->changed = true;
}

/* Folds shifts and logic of two numbers. */
static void fold_numbers(struct fold *f, struct sl_lir_insn *insn)
{
  const struct sl_lir_operand *rs1 = in_field(f, insn, SL_LIR_RS1);
  uint32_t a;
  if (rs1 == NULL || rs1->reg == SL_ZERO || insn->place != SL_LIR_NUMBER || !number(f, rs1->reg, &a))
    return;
  switch (insn->op) {
  case SL_OP_SLLI: become_constant(f, insn, NULL, a << (insn->imm & 31)); break;
  case SL_OP_SRLI: become_constant(f, insn, NULL, a >> (insn->imm & 31)); break;
  case SL_OP_ANDI: become_constant(f, insn, NULL, a & insn->imm); break;
  case SL_OP_ORI: become_constant(f, insn, NULL, a | insn->imm); break;
  case SL_OP_XORI: become_constant(f, insn, NULL, a ^ insn->imm); break;
  default: break;
  }
}

/* Replaces sources that are always 0 by x0. */
static void fold_zeros(struct fold *f, struct sl_lir_insn *insn)
{
  struct sl_lir_operand *operand = sl_lir_operands(f->lir, insn);
  uint32_t value;
  for (uint32_t k = 0; insn->op < SL_OP_COUNT && k < insn->operand_count; k++)
    if (operand[k].role == SL_LIR_USE && operand[k].reg != SL_ZERO && number(f, operand[k].reg, &value) && value == 0) {
      operand[k].reg = SL_ZERO;
      f->changed = true;
    }
}

static bool is_access(const struct sl_lir_insn *insn)
{
  const enum sl_kind kind = insn->op < SL_OP_COUNT ? sl_op_info(insn->op)->kind : SL_KIND_UNKNOWN;
  return kind == SL_KIND_LOAD || kind == SL_KIND_STORE;
}

static void fold(struct fold *f, struct sl_lir_insn *insn)
{
  if (insn->op == SL_LIR_COPY) {
    const struct sl_lir_insn *c = constant(f, sl_lir_field(f->lir, insn, SL_LIR_RS1));
    if (c != NULL && c->op != SL_OP_LUI)
      become_constant(f, insn, c, c->imm);
    return;
  }
  if (insn->op == SL_OP_ADDI || is_access(insn))
    fold_base(f, insn);
  fold_second(f, insn);
  fold_numbers(f, insn);
  fold_zeros(f, insn);
}

/* Returns the addition that computes a base, if its own base and addend are always the same values: the addend can then
 * become an offset. */
static const struct sl_lir_insn *addition(const struct fold *f, uint32_t reg)
{
  const struct sl_lir_insn *sum = definition(f, reg);
  if (sum == NULL || sum->op != SL_OP_ADDI || (sum->place != SL_LIR_NUMBER && sum->fix != SL_FIX_VALUE))
    return NULL;
  return definition(f, sl_lir_field(f->lir, sum, SL_LIR_RS1)) != NULL ? sum : NULL;
}

/* Moves offsets into accesses. This pays only if the sum becomes unused: elsewhere[] counts its other uses. */
static void fold_offsets(struct fold *f, uint32_t *elsewhere)
{
  struct sl_lir *lir = f->lir;
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < lir->insn_count; i++) {
      struct sl_lir_insn *insn = &lir->insn[i];
      struct sl_lir_operand *operand = sl_lir_operands(lir, insn);
      for (uint32_t k = 0; !f->dead[i] && k < insn->operand_count; k++) {
        const struct sl_lir_insn *sum = operand[k].role == SL_LIR_USE ? addition(f, operand[k].reg) : NULL;
        if (sum == NULL)
          continue;
        const bool fits = is_access(insn) && operand[k].field == SL_LIR_RS1 &&
                          (insn->place == SL_LIR_NUMBER || (sum->place == SL_LIR_NUMBER && insn->fix == SL_FIX_VALUE));
        uint32_t *others = &elsewhere[operand[k].reg - SL_LIR_VIRTUAL];
        if (pass == 0 && !fits)
          ++*others;
        if (pass == 0 || *others > 0)
          continue;
        operand[k].reg = sl_lir_field(lir, sum, SL_LIR_RS1);
        insn->imm += sum->imm;
        if (sum->place != SL_LIR_NUMBER) {
          insn->place = sum->place;
          insn->fix = sum->fix;
          insn->target = sum->target;
        }
      }
    }
}

/* Whether an instruction only sets a register that is never read. */
static bool is_useless(const struct fold *f, const struct sl_lir_insn *insn)
{
  const uint32_t rd = sl_lir_field(f->lir, insn, SL_LIR_RD);
  if (rd == SL_LIR_NONE || rd < SL_LIR_VIRTUAL || f->uses[rd - SL_LIR_VIRTUAL] != 0)
    return false;
  if (insn->op >= SL_OP_COUNT)
    return insn->op == SL_LIR_COPY || insn->op == SL_LIR_UNDEFINED;
  const enum sl_kind kind = sl_op_info(insn->op)->kind;
  return kind == SL_KIND_ALU || kind == SL_KIND_MUL || kind == SL_KIND_DIV;
}

static void drop_useless(struct fold *f)
{
  for (bool again = true; again;) {
    again = false;
    count(f);
    for (size_t i = f->lir->insn_count; i-- > 0;)
      if (!f->dead[i] && is_useless(f, &f->lir->insn[i])) {
        const struct sl_lir_operand *operand = sl_lir_operands(f->lir, &f->lir->insn[i]);
        for (uint32_t k = 0; k < f->lir->insn[i].operand_count; k++)
          if (operand[k].role == SL_LIR_USE && operand[k].reg >= SL_LIR_VIRTUAL)
            again = --f->uses[operand[k].reg - SL_LIR_VIRTUAL] == 0 || again;
        f->dead[i] = true;
      }
  }
}

static void compact(struct fold *f)
{
  struct sl_lir *lir = f->lir;
  size_t n = 0;
  for (size_t b = 0; b < lir->block_count; b++) {
    const struct sl_lir_block from = lir->block[b];
    lir->block[b].insn = (uint32_t)n;
    for (uint32_t i = from.insn; i < from.insn + from.insn_count; i++)
      if (!f->dead[i])
        lir->insn[n++] = lir->insn[i];
    lir->block[b].insn_count = (uint32_t)n - lir->block[b].insn;
  }
  lir->insn_count = n;
}

bool sl_lir_fold(struct sl_lir *lir)
{
  struct fold f = {.lir = lir};
  f.definition = sl_zeroed(lir->kind_count, sizeof *f.definition);
  f.uses = sl_zeroed(lir->kind_count, sizeof *f.uses);
  f.dead = sl_zeroed(lir->insn_count, sizeof *f.dead);
  uint32_t *elsewhere = sl_zeroed(lir->kind_count, sizeof *elsewhere);
  const bool room = f.definition != NULL && f.uses != NULL && f.dead != NULL && elsewhere != NULL;
  if (room) {
    f.changed = true;
    for (unsigned round = 0; f.changed && round < ROUNDS; round++) {
      f.changed = false;
      count(&f);
      for (size_t i = 0; i < lir->insn_count; i++)
        fold(&f, &lir->insn[i]);
    }
    count(&f);
    fold_offsets(&f, elsewhere);
    drop_useless(&f);
    compact(&f);
  }
  free(f.definition);
  free(f.uses);
  free(f.dead);
  free(elsewhere);
  return room;
}
