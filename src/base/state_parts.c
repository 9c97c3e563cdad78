#include "base/state_parts.h"

#include <string.h>

#include "base/types.h"

/* Pads a size so that each part is aligned for a struct of its type. */
static size_t padded(size_t size)
{
  return (size + SL_CACHE_LINE - 1) & ~(size_t)(SL_CACHE_LINE - 1);
}

size_t sl_state_parts_size(const struct sl_state_part *part, unsigned count)
{
  size_t size = 0;
  for (unsigned i = 0; i < count; i++)
    size += padded(part[i].size);
  return size;
}

void sl_state_parts_save(const struct sl_state_part *part, unsigned count, uint8_t *bytes)
{
  for (unsigned i = 0; i < count; bytes += padded(part[i++].size)) {
    memcpy(bytes, part[i].bytes, part[i].size);
    memset(bytes + part[i].size, 0, padded(part[i].size) - part[i].size);
  }
}

void sl_state_parts_restore(const struct sl_state_part *part, unsigned count, const uint8_t *bytes)
{
  for (unsigned i = 0; i < count; bytes += padded(part[i++].size))
    memcpy(part[i].bytes, bytes, part[i].size);
}

void sl_state_parts_look(struct sl_state_part *part, unsigned count, const uint8_t *bytes)
{
  for (unsigned i = 0; i < count; bytes += padded(part[i++].size))
    part[i].bytes = (void *)(uintptr_t)bytes;
}

void sl_state_walk(struct sl_state_walk *walk, const struct sl_state_part *part, unsigned count)
{
  if (walk->save != NULL)
    sl_state_parts_save(part, count, walk->save + walk->size);
  if (walk->restore != NULL)
    sl_state_parts_restore(part, count, walk->restore + walk->size);
  walk->size += sl_state_parts_size(part, count);
}
