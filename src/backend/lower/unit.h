/* The relocatable unit that compiled functions are put into. Arrays of struct sl_object64 have room for a power of two
 * of elements, so that whoever adds to one need not remember how much there is. */
#ifndef SL_BACKEND_UNIT_H
#define SL_BACKEND_UNIT_H

#include "backend/mir/mir.h"
#include "backend/object64.h"

struct sl_unit {
  struct sl_object64 *object;
  const struct sl_mir_module *module;
  uint32_t *symbol; /* of each text of the module: 1 + number of the symbol of that name, 0: none yet */
  size_t symbols;   /* texts that the array is for */
};

/* The names of the module's functions become texts of it. False without memory. */
bool sl_unit_init(struct sl_unit *unit, struct sl_object64 *object, struct sl_mir_module *module);
void sl_unit_free(struct sl_unit *unit);

/* The symbol of a name, undefined if it is new; UINT32_MAX without memory. */
uint32_t sl_unit_symbol(struct sl_unit *unit, uint32_t text);

/* A symbol without a name for the beginning of a section; a section, whose contents the unit takes over in any case.
 * Both UINT32_MAX without memory. */
uint32_t sl_unit_label(struct sl_unit *unit, uint32_t section);
uint32_t sl_unit_section(struct sl_unit *unit, const struct sl_section64 *section);

/* Forgets what was added since there were so many. */
void sl_unit_cut(struct sl_unit *unit, size_t sections, size_t symbols);

#endif
