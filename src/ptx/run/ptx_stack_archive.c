#include "ptx/run/ptx_stack_archive.h"

#define NOWHERE UINT32_MAX

void sl_ptx_stack_archive(struct sl_archive *archive, struct sl_ptx_stack *s)
{
  s->depth = sl_archive_number(archive, s->depth, SL_PTX_STACK_DEPTH);
  sl_archive_bytes(archive, s->entries, s->depth * sizeof *s->entries);
}

/* Lanes above an entry on paths that end together with it. */
static uint32_t lanes_above(const struct sl_ptx_stack *s, uint32_t entry)
{
  uint32_t lanes = 0;
  for (uint32_t i = entry + 1; i < s->depth; i++)
    if (s->entries[i].reconvergence == NOWHERE && s->entries[i].call == s->entries[entry].call)
      lanes |= s->entries[i].mask;
  return lanes;
}

bool sl_ptx_stack_valid(const struct sl_ptx_stack *s, uint32_t lanes, bool (*can_be)(const void *context, uint32_t pc),
                        const void *context)
{
  for (uint32_t i = 0; i < s->depth; i++) {
    const struct sl_ptx_stack_entry *e = &s->entries[i];
    const bool nowhere = e->pc == NOWHERE && (e->mask & ~lanes_above(s, i)) == 0;
    if ((e->mask & ~lanes) || !(nowhere || can_be(context, e->pc)))
      return false;
  }
  return s->depth == 0 || sl_ptx_stack_mask(s) != 0;
}
