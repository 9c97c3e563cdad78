/* Parses the body of a function: declarations, labels, instructions. */
#ifndef SL_PTX_TEXT_PTX_BODY_H
#define SL_PTX_TEXT_PTX_BODY_H

#include "ptx/text/ptx_parser.h"

/* Starts after the opening brace, and consumes the closing one. Registers are numbered from 0 in each function. */
bool sl_ptx_body_read(struct sl_ptx_parser *p);

/* Skips a directive without effect, or processes .loc and .file; false if it is none of these. */
bool sl_ptx_directive_skip(struct sl_ptx_parser *p);

#endif
