/* Parses instructions that access memory: ld, st, atom, red, membar. */
#ifndef SL_PTX_TEXT_PTX_FORM_MEMORY_H
#define SL_PTX_TEXT_PTX_FORM_MEMORY_H

#include "ptx/text/ptx_operand.h"

bool sl_ptx_form_access(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned store);
bool sl_ptx_form_atomic(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned red);
bool sl_ptx_form_policy(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_membar(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);

/* Consumes the space of an access; generic if there is none. */
void sl_ptx_take_space(struct sl_ptx_statement *st);
/* The address of an access, in brackets, in the space of the instruction. */
bool sl_ptx_take_address(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand);

#endif
