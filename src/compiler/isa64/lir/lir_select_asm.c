/* Inline assembly of machine IR: a template, and groups of operands. A flag word precedes each group (LLVM's
 * InlineAsm.h: kind in bits 2:0, number of operands in 15:3). */
#include "compiler/isa64/grow.h"
#include "compiler/isa64/lir/lir_select.h"

enum group { REGISTER_USE = 1, REGISTER_DEF, REGISTER_EARLY_DEF, CLOBBER, IMMEDIATE, MEMORY, FUNCTION };

static enum sl_status refuse(struct sl_error *err, const char *why)
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
    return refuse(err, "an operand is more than one register");
  switch (kind) {
  case REGISTER_USE:
  case REGISTER_DEF:
  case REGISTER_EARLY_DEF: piece.kind = SL_LIR_PIECE_REGISTER; break;
  case IMMEDIATE:
  case FUNCTION:
    piece.kind = operand->kind == SL_MIR_IMMEDIATE ? SL_LIR_PIECE_IMMEDIATE : SL_LIR_PIECE_SYMBOL;
    if (operand->kind != SL_MIR_IMMEDIATE &&
        (!sl_lir_place_of(operand, &piece.place, &piece.target) || piece.place != SL_LIR_SYMBOL))
      return refuse(err, "an operand is neither number nor symbol");
    break;
  default:
    piece.kind = SL_LIR_PIECE_MEMORY;
    if (operand[1].kind != SL_MIR_IMMEDIATE)
      return refuse(err, "a memory operand is relative to a symbol");
    piece.value += (int32_t)operand[1].value;
    sl_lir_place_of(operand, &piece.place, &piece.target);
  }
  if (piece.kind <= SL_LIR_PIECE_MEMORY && piece.kind != SL_LIR_PIECE_IMMEDIATE && !add_register(lir, operand, kind))
    return refuse(err, "an operand is not a register");
  if (!SL_GROW(lir->piece, lir->piece_room, lir->piece_count))
    return sl_no_memory(err, sizeof piece);
  lir->piece[lir->piece_count++] = piece;
  insn->piece_count++;
  return SL_OK;
}

enum sl_status sl_lir_select_assembly(struct sl_lir *lir, const struct sl_mir_insn *in, struct sl_error *err)
{
  const struct sl_mir_operand *operand = lir->source->operand + in->operand;
  if (operand[0].kind != SL_MIR_SYMBOL)
    return refuse(err, "the template is missing");
  const struct sl_lir_insn out = {.op = SL_LIR_ASSEMBLY,
                                  .text = operand[0].number,
                                  .piece = (uint32_t)lir->piece_count,
                                  .file = in->file,
                                  .line = in->line};
  if (!sl_lir_add(lir, &out))
    return sl_no_memory(err, sizeof out);
  for (uint32_t k = 2; k < in->operand_count && operand[k].kind != SL_MIR_METADATA;) {
    if (operand[k].kind != SL_MIR_IMMEDIATE)
      return refuse(err, "its operands are not supported");
    const enum group kind = (enum group)(operand[k].value & 7);
    const uint32_t count = (uint32_t)operand[k].value >> 3 & 0x1fff;
    if (kind < REGISTER_USE || kind > FUNCTION || count == 0 || count >= in->operand_count - k)
      return refuse(err, "its operands are not supported");
    enum sl_status status = SL_OK;
    if (kind == CLOBBER) {
      /* Clobbers of ra, sp or floating-point state need no operand. */
      if (operand[k + 1].kind == SL_MIR_PHYSICAL && !add_register(lir, &operand[k + 1], kind))
        status = refuse(err, "a clobber is not a register");
    } else {
      status = piece_of(lir, &operand[k + 1], count, kind, err);
    }
    if (status != SL_OK)
      return status;
    k += count + 1;
  }
  return SL_OK;
}
