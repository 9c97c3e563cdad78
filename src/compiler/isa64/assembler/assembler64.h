/* Assembler for inline assembly with substituted operands, to 64-bit words. It accepts instructions of RV32IMA, Zicsr,
 * Zfinx, Zicond and Vortex by their mnemonics, aliases and `.insn`, and registers x0 to x255 by all their names.
 *
 * Newlines or semicolons separate statements. Labels, including numeric ones with 1b and 1f, are local to the text.
 * Every statement is one word: li and la have a 32-bit immediate, call and tail are one jump. Text between
 * `.pushsection` and `.popsection` may be data (asm_data.h). Unknown instructions are errors, and so are directives
 * other than these, `.insn` and `.option`. */
#ifndef SL_BACKEND_ASSEMBLER64_H
#define SL_BACKEND_ASSEMBLER64_H

#include "compiler/isa64/object64.h"

/* A named label that other texts can refer to. */
struct sl_asm_label64 {
  char *name;
  size_t at; /* index of the following instruction */
  bool data; /* the label is in data of the text, not in the code, and is a symbol of the unit */
  uint32_t symbol;
};

struct sl_assembly64 {
  struct sl_code64 *code;
  size_t count;
  struct sl_asm_label64 *labels;
  size_t label_count;
};

/* Assembles a text. Looks up symbols that the text does not define in the unit, and adds missing ones. SL_USAGE: the
 * message has the statement. */
enum sl_status sl_assemble64(const char *text, struct sl_object64 *object, struct sl_assembly64 *assembly,
                             struct sl_error *err);

/* Assembles a text and returns only the words, which the caller frees; label names are discarded. `context` is
 * unused. */
enum sl_status sl_assemble64_words(void *context, const char *text, struct sl_object64 *object, struct sl_code64 **code,
                                   size_t *count, struct sl_error *err);

void sl_assembly64_free(struct sl_assembly64 *assembly);

#endif
