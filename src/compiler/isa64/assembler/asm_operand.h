/* Operands of assembly text, and the instruction that is built from them. */
#ifndef SL_BACKEND_ASM_OPERAND_H
#define SL_BACKEND_ASM_OPERAND_H

#include "compiler/isa64/assembler/asm_expression.h"
#include "compiler/isa64/assembler/asm_statement.h"
#include "isa/wide.h"

/* An instruction whose immediate may still be an address. */
struct sl_asm_insn {
  struct sl_wide wide;
  bool jumps; /* the address is a target: the immediate is its distance */
  struct sl_asm_value address;
};

/* Reasons why a statement is no instruction. */
extern const char sl_asm_no_instruction[], sl_asm_no_register[], sl_asm_no_address[], sl_asm_wrong_count[];

/* Parses a register name: x0 to x255, and the names of isa/wide.h. */
bool sl_asm_register(const char *text, uint8_t *reg);

/* Parses "imm(reg)", "(reg)" or "imm" (relative to x0); writes the text of the immediate to `offset`. */
bool sl_asm_memory(const char *text, char offset[SL_ASM_TEXT_SIZE], uint8_t *base);

/* Parses an immediate or an address. Returns NULL, or the reason why the text is neither. */
const char *sl_asm_immediate(const char *text, struct sl_asm_insn *insn);

#endif
