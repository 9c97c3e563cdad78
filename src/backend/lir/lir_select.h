/* From machine IR to low IR: opcodes become instructions, pseudo instructions what they stand for, blocks come into
 * their order in memory, and frame objects get the register that they will be addressed by. */
#ifndef SL_BACKEND_LIR_SELECT_H
#define SL_BACKEND_LIR_SELECT_H

#include "backend/lir/lir.h"

enum { SL_ZERO = 0, SL_RA = 1, SL_SP = 2, SL_GP = 3, SL_TP = 4, SL_FP = 8 };

/* SL_USAGE: the function holds what no code is made for. */
enum sl_status sl_lir_select(struct sl_mir_module *module, const struct sl_mir_function *f, struct sl_lir *lir,
                             struct sl_error *err);

/* The same for one instruction of inline assembly (lir_select_asm.c), and for anything that has it, its operand. */
enum sl_status sl_lir_select_assembly(struct sl_lir *lir, const struct sl_mir_insn *in, struct sl_error *err);

/* In lir_places.c: the register that an operand is, by which a frame object is addressed; what is not read may be any.
 */
uint32_t sl_lir_register(const struct sl_lir *lir, const struct sl_mir_operand *operand);

/* What an operand that is no register is relative to; false if it is no such. */
bool sl_lir_place_of(const struct sl_mir_operand *operand, uint8_t *place, uint32_t *target);

#endif
