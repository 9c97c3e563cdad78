#include "convergence/ipdom_stack.h"

/* An open split: the mask before it, and the lanes of the other side until they run. */
struct entry {
  sl_lanes restore;
  sl_lanes other; /* 0 after they have started */
  uint32_t pc;    /* start of the other side: after the split */
};

SL_HOLDS(SL_IPDOM_ENTRY, sizeof(struct entry), "the IPDOM stack");

static struct entry *stack_of(struct sl_ipdom_warp *p)
{
  return (struct entry *)(void *)p->own;
}

static const struct entry *stack_of_const(const struct sl_ipdom_warp *p)
{
  return (const struct entry *)(const void *)p->own;
}

static enum sl_marked set_mask(struct sl_ipdom_warp *p, sl_lanes mask)
{
  p->mask = mask;
  return mask != 0 ? SL_MARKED : SL_MARKED_ENDS;
}

static enum sl_marked push(struct sl_ipdom_warp *p, const struct sl_mark *m)
{
  if (p->depth >= m->room)
    return SL_MARKED_FULL;
  stack_of(p)[p->depth++] = (struct entry){.restore = m->lanes | m->others, .other = m->others, .pc = p->pc};
  p->mask = m->lanes;
  return SL_MARKED;
}

/* Resumes the other side of the last split if it has not run, else all lanes. */
static enum sl_marked pop(struct sl_ipdom_warp *p)
{
  if (p->depth == 0)
    return SL_MARKED_EMPTY;
  struct entry *top = &stack_of(p)[p->depth - 1];
  if (top->other == 0) {
    p->mask = top->restore;
    p->depth--;
    return SL_MARKED;
  }
  p->mask = top->other;
  p->pc = top->pc;
  top->other = 0;
  return SL_MARKED_JUMPED;
}

enum sl_marked sl_ipdom_mark(void *warp, unsigned group, const struct sl_mark *m)
{
  struct sl_ipdom_warp *p = warp;
  (void)group;
  switch (m->kind) {
  case SL_MARK_SPLIT: return push(p, m);
  case SL_MARK_JOIN: return pop(p);
  case SL_MARK_PREDICATE: return set_mask(p, m->lanes != 0 ? m->lanes : m->others);
  case SL_MARK_MASK: return set_mask(p, m->lanes);
  default: break;
  }
  return SL_MARKED;
}

bool sl_ipdom_valid(const void *warp, sl_lanes lanes)
{
  const struct sl_ipdom_warp *p = warp;
  if (p->depth > SL_IPDOM_MAX)
    return false;
  for (unsigned i = 0; i < p->depth; i++)
    if (stack_of_const(p)[i].restore == 0 ||
        ((stack_of_const(p)[i].restore | stack_of_const(p)[i].other) & ~lanes) != 0)
      return false;
  return true;
}

/* The lanes of the latest splits are told first. */
unsigned sl_ipdom_places(const void *warp, struct sl_warp_path path[SL_MAX_LANES])
{
  const struct sl_ipdom_warp *p = warp;
  sl_lanes told = p->mask;
  unsigned count = p->mask != 0;
  path[0] = (struct sl_warp_path){p->mask, p->pc};
  for (unsigned i = p->depth; i-- > 0;) {
    const struct entry *e = &stack_of_const(p)[i];
    const sl_lanes place[] = {e->other & ~told, e->restore & ~e->other & ~told};
    for (unsigned k = 0; k < 2; told |= place[k++])
      if (place[k] != 0)
        path[count++] = (struct sl_warp_path){place[k], k == 0 ? e->pc : 0};
  }
  return count;
}

const struct sl_convergence sl_convergence_ipdom = {
    .name = "ipdom",
    .mark = sl_ipdom_mark,
    .valid = sl_ipdom_valid,
    .places = sl_ipdom_places,
};
