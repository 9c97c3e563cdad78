/* Forms: the parser functions of the opcodes, by the table of ptx_forms.c. */
#ifndef SL_PTX_TEXT_PTX_FORMS_H
#define SL_PTX_TEXT_PTX_FORMS_H

#include "ptx/text/ptx_operand.h"

/* Reads an instruction after its guard, up to the semicolon, and resolves it. */
bool sl_ptx_instruction_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st);

/* Parses instructions that change the control flow: bra, call, ret, exit, trap. */

bool sl_ptx_form_bra(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_end(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned kind);

/* Reads what follows `call`; its operands have a special syntax. */
bool sl_ptx_call_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st);

/* The label of that name, created if it is new; UINT32_MAX if out of memory. */
uint32_t sl_ptx_label_of(struct sl_ptx_parser *p, const struct sl_ptx_token *name);

/* The function of that name; UINT32_MAX if there is none. */
uint32_t sl_ptx_function_of(const struct sl_ptx_parser *p, const struct sl_ptx_token *name);

/* Parses instructions that access memory: ld, st, atom, red, membar. */

bool sl_ptx_form_access(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned store);
bool sl_ptx_form_atomic(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned red);
bool sl_ptx_form_policy(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_cp(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_stack(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned mode);

/* Gives a function whose body has alloca a stack, and an instruction that empties it at the beginning. */
bool sl_ptx_stack_begin(struct sl_ptx_parser *p);
bool sl_ptx_form_membar(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);

/* Consumes the space of an access; generic if there is none. */
void sl_ptx_take_space(struct sl_ptx_statement *st);
/* The address of an access, in brackets, in the space of the instruction. */
bool sl_ptx_take_address(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand);

/* Parses instructions on matrices: wmma, mma, ldmatrix, stmatrix, movmatrix. */

bool sl_ptx_form_wmma(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_mma(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_matrix(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned store);
bool sl_ptx_form_movmatrix(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);

/* Parses instructions of a whole warp or block: shfl, vote, match, activemask, bar; and instructions without effect. */

bool sl_ptx_form_shfl(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_vote(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_match(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_redux(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_activemask(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_bar(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);
bool sl_ptx_form_nothing(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned unused);

/* Parses instructions that compute: rows of ptx_lanes.def, comparisons, conversions, moves, predicate logic. */

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
