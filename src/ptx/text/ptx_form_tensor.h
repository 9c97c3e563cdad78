/* Parses instructions on matrices: wmma, mma, ldmatrix, stmatrix, movmatrix. */
#ifndef SL_PTX_TEXT_PTX_FORM_TENSOR_H
#define SL_PTX_TEXT_PTX_FORM_TENSOR_H

#include "ptx/text/ptx_operand.h"

bool sl_ptx_form_wmma(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_mma(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_matrix(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned store);
bool sl_ptx_form_movmatrix(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);

#endif
