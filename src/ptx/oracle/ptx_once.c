#include "ptx/oracle/ptx_once.h"

#include <stdlib.h>

enum { FIRST_ROOM = 1024 };

static size_t place_of(const struct sl_ptx_once *o, uint64_t key)
{
  size_t at = (size_t)((key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (o->room - 1);
  while (o->entry[at].age == o->age && o->entry[at].key != key)
    at = (at + 1) & (o->room - 1);
  return at;
}

static bool grow(struct sl_ptx_once *o)
{
  const struct sl_ptx_once old = *o;
  struct sl_ptx_once larger = {.room = old.room ? 2 * old.room : FIRST_ROOM, .count = old.count, .age = 1};
  larger.entry = calloc(larger.room, sizeof *larger.entry);
  if (larger.entry == NULL)
    return false;
  for (size_t i = 0; i < old.room; i++)
    if (old.entry[i].age == old.age) {
      struct sl_ptx_once_entry *e = &larger.entry[place_of(&larger, old.entry[i].key)];
      *e = old.entry[i];
      e->age = larger.age;
    }
  free(old.entry);
  *o = larger;
  return true;
}

uint64_t *sl_ptx_once_put(struct sl_ptx_once *o, uint64_t key, bool *is_new)
{
  if (2 * (o->count + 1) > o->room && !grow(o))
    return NULL;
  struct sl_ptx_once_entry *e = &o->entry[place_of(o, key)];
  *is_new = e->age != o->age;
  if (*is_new) {
    *e = (struct sl_ptx_once_entry){.key = key, .age = o->age};
    o->count++;
  }
  return &e->value;
}

const uint64_t *sl_ptx_once_find(const struct sl_ptx_once *o, uint64_t key)
{
  if (o->count == 0)
    return NULL;
  const struct sl_ptx_once_entry *e = &o->entry[place_of(o, key)];
  return e->age == o->age ? &e->value : NULL;
}

void sl_ptx_once_clear(struct sl_ptx_once *o)
{
  o->age++;
  o->count = 0;
}

void sl_ptx_once_free(struct sl_ptx_once *o)
{
  free(o->entry);
  *o = (struct sl_ptx_once){0};
}
