/* Instructions that are written as others, such as `mv` and `ret` (The RISC-V Instruction Set Manual, Volume I, chapter
 * 25). Each is one 64-bit word: immediates have room for every constant and address. */
#ifndef SL_BACKEND_ASM_ALIASES_H
#define SL_BACKEND_ASM_ALIASES_H

#include "backend/assembler/asm_statement.h"

/* Rewrites the statement when it is an alias; false when that becomes too long. */
bool sl_asm_expand(struct sl_asm_statement *statement);

#endif
