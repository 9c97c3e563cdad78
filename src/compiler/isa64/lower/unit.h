/* Relocatable unit that collects compiled functions. Arrays of struct sl_object64 have room for a power of two of
 * elements, so that code that appends need not store the capacity. */
#ifndef SL_BACKEND_UNIT_H
#define SL_BACKEND_UNIT_H

#include "compiler/isa64/mir/mir.h"
#include "compiler/isa64/object64.h"

struct sl_unit {
  struct sl_object64 *object;
  const struct sl_mir_module *module;
  uint32_t *symbol; /* per text of the module: 1 + number of the symbol of that name, 0: none yet */
  size_t symbols;   /* length of the array above, in texts */
};

/* Adds the names of the module's functions to its texts. False: out of memory. */
bool sl_unit_init(struct sl_unit *unit, struct sl_object64 *object, struct sl_mir_module *module);
void sl_unit_free(struct sl_unit *unit);

/* Returns the symbol of a name, undefined if it is new; UINT32_MAX if out of memory. */
uint32_t sl_unit_symbol(struct sl_unit *unit, uint32_t text);

/* Add an unnamed symbol for the beginning of a section, and a section. The unit takes over the section's contents in
 * any case. UINT32_MAX: out of memory. */
uint32_t sl_unit_label(struct sl_unit *unit, uint32_t section);
uint32_t sl_unit_section(struct sl_unit *unit, const struct sl_section64 *section);

/* Removes sections and symbols beyond these counts. */
void sl_unit_cut(struct sl_unit *unit, size_t sections, size_t symbols);

#endif
