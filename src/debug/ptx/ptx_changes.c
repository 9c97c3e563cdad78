#include "debug/ptx/ptx_changes.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static void drop_after(struct sl_ptx_changes *c, uint64_t place)
{
  while (c->count > 0 && c->change[c->count - 1].spot.place > place)
    free(c->change[--c->count].bytes);
}

bool sl_ptx_changes_add(struct sl_ptx_changes *c, const struct sl_ptx_spot *spot, bool is_register, uint64_t at,
                        const void *bytes, size_t size)
{
  drop_after(c, spot->place);
  uint8_t *copy = malloc(size + 1);
  if (copy == NULL || !SL_GROW(c->change, c->count)) {
    free(copy);
    return false;
  }
  memcpy(copy, bytes, size);
  c->change[c->count++] =
      (struct sl_ptx_change){.spot = *spot, .is_register = is_register, .at = at, .size = size, .bytes = copy};
  return true;
}

void sl_ptx_change_repeat(const struct sl_ptx_change *c, const struct sl_ptx_view *view)
{
  const unsigned thread = sl_ptx_view_thread(view, &view->block->warps[c->spot.warp], c->spot.lane);
  uint64_t value = 0;
  if (c->is_register) {
    memcpy(&value, c->bytes, c->size);
    sl_ptx_view_set_register(view, thread, c->at, value);
    return;
  }
  uint8_t *to = sl_ptx_view_memory(view, thread, c->at, c->size, true);
  if (to != NULL)
    memcpy(to, c->bytes, c->size);
}

void sl_ptx_changes_clear(struct sl_ptx_changes *c)
{
  while (c->count > 0)
    free(c->change[--c->count].bytes);
  free(c->change);
  *c = (struct sl_ptx_changes){.change = NULL};
}
