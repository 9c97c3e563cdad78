#include "tree.h"

struct open {
  enum statement kind;
  unsigned begin;  /* of a loop */
  unsigned branch; /* over the side that comes next */
};

struct lowering {
  struct program *p;
  struct open open[LEVELS];
  unsigned depth;
  enum tree_yields yields;
  bool barriers, full;
};

static struct insn *emit(struct lowering *l, struct insn in)
{
  const unsigned last = l->p->count;
  l->full = l->full || last + 1 >= PROGRAM_MOST;
  l->p->insn[last] = in;
  l->p->count += !l->full;
  return &l->p->insn[last];
}

static void begin(struct lowering *l, enum statement kind)
{
  struct open *o = &l->open[l->depth];
  const uint8_t level = (uint8_t)l->depth++;
  *o = (struct open){.kind = kind};
  if (l->barriers && level < 2)
    emit(l, (struct insn){.op = OP_BARRIER, .arg = level});
  if (kind == LOOP_NONZERO || kind == LOOP_ZERO) {
    emit(l, (struct insn){.op = OP_SAVE, .level = level});
    o->begin = l->p->count;
    return;
  }
  struct insn in = {.op = OP_SPLIT, .condition = kind == IF_LANE ? LANE_BIT : REGISTER, .level = level};
  emit(l, in);
  in.op = OP_BRANCH;
  in.negate = 1;
  o->branch = l->p->count;
  emit(l, in);
}

static void other_side(struct lowering *l)
{
  struct open *o = &l->open[l->depth - 1];
  const unsigned jump = l->p->count;
  emit(l, (struct insn){.op = OP_BRANCH});
  l->p->insn[o->branch].target = (uint8_t)l->p->count;
  o->branch = jump;
  o->kind = ELSE;
}

static void end_loop(struct lowering *l, const struct open *o, uint8_t level)
{
  struct insn in = {.op = OP_PRED, .condition = REGISTER, .negate = o->kind == LOOP_ZERO, .level = level};
  if (l->yields == YIELD_BEFORE_BRANCH)
    emit(l, (struct insn){.op = OP_YIELD});
  emit(l, in);
  in.op = OP_BRANCH;
  in.target = (uint8_t)o->begin;
  if (l->yields == YIELD_AT_BACK_EDGE) {
    in.negate = !in.negate;
    in.target = (uint8_t)(l->p->count + 3);
    emit(l, in);
    emit(l, (struct insn){.op = OP_YIELD});
    in = (struct insn){.op = OP_BRANCH, .target = (uint8_t)o->begin};
  }
  emit(l, in);
  emit(l, (struct insn){.op = OP_LEAVE, .level = level});
}

static void close(struct lowering *l)
{
  const uint8_t level = (uint8_t)--l->depth;
  const struct open *o = &l->open[level];
  if (o->kind == LOOP_NONZERO || o->kind == LOOP_ZERO) {
    end_loop(l, o, level);
  } else {
    l->p->insn[o->branch].target = (uint8_t)l->p->count;
    emit(l, (struct insn){.op = OP_JOIN, .level = level});
  }
  if (l->barriers && level < 2)
    emit(l, (struct insn){.op = OP_WAIT, .arg = level});
}

/* Returns false if the statement cannot be here. */
static bool lower(struct lowering *l, enum statement statement, bool is_empty)
{
  switch (statement) {
  case DO_EXCH: emit(l, (struct insn){.op = OP_EXCH}); return true;
  case DO_STORE: emit(l, (struct insn){.op = OP_STORE}); return true;
  case DO_ADD: emit(l, (struct insn){.op = OP_ADD, .arg = 1}); return true;
  case DO_LOAD: emit(l, (struct insn){.op = OP_LOAD}); return true;
  case ELSE:
    if (l->depth == 0 || is_empty || l->open[l->depth - 1].kind > IF_REGISTER)
      return false;
    other_side(l);
    return true;
  case CLOSE:
    if (l->depth == 0 || is_empty)
      return false;
    close(l);
    return true;
  default:
    if (l->depth == LEVELS)
      return false;
    begin(l, statement);
    return true;
  }
}

bool tree_lower(struct program *p, const uint8_t *statement, unsigned count, enum tree_yields yields, bool barriers)
{
  struct lowering l = {.p = p, .yields = yields, .barriers = barriers};
  p->count = 0;
  for (unsigned i = 0; i < count; i++) {
    const bool is_empty = i > 0 && statement[i - 1] >= IF_LANE && statement[i - 1] != CLOSE;
    if (!lower(&l, (enum statement)statement[i], is_empty))
      return false;
  }
  emit(&l, (struct insn){.op = OP_END});
  return l.depth == 0 && !l.full && program_analyse(p);
}
