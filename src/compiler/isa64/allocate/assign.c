/* Assigns registers in the order of LLVM's greedy allocator, without its splitting: long lifetimes across blocks first,
 * then those within a block from top to bottom. A register without a free physical one evicts registers of lower
 * weight, or is spilled. */
#include <math.h>

#include "compiler/isa64/allocate/assignment.h"
#include "compiler/isa64/grow.h"

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
    return sl_give(a, reg, physical) ? SL_OK : sl_no_memory(err, sizeof(struct sl_segment));
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
    status = sl_no_memory(err, sizeof(struct sl_segment));
  free(queue.at);
  return status;
}
