/* Parses texture fetches: tex.1d and tex.2d. */
#ifndef SL_PTX_TEXT_PTX_FORM_TEXTURE_H
#define SL_PTX_TEXT_PTX_FORM_TEXTURE_H

#include "ptx/text/ptx_statement.h"

bool sl_ptx_form_tex(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);

#endif
