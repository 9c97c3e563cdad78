/* Post-dominators are dominators of the reversed graph, found by iteration over reverse postorder (Cooper, Harvey and
 * Kennedy, A Simple, Fast Dominance Algorithm). Node 0 is the end of the function, block b is node b + 1. */
#include "ptx/ptx_flow.h"

#include <stdlib.h>

unsigned sl_ptx_successors(const struct sl_ptx_insn *code, uint32_t pc, uint32_t end, uint32_t next[2])
{
  const struct sl_ptx_insn *in = &code[pc];
  const bool guarded = in->guard.id != SL_PTX_NO_REG;
  const uint32_t following = pc + 1 < end ? pc + 1 : SL_PTX_NOWHERE;
  switch ((enum sl_ptx_kind)in->kind) {
  case SL_PTX_K_BRANCH: next[0] = in->target < end ? in->target : SL_PTX_NOWHERE; break;
  case SL_PTX_K_RETURN:
  case SL_PTX_K_EXIT:
  case SL_PTX_K_TRAP: next[0] = SL_PTX_NOWHERE; break;
  default: next[0] = following; return 1;
  }
  next[1] = following;
  return guarded ? 2 : 1;
}

struct flow {
  const struct sl_ptx_insn *code;
  uint32_t begin, end, blocks;
  uint32_t *block_of;                /* by pc - begin */
  uint32_t *first;                   /* PC by block */
  uint32_t (*next)[2];               /* nodes after a block */
  uint32_t *before, *before_start;   /* nodes whose successor a node is: a slice each */
  uint32_t *order, *number, ordered; /* nodes in postorder of the reversed graph, and the place of each */
  uint32_t *ipdom;
  uint32_t *stack, *position;
};

enum { NONE = -1 };

static bool make_room(struct flow *f)
{
  const size_t n = f->end - f->begin, nodes = n + 1;
  f->block_of = malloc(n * sizeof *f->block_of);
  f->first = malloc((nodes + 1) * sizeof *f->first);
  f->next = malloc(nodes * sizeof *f->next);
  f->before = malloc(2 * nodes * sizeof *f->before);
  f->before_start = calloc(nodes + 2, sizeof *f->before_start);
  f->order = malloc(nodes * sizeof *f->order);
  f->number = malloc(nodes * sizeof *f->number);
  f->ipdom = malloc(nodes * sizeof *f->ipdom);
  f->stack = malloc(nodes * sizeof *f->stack);
  f->position = malloc(nodes * sizeof *f->position);
  return f->block_of && f->first && f->next && f->before && f->before_start && f->order && f->number && f->ipdom &&
         f->stack && f->position;
}

static void release(struct flow *f)
{
  free(f->block_of);
  free(f->first);
  free(f->next);
  free(f->before);
  free(f->before_start);
  free(f->order);
  free(f->number);
  free(f->ipdom);
  free(f->stack);
  free(f->position);
}

/* Blocks begin at the function's start, at targets, and after what does not simply go on. */
static void find_blocks(struct flow *f)
{
  const uint32_t n = f->end - f->begin;
  uint32_t next[2];
  for (uint32_t i = 0; i < n; i++)
    f->block_of[i] = 0;
  f->block_of[0] = 1;
  for (uint32_t pc = f->begin; pc < f->end; pc++) {
    const enum sl_ptx_kind kind = f->code[pc].kind;
    const unsigned count = sl_ptx_successors(f->code, pc, f->end, next);
    if (kind == SL_PTX_K_BRANCH && next[0] != SL_PTX_NOWHERE)
      f->block_of[next[0] - f->begin] = 1;
    if ((count > 1 || next[0] != pc + 1 || kind == SL_PTX_K_BRANCH) && pc + 1 < f->end)
      f->block_of[pc + 1 - f->begin] = 1;
  }
  for (uint32_t i = 0; i < n; i++) {
    if (f->block_of[i])
      f->first[f->blocks++] = f->begin + i;
    f->block_of[i] = f->blocks - 1;
  }
  f->first[f->blocks] = f->end;
}

static void connect(struct flow *f)
{
  const uint32_t nodes = f->blocks + 1;
  for (uint32_t b = 0; b < f->blocks; b++) {
    uint32_t next[2];
    const unsigned count = sl_ptx_successors(f->code, f->first[b + 1] - 1, f->end, next);
    for (unsigned i = 0; i < 2; i++) {
      const uint32_t to = next[i < count ? i : 0];
      f->next[b][i] = to == SL_PTX_NOWHERE ? 0 : f->block_of[to - f->begin] + 1;
      f->before_start[f->next[b][i] + 2]++;
    }
  }
  for (uint32_t i = 2; i < nodes + 1; i++)
    f->before_start[i] += f->before_start[i - 1];
  for (uint32_t b = 0; b < f->blocks; b++)
    for (unsigned i = 0; i < 2; i++)
      f->before[f->before_start[f->next[b][i] + 1]++] = b + 1;
}

/* A walk over the reversed graph from the end of the function. */
static void number_nodes(struct flow *f)
{
  const uint32_t nodes = f->blocks + 1;
  uint32_t depth = 1;
  for (uint32_t i = 0; i < nodes; i++)
    f->number[i] = (uint32_t)NONE, f->ipdom[i] = (uint32_t)NONE, f->position[i] = f->before_start[i];
  f->stack[0] = 0;
  f->number[0] = 0;
  while (depth > 0) {
    const uint32_t node = f->stack[depth - 1];
    if (f->position[node] == f->before_start[node + 1]) {
      f->number[node] = f->ordered;
      f->order[f->ordered++] = node;
      depth--;
      continue;
    }
    const uint32_t other = f->before[f->position[node]++];
    if (f->number[other] == (uint32_t)NONE) {
      f->number[other] = 0; /* seen */
      f->stack[depth++] = other;
    }
  }
}

static uint32_t meet(const struct flow *f, uint32_t a, uint32_t b)
{
  while (a != b) {
    while (f->number[a] < f->number[b])
      a = f->ipdom[a];
    while (f->number[b] < f->number[a])
      b = f->ipdom[b];
  }
  return a;
}

static void dominate(struct flow *f)
{
  bool changed = true;
  f->ipdom[0] = 0;
  while (changed) {
    changed = false;
    for (uint32_t i = f->ordered - 1; i-- > 0;) {
      const uint32_t node = f->order[i], a = f->next[node - 1][0], b = f->next[node - 1][1];
      const bool has_a = f->ipdom[a] != (uint32_t)NONE, has_b = f->ipdom[b] != (uint32_t)NONE;
      const uint32_t now = has_a && has_b ? meet(f, a, b) : has_a ? a : b;
      changed |= now != f->ipdom[node];
      f->ipdom[node] = now;
    }
  }
}

enum sl_status sl_ptx_flow(struct sl_ptx_insn *code, uint32_t begin, uint32_t end, struct sl_error *err)
{
  struct flow f = {.code = code, .begin = begin, .end = end};
  if (begin == end)
    return SL_OK;
  const bool room = make_room(&f);
  if (room) {
    find_blocks(&f);
    connect(&f);
    number_nodes(&f);
    dominate(&f);
    for (uint32_t pc = begin; pc < end; pc++) {
      const uint32_t node = f.ipdom[f.block_of[pc - begin] + 1];
      code[pc].reconvergence = node == 0 || node == (uint32_t)NONE ? SL_PTX_NOWHERE : f.first[node - 1];
    }
  }
  release(&f);
  return room ? SL_OK : sl_no_memory(err, (size_t)(end - begin) * 64);
}
