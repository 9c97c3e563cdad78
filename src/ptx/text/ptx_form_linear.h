/* Parses instructions of kernels with linear registers, whose syntax is specific to simtlab
 * (docs/explanation/linear.md). r2.mad is an ordinary row. r2.cr, r2.tr, r2.br, r2.slice and r2.sum declare the role of
 * a register and are not executed. r2.end ends a phase. */
#ifndef SL_PTX_TEXT_PTX_FORM_LINEAR_H
#define SL_PTX_TEXT_PTX_FORM_LINEAR_H

#include "ptx/text/ptx_statement.h"

bool sl_ptx_form_linear(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);

#endif
