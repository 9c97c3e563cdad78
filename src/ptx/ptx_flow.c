#include "ptx/ptx_flow.h"

#include <stdlib.h>

#include "base/post_dominators.h"

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
  uint32_t *block_of;  /* by pc - begin */
  uint32_t *first;     /* PC by block */
  uint32_t (*next)[2]; /* successors of a node; block b is node b + 1 */
  uint32_t *ipdom;
};

static bool make_room(struct flow *f)
{
  const size_t n = f->end - f->begin, nodes = n + 1;
  f->block_of = malloc(n * sizeof *f->block_of);
  f->first = malloc((nodes + 1) * sizeof *f->first);
  f->next = calloc(nodes, sizeof *f->next);
  f->ipdom = malloc(nodes * sizeof *f->ipdom);
  return f->block_of && f->first && f->next && f->ipdom;
}

static void release(struct flow *f)
{
  free(f->block_of);
  free(f->first);
  free(f->next);
  free(f->ipdom);
}

/* Blocks begin at the function's start, at targets, and after instructions that do not simply continue. */
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
  for (uint32_t b = 0; b < f->blocks; b++) {
    uint32_t next[2];
    const unsigned count = sl_ptx_successors(f->code, f->first[b + 1] - 1, f->end, next);
    for (unsigned i = 0; i < 2; i++) {
      const uint32_t to = next[i < count ? i : 0];
      f->next[b + 1][i] = to == SL_PTX_NOWHERE ? 0 : f->block_of[to - f->begin] + 1;
    }
  }
}

enum sl_status sl_ptx_flow(struct sl_ptx_insn *code, uint32_t begin, uint32_t end, struct sl_error *err)
{
  struct flow f = {.code = code, .begin = begin, .end = end};
  if (begin == end)
    return SL_OK;
  bool room = make_room(&f);
  if (room) {
    find_blocks(&f);
    connect(&f);
    room = sl_post_dominators((const uint32_t(*)[2])f.next, f.blocks + 1, f.ipdom);
  }
  for (uint32_t pc = begin; pc < end && room; pc++) {
    const uint32_t node = f.ipdom[f.block_of[pc - begin] + 1];
    code[pc].reconvergence = node == 0 || node == SL_NO_POST_DOMINATOR ? SL_PTX_NOWHERE : f.first[node - 1];
  }
  release(&f);
  return room ? SL_OK : sl_no_memory(err, (size_t)(end - begin) * 64);
}
