/* Assembles inline assembly, with its operands put in, to 64-bit words: instructions of RV32IMA, Zicsr, Zfinx, Zicond
 * and Vortex by their mnemonics, aliases and `.insn`, registers x0 to x255 by all their names.
 *
 * Statements are separated by newlines or semicolons; labels, also numbers with 1b and 1f, are those of the text
 * itself. Every statement is one word: li and la have a 32-bit immediate, call and tail are one jump. Between
 * `.pushsection` and `.popsection` there may be data (asm_data.h). What is no instruction is an error, as are
 * directives other than these, `.insn` and `.option`. */
#ifndef SL_BACKEND_ASSEMBLER64_H
#define SL_BACKEND_ASSEMBLER64_H

#include "backend/object64.h"

/* A label with a name, for others to refer to. */
struct sl_asm_label64 {
  char *name;
  size_t at; /* the instruction behind it */
  bool data; /* it is not in the code, but in data of the text; then this is a symbol of the unit */
  uint32_t symbol;
};

struct sl_assembly64 {
  struct sl_code64 *code;
  size_t count;
  struct sl_asm_label64 *labels;
  size_t label_count;
};

/* Symbols that the text refers to and does not define are looked for in the unit, and added to it. SL_USAGE: the
 * sentence has the statement. */
enum sl_status sl_assemble64(const char *text, struct sl_object64 *object, struct sl_assembly64 *assembly,
                             struct sl_error *err);

/* The same for who wants nothing but the words: names of labels in the text are forgotten. To be freed; `context` is
 * not looked at. */
enum sl_status sl_assemble64_words(void *context, const char *text, struct sl_object64 *object, struct sl_code64 **code,
                                   size_t *count, struct sl_error *err);

void sl_assembly64_free(struct sl_assembly64 *assembly);

#endif
