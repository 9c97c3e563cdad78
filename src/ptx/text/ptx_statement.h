/* One instruction as written: guard, opcode, modifiers and operands; and the instruction that its form produces. */
#ifndef SL_PTX_TEXT_PTX_STATEMENT_H
#define SL_PTX_TEXT_PTX_STATEMENT_H

#include "ptx/text/ptx_operand.h"

enum { SL_PTX_MODIFIERS = 12, SL_PTX_OPERANDS = 8 };

struct sl_ptx_statement {
  struct sl_ptx_token opcode, modifiers[SL_PTX_MODIFIERS];
  bool taken[SL_PTX_MODIFIERS]; /* recognised by the form */
  unsigned modifier_count, operand_count;
  struct sl_ptx_operand operands[SL_PTX_OPERANDS];
  struct sl_ptx_insn in;
};

/* Reads opcode and modifiers, then operands up to the semicolon. */
bool sl_ptx_opcode_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st);
bool sl_ptx_operands_read(struct sl_ptx_parser *p, struct sl_ptx_statement *st);

/* Consumes a modifier of that name. */
bool sl_ptx_modifier(struct sl_ptx_statement *st, const char *name);
/* Consumes the first of the names (a NULL-terminated list) that is present; returns its index, or `otherwise`. */
unsigned sl_ptx_modifier_of(struct sl_ptx_statement *st, const char *const *names, unsigned otherwise);
/* The first remaining type; the second function consumes it. */
enum sl_ptx_type sl_ptx_type_at(const struct sl_ptx_statement *st);
enum sl_ptx_type sl_ptx_modifier_type(struct sl_ptx_statement *st);

/* Whether the first operand has a second part that is a register, not _. */
bool sl_ptx_two_results(struct sl_ptx_statement *st);

/* Reports an error unless there are that many operands. */
bool sl_ptx_operands_are(struct sl_ptx_parser *p, const struct sl_ptx_statement *st, unsigned least, unsigned most);
/* Reports an error if a modifier remains that the form has not consumed. */
bool sl_ptx_modifiers_known(struct sl_ptx_parser *p, const struct sl_ptx_statement *st);

/* Sources and destinations by operand number; a vector or an address there is an error. */
bool sl_ptx_take_source(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand, enum sl_ptx_type type,
                        bool loose, struct sl_ptx_place *place);
bool sl_ptx_take_destination(struct sl_ptx_parser *p, struct sl_ptx_statement *st, unsigned operand,
                             enum sl_ptx_type type, bool loose, struct sl_ptx_place *place);

#endif
