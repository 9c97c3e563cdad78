/* Symbol references of objects and archives. */
#ifndef SL_TOOLCHAIN_OBJECT_SYMBOLS_H
#define SL_TOOLCHAIN_OBJECT_SYMBOLS_H

#include "base/types.h"

/* Whether a file, an RV32 object or an archive of these, refers to a symbol that it does not define. False for other
 * files. */
bool sl_refers_to(const char *file, const char *symbol);

#endif
