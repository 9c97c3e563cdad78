/* Allocation in separate cache lines, so that host threads share no line that one of them writes. */
#ifndef SL_BASE_ALIGNED_H
#define SL_BASE_ALIGNED_H

#include <stddef.h>

/* Returns zeroed memory, or NULL if out of memory. The caller frees it with free(). */
void *sl_lines_of(size_t count, size_t size);

#endif
