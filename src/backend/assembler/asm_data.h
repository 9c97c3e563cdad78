/* Data in assembly text: the text between .pushsection and .popsection is a section of the unit, with strings (.asciz,
 * .string, .ascii) and numbers (.word, .half, .byte). */
#ifndef SL_BACKEND_ASM_DATA_H
#define SL_BACKEND_ASM_DATA_H

#include "backend/object64.h"

struct sl_asm_data {
  struct sl_object64 *object;
  bool open;
  uint32_t section; /* index in the unit of the open section */
};

/* Whether a statement is a section directive, or data within a section, rather than an instruction. */
bool sl_asm_is_data(const struct sl_asm_data *data, const char *statement, size_t length);

/* SL_USAGE: the message has the statement. */
enum sl_status sl_asm_data_add(struct sl_asm_data *data, const char *statement, size_t length, struct sl_error *err);

/* Adds a symbol at the current end of the open section. */
enum sl_status sl_asm_data_label(const struct sl_asm_data *data, uint32_t *symbol, struct sl_error *err);

#endif
