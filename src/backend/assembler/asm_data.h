/* Data in assembly text: what stands between .pushsection and .popsection is a section of the unit, with strings
 * (.asciz, .string, .ascii) and words (.word, .half, .byte) that are numbers. */
#ifndef SL_BACKEND_ASM_DATA_H
#define SL_BACKEND_ASM_DATA_H

#include "backend/object64.h"

struct sl_asm_data {
  struct sl_object64 *object;
  bool open;
  uint32_t section; /* of the unit, while it is open */
};

/* Whether a statement is the assembler's own, not an instruction: sections begin and end, and what is in one. */
bool sl_asm_is_data(const struct sl_asm_data *data, const char *statement, size_t length);

/* SL_USAGE: the sentence has the statement. */
enum sl_status sl_asm_data_add(struct sl_asm_data *data, const char *statement, size_t length, struct sl_error *err);

/* A symbol for what comes next in the open section. */
enum sl_status sl_asm_data_label(const struct sl_asm_data *data, uint32_t *symbol, struct sl_error *err);

#endif
