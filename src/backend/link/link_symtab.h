/* The symbol table of a program: what has a name and is in it. Labels of the assembler (.L) are nobody's. */
#ifndef SL_BACKEND_LINK_SYMTAB_H
#define SL_BACKEND_LINK_SYMTAB_H

#include "backend/link/link_bytes.h"
#include "backend/link/link_state.h"

struct sl_link_symtab {
  struct sl_link_bytes symbols, strings;
  uint32_t locals; /* that come first */
};

/* `sections` has the number of each output's section in the file. */
void sl_link_symtab_make(const struct sl_link *link, const uint16_t sections[SL_LINK_OUTPUTS],
                         struct sl_link_symtab *table);

#endif
