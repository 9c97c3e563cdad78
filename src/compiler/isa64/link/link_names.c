#include "compiler/isa64/link/link_names.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/isa64/object64.h"

static size_t hash_of(const char *name)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *name != '\0'; name++)
    hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  return (size_t)(hash ^ hash >> 32);
}

/* Returns the slot of the name, or the free slot for it. */
static size_t slot_of(const struct sl_link_names *names, const char *name)
{
  size_t slot = hash_of(name) & (names->slot_count - 1);
  while (names->slots[slot] != 0 && strcmp(names->name[names->slots[slot] - 1], name) != 0)
    slot = (slot + 1) & (names->slot_count - 1);
  return slot;
}

uint32_t sl_link_names_find(const struct sl_link_names *names, const char *name)
{
  const uint32_t entry = names->slot_count > 0 ? names->slots[slot_of(names, name)] : 0;
  return entry != 0 ? entry - 1 : SL_LINK_NO_NAME;
}

/* Keeps half of the slots free. */
static enum sl_status make_room(struct sl_link_names *names, struct sl_error *err)
{
  const char **grown = sl_grow64(names->name, names->count, sizeof *grown, err);
  if (grown == NULL)
    return SL_INTERNAL;
  names->name = grown;
  if (2 * (names->count + 1) <= names->slot_count)
    return SL_OK;
  const size_t slot_count = names->slot_count > 0 ? 2 * names->slot_count : 256;
  uint32_t *slots = calloc(slot_count, sizeof *slots);
  if (slots == NULL)
    return sl_no_memory(err, slot_count * sizeof *slots);
  free(names->slots);
  names->slots = slots;
  names->slot_count = slot_count;
  for (size_t i = 0; i < names->count; i++)
    slots[slot_of(names, names->name[i])] = (uint32_t)i + 1;
  return SL_OK;
}

enum sl_status sl_link_names_add(struct sl_link_names *names, const char *name, uint32_t *number, struct sl_error *err)
{
  *number = sl_link_names_find(names, name);
  if (*number != SL_LINK_NO_NAME)
    return SL_OK;
  const enum sl_status code = make_room(names, err);
  if (code != SL_OK)
    return code;
  *number = (uint32_t)names->count;
  names->name[names->count++] = name;
  names->slots[slot_of(names, name)] = *number + 1;
  return SL_OK;
}

void sl_link_names_free(struct sl_link_names *names)
{
  free(names->name);
  free(names->slots);
  *names = (struct sl_link_names){0};
}
