/* Translates operands of machine IR to LIR. */
#include "compiler/isa64/lir/lir_select.h"

uint32_t sl_lir_register(const struct sl_lir *lir, const struct sl_mir_operand *operand)
{
  if (operand->kind == SL_MIR_STACK)
    return lir->dynamic ? SL_FP : SL_SP;
  if (operand->kind == SL_MIR_FIXED)
    return lir->frame_pointer ? SL_FP : SL_SP;
  if ((operand->flags & SL_MIR_UNDEF) != 0 && (operand->flags & SL_MIR_DEF) == 0)
    return SL_ZERO;
  if (operand->kind == SL_MIR_VIRTUAL)
    return SL_LIR_VIRTUAL + operand->number;
  return operand->kind == SL_MIR_PHYSICAL ? operand->number : SL_LIR_NONE;
}

bool sl_lir_place_of(const struct sl_mir_operand *operand, uint8_t *place, uint32_t *target)
{
  static const struct {
    enum sl_mir_kind kind;
    enum sl_lir_place place;
  } places[] = {{SL_MIR_SYMBOL, SL_LIR_SYMBOL},     {SL_MIR_STACK, SL_LIR_OBJECT},     {SL_MIR_FIXED, SL_LIR_FIXED},
                {SL_MIR_CONSTANT, SL_LIR_CONSTANT}, {SL_MIR_JUMP_TABLE, SL_LIR_TABLE}, {SL_MIR_BLOCK, SL_LIR_BLOCK}};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    if (places[i].kind == operand->kind) {
      *place = (uint8_t)places[i].place;
      *target = operand->number;
      return true;
    }
  return false;
}
