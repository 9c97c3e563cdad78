#include "convergence/simt_stack.h"

#include <string.h>

#include "convergence/convergence.h"

enum { NOWHERE = -1 };

static struct sl_simt_stack_entry *top(struct sl_simt_stack *s)
{
  return &s->entries[s->depth - 1];
}

static void push(struct sl_simt_stack *s, uint32_t pc, uint32_t mask, uint32_t reconvergence, uint16_t call,
                 uint16_t order)
{
  s->entries[s->depth++] = (struct sl_simt_stack_entry){pc, mask, reconvergence, call, order};
}

/* Pops entries that have reached their reconvergence pc, or have no lanes. */
static void settle(struct sl_simt_stack *s)
{
  while (s->depth > 0 && (top(s)->mask == 0 || top(s)->pc == top(s)->reconvergence))
    s->depth--;
}

void sl_simt_stack_init(struct sl_simt_stack *s, uint32_t pc, uint32_t mask)
{
  s->depth = 0;
  push(s, pc, mask, (uint32_t)NOWHERE, 0, 0);
}

void sl_simt_stack_advance(struct sl_simt_stack *s, uint32_t pc)
{
  top(s)->pc = pc;
  if (pc == top(s)->reconvergence)
    settle(s);
}

bool sl_simt_stack_branch(struct sl_simt_stack *s, uint32_t taken, uint32_t target, uint32_t reconvergence)
{
  const struct sl_simt_stack_entry was = *top(s);
  const uint32_t next = was.pc + 1;
  if (taken == was.mask || taken == 0) {
    sl_simt_stack_advance(s, taken ? target : next);
    return true;
  }
  if (s->depth + 2 > SL_SIMT_STACK_DEPTH)
    return false;
  const bool replaced = reconvergence == was.reconvergence;
  const uint16_t order = replaced ? was.order : 0;
  if (replaced)
    s->depth--;
  else
    top(s)->pc = reconvergence;
  if (next != reconvergence)
    push(s, next, was.mask & ~taken, reconvergence, was.call, order);
  if (target != reconvergence)
    push(s, target, taken, reconvergence, was.call, order);
  return true;
}

bool sl_simt_stack_branch_last(struct sl_simt_stack *s, uint32_t taken, uint32_t target, uint32_t reconvergence)
{
  const struct sl_simt_stack_entry was = *top(s);
  const bool parts = taken != was.mask && taken != 0 && was.pc + 1 != reconvergence && target != reconvergence;
  if (!sl_simt_stack_branch(s, taken, target, reconvergence))
    return false;
  if (parts) {
    const struct sl_simt_stack_entry side = *top(s);
    *top(s) = s->entries[s->depth - 2];
    s->entries[s->depth - 2] = side;
  }
  return true;
}

bool sl_simt_stack_split(struct sl_simt_stack *s, uint32_t lanes)
{
  const struct sl_simt_stack_entry was = *top(s);
  if (lanes == was.mask)
    return true;
  if (s->depth + 2 > SL_SIMT_STACK_DEPTH)
    return false;
  const bool replaced = was.pc + 1 == was.reconvergence;
  const uint16_t order = replaced ? was.order : 0;
  if (replaced)
    s->depth--;
  else
    top(s)->pc = was.pc + 1;
  push(s, was.pc, was.mask & ~lanes, was.pc + 1, was.call, order);
  push(s, was.pc, lanes, was.pc + 1, was.call, order);
  return true;
}

/* Removes the lanes from the entries from `call` on. */
static void leave(struct sl_simt_stack *s, uint32_t lanes, uint32_t call)
{
  top(s)->pc++;
  for (uint32_t i = 0; i < s->depth; i++)
    if (s->entries[i].call >= call)
      s->entries[i].mask &= ~lanes;
  settle(s);
}

void sl_simt_stack_exit(struct sl_simt_stack *s, uint32_t lanes)
{
  leave(s, lanes, 0);
}

bool sl_simt_stack_call(struct sl_simt_stack *s, uint32_t target)
{
  if (s->depth + 1 > SL_SIMT_STACK_DEPTH)
    return false;
  const struct sl_simt_stack_entry was = *top(s);
  top(s)->pc++;
  push(s, target, was.mask, (uint32_t)NOWHERE, (uint16_t)(was.call + 1), 0);
  return true;
}

void sl_simt_stack_return(struct sl_simt_stack *s, uint32_t lanes)
{
  leave(s, lanes, top(s)->call);
}

/* A scheme's `places`. */
static unsigned sl_simt_stack_places(const void *warp, struct sl_warp_path path[SL_MAX_LANES])
{
  const struct sl_simt_stack *s = warp;
  unsigned count = 0;
  sl_lanes told = 0;
  for (uint32_t i = s->depth; i-- > 0; told |= s->entries[i].mask)
    if ((s->entries[i].mask & ~told) != 0)
      path[count++] = (struct sl_warp_path){s->entries[i].mask & ~told, s->entries[i].pc};
  return count;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

static SL_SCHEMA(entry_schema, struct sl_simt_stack_entry, NULL, SL_ANY(pc, mask, reconvergence, call, order));

static bool queue_valid(const struct sl_simt_turns *turn)
{
  uint32_t seen = 0;
  for (unsigned n = 0; n < sizeof turn->queue && turn->period != 0; n++)
    seen |= turn->queue[n] < sizeof turn->queue ? (uint32_t)sl_bit(turn->queue[n]) : 0;
  return turn->period == 0 || seen == UINT32_MAX;
}

static SL_CHECKED_SCHEMA(turn_schema, struct sl_simt_turns, queue_valid(self), SL_KEYS(scheme, period),
                         SL_MOST(SL_FAIR_MOST, turns), SL_ANY(favoured, parked, waiting, lanes, queue));

SL_SCHEMA(sl_simt_stack_schema, struct sl_simt_stack, NULL, SL_MOST(SL_SIMT_STACK_DEPTH, depth),
          SL_STRUCTS(turn_schema, turn), SL_LIST_OF(entry_schema, entries, depth));

/* Lanes above an entry on paths that end together with it. */
static uint32_t lanes_above(const struct sl_simt_stack *s, uint32_t entry)
{
  uint32_t lanes = 0;
  for (uint32_t i = entry + 1; i < s->depth; i++)
    if (s->entries[i].reconvergence == (uint32_t)NOWHERE && s->entries[i].call == s->entries[entry].call)
      lanes |= s->entries[i].mask;
  return lanes;
}

bool sl_simt_stack_valid(const struct sl_simt_stack *s, uint32_t lanes,
                         bool (*can_be)(const void *context, uint32_t pc), const void *context)
{
  for (uint32_t i = 0; i < s->depth; i++) {
    const struct sl_simt_stack_entry *e = &s->entries[i];
    const bool nowhere = e->pc == (uint32_t)NOWHERE && (e->mask & ~lanes_above(s, i)) == 0;
    if ((e->mask & ~lanes) || !(nowhere || can_be(context, e->pc)))
      return false;
  }
  return s->depth == 0 || sl_simt_stack_mask(s) != 0;
}

/* The tree of groups in the SIMT stack: functions of convergence schemes and of simt_groups.c. */

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

/* A scheme's `settle`: restores the order of the stack, in which groups were before one of them was moved. */
static void sl_simt_groups_arrange(void *warp, unsigned group)
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

/* The schemes of the SIMT stack: `stack`, `its` and `hanoi` of sm7 (simt_stack.h). */

const struct sl_convergence sl_convergence_simt_stack = {.name = "stack", .places = sl_simt_stack_places};

static unsigned first(const void *warp)
{
  const struct sl_simt_stack *s = warp;
  return sl_simt_groups_first(s, ~s->turn.parked);
}

static enum sl_turn count_its(void *warp, bool back)
{
  const struct sl_simt_stack *s = warp;
  (void)back;
  if (s->turn.turns < s->turn.period)
    return SL_TURN_GOES_ON;
  return s->turn.favoured ? SL_TURN_ENDS : SL_TURN_NEXT;
}

const struct sl_convergence sl_convergence_simt_its = {
    .name = "its",
    .select = first,
    .settle = sl_simt_groups_arrange,
    .count = count_its,
    .counts_ahead = true,
    .places = sl_simt_stack_places,
};

/* A group yields at a backward branch. */
static enum sl_turn count_hanoi(void *warp, bool back)
{
  const struct sl_simt_stack *s = warp;
  return back && s->turn.turns >= s->turn.period ? SL_TURN_YIELDS : SL_TURN_GOES_ON;
}

const struct sl_convergence sl_convergence_simt_hanoi = {
    .name = "hanoi",
    .select = first,
    .count = count_hanoi,
    .places = sl_simt_stack_places,
};
