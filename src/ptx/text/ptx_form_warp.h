/* Parses instructions of a whole warp or block: shfl, vote, match, activemask, bar; and instructions without effect. */
#ifndef SL_PTX_TEXT_PTX_FORM_WARP_H
#define SL_PTX_TEXT_PTX_FORM_WARP_H

#include "ptx/text/ptx_statement.h"

bool sl_ptx_form_shfl(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_vote(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_match(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_activemask(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_bar(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_nothing(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);

#endif
