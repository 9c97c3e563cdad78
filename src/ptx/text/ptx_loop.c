#include "ptx/text/ptx_loop.h"

#include <stdlib.h>

#include "ptx/text/ptx_fold.h"

void sl_ptx_loops_free(struct sl_ptx_loops *l)
{
  sl_ptx_blocks_free(&l->blocks);
  free(l->entries);
}

bool sl_ptx_loops_begin(struct sl_ptx_loops *l, const struct sl_ptx_editor *e)
{
  const struct sl_ptx_insn *code = e->p->code.items;
  const uint32_t end = e->p->code.count;
  *l = (struct sl_ptx_loops){.e = e, .entries = calloc(end - e->begin + (size_t)1, sizeof *l->entries)};
  if (!sl_ptx_blocks_find(&l->blocks, code, e->begin, end) || l->entries == NULL)
    return false;
  for (uint32_t pc = e->begin; pc < end; pc++)
    if (code[pc].kind == SL_PTX_K_BRANCH && code[pc].target < end)
      l->entries[code[pc].target - e->begin]++;
  return true;
}

static bool is_jump(const struct sl_ptx_insn *in)
{
  return in->kind == SL_PTX_K_BRANCH && in->guard.id == SL_PTX_NO_REG;
}

static bool is_editable(struct sl_ptx_insn *in)
{
  struct sl_ptx_roles roles;
  return sl_ptx_roles_find(&roles, in);
}

/* The loop ends with a branch back, or with one that leaves and a jump back. */
bool sl_ptx_loop_at(const struct sl_ptx_loops *l, uint32_t head, struct sl_ptx_loop *loop)
{
  struct sl_ptx_insn *code = l->e->p->code.items;
  const uint32_t end = l->e->p->code.count, *entries = l->entries;
  uint32_t pc = head;
  if (entries[head - l->e->begin] == 0)
    return false;
  while (pc < end && is_editable(&code[pc]) && (pc == head || entries[pc - l->e->begin] == 0))
    pc++;
  if (pc == end || code[pc].kind != SL_PTX_K_BRANCH || is_jump(&code[pc]) ||
      (pc > head && entries[pc - l->e->begin] != 0))
    return false;
  *loop = (struct sl_ptx_loop){.head = head, .branch = pc, .end = pc + 1, .exit = pc + 1};
  if (code[pc].target == head)
    return true;
  loop->leaves = true;
  loop->exit = code[pc].target;
  loop->end = pc + 2;
  return pc + 1 < end && is_jump(&code[pc + 1]) && code[pc + 1].target == head && entries[pc + 1 - l->e->begin] == 0 &&
         loop->exit != pc + 1;
}

bool sl_ptx_loop_is_rolled(const struct sl_ptx_editor *e, const struct sl_ptx_loop *loop)
{
  bool rolled = e->p->rolled_all || e->p->rolled_function;
  for (uint32_t i = 0; i < e->p->rolled.count; i++)
    rolled |= e->p->rolled.items[i] == loop->head;
  return rolled;
}

bool sl_ptx_loop_writes(const struct sl_ptx_editor *e, const struct sl_ptx_loop *loop, uint16_t id)
{
  for (uint32_t pc = loop->head; pc < loop->branch; pc++)
    for (unsigned i = 0; i < e->p->code.items[pc].dsts; i++)
      if (e->p->code.items[pc].dst[i].id == id)
        return true;
  return false;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static bool defines(const struct sl_ptx_insn *in, uint16_t id)
{
  for (unsigned i = 0; i < sl_ptx_dsts(in); i++)
    if (sl_ptx_dst(in, i).id == id)
      return true;
  return false;
}

/* Whether every way from the kernel's begin to block `to` goes through block `by`. */
static bool is_before(const struct sl_ptx_blocks *b, uint32_t by, uint32_t to)
{
  uint32_t *list = malloc((b->blocks + (size_t)1) * sizeof *list), count = 0;
  bool *seen = calloc(b->blocks + (size_t)1, sizeof *seen), reached = list == NULL || seen == NULL;
  if (!reached && by != 0) {
    list[count++] = 0;
    seen[0] = true;
  }
  while (count > 0 && !reached) {
    const uint32_t block = list[--count];
    reached = block == to;
    for (unsigned i = 0; i < 2; i++) {
      const uint32_t node = b->next[block + 1][i];
      if (node == 0 || node - 1 == by || seen[node - 1])
        continue;
      seen[node - 1] = true;
      list[count++] = node - 1;
    }
  }
  free(list);
  free(seen);
  return !reached;
}

/* The definition that reaches the instruction at pc: one above it in straight code, or the only one of the kernel, if
 * it precedes in any case. `entered`: ways to pc that do not count. */
static bool find_definition(const struct sl_ptx_loops *l, uint16_t id, uint32_t pc, uint32_t entered, uint32_t *def)
{
  const struct sl_ptx_insn *code = l->e->p->code.items;
  const uint32_t begin = l->e->begin, end = l->e->p->code.count, from = pc;
  for (; pc > begin && l->entries[pc - begin] == (pc == from ? entered : 0); pc--) {
    const struct sl_ptx_insn *in = &code[pc - 1];
    *def = pc - 1;
    if (defines(in, id))
      return in->guard.id == SL_PTX_NO_REG;
    if (is_jump(in) || in->kind == SL_PTX_K_RETURN || in->kind == SL_PTX_K_EXIT || in->kind == SL_PTX_K_CALL)
      break;
  }
  unsigned count = 0;
  for (uint32_t i = begin; i < end; i++)
    if (defines(&code[i], id)) {
      count++;
      *def = i;
    }
  const uint32_t *block = l->blocks.block_of;
  return count == 1 && code[*def].guard.id == SL_PTX_NO_REG && block[*def - begin] != block[from - begin] &&
         is_before(&l->blocks, block[*def - begin], block[from - begin]);
}

static bool number_before(const struct sl_ptx_loops *l, uint16_t id, uint32_t pc, uint32_t entered, unsigned depth,
                          uint64_t *number);

static bool number_of_result(const struct sl_ptx_loops *l, uint32_t pc, unsigned depth, uint64_t *number)
{
  const struct sl_ptx_insn *in = &l->e->p->code.items[pc];
  const struct sl_ptx_place place[] = {in->a, in->b, in->c};
  uint64_t operand[3] = {0};
  bool wide[3];
  if (in->kind != SL_PTX_K_LANES || in->more != NULL)
    return false;
  const unsigned count = sl_ptx_fold_operands(in, wide);
  for (unsigned i = 0; i < count; i++) {
    const uint16_t id = sl_ptx_edit_id(l->e, place[i]);
    if (id == SL_PTX_NO_REG ? !sl_ptx_edit_number(l->e, place[i], wide[i], &operand[i])
                            : !number_before(l, id, pc, 0, depth + 1, &operand[i]))
      return false;
  }
  return sl_ptx_fold_evaluate(in, operand, number);
}

static bool number_before(const struct sl_ptx_loops *l, uint16_t id, uint32_t pc, uint32_t entered, unsigned depth,
                          uint64_t *number)
{
  enum { DEEPEST = 4 };
  uint32_t def;
  return depth < DEEPEST && find_definition(l, id, pc, entered, &def) && number_of_result(l, def, depth, number);
}

bool sl_ptx_loop_number(const struct sl_ptx_loops *l, const struct sl_ptx_loop *loop, uint16_t id, uint64_t *number)
{
  return number_before(l, id, loop->head, 1, 0, number);
}
