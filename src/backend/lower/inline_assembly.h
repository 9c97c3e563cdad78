/* Inline assembly: its template with registers and numbers put in, for an assembler to make words of. */
#ifndef SL_BACKEND_INLINE_ASSEMBLY_H
#define SL_BACKEND_INLINE_ASSEMBLY_H

#include "backend/lower/stack_frame.h"
#include "backend/object64.h"

/* Who makes words of text. It gives an array of `count` words, to be freed, and looks for symbols in the unit, adding
 * those that are not there. */
struct sl_assembler {
  enum sl_status (*assemble)(void *context, const char *text, struct sl_object64 *object, struct sl_code64 **code,
                             size_t *count, struct sl_error *err);
  void *context;
};

/* The text of an instruction SL_LIR_ASSEMBLY; to be freed. `unique` is a number that no other has, for ${:uid}.
 * SL_USAGE: the template has something unknown. */
enum sl_status sl_inline_assembly(const struct sl_stack_frame *frame, const struct sl_lir_insn *insn, uint32_t unique,
                                  char **text, struct sl_error *err);

#endif
