#include "compiler/isa64/allocate/allocate.h"

#include <math.h>
#include <string.h>

#include "compiler/isa64/compile_mir.h"
#include "compiler/isa64/lir/lir.h"

/* Weight is executions divided by (length in points + this constant): short registers have higher weight, since they
 * block less. */
enum { LEAST_LENGTH = 40 };

static uint32_t length_of(const struct sl_lifetimes *l, uint32_t reg)
{
  uint32_t length = 0;
  for (uint32_t s = l->first[reg]; s < l->first[reg + 1]; s++)
    length += l->segment[s].end - l->segment[s].start;
  return length;
}

static void weigh(struct sl_assignment *a)
{
  const struct sl_lir *lir = a->lir;
  for (size_t b = 0; b < lir->block_count; b++)
    for (uint32_t i = 0; i < lir->block[b].insn_count; i++) {
      const struct sl_lir_insn *insn = &lir->insn[lir->block[b].insn + i];
      const struct sl_lir_operand *operand = sl_lir_operands(lir, insn);
      for (uint32_t k = 0; k < insn->operand_count; k++) {
        a->weight[operand[k].reg] += lir->block[b].frequency;
        a->tail[operand[k].reg] = a->tail[operand[k].reg] || insn->op == SL_LIR_TAIL_REGISTER;
      }
    }
  for (uint32_t v = 0; v < lir->kind_count; v++) {
    const uint32_t reg = SL_LIR_VIRTUAL + v;
    a->weight[reg] /= length_of(&a->life, reg) + LEAST_LENGTH;
    if (lir->kind[v] == SL_LIR_MOMENT)
      a->weight[reg] = INFINITY;
    a->over_call[reg] = sl_alive_over_call(&a->life, reg);
  }
}

bool sl_assignment_init(struct sl_assignment *a, const struct sl_lir *lir, const struct sl_registers *registers,
                        enum sl_allocation allocation, bool avoid_sp)
{
  const size_t count = SL_LIR_VIRTUAL + lir->kind_count;
  *a = (struct sl_assignment){.lir = lir, .registers = registers, .allocation = allocation, .avoid_sp = avoid_sp};
  a->physical = sl_zeroed(count, sizeof *a->physical);
  a->weight = sl_zeroed(count, sizeof *a->weight);
  a->over_call = sl_zeroed(count, sizeof *a->over_call);
  a->tail = sl_zeroed(count, sizeof *a->tail);
  if (a->physical == NULL || a->weight == NULL || a->over_call == NULL || a->tail == NULL ||
      !sl_lifetimes_init(&a->life, lir) || !sl_conflict_graph(&a->conflicts, lir) || !sl_copy_graph(&a->copies, lir))
    return false;
  for (uint32_t reg = 0; reg < count; reg++)
    a->physical[reg] = reg < SL_LIR_VIRTUAL ? (uint16_t)reg : SL_NO_REGISTER;
  weigh(a);
  for (unsigned reg = 0; reg < registers->count; reg++)
    if (!registers->reserved[reg] && !sl_occupy(&a->occupancy, reg, &a->life, reg))
      return false;
  return true;
}

void sl_assignment_free(struct sl_assignment *a)
{
  sl_lifetimes_free(&a->life);
  sl_weighted_graph_free(&a->conflicts);
  sl_weighted_graph_free(&a->copies);
  sl_occupancy_free(&a->occupancy);
  free(a->physical);
  free(a->weight);
  free(a->over_call);
  free(a->tail);
  *a = (struct sl_assignment){0};
}

/* Whether the calling convention allows a virtual register in a physical one. */
static bool sl_may_have(const struct sl_assignment *a, uint32_t reg, unsigned physical)
{
  const bool saved = a->registers->saved[physical];
  if (a->registers->reserved[physical])
    return false;
  if (a->tail[reg] && (saved || physical == 1))
    return false;
  return !a->over_call[reg] || saved;
}

/* Assign and release a physical register. sl_give returns false if out of memory. */
static bool sl_give(struct sl_assignment *a, uint32_t reg, unsigned physical)
{
  a->physical[reg] = (uint16_t)physical;
  a->users[physical]++;
  return sl_occupy(&a->occupancy, physical, &a->life, reg);
}

static void sl_take_back(struct sl_assignment *a, uint32_t reg)
{
  const unsigned physical = a->physical[reg];
  a->users[physical]--;
  sl_vacate(&a->occupancy, physical, &a->life, reg);
  a->physical[reg] = SL_NO_REGISTER;
}

/* Assigns registers in the order of LLVM's greedy allocator, without its splitting: long lifetimes across blocks first,
 * then those within a block from top to bottom. A register without a free physical one evicts registers of lower
 * weight, or is spilled. */

struct entry {
  uint64_t priority;
  uint32_t reg;
};

/* A binary heap, the highest priority at the top. */
struct queue {
  struct entry *at;
  size_t count;
};

static void push(struct queue *q, struct entry entry)
{
  size_t i = q->count++;
  for (; i > 0 && q->at[(i - 1) / 2].priority < entry.priority; i = (i - 1) / 2)
    q->at[i] = q->at[(i - 1) / 2];
  q->at[i] = entry;
}

static uint32_t pop(struct queue *q)
{
  const uint32_t top = q->at[0].reg;
  const struct entry last = q->at[--q->count];
  size_t i = 0;
  for (size_t child = 1; child < q->count; child = 2 * i + 1) {
    if (child + 1 < q->count && q->at[child + 1].priority > q->at[child].priority)
      child++;
    if (q->at[child].priority <= last.priority)
      break;
    q->at[i] = q->at[child];
    i = child;
  }
  q->at[i] = last;
  return top;
}

/* A single segment is treated as local to a block. */
static uint64_t priority_of(const struct sl_assignment *a, uint32_t reg)
{
  const struct sl_lifetimes *l = &a->life;
  const uint32_t first = l->first[reg], end = l->first[reg + 1];
  if (isinf(a->weight[reg]))
    return UINT64_MAX;
  if (end - first == 1 && l->segment[first].end - l->segment[first].start < 256)
    return UINT32_MAX - l->segment[first].start;
  uint64_t length = 0;
  for (uint32_t s = first; s < end; s++)
    length += l->segment[s].end - l->segment[s].start;
  return (UINT64_C(1) << 32) + length;
}

struct victims {
  const struct sl_assignment *a;
  double limit, heaviest;
};

static bool weigh_victim(void *context, uint32_t other)
{
  struct victims *v = context;
  if (other < SL_LIR_VIRTUAL || v->a->weight[other] >= v->limit)
    return false;
  v->heaviest = v->a->weight[other] > v->heaviest ? v->a->weight[other] : v->heaviest;
  return true;
}

/* Returns the physical register whose conflicting users have the lowest weight, all of them lower than this
 * register's. */
static unsigned to_evict(const struct sl_assignment *a, uint32_t reg)
{
  unsigned best = SL_NO_REGISTER;
  struct victims v = {.a = a, .limit = a->weight[reg]};
  for (unsigned i = 0; i < a->registers->order_count; i++) {
    const unsigned physical = a->registers->order[i];
    v.heaviest = 0;
    if (sl_may_have(a, reg, physical) && sl_occupancy_each(&a->occupancy, physical, &a->life, reg, weigh_victim, &v)) {
      best = physical;
      v.limit = v.heaviest;
    }
  }
  return best;
}

static bool remember(void *context, uint32_t other)
{
  *(uint32_t *)context = other;
  return false;
}

static void evict(struct sl_assignment *a, uint32_t reg, unsigned physical, struct queue *queue)
{
  uint32_t other;
  while (!sl_occupancy_each(&a->occupancy, physical, &a->life, reg, remember, &other)) {
    sl_take_back(a, other);
    push(queue, (struct entry){priority_of(a, other), other});
  }
}

static unsigned sl_choose_register(const struct sl_assignment *a, uint32_t reg);
static bool sl_improve_choices(struct sl_assignment *a);

static enum sl_status place(struct sl_assignment *a, uint32_t reg, struct queue *queue, uint32_t *spilled,
                            size_t *count, struct sl_error *err)
{
  unsigned physical = sl_choose_register(a, reg);
  if (physical == SL_NO_REGISTER) {
    physical = to_evict(a, reg);
    if (physical != SL_NO_REGISTER)
      evict(a, reg, physical, queue);
  }
  if (physical != SL_NO_REGISTER)
    return sl_give(a, reg, physical) ? SL_OK : sl_no_memory(err, sizeof(struct sl_live_segment));
  if (isinf(a->weight[reg]))
    return sl_fail(err, SL_USAGE, "an instruction has more operands than there are registers (%u)",
                   a->registers->count);
  spilled[(*count)++] = reg;
  return SL_OK;
}

enum sl_status sl_assign(struct sl_assignment *a, uint32_t *spilled, size_t *count, struct sl_error *err)
{
  const struct sl_lir *lir = a->lir;
  struct queue queue = {.at = sl_zeroed(lir->kind_count, sizeof *queue.at)};
  if (queue.at == NULL)
    return sl_no_memory(err, lir->kind_count * sizeof *queue.at);
  for (uint32_t v = 0; v < lir->kind_count; v++) {
    const uint32_t reg = SL_LIR_VIRTUAL + v;
    if (lir->kind[v] != SL_LIR_SLOT && sl_segment_count(&a->life, reg) > 0)
      push(&queue, (struct entry){priority_of(a, reg), reg});
  }
  enum sl_status status = SL_OK;
  *count = 0;
  while (status == SL_OK && queue.count > 0)
    status = place(a, pop(&queue), &queue, spilled, count, err);
  if (status == SL_OK && *count == 0 && a->allocation == SL_COST && !sl_improve_choices(a))
    status = sl_no_memory(err, sizeof(struct sl_live_segment));
  free(queue.at);
  return status;
}

/* Selects a free register, by allocation policy. */

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

/* Returns the free register that the allocation policy chooses, or SL_NO_REGISTER (assignment.c). */
static unsigned sl_choose_register(const struct sl_assignment *a, uint32_t reg)
{
  return a->allocation == SL_COST ? cheapest(a, reg, SL_NO_REGISTER) : first(a, reg, a->allocation == SL_FIRST_FIT);
}

/* For SL_COST: returns a free register cheaper than the current one, or the current one; the cost of the current one;
 * the conflict part of that cost. */
static unsigned sl_cheaper_register(const struct sl_assignment *a, uint32_t reg)
{
  return cheapest(a, reg, a->physical[reg]);
}

static double sl_conflict_cost(const struct sl_assignment *a, uint32_t reg, unsigned physical)
{
  double bank[SL_MOST_BANKS];
  bank_costs(a, reg, bank);
  return bank[a->registers->bank[physical]];
}

static double sl_cost_of(const struct sl_assignment *a, uint32_t reg)
{
  const unsigned physical = a->physical[reg];
  double cost =
      sl_conflict_cost(a, reg, physical) + cost_of_saving(a, physical, true) + conflict_of_saving(a, physical, true);
  for (uint32_t n = a->copies.first[reg]; n < a->copies.first[reg + 1]; n++)
    if (a->physical[a->copies.neighbour[n].reg] == physical)
      cost -= COPY * a->copies.neighbour[n].weight;
  return cost;
}

/* Local improvement of a finished assignment: moves each register to a cheaper physical one, or exchanges it with the
 * registers that occupy it. */

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

/* Revises assignments as long as a change reduces the cost (assignment.c). False: out of memory. */
static bool sl_improve_choices(struct sl_assignment *a)
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
