#include "convergence/simt_stack.h"

#include <string.h>

void sl_simt_groups_use(struct sl_simt_stack *s, uint32_t scheme, uint32_t period)
{
  s->turn = (struct sl_simt_turns){.scheme = scheme, .period = period};
  for (unsigned n = 0; period != 0 && n < sizeof s->turn.queue; n++)
    s->turn.queue[n] = (uint8_t)n;
}

/* ---- the tree ---------------------------------------------------------------------------------------------------- */

static uint32_t live(const struct sl_simt_stack *s)
{
  uint32_t lanes = 0;
  for (uint32_t i = 0; i < s->depth; i++)
    lanes |= s->entries[i].mask;
  return lanes;
}

/* Lanes of entry i that have not come: those of the entries above it. */
static uint32_t coming(const struct sl_simt_stack *s, uint32_t i)
{
  uint32_t lanes = 0;
  for (uint32_t k = i + 1, end = sl_simt_groups_end_of(s, i); k < end; k++)
    lanes |= s->entries[k].mask;
  return lanes;
}

/* The uppermost entry with the lane. */
static uint32_t entry_of(const struct sl_simt_stack *s, unsigned lane)
{
  uint32_t i = s->depth - 1;
  while (!(s->entries[i].mask >> lane & 1))
    i--;
  return i;
}

static uint32_t waiting(const struct sl_simt_stack *s)
{
  uint32_t above = 0, lanes = 0;
  for (uint32_t i = s->depth; i-- > 0; above |= s->entries[i].mask)
    lanes |= s->entries[i].mask & above ? s->entries[i].mask & ~above : 0;
  return lanes;
}

static const struct sl_convergence *scheme_of(const struct sl_simt_stack *s)
{
  return sl_convergences[s->turn.scheme];
}

/* Moves the group to the top, with the entries of its barriers. */
static void raise_group(struct sl_simt_stack *s, uint32_t group)
{
  const uint32_t lanes = s->entries[group].mask;
  if (group == s->depth - 1)
    return;
  if (scheme_of(s)->settle != NULL)
    scheme_of(s)->settle(s, group);
  for (uint32_t i = 0; i < s->depth; i++)
    s->entries[i].order = (uint16_t)i;
  for (uint32_t i = 0; i < s->depth; i++)
    if (s->entries[i].mask & lanes) {
      const uint32_t end = sl_simt_groups_end_of(s, i);
      sl_simt_groups_exchange(s, i, end, s->depth);
      i += s->depth - end;
    }
}

/* ---- turns ------------------------------------------------------------------------------------------------------- */

static void queue_up(struct sl_simt_turns *turn, uint32_t lanes)
{
  uint8_t moved[sizeof turn->queue];
  unsigned kept = 0, last = 0;
  for (unsigned n = 0; lanes != 0 && n < sizeof turn->queue; n++)
    if (lanes >> turn->queue[n] & 1)
      moved[last++] = turn->queue[n];
    else
      turn->queue[kept++] = turn->queue[n];
  memcpy(turn->queue + kept, moved, last);
}

/* The lane among these that has had no turn for longest. */
static unsigned oldest(const struct sl_simt_turns *turn, uint32_t lanes)
{
  unsigned n = 0;
  while (!(lanes >> turn->queue[n] & 1))
    n++;
  return turn->queue[n];
}

/* The lanes that wait at the barrier of entry i become a group; the others keep it. False: no room. */
static bool part(struct sl_simt_stack *s, uint32_t i)
{
  struct sl_simt_stack_entry *e = &s->entries[i];
  const uint32_t others = coming(s, i);
  struct sl_simt_stack_entry released = *e;
  released.mask &= ~others;
  if (e[1].mask == others && e[1].call == e->call) { /* a single entry remains: it needs no barrier */
    e[1].reconvergence = e->reconvergence;
    e[1].order = e->order;
  } else {
    if (s->depth == SL_SIMT_STACK_DEPTH)
      return false;
    e->mask = others;
    memmove(e + 1, e, (s->depth++ - i) * sizeof *e);
  }
  *e = released;
  return true;
}

/* Releases the barrier at which the lane waits, without the lanes that have not come. False: no room. */
static bool release(struct sl_simt_stack *s, unsigned lane)
{
  for (;;) {
    const uint32_t i = entry_of(s, lane), others = coming(s, i);
    if (others == 0)
      return true;
    if (s->entries[i].pc != s->entries[i].reconvergence)
      return part(s, i);
    s->entries[i].mask = others; /* the place is that of the next barrier */
  }
}

/* Moves the group that the scheme selects to the top; if there is none, the barrier with the oldest lanes is released.
 * False: all groups are parked. */
static bool choose(struct sl_simt_stack *s)
{
  for (;;) {
    if (scheme_of(s)->settle != NULL)
      scheme_of(s)->settle(s, s->depth - 1);
    const uint32_t group = scheme_of(s)->select(s);
    if (group < s->depth) {
      raise_group(s, group);
      if (sl_simt_stack_pc(s) != s->entries[s->depth - 1].reconvergence)
        return true;
      s->depth--; /* it arrives at its barrier */
      continue;
    }
    const uint32_t lanes = waiting(s);
    if (lanes == 0 || !release(s, oldest(&s->turn, lanes)))
      return false;
  }
}

void sl_simt_groups_select(struct sl_simt_stack *s)
{
  if (s->depth > 0)
    (void)choose(s);
}

/* The lanes without a turn for longest go first. */
static void favour(struct sl_simt_stack *s)
{
  struct sl_simt_turns *turn = &s->turn;
  const unsigned lane = oldest(turn, live(s) & ~turn->parked);
  if (!release(s, lane))
    return;
  raise_group(s, entry_of(s, lane));
  turn->favoured = sl_simt_stack_mask(s);
  queue_up(turn, turn->favoured);
  if (sl_simt_stack_pc(s) != s->entries[s->depth - 1].reconvergence)
    return;
  s->depth--;
  turn->favoured = 0;
  (void)choose(s);
}

/* The favoured lanes have arrived, ended or had their turn: the order of the scheme, if it has one, rules again. */
static void end_turn(struct sl_simt_stack *s)
{
  queue_up(&s->turn, s->turn.favoured);
  s->turn.favoured = s->turn.turns = 0;
  if (scheme_of(s)->settle != NULL)
    (void)choose(s);
}

void sl_simt_groups_count(struct sl_simt_stack *s, bool back)
{
  struct sl_simt_turns *turn = &s->turn;
  if (!sl_simt_groups_apart(s)) {
    turn->turns = turn->favoured = turn->waiting = turn->lanes = 0;
    return;
  }
  const uint32_t arrived = waiting(s), lanes = live(s);
  if (lanes != turn->lanes) /* what groups were parked for may have ended */
    turn->parked = 0;
  turn->lanes = lanes;
  queue_up(turn, arrived & ~turn->waiting);
  turn->waiting = arrived;
  if (turn->favoured && !(turn->favoured & sl_simt_stack_mask(s)))
    end_turn(s);
  else if (turn->favoured)
    turn->favoured = sl_simt_stack_mask(s);
  if (sl_simt_stack_mask(s) & turn->parked)
    (void)choose(s);
  const bool alone = (lanes & ~sl_simt_stack_mask(s) & ~turn->parked) == 0;
  turn->turns = alone ? 0 : turn->turns < turn->period ? turn->turns + 1 : turn->turns;
  switch (scheme_of(s)->count(s, back)) {
  case SL_TURN_GOES_ON: return;
  case SL_TURN_ENDS: end_turn(s); return;
  case SL_TURN_SELECTS: (void)choose(s); return;
  case SL_TURN_YIELDS: queue_up(turn, sl_simt_stack_mask(s)); break;
  case SL_TURN_NEXT: break;
  }
  turn->turns = 0;
  favour(s);
}

uint64_t sl_simt_groups_quiet(const struct sl_simt_stack *s)
{
  const struct sl_simt_turns *turn = &s->turn;
  if (!sl_simt_groups_apart(s))
    return (turn->turns | turn->favoured | turn->waiting | turn->lanes) == 0 ? UINT64_MAX : 0;
  const uint32_t own = sl_simt_stack_mask(s), lanes = live(s);
  const bool settled = lanes == turn->lanes && waiting(s) == turn->waiting && (own & turn->parked) == 0 &&
                       (turn->favoured == 0 || turn->favoured == own);
  if (!settled || turn->turns >= turn->period)
    return 0;
  if ((lanes & ~own & ~turn->parked) == 0)
    return turn->turns == 0 ? UINT64_MAX : 0;
  return turn->period - 1 - turn->turns;
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

bool sl_simt_groups_park(struct sl_simt_stack *s)
{
  const unsigned lane = sl_lowest(sl_simt_stack_mask(s));
  s->turn.parked |= sl_simt_stack_mask(s);
  if (choose(s))
    return true;
  if (s->depth > 0)
    raise_group(s, entry_of(s, lane));
  return false;
}

bool sl_simt_groups_unpark(struct sl_simt_stack *s)
{
  const uint32_t group = sl_simt_groups_first(s, s->turn.parked);
  if (group == s->depth)
    return false;
  raise_group(s, group);
  s->turn.parked &= ~sl_simt_stack_mask(s);
  return true;
}

uint32_t sl_simt_groups_pc(const struct sl_simt_stack *s, unsigned lane)
{
  return s->entries[entry_of(s, lane)].pc;
}

void sl_simt_groups_raise(struct sl_simt_stack *s, unsigned lane)
{
  raise_group(s, entry_of(s, lane));
  s->turn.parked &= ~sl_simt_stack_mask(s);
}

bool sl_simt_groups_find(struct sl_simt_stack *s, bool (*at)(const void *context, uint32_t pc), const void *context)
{
  uint32_t above = 0;
  for (uint32_t i = s->depth; i-- > 0; above |= s->entries[i].mask)
    if (!(s->entries[i].mask & above) && (s->entries[i].mask & s->turn.parked) && at(context, s->entries[i].pc)) {
      raise_group(s, i);
      return true;
    }
  return false;
}

/* The outermost entry that has lanes of group `a` but not of group `b`. */
static uint32_t fork_of(const struct sl_simt_stack *s, uint32_t a, uint32_t b)
{
  uint32_t i = 0;
  while (!(s->entries[i].mask & a) || (s->entries[i].mask & b))
    i++;
  return i;
}

/* The group joins the running one, at the same pc, if it is in the same call. They leave the barriers that only one of
 * them is in. */
static bool join(struct sl_simt_stack *s, uint32_t group)
{
  const struct sl_simt_stack_entry own = s->entries[s->depth - 1], other = s->entries[group];
  const uint32_t from = fork_of(s, own.mask, other.mask), both = own.mask | other.mask;
  const struct sl_simt_stack_entry fork = s->entries[from];
  if (fork.call != own.call || s->entries[fork_of(s, other.mask, own.mask)].call != own.call || other.call != own.call)
    return false;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->depth; i++) {
    struct sl_simt_stack_entry e = s->entries[i];
    if ((e.mask & both) != both)
      e.mask &= ~both;
    if (e.mask != 0)
      s->entries[kept++] = e;
  }
  s->entries[kept] = (struct sl_simt_stack_entry){own.pc, both, fork.reconvergence, own.call, fork.order};
  s->depth = kept + 1;
  return true;
}

/* The lanes at the running group's pc that are parked there join it. */
static void gather(struct sl_simt_stack *s)
{
  const uint32_t pc = sl_simt_stack_pc(s);
  uint32_t above = 0;
  for (uint32_t i = s->depth; i-- > 0;) {
    const struct sl_simt_stack_entry e = s->entries[i];
    if (i < s->depth - 1 && !(e.mask & above) && (e.mask & s->turn.parked) && e.pc == pc && join(s, i)) {
      i = s->depth;
      above = 0;
      continue;
    }
    above |= e.mask;
  }
}

bool sl_simt_groups_meet(struct sl_simt_stack *s, uint32_t members)
{
  gather(s);
  const uint32_t missing = members & live(s) & ~sl_simt_stack_mask(s);
  if (missing != 0 && sl_simt_groups_park(s))
    return false;
  s->turn.parked &= ~sl_simt_stack_mask(s);
  return true;
}

/* ---- checkpoints and livelock ------------------------------------------------------------------------------------ */

bool sl_simt_groups_valid(const struct sl_simt_stack *s, uint32_t lanes)
{
  const struct sl_simt_turns *turn = &s->turn;
  if ((turn->favoured | turn->parked | turn->waiting | turn->lanes) & ~lanes)
    return false;
  if (turn->period == 0)
    return turn->turns == 0 && (turn->favoured | turn->parked | turn->waiting | turn->lanes) == 0;
  if (s->depth > 0 && s->entries[0].reconvergence != UINT32_MAX)
    return false;
  for (uint32_t i = 1; i < s->depth; i++) { /* the entry below with lanes of it has all of them, as do those between */
    uint32_t below = i;
    while (below-- > 0 && !(s->entries[below].mask & s->entries[i].mask))
      ;
    if (s->entries[i].mask == 0 || (below < i && (s->entries[i].mask & ~s->entries[below].mask)) ||
        (below > i && s->entries[i].reconvergence != UINT32_MAX))
      return false;
    for (uint32_t k = below + 1; below < i && k < i; k++)
      if (s->entries[k].mask & ~s->entries[below].mask)
        return false;
  }
  return true;
}

/* Releases all barriers, ends all turns, and moves group `n` of those that are not parked to the top, where it stays.
 * Returns its lanes, 0 if there is no such group. */
static uint32_t isolate(struct sl_simt_stack *s, unsigned n)
{
  for (uint32_t lanes = waiting(s); lanes != 0; lanes = waiting(s))
    if (!release(s, sl_lowest(lanes)))
      return 0;
  s->turn.period = 0;
  uint32_t rest = live(s) & ~s->turn.parked, group = sl_simt_groups_first(s, rest);
  while (n-- > 0 && group < s->depth)
    group = sl_simt_groups_first(s, rest &= ~s->entries[group].mask);
  if (group == s->depth)
    return 0;
  raise_group(s, group);
  return sl_simt_stack_mask(s);
}

bool sl_simt_groups_spin(struct sl_simt_stack *s, bool (*spins)(void *context, struct sl_spin *spin), void *context,
                         struct sl_spin *spin)
{
  const struct sl_simt_stack before = *s;
  if (s->turn.period == 0)
    return spins(context, spin);
  uint32_t lanes = isolate(s, 0);
  bool result = lanes != 0 && spins(context, spin) && (lanes & ~spin->lanes) == 0;
  for (unsigned n = 1; result; n++) {
    struct sl_spin other;
    *s = before;
    lanes = isolate(s, n);
    if (lanes == 0)
      break;
    result = spins(context, &other) && (lanes & ~other.lanes) == 0;
    spin->lanes |= lanes;
  }
  *s = before;
  return result;
}
