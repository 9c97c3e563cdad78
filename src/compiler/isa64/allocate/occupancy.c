#include "compiler/isa64/allocate/allocate.h"

#include <string.h>

#include "compiler/isa64/compile_mir.h"

static bool saved_by_default(unsigned reg)
{
  return reg == 8 || reg == 9 || (reg >= 18 && reg <= 27) || (reg >= 48 && reg <= 95);
}

/* Arguments first: they are free most often, and incoming arguments can stay in place. */
static void make_order(struct sl_registers *r)
{
  r->order_count = 0;
  for (unsigned reg = 10; reg < 18 && reg < r->count; reg++)
    if (!r->saved[reg])
      r->order[r->order_count++] = (uint8_t)reg;
  for (unsigned reg = 5; reg < r->count; reg++)
    if (!r->saved[reg] && !r->reserved[reg] && (reg < 10 || reg > 17))
      r->order[r->order_count++] = (uint8_t)reg;
  for (unsigned reg = 5; reg < r->count; reg++)
    if (r->saved[reg] && !r->reserved[reg])
      r->order[r->order_count++] = (uint8_t)reg;
  r->order[r->order_count++] = 1;
}

enum sl_status sl_registers_init(struct sl_registers *r, unsigned count, unsigned banks, const uint8_t *bank,
                                 const bool *saved, struct sl_error *err)
{
  *r = (struct sl_registers){.count = count, .banks = banks};
  if (count < SL_LEAST_REGISTERS || count > SL_REGISTERS)
    return sl_fail(err, SL_USAGE, "%u registers cannot be allocated; choose %u to %u", count, SL_LEAST_REGISTERS,
                   SL_REGISTERS);
  if (banks < 1 || banks > SL_MOST_BANKS)
    return sl_fail(err, SL_USAGE, "%u banks of registers are not possible; choose 1 to %u", banks, SL_MOST_BANKS);
  for (unsigned reg = 0; reg < SL_REGISTERS; reg++) {
    r->bank[reg] = (uint8_t)(bank != NULL ? bank[reg] : reg % banks);
    if (r->bank[reg] >= banks)
      return sl_fail(err, SL_USAGE, "register %u is in bank %u, but there are %u banks, from 0 on", reg, r->bank[reg],
                     banks);
    r->saved[reg] = saved != NULL ? saved[reg] : saved_by_default(reg);
    r->reserved[reg] = reg == 0 || (reg >= 2 && reg <= 4) || reg >= count;
  }
  if (r->saved[1])
    return sl_fail(err, SL_USAGE, "ra cannot be a saved register: calls write it");
  make_order(r);
  return SL_OK;
}

void sl_registers_reserve_frame_pointer(struct sl_registers *r)
{
  r->reserved[8] = true;
  make_order(r);
}

void sl_occupancy_free(struct sl_assigned_segments *o)
{
  for (unsigned r = 0; r < SL_REGISTERS; r++)
    free(o->at[r]);
  *o = (struct sl_assigned_segments){0};
}

/* Returns the first segment from `low` on that ends after a point. */
static size_t behind(const struct sl_assigned_segments *o, unsigned physical, size_t low, uint32_t point)
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
bool sl_occupy(struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg)
{
  const uint32_t added = sl_segment_count(l, reg);
  if (added == 0)
    return true;
  if (!sl_make_room((void **)&o->at[physical], &o->room[physical], o->count[physical] + added, sizeof *o->at[physical]))
    return false;
  struct sl_occupied *at = o->at[physical];
  size_t from = o->count[physical], to = from + added;
  if (added == 1) {
    const struct sl_live_segment only = l->segment[l->first[reg]];
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

void sl_vacate(struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg)
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

bool sl_occupancy_each(const struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l,
                       uint32_t reg, sl_occupancy_found *found, void *context)
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

bool sl_is_free(const struct sl_assigned_segments *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg)
{
  return sl_occupancy_each(o, physical, l, reg, nothing, NULL);
}
