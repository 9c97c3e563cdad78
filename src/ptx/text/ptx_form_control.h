/* Forms of instructions after which another one follows: bra, call, ret, exit, trap. */
#ifndef SL_PTX_TEXT_PTX_FORM_CONTROL_H
#define SL_PTX_TEXT_PTX_FORM_CONTROL_H

#include "ptx/text/ptx_statement.h"

bool sl_ptx_form_bra(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_end(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned kind);

/* Reads what follows `call`: its operands are not like those of others. */
bool sl_ptx_call_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st);

/* The label of that name, made if it is not there yet; UINT32_MAX without memory. */
uint32_t sl_ptx_label_of(struct sl_ptx_parser *p, const struct sl_ptx_token *name);

/* The function of that name, UINT32_MAX if there is none. */
uint32_t sl_ptx_function_of(const struct sl_ptx_parser *p, const struct sl_ptx_token *name);

#endif
