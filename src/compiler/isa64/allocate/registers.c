#include "compiler/isa64/allocate/registers.h"

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
