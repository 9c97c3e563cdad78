/* Parses instructions that change the control flow: bra, call, ret, exit, trap. */
#ifndef SL_PTX_TEXT_PTX_FORM_CONTROL_H
#define SL_PTX_TEXT_PTX_FORM_CONTROL_H

#include "ptx/text/ptx_operand.h"

bool sl_ptx_form_bra(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_end(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned kind);

/* Reads what follows `call`; its operands have a special syntax. */
bool sl_ptx_call_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st);

/* The label of that name, created if it is new; UINT32_MAX if out of memory. */
uint32_t sl_ptx_label_of(struct sl_ptx_parser *p, const struct sl_ptx_token *name);

/* The function of that name; UINT32_MAX if there is none. */
uint32_t sl_ptx_function_of(const struct sl_ptx_parser *p, const struct sl_ptx_token *name);

#endif
