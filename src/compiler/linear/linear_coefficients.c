#include "compiler/linear/linear_coefficients.h"

int sl_linear_coefficient(const struct sl_linear_coefficients *c, sl_poly poly, unsigned from)
{
  for (unsigned i = from; i < c->crs; i++)
    if (c->used[i] && c->cr[i] == poly)
      return (int)i;
  return SL_LINEAR_NO_COEFFICIENT;
}

bool sl_linear_is_immediate(const struct sl_linear_plan *plan, sl_poly factor, unsigned bits, int64_t *number)
{
  if (!sl_poly_is_number(plan->analysis->polys, factor, number))
    return false;
  const int64_t most = INT64_MAX >> (64 - bits);
  return *number <= most && *number >= -most - 1;
}

static void put_at(struct sl_linear_coefficients *c, unsigned number, sl_poly poly)
{
  c->cr[number] = poly;
  c->used[number] = poly != SL_POLY_ZERO; /* registers are initially 0 */
  c->crs = number >= c->crs ? number + 1 : c->crs;
}

static void add(struct sl_linear_coefficients *c, sl_poly poly)
{
  if (poly == SL_POLY_ZERO || sl_linear_coefficient(c, poly, c->offsets) != SL_LINEAR_NO_COEFFICIENT)
    return;
  if (c->crs >= SL_LINEAR_COEFFICIENTS)
    c->full = true;
  else
    put_at(c, c->crs, poly);
}

static void number_slices(struct sl_linear_coefficients *c, const struct sl_linear_plan *plan)
{
  c->slices = plan->lrs > 0 ? 1 : 0;
  for (uint32_t i = 0; i < plan->lrs; i++)
    put_at(c, i, plan->lr[i].constant);
  for (unsigned d = 0; d < 3; d++) {
    bool any = false;
    for (uint32_t i = 0; i < plan->lrs; i++)
      any |= plan->lr[i].index[SL_LINEAR_BX + d] != SL_POLY_ZERO;
    if (!any)
      continue;
    for (uint32_t i = 0; i < plan->lrs; i++)
      put_at(c, c->slices * SL_LINEAR_REGISTERS + i, plan->lr[i].index[SL_LINEAR_BX + d]);
    c->dimension[c->slices++] = d;
  }
  c->offsets = c->crs = c->slices * SL_LINEAR_REGISTERS;
}

void sl_linear_coefficients_number(struct sl_linear_coefficients *c, const struct sl_linear_plan *plan,
                                   const sl_poly *added, uint32_t count, unsigned bits)
{
  int64_t number;
  *c = (struct sl_linear_coefficients){.crs = 0};
  number_slices(c, plan);
  for (uint32_t i = 0; i < count; i++)
    add(c, added[i]);
  for (uint32_t t = 0; t < plan->trs; t++)
    for (unsigned d = 0; d < SL_LINEAR_BX; d++)
      if (!sl_linear_is_immediate(plan, plan->tr[t].index[d], bits, &number))
        add(c, plan->tr[t].index[d]);
}
