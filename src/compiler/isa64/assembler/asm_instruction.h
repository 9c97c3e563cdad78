/* Instructions in assembly text: the mnemonics of isa/rv32.def, with operands by format. */
#ifndef SL_BACKEND_ASM_INSTRUCTION_H
#define SL_BACKEND_ASM_INSTRUCTION_H

#include "compiler/isa64/assembler/asm_expression.h"
#include "isa/wide.h"

/* Operands of assembly text, and the instruction that is built from them. */

/* An instruction whose immediate may still be an address. */
struct sl_asm_insn {
  struct sl_wide wide;
  bool jumps; /* the address is a target: the immediate is its distance */
  struct sl_asm_value address;
};

/* `.insn`: an instruction as the fields of an RV32 word, with the registers of 64-bit words and 32-bit immediates.
 * Forms r, r4, i, s, b, u and j, and a whole word. */

/* Returns NULL, or the reason why the statement is no instruction. */
const char *sl_asm_raw(const struct sl_asm_statement *statement, struct sl_asm_insn *insn);

/* Returns NULL, or the reason why the statement is no instruction. Aliases must be expanded first. */
const char *sl_asm_instruction(const struct sl_asm_statement *statement, struct sl_asm_insn *insn);

#endif
