/* Selects a free register, by allocation policy. */
#include <string.h>

#include "compiler/isa64/allocate/assignment.h"
#include "compiler/isa64/lir/lir_select.h"

/* Save and restore of a register cost two instructions, at entry and exit. A copy costs an instruction that is fetched,
 * issued and writes a register; a conflict only delays one. */
static const double SAVED = 2, COPY = 2;

static bool is_possible(const struct sl_assignment *a, uint32_t reg, unsigned physical)
{
  return sl_may_have(a, reg, physical) && sl_is_free(&a->occupancy, physical, &a->life, reg);
}

/* Returns the allowed register of the most frequent copy to or from this one; never ra, which would have to be
 * saved. */
static unsigned hint(const struct sl_assignment *a, uint32_t reg)
{
  unsigned best = SL_NO_REGISTER;
  double weight = 0;
  for (uint32_t n = a->copies.first[reg]; n < a->copies.first[reg + 1]; n++) {
    const unsigned physical = a->physical[a->copies.neighbour[n].reg];
    if (physical != SL_NO_REGISTER && physical != SL_RA && a->copies.neighbour[n].weight > weight &&
        is_possible(a, reg, physical)) {
      best = physical;
      weight = a->copies.neighbour[n].weight;
    }
  }
  return best;
}

/* Sums, per bank, the executions of instructions that read this register and another one of that bank. */
static void bank_costs(const struct sl_assignment *a, uint32_t reg, double cost[SL_MOST_BANKS])
{
  memset(cost, 0, SL_MOST_BANKS * sizeof *cost);
  for (uint32_t n = a->conflicts.first[reg]; n < a->conflicts.first[reg + 1]; n++) {
    const unsigned physical = a->physical[a->conflicts.neighbour[n].reg];
    if (physical != SL_NO_REGISTER)
      cost[a->registers->bank[physical]] += a->conflicts.neighbour[n].weight;
  }
}

static unsigned first(const struct sl_assignment *a, uint32_t reg, bool aware)
{
  const struct sl_registers *r = a->registers;
  unsigned any = hint(a, reg);
  if (any != SL_NO_REGISTER)
    return any;
  double cost[SL_MOST_BANKS];
  bank_costs(a, reg, cost);
  for (unsigned i = 0; i < r->order_count; i++) {
    const unsigned physical = r->order[i];
    const bool good = !aware || cost[r->bank[physical]] <= 0;
    if ((!good && any != SL_NO_REGISTER) || !is_possible(a, reg, physical))
      continue;
    if (good)
      return physical;
    any = physical;
  }
  return any;
}

/* Cost of a callee-saved register: its first user pays for save and restore. */
static double cost_of_saving(const struct sl_assignment *a, unsigned physical, bool is_user)
{
  if (a->users[physical] > is_user || (physical == SL_RA ? a->lir->calls : !a->registers->saved[physical]))
    return 0;
  return SAVED;
}

/* Cost of the conflict between this save and the stack pointer. */
static double conflict_of_saving(const struct sl_assignment *a, unsigned physical, bool is_user)
{
  const bool pays = cost_of_saving(a, physical, is_user) > 0;
  return pays && a->registers->bank[physical] == a->registers->bank[SL_SP] ? 1 : 0;
}

/* `now`: the current register, which remains unless another one is cheaper. During assignment, the stack pointer's bank
 * may be treated like the others. If it is avoided and registers are scarce, the last registers, often those of inner
 * loops, all end up in it. */
static unsigned cheapest(const struct sl_assignment *a, uint32_t reg, unsigned now)
{
  const struct sl_registers *r = a->registers;
  double bank[SL_MOST_BANKS], gain[SL_REGISTERS] = {0}, least = 0;
  bank_costs(a, reg, bank);
  for (uint32_t n = a->copies.first[reg]; n < a->copies.first[reg + 1]; n++) {
    const unsigned physical = a->physical[a->copies.neighbour[n].reg];
    if (physical != SL_NO_REGISTER)
      gain[physical] += COPY * a->copies.neighbour[n].weight;
  }
  unsigned best = now;
  if (now != SL_NO_REGISTER)
    least = bank[r->bank[now]] - gain[now] + cost_of_saving(a, now, true) + conflict_of_saving(a, now, true);
  for (unsigned i = 0; i < r->order_count; i++) {
    const unsigned physical = r->order[i];
    const double cost = bank[r->bank[physical]] - gain[physical] + cost_of_saving(a, physical, false) +
                        (a->avoid_sp || now != SL_NO_REGISTER ? conflict_of_saving(a, physical, false) : 0);
    if (physical != now && (best == SL_NO_REGISTER || cost < least) && is_possible(a, reg, physical)) {
      best = physical;
      least = cost;
    }
  }
  return best;
}

unsigned sl_choose_register(const struct sl_assignment *a, uint32_t reg)
{
  return a->allocation == SL_COST ? cheapest(a, reg, SL_NO_REGISTER) : first(a, reg, a->allocation == SL_FIRST_FIT);
}

unsigned sl_cheaper_register(const struct sl_assignment *a, uint32_t reg)
{
  return cheapest(a, reg, a->physical[reg]);
}

double sl_conflict_cost(const struct sl_assignment *a, uint32_t reg, unsigned physical)
{
  double bank[SL_MOST_BANKS];
  bank_costs(a, reg, bank);
  return bank[a->registers->bank[physical]];
}

double sl_cost_of(const struct sl_assignment *a, uint32_t reg)
{
  const unsigned physical = a->physical[reg];
  double cost =
      sl_conflict_cost(a, reg, physical) + cost_of_saving(a, physical, true) + conflict_of_saving(a, physical, true);
  for (uint32_t n = a->copies.first[reg]; n < a->copies.first[reg + 1]; n++)
    if (a->physical[a->copies.neighbour[n].reg] == physical)
      cost -= COPY * a->copies.neighbour[n].weight;
  return cost;
}
