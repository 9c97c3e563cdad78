#include "ptx/run/ptx_stack.h"

enum { NOWHERE = -1 };

static struct sl_ptx_stack_entry *top(struct sl_ptx_stack *s)
{
  return &s->entries[s->depth - 1];
}

static void push(struct sl_ptx_stack *s, uint32_t pc, uint32_t mask, uint32_t reconvergence, uint32_t call)
{
  s->entries[s->depth++] = (struct sl_ptx_stack_entry){pc, mask, reconvergence, call};
}

/* Pops entries that have reached their reconvergence pc, or have no lanes. */
static void settle(struct sl_ptx_stack *s)
{
  while (s->depth > 0 && (top(s)->mask == 0 || top(s)->pc == top(s)->reconvergence))
    s->depth--;
}

void sl_ptx_stack_init(struct sl_ptx_stack *s, uint32_t pc, uint32_t mask)
{
  s->depth = 0;
  push(s, pc, mask, (uint32_t)NOWHERE, 0);
}

void sl_ptx_stack_advance(struct sl_ptx_stack *s, uint32_t pc)
{
  top(s)->pc = pc;
  if (pc == top(s)->reconvergence)
    settle(s);
}

bool sl_ptx_stack_branch(struct sl_ptx_stack *s, uint32_t taken, uint32_t target, uint32_t reconvergence)
{
  const struct sl_ptx_stack_entry was = *top(s);
  const uint32_t next = was.pc + 1;
  if (taken == was.mask || taken == 0) {
    sl_ptx_stack_advance(s, taken ? target : next);
    return true;
  }
  if (s->depth + 2 > SL_PTX_STACK_DEPTH)
    return false;
  if (reconvergence == was.reconvergence)
    s->depth--;
  else
    top(s)->pc = reconvergence;
  if (next != reconvergence)
    push(s, next, was.mask & ~taken, reconvergence, was.call);
  if (target != reconvergence)
    push(s, target, taken, reconvergence, was.call);
  return true;
}

/* Removes the lanes from the entries from `call` on. */
static void leave(struct sl_ptx_stack *s, uint32_t lanes, uint32_t call)
{
  top(s)->pc++;
  for (uint32_t i = 0; i < s->depth; i++)
    if (s->entries[i].call >= call)
      s->entries[i].mask &= ~lanes;
  settle(s);
}

void sl_ptx_stack_exit(struct sl_ptx_stack *s, uint32_t lanes)
{
  leave(s, lanes, 0);
}

bool sl_ptx_stack_call(struct sl_ptx_stack *s, uint32_t target)
{
  if (s->depth + 1 > SL_PTX_STACK_DEPTH)
    return false;
  const struct sl_ptx_stack_entry was = *top(s);
  top(s)->pc++;
  push(s, target, was.mask, (uint32_t)NOWHERE, was.call + 1);
  return true;
}

void sl_ptx_stack_return(struct sl_ptx_stack *s, uint32_t lanes)
{
  leave(s, lanes, top(s)->call);
}
