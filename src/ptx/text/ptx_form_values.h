/* Parses instructions that compute: rows of ptx_lanes.def, comparisons, conversions, moves, predicate logic. */
#ifndef SL_PTX_TEXT_PTX_FORM_VALUES_H
#define SL_PTX_TEXT_PTX_FORM_VALUES_H

#include "ptx/text/ptx_operand.h"

/* Parses instructions of a whole warp or block: shfl, vote, match, activemask, bar; and instructions without effect. */

bool sl_ptx_form_shfl(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_vote(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_match(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_redux(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_activemask(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_bar(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_nothing(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);

/* Type substitutions that a row allows. */
enum sl_ptx_row_types {
  SL_PTX_NUMBERS = 0, /* signed for unsigned types, unless they have a separate row */
  SL_PTX_BITS = 1,    /* b32 for u32, etc. */
  SL_PTX_FLOATS = 2   /* f32 for u32, etc. */
};

bool sl_ptx_form_row(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_video(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_logic(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_space(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types); /* isspacep, cvta */
bool sl_ptx_form_cvt(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_setp(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_set(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);
bool sl_ptx_form_mov(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned types);

#endif
