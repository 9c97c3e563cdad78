/* A statement of assembly text in parts: "lw.x a0, 4(sp)" has a mnemonic and two operands. */
#ifndef SL_BACKEND_ASM_STATEMENT_H
#define SL_BACKEND_ASM_STATEMENT_H

#include "base/types.h"

enum { SL_ASM_TEXT_SIZE = 512, SL_ASM_OPERANDS = 8 };

struct sl_asm_statement {
  char text[SL_ASM_TEXT_SIZE]; /* the pointers below point into it */
  const char *mnemonic;
  const char *operand[SL_ASM_OPERANDS];
  unsigned count;
};

/* Splits `length` characters; false if the statement is too long or has too many operands. */
bool sl_asm_split(struct sl_asm_statement *statement, const char *text, size_t length);

#endif
