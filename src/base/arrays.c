#define _DEFAULT_SOURCE /* madvise */
#include "base/arrays.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Hardware prefetches 64-byte lines in pairs. */
enum { PAIR = 128 };

/* Fewer pages are not worth a system call: they are often a part of the heap that is there. */
enum { FEW = 8 };

void sl_populate(void *start, size_t bytes)
{
#ifdef MADV_POPULATE_WRITE
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), offset = (uintptr_t)start % page;
  if (bytes >= FEW * page)
    madvise((char *)start - offset, offset + bytes, MADV_POPULATE_WRITE); /* it is advice: no error matters */
#else
  (void)start, (void)bytes;
#endif
}

void sl_populate_beginning(void *start, size_t bytes)
{
  sl_populate(start, bytes < SL_BEGINNING ? bytes : SL_BEGINNING);
}

void *sl_array_of(size_t count, size_t size)
{
  return size == 0 || count <= SL_MOST_POPULATED / size ? sl_lines_of(count, size) : calloc(count, size);
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

void *sl_sparse(size_t count, size_t size)
{
  if (size == 0 || count == 0 || count > SIZE_MAX / size)
    return NULL;
  void *array = mmap(NULL, count * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return array == MAP_FAILED ? NULL : array;
}

void sl_sparse_free(void *array, size_t count, size_t size)
{
  if (array != NULL)
    munmap(array, count * size);
}
