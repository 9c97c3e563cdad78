#define _DEFAULT_SOURCE /* madvise */
#include "base/arrays.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Hardware prefetches 64-byte lines in pairs. */
enum { PAIR = 128 };

void sl_populate(void *start, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), offset = (uintptr_t)start % page;
  if (bytes > page)
    madvise((char *)start - offset, offset + bytes, MADV_POPULATE_WRITE); /* it is advice: no error matters */
#else
  (void)start, (void)bytes;
#endif
}

void sl_populate_beginning(void *start, size_t bytes)
{
  sl_populate(start, bytes < SL_BEGINNING ? bytes : SL_BEGINNING);
}

void *sl_array_beginning(size_t count, size_t size)
{
  if (size == 0 || count <= SL_BEGINNING / size)
    return sl_lines_of(count, size);
  void *memory = calloc(count, size);
  if (memory != NULL)
    sl_populate_beginning(memory, count * size);
  return memory;
}

void *sl_lines_of(size_t count, size_t size)
{
  if (size != 0 && count > (SIZE_MAX - PAIR) / size)
    return NULL;
  const size_t bytes = (count * size + PAIR - 1) / PAIR * PAIR;
  void *memory = aligned_alloc(PAIR, bytes > 0 ? bytes : PAIR);
  if (memory != NULL) {
    sl_populate(memory, bytes);
    memset(memory, 0, bytes);
  }
  return memory;
}
