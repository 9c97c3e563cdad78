/* The tree of groups in the SIMT stack: functions of convergence schemes and of simt_groups.c. */
#include <string.h>

#include "convergence/simt_groups.h"

uint32_t sl_simt_groups_end_of(const struct sl_simt_stack *s, uint32_t i)
{
  uint32_t end = i + 1;
  while (end < s->depth && (s->entries[end].mask & s->entries[i].mask))
    end++;
  return end;
}

uint32_t sl_simt_groups_first(const struct sl_simt_stack *s, uint32_t lanes)
{
  uint32_t above = 0;
  for (uint32_t i = s->depth; i-- > 0; above |= s->entries[i].mask)
    if (!(s->entries[i].mask & above) && (s->entries[i].mask & lanes))
      return i;
  return s->depth;
}

void sl_simt_groups_exchange(struct sl_simt_stack *s, uint32_t first, uint32_t middle, uint32_t end)
{
  struct sl_simt_stack_entry lower[SL_SIMT_STACK_DEPTH];
  const size_t below = middle - first, above = end - middle, bytes = sizeof *lower;
  memcpy(lower, &s->entries[first], below * bytes);
  memmove(&s->entries[first], &s->entries[middle], above * bytes);
  memcpy(&s->entries[first + above], lower, below * bytes);
}

/* The entry before entry i among those above the same one; i if there is none. */
static uint32_t sibling_below(const struct sl_simt_stack *s, uint32_t i)
{
  uint32_t first = i;
  while (first > 0 && !(s->entries[first - 1].mask & s->entries[i].mask))
    first--;
  while (first < i && !(s->entries[first].mask & s->entries[i - 1].mask))
    first++;
  return first;
}

void sl_simt_groups_arrange(void *warp, unsigned group)
{
  struct sl_simt_stack *s = warp;
  (void)group;
  for (uint32_t i = 1; i < s->depth; i++) {
    const uint32_t below = sibling_below(s, i);
    if (below == i || s->entries[below].order <= s->entries[i].order)
      continue;
    sl_simt_groups_exchange(s, below, i, sl_simt_groups_end_of(s, i));
    i = below - 1; /* compare it with the next one below */
  }
}
