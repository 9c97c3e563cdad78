#include "ptx/text/ptx_transform.h"

#include <stdlib.h>

#include "ptx/run/ptx_lanes.h"
#include "ptx/text/ptx_forms.h"

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

/* ---- counted loops ----------------------------------------------------------------------------------------------- */

/* In the order of the rows of comparisons. */
enum sl_ptx_relation { EQ, NE, LT_U, LE_U, GT_U, GE_U, LT_S, LE_S, GT_S, GE_S, RELATIONS };
_Static_assert(SL_PTX_ROW_setp_ge_s32 - SL_PTX_ROW_setp_eq_u32 == GE_S &&
                   SL_PTX_ROW_setp_ge_s64 - SL_PTX_ROW_setp_eq_u64 == GE_S,
               "the rows of comparisons are consecutive");

static unsigned row_of(unsigned relation, bool wide)
{
  return (wide ? SL_PTX_ROW_setp_eq_u64 : SL_PTX_ROW_setp_eq_u32) + relation;
}

static bool relation_of(const struct sl_ptx_insn *in, unsigned *relation, bool *wide)
{
  *wide = in->row >= SL_PTX_ROW_setp_eq_u64;
  *relation = in->row - row_of(EQ, *wide);
  return in->kind == SL_PTX_K_CONDITION && *relation < RELATIONS && in->mode == SL_PTX_ALONE && !in->has_e &&
         in->guard.id == SL_PTX_NO_REG && in->dsts == 1;
}

/* `a < b` does not hold: a >= b. */
static unsigned opposite(unsigned relation)
{
  static const uint8_t of[] = {NE, EQ, GE_U, GT_U, LE_U, LT_U, GE_S, GT_S, LE_S, LT_S};
  return of[relation];
}

/* `a < b`: b > a. */
static unsigned mirrored(unsigned relation)
{
  static const uint8_t of[] = {EQ, NE, GT_U, GE_U, LT_U, LE_U, GT_S, GE_S, LT_S, LE_S};
  return of[relation];
}

/* Whether such a loop ends when a counter that grows, or falls, has passed the bound. */
static bool is_upwards(unsigned relation)
{
  return relation == LT_U || relation == LE_U || relation == LT_S || relation == LE_S;
}

/* The only instruction of the loop that writes its condition. */
static bool find_compare(struct sl_ptx_counted *c, const struct sl_ptx_editor *e, const struct sl_ptx_loop *loop)
{
  const struct sl_ptx_insn *code = e->p->code.items, *branch = &code[loop->branch];
  unsigned count = 0;
  for (uint32_t pc = loop->head; pc < loop->branch; pc++)
    for (unsigned i = 0; i < code[pc].dsts; i++)
      if (code[pc].dst[i].id == branch->guard.id) {
        count++;
        c->compare = pc;
      }
  return count == 1 && relation_of(&code[c->compare], &c->relation, &c->wide);
}

static bool is_first(const struct sl_ptx_known *v)
{
  return v->base != SL_PTX_NO_REG && v->version == 0;
}

/* The counter at the comparison, and the bound: a number, or a register that the loop does not write. */
static bool take_operands(struct sl_ptx_counted *c, const struct sl_ptx_fold *f, const struct sl_ptx_loop *loop,
                          const struct sl_ptx_known *a, const struct sl_ptx_known *b)
{
  const struct sl_ptx_editor *e = f->e;
  if (!is_first(a) || a->number == 0)
    return false;
  if (b->base != SL_PTX_NO_REG && (!is_first(b) || b->number != 0 || sl_ptx_loop_writes(e, loop, b->base)))
    return false;
  if (sl_ptx_edit_reg(e, a->base).words != 1u + c->wide ||
      (b->base != SL_PTX_NO_REG && sl_ptx_edit_reg(e, b->base).words != 1u + c->wide))
    return false;
  c->counter = a->base;
  c->step = c->wide ? (int64_t)a->number : (int32_t)(uint32_t)a->number;
  c->bound = b->base != SL_PTX_NO_REG ? sl_ptx_edit_place(e, b->base) : sl_ptx_constant(e->p, b->number, c->wide);
  return true;
}

/* With != the loop may also pass the bound and go on. A power of two makes multiples of four rounds easy to find. */
static bool is_countable(const struct sl_ptx_counted *c)
{
  enum { FAR = 1 << 28 };
  if (c->step <= -FAR || c->step >= FAR)
    return false;
  if (c->relation == NE)
    return (c->step & (c->step - 1)) == 0 || (-c->step & (-c->step - 1)) == 0;
  return c->relation != EQ && is_upwards(c->relation) == (c->step > 0);
}

bool sl_ptx_counted_find(struct sl_ptx_counted *c, struct sl_ptx_fold *f, const struct sl_ptx_loop *loop)
{
  const struct sl_ptx_editor *e = f->e;
  const struct sl_ptx_insn *code = e->p->code.items, *branch = &code[loop->branch];
  struct sl_ptx_known a = {0}, b = {0};
  *c = (struct sl_ptx_counted){.counter = SL_PTX_NO_REG};
  if (!find_compare(c, e, loop))
    return false;
  bool known = false;
  for (uint32_t pc = loop->head; pc < loop->branch; pc++) {
    struct sl_ptx_insn in = code[pc];
    if (pc == c->compare)
      known = sl_ptx_fold_operand(f, in.a, c->wide, &a) && sl_ptx_fold_operand(f, in.b, c->wide, &b);
    sl_ptx_fold(f, &in);
  }
  if (!known)
    return false;
  c->swapped = !is_first(&a) || a.number == 0;
  if (!take_operands(c, f, loop, c->swapped ? &b : &a, c->swapped ? &a : &b))
    return false;
  if (c->swapped)
    c->relation = mirrored(c->relation);
  if (branch->negated != loop->leaves)
    c->relation = opposite(c->relation);
  const struct sl_ptx_known end = sl_ptx_fold_of(f, c->counter), start = {.base = c->counter};
  const uint64_t grown = (end.number - start.number) & (c->wide ? UINT64_MAX : UINT32_MAX);
  return end.base == c->counter && end.version == 0 &&
         grown == ((uint64_t)c->step & (c->wide ? UINT64_MAX : UINT32_MAX)) && is_countable(c);
}

uint32_t sl_ptx_counted_rounds(const struct sl_ptx_counted *c, const struct sl_ptx_editor *e, uint64_t first)
{
  enum { MOST = 1 << 16 };
  uint64_t bound, holds = 1, value = first;
  if (!sl_ptx_edit_number(e, c->bound, c->wide, &bound))
    return 0;
  const struct sl_ptx_insn compare = sl_ptx_edit_row(e, &e->p->code.items[c->compare], row_of(c->relation, c->wide),
                                                     e->p->code.items[c->compare].d, c->bound, c->bound);
  uint32_t rounds = 0;
  while (holds && rounds < MOST) {
    value = (value + (uint64_t)c->step) & (c->wide ? UINT64_MAX : UINT32_MAX);
    rounds++;
    if (!sl_ptx_fold_evaluate(&compare, (const uint64_t[3]){value, bound}, &holds))
      return 0;
  }
  return holds ? 0 : rounds;
}

/* ---- code of counted loops --------------------------------------------------------------------------------------- */

static struct sl_ptx_insn branch_of(const struct sl_ptx_editor *e, const struct sl_ptx_loop *loop, uint16_t guard,
                                    bool negated)
{
  struct sl_ptx_insn branch = e->p->code.items[loop->branch];
  branch.guard = sl_ptx_edit_reg(e, guard);
  branch.guard_offset = sl_ptx_edit_place(e, guard).offset;
  branch.negated = negated;
  return branch;
}

static struct sl_ptx_place number(const struct sl_ptx_counted *c, const struct sl_ptx_editor *e, uint64_t value)
{
  return sl_ptx_constant(e->p, value, c->wide);
}

/* The distance to the bound is at least that of four rounds, and the counter is before it: the limit is the bound
 * without that distance. No difference wraps. */
static unsigned guard_of_order(const struct sl_ptx_counted *c, const struct sl_ptx_editor *e,
                               const struct sl_ptx_insn *like, uint64_t four, struct sl_ptx_place left,
                               struct sl_ptx_place before, struct sl_ptx_insn *code)
{
  const struct sl_ptx_place counter = sl_ptx_edit_place(e, c->counter), more = sl_ptx_edit_place(e, c->more);
  const unsigned add = c->wide ? SL_PTX_ROW_add_u64 : SL_PTX_ROW_add_u32;
  const unsigned sub = c->wide ? SL_PTX_ROW_sub_u64 : SL_PTX_ROW_sub_u32;
  const bool up = c->step > 0, sign = c->relation >= LT_S;
  code[0] = sl_ptx_edit_row(e, like, row_of(up ? (sign ? LT_S : LT_U) : (sign ? GT_S : GT_U), c->wide), before, counter,
                            c->bound);
  code[1] = sl_ptx_edit_row(e, like, sub, left, up ? c->bound : counter, up ? counter : c->bound);
  code[2] = sl_ptx_edit_row(e, like, row_of(GE_U, c->wide), more, left, number(c, e, four));
  code[2].mode = SL_PTX_WITH_AND;
  code[2].c = before;
  sl_ptx_edit_registers(e, &code[2]);
  code[3] = sl_ptx_edit_row(e, like, add, sl_ptx_edit_place(e, c->limit), c->bound, number(c, e, up ? 0 - four : four));
  return 4;
}

/* The distance, rounded down to a multiple of four rounds, is not zero: the limit is at the end of that distance. */
static unsigned guard_of_difference(const struct sl_ptx_counted *c, const struct sl_ptx_editor *e,
                                    const struct sl_ptx_insn *like, uint64_t four, struct sl_ptx_place left,
                                    struct sl_ptx_insn *code)
{
  const struct sl_ptx_place counter = sl_ptx_edit_place(e, c->counter), limit = sl_ptx_edit_place(e, c->limit);
  const unsigned sub = c->wide ? SL_PTX_ROW_sub_u64 : SL_PTX_ROW_sub_u32;
  const unsigned add = c->wide ? SL_PTX_ROW_add_u64 : SL_PTX_ROW_add_u32;
  const bool up = c->step > 0;
  code[0] = sl_ptx_edit_row(e, like, sub, left, up ? c->bound : counter, up ? counter : c->bound);
  code[1] = sl_ptx_edit_row(e, like, c->wide ? SL_PTX_ROW_and_u64 : SL_PTX_ROW_and_u32, left, left,
                            number(c, e, ~(four - 1)));
  code[2] = sl_ptx_edit_row(e, like, row_of(NE, c->wide), sl_ptx_edit_place(e, c->more), left, number(c, e, 0));
  code[3] = sl_ptx_edit_row(e, like, up ? add : sub, limit, counter, left);
  return 4;
}

unsigned sl_ptx_counted_guard(struct sl_ptx_counted *c, struct sl_ptx_editor *e, const struct sl_ptx_loop *loop,
                              struct sl_ptx_insn code[SL_PTX_COUNTED_GUARD])
{
  const struct sl_ptx_insn like = e->p->code.items[loop->branch];
  const enum sl_ptx_type type = sl_ptx_edit_type(e, c->counter);
  const uint16_t left = sl_ptx_edit_new(e, type), before = sl_ptx_edit_new(e, SL_PTX_PRED);
  c->limit = sl_ptx_edit_new(e, type);
  c->more = sl_ptx_edit_new(e, SL_PTX_PRED);
  if (c->more == SL_PTX_NO_REG)
    return 0;
  const uint64_t four = SL_PTX_COUNTED_ROUNDS * (uint64_t)(c->step > 0 ? c->step : -c->step);
  const unsigned count = c->relation == NE ? guard_of_difference(c, e, &like, four, sl_ptx_edit_place(e, left), code)
                                           : guard_of_order(c, e, &like, four, sl_ptx_edit_place(e, left),
                                                            sl_ptx_edit_place(e, before), code);
  code[count] = branch_of(e, loop, c->more, true);
  return count + 1;
}

void sl_ptx_counted_end(const struct sl_ptx_counted *c, const struct sl_ptx_editor *e, const struct sl_ptx_loop *loop,
                        struct sl_ptx_insn code[4])
{
  const struct sl_ptx_insn *branch = &e->p->code.items[loop->branch], *compare = &e->p->code.items[c->compare];
  const struct sl_ptx_place counter = sl_ptx_edit_place(e, c->counter);
  const unsigned ordered = c->relation >= LT_S ? (c->step > 0 ? LE_S : GE_S) : (c->step > 0 ? LE_U : GE_U);
  code[0] = sl_ptx_edit_row(e, branch, row_of(c->relation == NE ? NE : ordered, c->wide), sl_ptx_edit_place(e, c->more),
                            counter, sl_ptx_edit_place(e, c->limit));
  code[1] = branch_of(e, loop, c->more, false);
  code[2] = sl_ptx_edit_row(e, compare, compare->row, compare->d, c->swapped ? c->bound : counter,
                            c->swapped ? counter : c->bound);
  code[3] = branch_of(e, loop, branch->guard.id, branch->negated != !loop->leaves);
}
