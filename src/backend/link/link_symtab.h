/* Symbol table of a program: the named symbols in it. Local labels of the assembler (.L) are omitted. */
#ifndef SL_BACKEND_LINK_SYMTAB_H
#define SL_BACKEND_LINK_SYMTAB_H

#include "backend/link/link_bytes.h"
#include "backend/link/link_state.h"

struct sl_link_symtab {
  struct sl_link_bytes symbols, strings;
  uint32_t locals; /* number of local symbols, which come first */
};

/* `sections`: the section number of each output section in the file. */
void sl_link_symtab_make(const struct sl_link *link, const uint16_t sections[SL_LINK_OUTPUTS],
                         struct sl_link_symtab *table);

#endif
