#include "compiler/isa64/lir/lir.h"

#include <string.h>

#include "compiler/isa64/grow.h"

void sl_lir_free(struct sl_lir *lir)
{
  free(lir->block);
  free(lir->edge);
  free(lir->placed);
  free(lir->insn);
  free(lir->operand);
  free(lir->piece);
  free(lir->kind);
  *lir = (struct sl_lir){0};
}

static void *copy_of(const void *array, size_t count, size_t size)
{
  void *copy = sl_zeroed(count, size);
  if (copy != NULL && count > 0)
    memcpy(copy, array, count * size);
  return copy;
}

bool sl_lir_like(const struct sl_lir *lir, struct sl_lir *empty)
{
  *empty = *lir;
  empty->insn = NULL;
  empty->operand = NULL;
  empty->piece = NULL;
  empty->insn_count = empty->operand_count = empty->piece_count = 0;
  empty->insn_room = empty->operand_room = empty->piece_room = 0;
  empty->block = copy_of(lir->block, lir->block_count, sizeof *lir->block);
  empty->edge = copy_of(lir->edge, lir->source->edge_count, sizeof *lir->edge);
  empty->placed = copy_of(lir->placed, lir->block_count, sizeof *lir->placed);
  empty->kind = copy_of(lir->kind, lir->kind_count, sizeof *lir->kind);
  empty->kind_room = lir->kind_count;
  if (empty->block == NULL || empty->edge == NULL || empty->placed == NULL || empty->kind == NULL)
    return false;
  for (size_t i = 0; i < empty->block_count; i++)
    empty->block[i].insn = empty->block[i].insn_count = 0;
  return true;
}

bool sl_lir_add(struct sl_lir *lir, const struct sl_lir_insn *insn)
{
  if (!SL_GROW(lir->insn, lir->insn_room, lir->insn_count))
    return false;
  struct sl_lir_insn *added = &lir->insn[lir->insn_count++];
  *added = *insn;
  added->operand = (uint32_t)lir->operand_count;
  added->operand_count = 0;
  return true;
}

bool sl_lir_add_operand(struct sl_lir *lir, uint32_t reg, enum sl_lir_role role, enum sl_lir_field field)
{
  if (!SL_GROW(lir->operand, lir->operand_room, lir->operand_count))
    return false;
  lir->operand[lir->operand_count++] =
      (struct sl_lir_operand){.reg = reg, .role = (uint8_t)role, .field = (uint8_t)field};
  lir->insn[lir->insn_count - 1].operand_count++;
  return true;
}

bool sl_lir_add_copy(struct sl_lir *lir, const struct sl_lir *from, const struct sl_lir_insn *insn)
{
  if (!sl_lir_add(lir, insn))
    return false;
  lir->insn[lir->insn_count - 1].piece = (uint32_t)lir->piece_count;
  for (uint32_t i = 0; i < insn->piece_count; i++) {
    if (!SL_GROW(lir->piece, lir->piece_room, lir->piece_count))
      return false;
    lir->piece[lir->piece_count++] = from->piece[insn->piece + i];
  }
  const struct sl_lir_operand *operand = sl_lir_operands(from, insn);
  for (uint32_t i = 0; i < insn->operand_count; i++)
    if (!sl_lir_add_operand(lir, operand[i].reg, (enum sl_lir_role)operand[i].role,
                            (enum sl_lir_field)operand[i].field))
      return false;
  return true;
}

uint32_t sl_lir_new(struct sl_lir *lir, enum sl_lir_kind kind)
{
  if (!SL_GROW(lir->kind, lir->kind_room, lir->kind_count))
    return SL_LIR_NONE;
  lir->kind[lir->kind_count] = (uint8_t)kind;
  return SL_LIR_VIRTUAL + (uint32_t)lir->kind_count++;
}

uint32_t sl_lir_field(const struct sl_lir *lir, const struct sl_lir_insn *insn, enum sl_lir_field field)
{
  const struct sl_lir_operand *operand = sl_lir_operands(lir, insn);
  for (uint32_t i = 0; i < insn->operand_count; i++)
    if (operand[i].field == field)
      return operand[i].reg;
  return SL_LIR_NONE;
}

bool sl_lir_is_constant(const struct sl_lir *lir, const struct sl_lir_insn *insn)
{
  if (insn->op == SL_OP_LUI)
    return true;
  const uint32_t base = insn->op == SL_OP_ADDI ? sl_lir_field(lir, insn, SL_LIR_RS1) : SL_LIR_NONE;
  return base == 0 || ((insn->place == SL_LIR_OBJECT || insn->place == SL_LIR_FIXED) && insn->op == SL_OP_ADDI);
}

bool sl_lir_same_constant(const struct sl_lir_insn *a, const struct sl_lir_insn *b)
{
  return a->op == b->op && a->place == b->place && a->fix == b->fix && a->imm == b->imm &&
         (a->place == SL_LIR_NUMBER || a->target == b->target);
}
