/* Table of the parser function of each opcode. */
#ifndef SL_PTX_TEXT_PTX_OPCODES_H
#define SL_PTX_TEXT_PTX_OPCODES_H

#include "ptx/text/ptx_operand.h"

/* Reads an instruction after its guard, up to the semicolon, and resolves it. */
bool sl_ptx_instruction_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st);

#endif
