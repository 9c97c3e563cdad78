#include "generate.h"

#include "random.h"

struct all {
  const struct alphabet *a;
  struct program p;
  unsigned length;
  program_use *use;
  void *context;
};

/* By the number of a lane, or by the result of an atomic. */
static bool lanes_part(const struct program *p)
{
  bool atomic = false, test = false;
  for (unsigned pc = 0; pc < p->count; pc++) {
    const struct insn in = p->insn[pc];
    if (in.op == OP_BRANCH && in.condition == LANE_BIT)
      return true;
    atomic |= in.op == OP_EXCH || in.op == OP_ADD;
    test |= in.op == OP_BRANCH && in.condition == REGISTER;
  }
  return atomic && test;
}

static bool uses_word(struct insn in)
{
  return program_accesses(in) || (in.op == OP_BRANCH && in.condition == WORD);
}

static void place(struct all *g, unsigned pc, unsigned words)
{
  if (pc + 1 == g->length) {
    g->p.insn[pc] = (struct insn){.op = OP_END};
    if (lanes_part(&g->p) && program_analyse(&g->p))
      g->use(g->context, &g->p);
    return;
  }
  for (unsigned i = 0; i < g->a->count; i++) {
    const struct insn in = g->a->insn[i];
    const unsigned uses = uses_word(in) ? in.arg + 1u : 0;
    if (uses > words + 1)
      continue;
    g->p.insn[pc] = in;
    for (unsigned target = 0; target < (in.op == OP_BRANCH ? g->length : 1); target++) {
      g->p.insn[pc].target = (uint8_t)target;
      if (in.op != OP_BRANCH || target != pc + 1)
        place(g, pc + 1, uses > words ? uses : words);
    }
  }
}

void generate_all(const struct alphabet *a, unsigned length, unsigned lanes, program_use *use, void *context)
{
  struct all g = {.a = a, .length = length, .use = use, .context = context};
  g.p.count = length;
  g.p.lanes = lanes;
  place(&g, 0, 0);
}

void generate_random(const struct alphabet *a, unsigned length, uint64_t *seed, struct program *p)
{
  do {
    p->count = length;
    for (unsigned pc = 0; pc + 1 < length; pc++) {
      p->insn[pc] = a->insn[random_below(seed, a->count)];
      p->insn[pc].target = (uint8_t)random_below(seed, length);
    }
    p->insn[length - 1] = (struct insn){.op = OP_END};
  } while (!lanes_part(p) || !program_analyse(p));
}

struct all_trees {
  uint8_t statement[TREE_MOST];
  unsigned length;
  tree_use *use;
  void *context;
};

static bool parts(const uint8_t *statement, unsigned count)
{
  bool atomic = false, test = false;
  for (unsigned i = 0; i < count; i++) {
    atomic |= statement[i] == DO_EXCH || statement[i] == DO_ADD;
    test |= statement[i] >= IF_REGISTER && statement[i] < CLOSE;
    if (statement[i] == IF_LANE)
      return true;
  }
  return atomic && test;
}

static void extend(struct all_trees *g, unsigned at, unsigned depth)
{
  if (at == g->length) {
    if (depth == 0 && parts(g->statement, at))
      g->use(g->context, g->statement, at);
    return;
  }
  if (depth > g->length - at)
    return;
  for (unsigned s = 0; s < STATEMENTS; s++) {
    const bool opens = s >= IF_LANE && s < CLOSE;
    if ((s == CLOSE && depth == 0) || (opens && depth == LEVELS))
      continue;
    g->statement[at] = (uint8_t)s;
    extend(g, at + 1, depth + opens - (s == CLOSE));
  }
}

void generate_all_trees(unsigned length, tree_use *use, void *context)
{
  struct all_trees g = {.length = length, .use = use, .context = context};
  extend(&g, 0, 0);
}

unsigned generate_random_tree(uint64_t *seed, uint8_t statement[TREE_MOST])
{
  unsigned count, depth;
  do {
    for (count = depth = 0; count < TREE_MOST && depth <= LEVELS; count++) {
      const bool must_close = depth == TREE_MOST - count;
      const unsigned s = must_close ? CLOSE : random_below(seed, ALL_STATEMENTS + 2);
      statement[count] = (uint8_t)(s > ELSE ? CLOSE : s);
      depth += statement[count] >= IF_LANE && statement[count] < CLOSE;
      if (statement[count] == CLOSE && depth-- == 0)
        break;
    }
  } while (count < TREE_MOST || depth != 0 || !parts(statement, count));
  return count;
}
