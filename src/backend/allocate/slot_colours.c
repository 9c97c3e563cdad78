#include "backend/allocate/slot_colours.h"

#include "backend/grow.h"

struct span {
  uint32_t start, end, reg;
};

static int compare(const void *a, const void *b)
{
  const struct span *x = a, *y = b;
  return x->start != y->start ? (x->start > y->start) - (x->start < y->start) : (x->reg > y->reg) - (x->reg < y->reg);
}

bool sl_colour_slots(const struct sl_lir *lir, const struct sl_lifetimes *life, uint32_t *colour, uint32_t *count)
{
  struct span *span = sl_zeroed(lir->kind_count, sizeof *span);
  uint32_t *busy_until = sl_zeroed(lir->kind_count, sizeof *busy_until);
  const bool room = span != NULL && busy_until != NULL;
  size_t spans = 0;
  *count = 0;
  for (uint32_t v = 0; room && v < lir->kind_count; v++) {
    const uint32_t reg = SL_LIR_VIRTUAL + v;
    if (lir->kind[v] == SL_LIR_SLOT && sl_segment_count(life, reg) > 0)
      span[spans++] =
          (struct span){life->segment[life->first[reg]].start, life->segment[life->first[reg + 1] - 1].end, reg};
  }
  if (spans > 0)
    qsort(span, spans, sizeof *span, compare);
  for (size_t i = 0; i < spans; i++) {
    uint32_t c = 0;
    while (c < *count && busy_until[c] > span[i].start)
      c++;
    *count += c == *count;
    busy_until[c] = span[i].end;
    colour[span[i].reg] = c;
  }
  free(span);
  free(busy_until);
  return room;
}
