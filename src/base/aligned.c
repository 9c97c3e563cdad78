#include "base/aligned.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Hardware prefetches 64-byte lines in pairs. */
enum { PAIR = 128 };

void *sl_lines_of(size_t count, size_t size)
{
  if (size != 0 && count > (SIZE_MAX - PAIR) / size)
    return NULL;
  const size_t bytes = (count * size + PAIR - 1) / PAIR * PAIR;
  void *memory = aligned_alloc(PAIR, bytes > 0 ? bytes : PAIR);
  if (memory != NULL)
    memset(memory, 0, bytes);
  return memory;
}
