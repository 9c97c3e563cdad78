/* Growing arrays: a full array is doubled, so that appending takes constant time on average. */
#ifndef SL_BACKEND_GROW_H
#define SL_BACKEND_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Ensures room for `wanted` elements in *array, which has *room. False: out of memory, nothing changed. */
static inline bool sl_grow(void **array, size_t *room, size_t wanted, size_t size)
{
  if (wanted <= *room && *array != NULL)
    return true;
  const size_t more = wanted + wanted / 2 + 8;
  if (more > SIZE_MAX / 2 / size)
    return false;
  void *grown = realloc(*array, more * size);
  if (grown == NULL)
    return false;
  *array = grown;
  *room = more;
  return true;
}

/* Ensures room for one element after `count` others; the array is a pointer variable. */
#define SL_GROW(array, room, count) sl_grow((void **)&(array), &(room), (count) + 1, sizeof *(array))

/* Returns zeroed memory; not NULL for 0 elements. */
static inline void *sl_zeroed(size_t count, size_t size)
{
  return calloc(count + 1, size);
}

#endif
