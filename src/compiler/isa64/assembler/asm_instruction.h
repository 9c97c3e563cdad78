/* Instructions in assembly text: the mnemonics of isa/rv32.def, with operands by format. */
#ifndef SL_BACKEND_ASM_INSTRUCTION_H
#define SL_BACKEND_ASM_INSTRUCTION_H

#include "compiler/isa64/assembler/asm_operand.h"

/* Returns NULL, or the reason why the statement is no instruction. Aliases must be expanded first. */
const char *sl_asm_instruction(const struct sl_asm_statement *statement, struct sl_asm_insn *insn);

#endif
