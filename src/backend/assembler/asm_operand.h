/* Operands of assembly text, and the instruction that they become part of. */
#ifndef SL_BACKEND_ASM_OPERAND_H
#define SL_BACKEND_ASM_OPERAND_H

#include "backend/assembler/asm_expression.h"
#include "backend/assembler/asm_statement.h"
#include "isa/wide.h"

/* An instruction whose immediate may still be an address. */
struct sl_asm_insn {
  struct sl_wide wide;
  bool jumps; /* the address is one to go to: the immediate is its distance */
  struct sl_asm_value address;
};

/* Why a statement is no instruction. */
extern const char sl_asm_no_instruction[], sl_asm_no_register[], sl_asm_no_address[], sl_asm_wrong_count[];

/* A register by any of its names: x0 to x255, and those of isa/wide.h. */
bool sl_asm_register(const char *text, uint8_t *reg);

/* "imm(reg)", "(reg)" or "imm", which is relative to x0: the text in front goes to `offset`. */
bool sl_asm_memory(const char *text, char offset[SL_ASM_TEXT_SIZE], uint8_t *base);

/* An immediate or an address; NULL, or why it is none. */
const char *sl_asm_immediate(const char *text, struct sl_asm_insn *insn);

#endif
