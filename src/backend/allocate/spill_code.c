#include "backend/allocate/spill_code.h"

#include <string.h>

#include "backend/grow.h"

struct spill {
  const struct sl_lir *lir;
  const struct sl_lifetimes *life;
  struct sl_lir *result;
  uint32_t *slot; /* per register of the result */
  size_t slot_room;
  uint8_t *spilled;   /* per register of lir: 1 */
  uint32_t *constant; /* per register: 1 + number of the instruction that recomputes it; 0: it is stored */
  uint32_t *piece;    /* per register: its piece in the current block, SL_LIR_NONE: none yet */
  uint32_t *last;     /* per register: 1 + the last instruction of the current block that writes it */
  uint32_t *seen;     /* registers with a piece in the current block */
  size_t seen_count;
};

/* Finds registers whose definitions are all the same constant. */
static void find_constants(struct spill *s)
{
  enum { NEVER = UINT32_MAX };
  for (uint32_t i = 0; i < s->lir->insn_count; i++) {
    const struct sl_lir_insn *insn = &s->lir->insn[i];
    const struct sl_lir_operand *operand = sl_lir_operands(s->lir, insn);
    const bool is_constant = insn->op < SL_OP_COUNT && sl_lir_is_constant(s->lir, insn);
    for (uint32_t k = 0; k < insn->operand_count; k++) {
      uint32_t *of = &s->constant[operand[k].reg];
      if (operand[k].role == SL_LIR_USE)
        continue;
      if (!is_constant || (*of != 0 && (*of == NEVER || !sl_lir_same_constant(insn, &s->lir->insn[*of - 1]))))
        *of = NEVER;
      else
        *of = i + 1;
    }
  }
  /* A piece of a spilled register may be constant where the whole register is not. */
  for (size_t r = 0; r < SL_LIR_VIRTUAL + s->lir->kind_count; r++)
    if (s->constant[r] == NEVER || r < SL_LIR_VIRTUAL || s->slot[r] != SL_LIR_NONE)
      s->constant[r] = 0;
}

static bool new_register(struct spill *s, enum sl_lir_kind kind, uint32_t slot, uint32_t *reg)
{
  *reg = sl_lir_new(s->result, kind);
  if (*reg == SL_LIR_NONE || !sl_grow((void **)&s->slot, &s->slot_room, *reg + 1, sizeof *s->slot))
    return false;
  s->slot[*reg] = slot;
  return true;
}

static bool slot_of(struct spill *s, uint32_t reg, uint32_t *slot)
{
  if (s->slot[reg] == SL_LIR_NONE) {
    uint32_t made;
    if (!new_register(s, SL_LIR_SLOT, SL_LIR_NONE, &made))
      return false;
    s->slot[reg] = made;
  }
  *slot = s->slot[reg];
  return true;
}

/* Whether a register is split into pieces per instruction, because it already is a piece of a block. */
static bool momentary(const struct spill *s, uint32_t reg)
{
  return s->lir->kind[reg - SL_LIR_VIRTUAL] == SL_LIR_PIECE;
}

static bool emit(struct spill *s, enum sl_lir_op op, const struct sl_lir_insn *at, uint32_t def, uint32_t use)
{
  const struct sl_lir_insn insn = {.op = (uint16_t)op, .file = at->file, .line = at->line, .origin = SL_LIR_NONE};
  return sl_lir_add(s->result, &insn) &&
         sl_lir_add_operand(s->result, def, SL_LIR_DEF, op == SL_LIR_RELOAD ? SL_LIR_RD : SL_LIR_NO_FIELD) &&
         sl_lir_add_operand(s->result, use, SL_LIR_USE, op == SL_LIR_RELOAD ? SL_LIR_NO_FIELD : SL_LIR_RS1);
}

/* Loads the value of a spilled register into one of its pieces. */
static bool load(struct spill *s, const struct sl_lir_insn *at, uint32_t reg, uint32_t piece)
{
  if (s->constant[reg] == 0) {
    uint32_t slot;
    return slot_of(s, reg, &slot) && emit(s, SL_LIR_RELOAD, at, piece, slot);
  }
  const struct sl_lir_insn *made = &s->lir->insn[s->constant[reg] - 1];
  if (!sl_lir_add_copy(s->result, s->lir, made))
    return false;
  struct sl_lir_insn *copy = &s->result->insn[s->result->insn_count - 1];
  copy->origin = SL_LIR_NONE;
  s->result->operand[copy->operand].reg = piece;
  return true;
}

/* Whether the result of an instruction must be stored after it. */
static bool must_store(const struct spill *s, uint32_t reg, uint32_t i, const struct sl_lir_block *block)
{
  if (s->constant[reg] != 0)
    return false;
  if (momentary(s, reg))
    return true;
  return s->last[reg] == i + 1 && sl_alive(s->life, reg, 2 * (block->insn + block->insn_count) - 1);
}

/* Whether an instruction is a load or store of the spilled register itself: a piece that is split is already in its
 * slot. */
static bool is_superfluous(const struct spill *s, const struct sl_lir_insn *insn)
{
  const struct sl_lir_operand *operand = sl_lir_operands(s->lir, insn);
  if (insn->op == SL_LIR_RELOAD)
    return s->spilled[operand[0].reg] != 0;
  if (insn->op == SL_LIR_SPILL)
    return s->spilled[operand[1].reg] != 0;
  return insn->operand_count > 0 && operand[0].field == SL_LIR_RD && s->spilled[operand[0].reg] != 0 &&
         s->constant[operand[0].reg] != 0;
}

/* Returns the piece for a register in an instruction; loads it if it is read for the first time. */
static bool piece_for(struct spill *s, const struct sl_lir_insn *insn, uint32_t reg, bool reads, uint32_t *piece)
{
  *piece = s->piece[reg];
  if (*piece != SL_LIR_NONE)
    return true;
  const enum sl_lir_kind kind = momentary(s, reg) ? SL_LIR_MOMENT : SL_LIR_PIECE;
  uint32_t slot;
  if (s->constant[reg] == 0 && !slot_of(s, reg, &slot))
    return false;
  if (!new_register(s, kind, s->slot[reg], piece) || (reads && !load(s, insn, reg, *piece)))
    return false;
  s->piece[reg] = *piece;
  s->seen[s->seen_count++] = reg;
  return true;
}

static void forget(struct spill *s, bool all)
{
  size_t kept = 0;
  for (size_t i = 0; i < s->seen_count; i++)
    if (all || momentary(s, s->seen[i]))
      s->piece[s->seen[i]] = SL_LIR_NONE;
    else
      s->seen[kept++] = s->seen[i];
  s->seen_count = kept;
}

static bool instruction(struct spill *s, uint32_t i, const struct sl_lir_block *block)
{
  const struct sl_lir_insn *insn = &s->lir->insn[i];
  const struct sl_lir_operand *operand = sl_lir_operands(s->lir, insn);
  uint32_t piece, slot;
  if (is_superfluous(s, insn))
    return true;
  for (unsigned pass = 0; pass < 2; pass++)
    for (uint32_t k = 0; k < insn->operand_count; k++)
      if (s->spilled[operand[k].reg] != 0 && (operand[k].role == SL_LIR_USE) == (pass == 0) &&
          !piece_for(s, insn, operand[k].reg, pass == 0, &piece))
        return false;
  if (!sl_lir_add_copy(s->result, s->lir, insn))
    return false;
  struct sl_lir_operand *copied = s->result->operand + s->result->insn[s->result->insn_count - 1].operand;
  for (uint32_t k = 0; k < insn->operand_count; k++)
    if (s->spilled[operand[k].reg] != 0)
      copied[k].reg = s->piece[operand[k].reg];
  for (uint32_t k = 0; k < insn->operand_count; k++) {
    const uint32_t reg = operand[k].reg;
    if (s->spilled[reg] != 0 && operand[k].role != SL_LIR_USE && must_store(s, reg, i, block) &&
        (!slot_of(s, reg, &slot) || !emit(s, SL_LIR_SPILL, insn, slot, s->piece[reg])))
      return false;
  }
  forget(s, false);
  return true;
}

static bool blocks(struct spill *s)
{
  for (size_t b = 0; b < s->lir->block_count; b++) {
    const struct sl_lir_block *block = &s->lir->block[b];
    s->result->block[b].insn = (uint32_t)s->result->insn_count;
    for (uint32_t i = block->insn; i < block->insn + block->insn_count; i++) {
      const struct sl_lir_operand *operand = sl_lir_operands(s->lir, &s->lir->insn[i]);
      for (uint32_t k = 0; k < s->lir->insn[i].operand_count; k++)
        if (operand[k].role != SL_LIR_USE)
          s->last[operand[k].reg] = i + 1;
    }
    for (uint32_t i = block->insn; i < block->insn + block->insn_count; i++)
      if (!instruction(s, i, block))
        return false;
    forget(s, true);
    s->result->block[b].insn_count = (uint32_t)s->result->insn_count - s->result->block[b].insn;
  }
  return true;
}

bool sl_spill(const struct sl_lir *lir, const struct sl_lifetimes *life, const uint32_t *spilled, size_t count,
              uint32_t **slot, struct sl_lir *result)
{
  const size_t registers = SL_LIR_VIRTUAL + lir->kind_count;
  struct spill s = {.lir = lir, .life = life, .result = result, .slot = *slot, .slot_room = registers};
  s.spilled = sl_zeroed(registers, sizeof *s.spilled);
  s.constant = sl_zeroed(registers, sizeof *s.constant);
  s.piece = sl_zeroed(registers, sizeof *s.piece);
  s.last = sl_zeroed(registers, sizeof *s.last);
  s.seen = sl_zeroed(registers, sizeof *s.seen);
  bool room = s.spilled != NULL && s.constant != NULL && s.piece != NULL && s.last != NULL && s.seen != NULL &&
              sl_lir_like(lir, result);
  if (room) {
    for (size_t i = 0; i < count; i++)
      s.spilled[spilled[i]] = 1;
    memset(s.piece, 0xff, registers * sizeof *s.piece);
    find_constants(&s);
    room = blocks(&s);
  }
  *slot = s.slot;
  free(s.spilled);
  free(s.constant);
  free(s.piece);
  free(s.last);
  free(s.seen);
  return room;
}
