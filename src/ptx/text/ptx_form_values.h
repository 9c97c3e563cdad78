/* Forms of instructions that compute: rows of ptx_lanes.def, comparisons, conversions, moves, logic of predicates. */
#ifndef SL_PTX_TEXT_PTX_FORM_VALUES_H
#define SL_PTX_TEXT_PTX_FORM_VALUES_H

#include "ptx/text/ptx_statement.h"

/* What a row's types may stand for besides themselves. */
enum sl_ptx_row_types {
  SL_PTX_NUMBERS = 0, /* signed for unsigned ones, where there is no row of their own */
  SL_PTX_BITS = 1,    /* b32 for u32, and the like */
  SL_PTX_FLOATS = 2   /* f32 for u32, and the like */
};

bool sl_ptx_form_row(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_logic(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_space(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types); /* isspacep, cvta */
bool sl_ptx_form_cvt(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_setp(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_set(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_mov(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);

#endif
