#include "free.h"

enum { BARRIERS = 2 };

struct lane {
  uint8_t pc, r;
  bool yielded, arrived, joined[BARRIERS];
};

struct state {
  struct lane lane[MOST_LANES];
  uint8_t word[WORDS];
};

static uint64_t pack(const struct state *s)
{
  uint64_t key = s->word[0] | (uint64_t)s->word[1] << 2 | (uint64_t)s->word[2] << 4;
  for (unsigned i = 0; i < MOST_LANES; i++) {
    const struct lane *l = &s->lane[i];
    key = key << 11 |
          (uint64_t)(l->pc | l->r << 5 | l->yielded << 7 | l->arrived << 8 | l->joined[0] << 9 | l->joined[1] << 10);
  }
  return key;
}

static struct state unpack(uint64_t key)
{
  struct state s;
  for (unsigned i = MOST_LANES; i-- > 0; key >>= 11)
    s.lane[i] = (struct lane){key & 31, key >> 5 & 3, key >> 7 & 1, key >> 8 & 1, {key >> 9 & 1, key >> 10 & 1}};
  for (unsigned i = 0; i < WORDS; i++)
    s.word[i] = key >> 2 * i & VALUES;
  return s;
}

static bool done(const struct program *p, const struct lane *l)
{
  return p->insn[l->pc].op == OP_END;
}

/* A barrier of the warp is passed by all lanes at once. */
static bool command(const struct program *p, struct state *s, unsigned lane)
{
  const unsigned pc = s->lane[lane].pc;
  for (unsigned i = 0; i < p->lanes; i++)
    if (s->lane[i].pc != pc)
      return false;
  for (unsigned i = 0; i < p->lanes; i++)
    s->lane[i].pc++;
  return true;
}

/* Whether lanes have arrived at the barrier, and none is missing that has neither yielded nor ended. `only`: among the
 * lanes that have yielded, this one. */
static bool can_open(const struct program *p, const struct state *s, unsigned number, unsigned only)
{
  bool arrived = false;
  for (unsigned i = 0; i < p->lanes; i++) {
    const struct lane *l = &s->lane[i];
    const bool there = l->arrived && p->insn[l->pc].arg == number,
               yields = l->yielded && (only == i || only == NOWHERE);
    arrived |= there;
    if (l->joined[number] && !there && !yields && !done(p, l))
      return false;
  }
  return arrived;
}

static void open(const struct program *p, struct state *s, unsigned number)
{
  for (unsigned i = 0; i < p->lanes; i++) {
    struct lane *l = &s->lane[i];
    if (l->arrived && p->insn[l->pc].arg == number) {
      l->arrived = false;
      l->pc++;
    }
    l->joined[number] = false;
  }
}

/* The lane arrives at a barrier that it has joined, or opens it. */
static bool wait(const struct program *p, struct state *s, unsigned lane, unsigned number)
{
  struct lane *self = &s->lane[lane];
  if (!self->joined[number]) {
    self->pc++;
    return true;
  }
  if (!self->arrived) {
    self->arrived = true;
    return true;
  }
  if (!can_open(p, s, number, NOWHERE))
    return false;
  open(p, s, number);
  return true;
}

/* A barrier for which only this lane was missing opens; those for which others that have yielded are missing, too, may
 * open later. */
static void yield(const struct program *p, struct state *s, unsigned lane)
{
  for (unsigned number = 0; number < BARRIERS; number++)
    if (can_open(p, s, number, lane))
      open(p, s, number);
}

/* Returns false if the lane cannot go on. */
static bool step(const struct program *p, struct state *s, unsigned lane)
{
  struct lane *l = &s->lane[lane];
  const struct insn in = p->insn[l->pc];
  if (in.op == OP_END)
    return false;
  if (in.op == OP_COMMAND)
    return command(p, s, lane);
  if (in.op == OP_WAIT)
    return wait(p, s, lane, in.arg);
  if (in.op == OP_BARRIER)
    l->joined[in.arg] = true;
  l->yielded = in.op == OP_YIELD;
  l->pc = (uint8_t)program_step(in, l->pc, lane, &l->r, s->word);
  if (l->yielded)
    yield(p, s, lane);
  return true;
}

bool free_explore(struct graph *g, const struct program *p, struct free_runs *runs)
{
  bool added;
  *runs = (struct free_runs){0};
  graph_clear(g);
  (void)graph_node_of(g, 0, 0, &added);
  for (unsigned n = 0; n < g->count; n++) {
    const struct state from = unpack(g->key[n][0]);
    unsigned ended = 0;
    for (unsigned lane = 0; lane < p->lanes; lane++) {
      struct state to = from;
      ended += done(p, &from.lane[lane]);
      if (!step(p, &to, lane))
        continue;
      const int32_t next = graph_node_of(g, pack(&to), 0, &added);
      if (next == GRAPH_NONE)
        return false;
      g->node[n].to[lane] = next;
      g->node[n].needs |= (uint8_t)sl_bit(lane);
      g->node[n].who[lane] =
          p->insn[from.lane[lane].pc].op == OP_COMMAND ? (uint8_t)sl_low_bits(p->lanes) : (uint8_t)sl_bit(lane);
    }
    if (ended == p->lanes)
      runs->memories |= program_memory(from.word);
    else if (g->node[n].needs == 0)
      runs->stays = true;
  }
  runs->stays = runs->stays || graph_stays(g, 0, 0);
  return true;
}
