/* Symbol references of objects and archives. */
#ifndef SL_TOOLCHAIN_OBJECT_SYMBOLS_H
#define SL_TOOLCHAIN_OBJECT_SYMBOLS_H

#include "base/types.h"

/* Returns true if an RV32 object, or a member of an archive of these, has an undefined reference to the symbol. Returns
 * false for other files. */
bool sl_refers_to(const char *file, const char *symbol);

#endif
