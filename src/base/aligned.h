/* Memory on cache lines of its own: what one host thread writes lies on no line that another uses. */
#ifndef SL_BASE_ALIGNED_H
#define SL_BASE_ALIGNED_H

#include <stddef.h>

/* Zeroed; NULL when there is none. To be given back by free(). */
void *sl_lines_of(size_t count, size_t size);

#endif
