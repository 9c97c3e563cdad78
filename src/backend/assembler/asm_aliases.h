/* Pseudo instructions, such as `mv` and `ret` (The RISC-V Instruction Set Manual, Volume I, chapter 25). Each is one
 * 64-bit word, because immediates hold every constant and address. */
#ifndef SL_BACKEND_ASM_ALIASES_H
#define SL_BACKEND_ASM_ALIASES_H

#include "backend/assembler/asm_statement.h"

/* Rewrites an alias to its instruction; false if the result is too long. */
bool sl_asm_expand(struct sl_asm_statement *statement);

#endif
