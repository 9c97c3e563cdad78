/* Local improvement of a finished assignment: moves each register to a cheaper physical one, or exchanges it with the
 * registers that occupy it. */
#include "compiler/isa64/allocate/assignment.h"

/* Number of sweeps; largest number of conflicting registers; largest number of segments of an exchanged lifetime, since
 * the time of each attempt is proportional to it. */
enum { ROUNDS = 8, MOST_IN_THE_WAY = 4, MOST_SEGMENTS = 100 };

struct others {
  uint32_t reg[MOST_IN_THE_WAY];
  unsigned count;
};

static bool collect(void *context, uint32_t other)
{
  struct others *o = context;
  for (unsigned i = 0; i < o->count; i++)
    if (o->reg[i] == other)
      return true;
  if (other < SL_LIR_VIRTUAL || o->count == MOST_IN_THE_WAY)
    return false;
  o->reg[o->count++] = other;
  return true;
}

/* Cost of the registers at their current places. */
static double cost_of(const struct sl_assignment *a, uint32_t reg, const struct others *o)
{
  double cost = sl_cost_of(a, reg);
  for (unsigned i = 0; i < o->count; i++)
    cost += sl_cost_of(a, o->reg[i]);
  return cost;
}

struct exception {
  uint32_t reg;
};

static bool is_exception(void *context, uint32_t other)
{
  return ((const struct exception *)context)->reg == other;
}

/* Whether an exchange looks feasible and reduces conflicts, estimated without trying it. */
static bool promises(const struct sl_assignment *a, uint32_t reg, const struct others *o, unsigned there)
{
  const unsigned here = a->physical[reg];
  struct exception but = {reg};
  double gain = sl_conflict_cost(a, reg, here) - sl_conflict_cost(a, reg, there);
  for (unsigned i = 0; i < o->count; i++) {
    gain += sl_conflict_cost(a, o->reg[i], there) - sl_conflict_cost(a, o->reg[i], here);
    if (!sl_may_have(a, o->reg[i], here) ||
        !sl_occupancy_each(&a->occupancy, here, &a->life, o->reg[i], is_exception, &but))
      return false;
  }
  return gain > 0;
}

/* Moves reg there and the others to its place. False: out of memory. */
static bool exchange(struct sl_assignment *a, uint32_t reg, const struct others *o, unsigned there)
{
  const unsigned here = a->physical[reg];
  bool room = true;
  sl_take_back(a, reg);
  for (unsigned i = 0; i < o->count; i++)
    sl_take_back(a, o->reg[i]);
  for (unsigned i = 0; room && i < o->count; i++)
    room = sl_give(a, o->reg[i], here);
  return room && sl_give(a, reg, there);
}

/* Performs the first exchange that reduces the cost. */
static bool exchange_with_any(struct sl_assignment *a, uint32_t reg, bool *changed)
{
  const struct sl_registers *r = a->registers;
  const unsigned here = a->physical[reg];
  for (unsigned i = 0; i < r->order_count; i++) {
    const unsigned there = r->order[i];
    struct others o = {.count = 0};
    if (r->bank[there] == r->bank[here] || a->users[there] == 0 || !sl_may_have(a, reg, there) ||
        !sl_occupancy_each(&a->occupancy, there, &a->life, reg, collect, &o) || !promises(a, reg, &o, there))
      continue;
    const double before = cost_of(a, reg, &o);
    if (!exchange(a, reg, &o, there))
      return false;
    /* Costs shared by two of the registers count twice, before and after. */
    if (cost_of(a, reg, &o) < before) {
      *changed = true;
      return true;
    }
    if (!exchange(a, reg, &o, here))
      return false;
  }
  return true;
}

bool sl_improve_choices(struct sl_assignment *a)
{
  bool changed = true;
  for (unsigned round = 0; changed && round < ROUNDS; round++) {
    changed = false;
    for (uint32_t v = 0; v < a->lir->kind_count; v++) {
      const uint32_t reg = SL_LIR_VIRTUAL + v;
      const unsigned now = a->physical[reg];
      if (now == SL_NO_REGISTER)
        continue;
      const unsigned best = sl_cheaper_register(a, reg);
      if (best != now) {
        changed = true;
        sl_take_back(a, reg);
        if (!sl_give(a, reg, best))
          return false;
      } else if (sl_segment_count(&a->life, reg) < MOST_SEGMENTS && sl_conflict_cost(a, reg, now) > 0 &&
                 !exchange_with_any(a, reg, &changed)) {
        return false;
      }
    }
  }
  return true;
}
