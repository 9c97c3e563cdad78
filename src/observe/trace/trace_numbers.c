#include "observe/trace/trace_page.h"

#include <stdlib.h>

static size_t place_of(const struct sl_numbers *n, uint64_t key)
{
  size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 24) & (n->room - 1);
  while (n->table[at] != 0 && n->keys[n->table[at] - 1] != key)
    at = (at + 1) & (n->room - 1);
  return at;
}

static bool grow(struct sl_numbers *n)
{
  const size_t room = n->room != 0 ? 2 * n->room : 256;
  uint64_t *keys = realloc(n->keys, room * sizeof *keys);
  if (keys != NULL)
    n->keys = keys;
  uint32_t *table = calloc(room, sizeof *table);
  if (keys == NULL || table == NULL) {
    free(table);
    return false;
  }
  free(n->table);
  n->table = table;
  n->room = room;
  for (size_t i = 0; i < n->count; i++)
    n->table[place_of(n, n->keys[i])] = (uint32_t)i + 1;
  return true;
}

uint32_t sl_number_of(struct sl_numbers *n, uint64_t key)
{
  if (2 * (n->count + 1) > n->room && !grow(n))
    return SL_NO_NUMBER;
  const size_t at = place_of(n, key);
  if (n->table[at] == 0) {
    n->keys[n->count++] = key;
    n->table[at] = (uint32_t)n->count;
  }
  return n->table[at] - 1;
}

void sl_numbers_free(struct sl_numbers *n)
{
  free(n->keys);
  free(n->table);
}
