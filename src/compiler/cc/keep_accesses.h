/* Changes of LLVM's representation, before any optimisation, for kernels that the checker runs.
 *
 * Stores at the ends of two branches must not become one store behind them: then the branches join before the end of
 * the kernel, and a barrier in one of them looks like one that lanes of the other must reach. An access to an array in
 * a thread's local memory must not disappear if it is outside of the array. */
#ifndef SL_COMPILER_CC_KEEP_ACCESSES_H
#define SL_COMPILER_CC_KEEP_ACCESSES_H

#include <stddef.h>

enum { SL_OUTSIDE_ARRAY = 0x1000000 /* above all local memory: where an access is that is outside of its array */ };

/* Returns a copy of the text with the changes, which the caller frees; NULL: out of memory. */
char *sl_keep_accesses(const char *ir, size_t *length);

#endif
