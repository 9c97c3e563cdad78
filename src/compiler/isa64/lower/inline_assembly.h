/* Inline assembly: substitutes registers and numbers into the template and passes the text to an assembler. */
#ifndef SL_BACKEND_INLINE_ASSEMBLY_H
#define SL_BACKEND_INLINE_ASSEMBLY_H

#include "compiler/isa64/lower/stack_frame.h"
#include "compiler/isa64/object64.h"

/* Assembler interface. It returns an array of `count` words, which the caller frees. It looks symbols up in the unit
 * and adds missing ones. */
struct sl_assembler {
  enum sl_status (*assemble)(void *context, const char *text, struct sl_object64 *object, struct sl_code64 **code,
                             size_t *count, struct sl_error *err);
  void *context;
};

/* Returns the text of an instruction SL_LIR_ASSEMBLY, which the caller frees. `unique` is a unique number for ${:uid}.
 * SL_USAGE: the template contains something unknown. */
enum sl_status sl_inline_assembly(const struct sl_stack_frame *frame, const struct sl_lir_insn *insn, uint32_t unique,
                                  char **text, struct sl_error *err);

#endif
