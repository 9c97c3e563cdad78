/* One instruction as written: guard, opcode, modifiers, operands; and what its form makes of it. */
#ifndef SL_PTX_TEXT_PTX_STATEMENT_H
#define SL_PTX_TEXT_PTX_STATEMENT_H

#include "ptx/text/ptx_operand.h"

enum { SL_PTX_MODIFIERS = 12, SL_PTX_OPERANDS = 8 };

struct sl_ptx_statement {
  struct sl_ptx_token opcode, modifiers[SL_PTX_MODIFIERS];
  bool taken[SL_PTX_MODIFIERS]; /* the form knows what it means */
  unsigned modifier_count, operand_count;
  struct sl_ptx_operand operands[SL_PTX_OPERANDS];
  struct sl_ptx_insn in;
};

/* Reads opcode and modifiers, then operands up to the semicolon. */
bool sl_ptx_opcode_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st);
bool sl_ptx_operands_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st);

/* Takes a modifier of that name. */
bool sl_ptx_modifier(struct sl_ptx_statement *st, const char *name);
/* Takes the first of the names (a list that ends with NULL) that is there; its place in the list, or `otherwise`. */
unsigned sl_ptx_modifier_of(struct sl_ptx_statement *st, const char *const *names, unsigned otherwise);
/* The first type that is left; the second function takes it. */
enum sl_ptx_type sl_ptx_type_at(const struct sl_ptx_statement *st);
enum sl_ptx_type sl_ptx_modifier_type(struct sl_ptx_statement *st);

/* Whether the first operand has a second part, a register. A part _ counts as none. */
bool sl_ptx_two_results(struct sl_ptx_statement *st);

/* Says so if there are not that many operands. */
bool sl_ptx_operands_are(struct sl_ptx_parser *p, const struct sl_ptx_statement *st, unsigned least, unsigned most);
/* Says so if a modifier is left that the form has not taken. */
bool sl_ptx_modifiers_known(struct sl_ptx_parser *p, const struct sl_ptx_statement *st);

/* Sources and destinations by number of the operand; a vector or an address there is an error. */
bool sl_ptx_take_source(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand, enum sl_ptx_type type,
                        bool loose, struct sl_ptx_place *place);
bool sl_ptx_take_destination(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand,
                             enum sl_ptx_type type, bool loose, struct sl_ptx_place *place);

#endif
