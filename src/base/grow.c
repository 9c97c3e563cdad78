#include "base/grow.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool sl_grow(void *array, size_t count, size_t size)
{
  size_t room = 4;
  while (room <= count)
    room *= 2;
  void *items;
  memcpy(&items, array, sizeof items); /* a pointer of any type */
  if (room <= SIZE_MAX / 2 / size && malloc_usable_size(items) >= room * size)
    return true;
  items = room <= SIZE_MAX / 2 / size ? realloc(items, room * size) : NULL;
  if (items != NULL)
    memcpy(array, &items, sizeof items);
  return items != NULL;
}
