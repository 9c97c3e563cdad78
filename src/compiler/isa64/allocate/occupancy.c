#include "compiler/isa64/allocate/occupancy.h"

#include <string.h>

#include "compiler/isa64/grow.h"

void sl_occupancy_free(struct sl_occupancy *o)
{
  for (unsigned r = 0; r < SL_REGISTERS; r++)
    free(o->at[r]);
  *o = (struct sl_occupancy){0};
}

/* Returns the first segment from `low` on that ends after a point. */
static size_t behind(const struct sl_occupancy *o, unsigned physical, size_t low, uint32_t point)
{
  size_t high = o->count[physical];
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (o->at[physical][middle].end <= point)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Reserves room for all segments at once, then fills it from the end. Most registers have a single segment. */
bool sl_occupy(struct sl_occupancy *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg)
{
  const uint32_t added = sl_segment_count(l, reg);
  if (added == 0)
    return true;
  if (!sl_grow((void **)&o->at[physical], &o->room[physical], o->count[physical] + added, sizeof *o->at[physical]))
    return false;
  struct sl_occupied *at = o->at[physical];
  size_t from = o->count[physical], to = from + added;
  if (added == 1) {
    const struct sl_segment only = l->segment[l->first[reg]];
    const size_t place = behind(o, physical, 0, only.start);
    o->count[physical] = to;
    memmove(at + place + 1, at + place, (from - place) * sizeof *at);
    at[place] = (struct sl_occupied){only.start, only.end, reg};
    return true;
  }
  o->count[physical] = to;
  for (uint32_t s = l->first[reg + 1]; s-- > l->first[reg];) {
    while (from > 0 && at[from - 1].start > l->segment[s].start)
      at[--to] = at[--from];
    at[--to] = (struct sl_occupied){l->segment[s].start, l->segment[s].end, reg};
  }
  return true;
}

void sl_vacate(struct sl_occupancy *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg)
{
  if (sl_segment_count(l, reg) == 0)
    return;
  struct sl_occupied *at = o->at[physical];
  size_t to = behind(o, physical, 0, l->segment[l->first[reg]].start);
  if (sl_segment_count(l, reg) == 1) {
    memmove(at + to, at + to + 1, (--o->count[physical] - to) * sizeof *at);
    return;
  }
  for (size_t from = to; from < o->count[physical]; from++)
    if (at[from].reg != reg)
      at[to++] = at[from];
  o->count[physical] = to;
}

bool sl_occupancy_each(const struct sl_occupancy *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg,
                       sl_occupancy_found *found, void *context)
{
  size_t at = 0;
  for (uint32_t s = l->first[reg]; s < l->first[reg + 1]; s++) {
    at = behind(o, physical, at, l->segment[s].start);
    for (size_t k = at; k < o->count[physical] && o->at[physical][k].start < l->segment[s].end; k++)
      if (!found(context, o->at[physical][k].reg))
        return false;
  }
  return true;
}

static bool nothing(void *context, uint32_t other)
{
  (void)context;
  (void)other;
  return false;
}

bool sl_is_free(const struct sl_occupancy *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg)
{
  return sl_occupancy_each(o, physical, l, reg, nothing, NULL);
}
