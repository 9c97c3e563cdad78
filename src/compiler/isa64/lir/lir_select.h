/* Instruction selection: translates machine IR to LIR. It translates opcodes, expands pseudo instructions, orders the
 * blocks for memory, and chooses the base register of frame objects. */
#ifndef SL_BACKEND_LIR_SELECT_H
#define SL_BACKEND_LIR_SELECT_H

#include "compiler/isa64/lir/lir.h"

enum { SL_ZERO = 0, SL_RA = 1, SL_SP = 2, SL_GP = 3, SL_TP = 4, SL_FP = 8 };

/* SL_USAGE: the function contains something unsupported. */
enum sl_status sl_lir_select(struct sl_mir_module *module, const struct sl_mir_function *f, struct sl_lir *lir,
                             struct sl_error *err);

/* In lir.c: returns the register of an operand; for a frame object its base register. An operand whose value is
 * not read may be any register. */
uint32_t sl_lir_register(const struct sl_lir *lir, const struct sl_mir_operand *operand);

/* Finds the base of an operand that is no register; false if it has none. */
bool sl_lir_place_of(const struct sl_mir_operand *operand, uint8_t *place, uint32_t *target);

#endif
