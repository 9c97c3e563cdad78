/* What objects and archives refer to. */
#ifndef SL_TOOLCHAIN_OBJECT_SYMBOLS_H
#define SL_TOOLCHAIN_OBJECT_SYMBOLS_H

#include "base/types.h"

/* Whether a file, an object of RV32 or an archive of such, refers to a symbol that it does not define. What is no such
 * file refers to nothing. */
bool sl_refers_to(const char *file, const char *symbol);

#endif
