/* Makes random programs with locks. The number of turns of all threads through sections is limited, because each may
 * cost a rotation of all lanes. */
#include "../rng.h"
#include "lock_program.h"

#include <string.h>

struct context {
  uint16_t times[LOCK_THREADS]; /* how often each thread comes here: at most, and exactly if `exact` */
  bool exact;
  unsigned first; /* lowest lock that may be taken */
  unsigned held[LOCK_NESTING + 1], helds;
  unsigned depth; /* of statements */
  bool top;
};

struct maker {
  struct lock_program *p;
  struct rng rng;
  unsigned budget; /* turns through sections that are left */
  unsigned meets, flags;
  unsigned function_first[LOCK_FUNCTIONS], function_cost[LOCK_FUNCTIONS];
  bool function_closed[LOCK_FUNCTIONS]; /* has a meeting, or is not finished */
};

static unsigned list(struct maker *m, const struct context *c, unsigned most);

static unsigned total(const struct maker *m, const struct context *c)
{
  unsigned sum = 0;
  for (unsigned t = 0; t < m->p->threads; t++)
    sum += c->times[t];
  return sum;
}

static unsigned comers(const struct maker *m, const struct context *c, unsigned *most)
{
  unsigned count = 0;
  *most = 0;
  for (unsigned t = 0; t < m->p->threads; t++) {
    count += c->times[t] != 0;
    *most = c->times[t] > *most ? c->times[t] : *most;
  }
  return count;
}

/* The same threads come equally often. */
static bool may_meet(const struct maker *m, const struct context *c)
{
  unsigned most;
  const unsigned count = comers(m, c, &most);
  return c->exact && c->helds == 0 && count != 0 && total(m, c) == count * most;
}

static unsigned add(struct maker *m, enum lock_statement kind)
{
  struct lock_node *node = &m->p->node[m->p->nodes];
  *node = (struct lock_node){.kind = kind, .value = 1 + rng_below(&m->rng, 99), .variant = rng_below(&m->rng, 12)};
  return m->p->nodes++;
}

static unsigned change(struct maker *m, const struct context *c)
{
  const unsigned n = add(m, LOCK_CHANGE);
  m->p->node[n].a = c->held[rng_below(&m->rng, c->helds)];
  m->p->node[n].b = rng_below(&m->rng, 3);
  return n;
}

static unsigned section(struct maker *m, const struct context *c)
{
  struct context inner = *c;
  const unsigned n = add(m, LOCK_SECTION), lock = c->first + rng_below(&m->rng, LOCK_LOCKS - c->first);
  m->budget -= total(m, c);
  inner.held[inner.helds++] = lock;
  inner.first = lock + 1;
  inner.depth++;
  inner.top = false;
  const unsigned body = list(m, &inner, 2);
  m->p->node[n].a = lock;
  m->p->node[n].body = change(m, &inner);
  m->p->node[m->p->node[n].body].next = body;
  return n;
}

static unsigned hands(struct maker *m, const struct context *c)
{
  struct context inner = *c;
  const unsigned n = add(m, LOCK_HANDS), length = 2 + rng_below(&m->rng, LOCK_LOCKS - c->first - 1);
  unsigned *link = &m->p->node[n].body;
  m->p->node[n].a = c->first;
  m->p->node[n].b = length - 1;
  m->budget -= total(m, c) * length;
  inner.helds++;
  for (unsigned i = 0; i < length; i++) {
    inner.held[inner.helds - 1] = c->first + i;
    const unsigned one = change(m, &inner);
    *link = one;
    link = &m->p->node[one].next;
  }
  return n;
}

static unsigned branch(struct maker *m, const struct context *c)
{
  struct context inner = *c;
  const unsigned n = add(m, LOCK_IF);
  const enum lock_condition condition = rng_below(&m->rng, LOCK_TURN + 1);
  const unsigned b = rng_below(&m->rng, m->p->threads);
  const bool has_else = rng_chance(&m->rng, 40);
  m->p->node[n].a = condition;
  m->p->node[n].b = b;
  inner.depth++;
  inner.top = false;
  for (int side = 1; side >= 0; side--) {
    for (unsigned t = 0; t < m->p->threads && condition != LOCK_TURN; t++)
      inner.times[t] = lock_holds(condition, b, t, 0) == side ? c->times[t] : 0;
    inner.exact = c->exact && condition != LOCK_TURN;
    if (side)
      m->p->node[n].body = list(m, &inner, 2);
    else if (has_else)
      m->p->node[n].other = list(m, &inner, 2);
  }
  return n;
}

static unsigned loop(struct maker *m, const struct context *c)
{
  struct context inner = *c;
  const unsigned n = add(m, LOCK_FOR), b = 2 + rng_below(&m->rng, 2), varies = rng_below(&m->rng, 2);
  m->p->node[n].a = varies;
  m->p->node[n].b = b;
  inner.depth++;
  inner.top = false;
  for (unsigned t = 0; t < m->p->threads; t++)
    inner.times[t] = (uint16_t)(c->times[t] * (varies ? 1 + t % b : b));
  if (total(m, &inner) > m->budget) {
    m->p->node[n].kind = LOCK_MIX;
    return n;
  }
  m->p->node[n].body = list(m, &inner, 2);
  return n;
}

static unsigned call(struct maker *m, const struct context *c)
{
  const unsigned n = add(m, LOCK_CALL), all = total(m, c);
  for (unsigned f = 0; f < m->p->functions; f++) {
    const unsigned cost = m->function_cost[f] * all;
    if (!m->function_closed[f] && m->function_first[f] >= c->first && cost <= m->budget && rng_chance(&m->rng, 60)) {
      m->budget -= cost;
      m->p->node[n].a = f;
      return n;
    }
  }
  if (m->p->functions == LOCK_FUNCTIONS) {
    m->p->node[n].kind = LOCK_MIX;
    return n;
  }
  const unsigned f = m->p->functions++, before = m->budget, meetings = m->meets + m->flags;
  struct context inner = *c;
  inner.top = false;
  inner.depth++;
  m->function_first[f] = c->first;
  m->function_closed[f] = true;
  const unsigned body = list(m, &inner, 3);
  m->p->node[n].a = f;
  m->p->function[f] = body;
  /* A function under a lock changes the words of locks that another caller may not hold. */
  m->function_closed[f] = meetings != m->meets + m->flags || c->helds != 0;
  m->function_cost[f] = all == 0 ? 0 : (before - m->budget + all - 1) / all;
  return n;
}

static unsigned meeting(struct maker *m, const struct context *c)
{
  unsigned most;
  const unsigned count = comers(m, c, &most), way = rng_below(&m->rng, 3);
  if (c->top && m->p->threads == m->p->block && way == 0)
    return add(m, LOCK_BARRIER);
  if (most == 1 && way == 1 && m->flags < LOCK_PLACES) {
    const unsigned n = add(m, LOCK_FLAG);
    unsigned leader = rng_below(&m->rng, m->p->threads);
    while (c->times[leader] == 0)
      leader = (leader + 1) % m->p->threads;
    m->p->node[n].a = m->flags++;
    m->p->node[n].b = leader;
    return n;
  }
  const unsigned n = add(m, m->meets < LOCK_PLACES ? LOCK_MEET : LOCK_MIX);
  m->p->node[n].a = m->meets++ % LOCK_PLACES;
  m->p->node[n].b = count;
  return n;
}

static unsigned statement(struct maker *m, const struct context *c)
{
  const unsigned way = rng_below(&m->rng, 16), all = total(m, c);
  const bool deep = c->depth > 5 || m->p->nodes > LOCK_NODES - 48;
  const bool may_take = all <= m->budget && c->helds < LOCK_NESTING && c->first < LOCK_LOCKS && !deep;
  if (way < 5 && may_take)
    return section(m, c);
  if (way == 5 && may_take && c->first + 1 < LOCK_LOCKS && all * LOCK_LOCKS <= m->budget)
    return hands(m, c);
  if (way < 8 && !deep)
    return branch(m, c);
  if (way < 10 && !deep)
    return loop(m, c);
  if (way == 10 && !deep)
    return call(m, c);
  if (way < 13 && may_meet(m, c))
    return meeting(m, c);
  return c->helds != 0 ? change(m, c) : add(m, LOCK_MIX);
}

/* One to `most` statements. */
static unsigned list(struct maker *m, const struct context *c, unsigned most)
{
  unsigned first = 0, last = 0;
  for (unsigned n = 1 + rng_below(&m->rng, most); n > 0; n--) {
    const unsigned one = statement(m, c);
    if (last != 0)
      m->p->node[last].next = one;
    else
      first = one;
    last = one;
  }
  return first;
}

void lock_generate(struct lock_program *program, uint64_t seed, unsigned lanes)
{
  struct maker m = {.p = program, .rng = {seed}};
  struct context c = {.exact = true, .top = true};
  memset(program, 0, sizeof *program);
  program->nodes = 1;
  program->block = lanes << (rng_chance(&m.rng, 50) ? 0 : rng_below(&m.rng, 4));
  program->threads = rng_chance(&m.rng, 60) ? program->block : 1 + rng_below(&m.rng, program->block);
  m.budget = 64u << rng_below(&m.rng, 3);
  m.budget = m.budget > program->threads ? m.budget : program->threads;
  for (unsigned l = 0; l < LOCK_LOCKS; l++) {
    program->form[l] = rng_below(&m.rng, 3);
    program->operation[l] = rng_below(&m.rng, 4);
  }
  for (unsigned t = 0; t < program->threads; t++)
    c.times[t] = 1;
  c.first = rng_below(&m.rng, LOCK_LOCKS - 1);
  program->body = section(&m, &c);
  c.first = 0;
  program->node[program->body].next = list(&m, &c, 4);
}
