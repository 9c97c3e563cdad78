/* `.insn`: an instruction as the fields of an RV32 word, with the registers of 64-bit words and 32-bit immediates.
 * Forms r, r4, i, s, b, u and j, and a whole word. */
#ifndef SL_BACKEND_ASM_RAW_H
#define SL_BACKEND_ASM_RAW_H

#include "compiler/isa64/assembler/asm_operand.h"

/* Returns NULL, or the reason why the statement is no instruction. */
const char *sl_asm_raw(const struct sl_asm_statement *statement, struct sl_asm_insn *insn);

#endif
