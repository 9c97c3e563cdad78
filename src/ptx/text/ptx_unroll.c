#include "ptx/text/ptx_transform.h"

#include <stdlib.h>
#include <string.h>

struct unroller {
  struct sl_ptx_editor e;
  struct sl_ptx_fold f;
  struct sl_ptx_loops loops;
  SL_PTX_LIST(struct sl_ptx_insn) out; /* the new code */
  bool live[SL_PTX_TOLD_APART], kept[SL_PTX_TOLD_APART];
};

static struct sl_ptx_insn *code_of(struct unroller *u)
{
  return u->e.p->code.items;
}

static bool put(struct unroller *u, const struct sl_ptx_insn *in)
{
  if (!SL_PTX_MORE(u->e.p, u->out, 1))
    return false;
  u->out.items[u->out.count++] = *in;
  return true;
}

/* ---- the number of rounds ---------------------------------------------------------------------------------------- */

static void know(struct unroller *u, const struct sl_ptx_loop *l, uint16_t id, bool written)
{
  uint64_t number;
  if (id != SL_PTX_NO_REG && (written || !sl_ptx_loop_writes(&u->e, l, id)) &&
      sl_ptx_loop_number(&u->loops, l, id, &number))
    sl_ptx_fold_number(&u->f, id, number);
}

/* What is known of the registers that the loop reads: at its begin, or (not `written`) of those that it does not
 * write. */
static void begin_fold(struct unroller *u, const struct sl_ptx_loop *l, bool written, bool dry)
{
  sl_ptx_fold_begin(&u->f, &u->e, dry);
  for (uint32_t pc = l->head; pc <= l->branch; pc++) {
    const struct sl_ptx_insn *in = &code_of(u)[pc];
    for (unsigned i = 0; i < in->srcs; i++)
      know(u, l, in->src[i].id, written);
    know(u, l, in->address.id, written);
    know(u, l, in->guard.id, written);
  }
}

/* Rounds until the condition of the branch, a number in each, ends the loop; 0: unknown, or more than `most`. */
static uint32_t rounds_of(struct unroller *u, const struct sl_ptx_loop *l, uint32_t most)
{
  begin_fold(u, l, true, true);
  const struct sl_ptx_insn *branch = &code_of(u)[l->branch];
  for (uint32_t round = 1; round <= most; round++) {
    for (uint32_t pc = l->head; pc < l->branch; pc++) {
      struct sl_ptx_insn in = code_of(u)[pc];
      sl_ptx_fold(&u->f, &in);
    }
    const struct sl_ptx_known v = sl_ptx_fold_of(&u->f, branch->guard.id);
    if (v.base != SL_PTX_NO_REG)
      return 0;
    if (((v.number != 0) != branch->negated) == l->leaves)
      return round;
  }
  return 0;
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* Registers that some lanes may keep over a round: they have one name. */
static void find_kept(struct unroller *u, const struct sl_ptx_loop *l)
{
  memset(u->kept, 0, sizeof u->kept);
  for (uint32_t pc = l->head; pc < l->branch; pc++) {
    const struct sl_ptx_insn *in = &code_of(u)[pc];
    for (unsigned i = 0; i < in->dsts; i++)
      u->kept[in->dst[i].id] |= in->guard.id != SL_PTX_NO_REG;
  }
}

static bool copy(struct unroller *u, const struct sl_ptx_loop *l, uint16_t *name, bool last, uint32_t without)
{
  uint16_t to[SL_PTX_TOLD_APART];
  for (uint32_t pc = l->head; pc < l->branch; pc++) {
    struct sl_ptx_insn in = code_of(u)[pc];
    const struct sl_ptx_insn before = in;
    if (last && pc == without)
      continue;
    for (unsigned i = 0; i < in.dsts; i++) {
      const uint16_t id = in.dst[i].id;
      to[id] = last || u->kept[id] ? id : sl_ptx_edit_new(&u->e, sl_ptx_edit_type(&u->e, id));
      if (to[id] == SL_PTX_NO_REG)
        return false;
    }
    sl_ptx_edit_rename(&u->e, &in, name, to);
    for (unsigned i = 0; i < before.dsts; i++)
      name[before.dst[i].id] = to[before.dst[i].id];
    if (sl_ptx_fold(&u->f, &in) && !put(u, &in))
      return false;
  }
  return true;
}

/* Copies of the loop's rounds; the last one writes the registers of the original. It has no instruction `without`. */
static bool copies(struct unroller *u, const struct sl_ptx_loop *l, uint32_t count, uint32_t without)
{
  uint16_t name[SL_PTX_TOLD_APART];
  for (unsigned id = 0; id < SL_PTX_TOLD_APART; id++)
    name[id] = (uint16_t)id;
  find_kept(u, l);
  for (uint32_t i = 0; i < count; i++)
    if (!copy(u, l, name, i + 1 == count, without))
      return false;
  return true;
}

/* ---- dead instructions ------------------------------------------------------------------------------------------- */

static void read(struct unroller *u, const struct sl_ptx_insn *in)
{
  for (unsigned i = 0; i < sl_ptx_srcs(in); i++)
    if (sl_ptx_src(in, i).id < SL_PTX_TOLD_APART)
      u->live[sl_ptx_src(in, i).id] = true;
  if (in->guard.id != SL_PTX_NO_REG)
    u->live[in->guard.id] = true;
  if (in->address.id != SL_PTX_NO_REG)
    u->live[in->address.id] = true;
}

/* Whether the instruction has no effect but its results, of which none is read. */
static bool is_dead(const struct unroller *u, const struct sl_ptx_insn *in)
{
  switch (in->kind) {
  case SL_PTX_K_LANES:
    if (in->mode == SL_PTX_P_CARRY)
      return false;
    break;
  case SL_PTX_K_CONDITION:
  case SL_PTX_K_SET:
  case SL_PTX_K_LOGIC:
  case SL_PTX_K_PACK:
  case SL_PTX_K_UNPACK: break;
  default: return false;
  }
  bool dead = in->dsts > 0;
  for (unsigned i = 0; i < in->dsts; i++)
    dead &= !u->live[in->dst[i].id];
  return dead;
}

static void remove_dead(struct unroller *u, uint32_t from)
{
  uint32_t kept = u->out.count;
  for (uint32_t i = u->out.count; i-- > from;) {
    const struct sl_ptx_insn in = u->out.items[i];
    if (is_dead(u, &in))
      continue;
    for (unsigned n = 0; n < in.dsts && in.guard.id == SL_PTX_NO_REG; n++)
      u->live[in.dst[n].id] = false;
    read(u, &in);
    u->out.items[--kept] = in;
  }
  memmove(u->out.items + from, u->out.items + kept, (u->out.count - kept) * sizeof *u->out.items);
  u->out.count -= kept - from;
}

/* Registers that are read outside of the loop, or in it before they are written. */
static void find_live(struct unroller *u, const struct sl_ptx_loop *l)
{
  memset(u->live, 0, sizeof u->live);
  for (uint32_t i = u->out.count; i-- > 0;) {
    const struct sl_ptx_insn *in = &u->out.items[i];
    for (unsigned n = 0; n < in->dsts && in->guard.id == SL_PTX_NO_REG; n++)
      u->live[in->dst[n].id] = false;
    read(u, in);
  }
  for (uint32_t pc = u->e.begin; pc < u->e.p->code.count; pc++)
    if (pc < l->head || pc >= l->end)
      read(u, &code_of(u)[pc]);
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

static bool replace(struct unroller *u, const struct sl_ptx_loop *l)
{
  return sl_ptx_edit_replace(&u->e, l->head, l->end - l->head, u->out.items, u->out.count);
}

/* The new PC of the loop's exit. */
static uint32_t exit_of(const struct sl_ptx_loop *l, uint32_t count)
{
  return sl_ptx_edit_moved(l->exit, l->head, l->end - l->head, count);
}

static bool put_jump(struct unroller *u, const struct sl_ptx_loop *l)
{
  struct sl_ptx_insn jump = code_of(u)[l->branch];
  jump.guard = (struct sl_ptx_reg){.id = SL_PTX_NO_REG};
  jump.negated = false;
  jump.srcs = 0;
  jump.target = exit_of(l, u->out.count + 1);
  return put(u, &jump);
}

/* As analyzeLoopUnrollCost and shouldFullUnroll of LLVM. */
static bool is_short(uint32_t size, uint32_t rounds, uint32_t cost)
{
  if ((uint64_t)(size - 2) * rounds + 2 < SL_PTX_UNROLL_MOST)
    return true;
  if (rounds > SL_PTX_UNROLL_EXAMINED || cost == 0)
    return cost == 0;
  const uint64_t saved = UINT64_C(100) * size * rounds / cost;
  return (uint64_t)cost * 100 < SL_PTX_UNROLL_MOST * (saved < SL_PTX_UNROLL_BOOST ? saved : SL_PTX_UNROLL_BOOST);
}

static uint32_t size_of(const struct sl_ptx_loop *l)
{
  const uint32_t size = l->branch - l->head + 1;
  return size > 2 ? size : 3;
}

/* The most rounds whose copies can be short. */
static uint32_t most_rounds(uint32_t size)
{
  const uint32_t plain = SL_PTX_UNROLL_MOST / (size - 2);
  const uint32_t boosted = SL_PTX_UNROLL_MOST * SL_PTX_UNROLL_BOOST / 100 / size;
  const uint32_t examined = boosted < SL_PTX_UNROLL_EXAMINED ? boosted : SL_PTX_UNROLL_EXAMINED;
  return plain > examined ? plain : examined;
}

/* False: the loop stays. */
static bool unroll_whole(struct unroller *u, const struct sl_ptx_loop *l)
{
  const uint32_t size = size_of(l), rounds = rounds_of(u, l, most_rounds(size));
  u->out.count = 0;
  begin_fold(u, l, true, false);
  if (rounds == 0 || !copies(u, l, rounds, UINT32_MAX))
    return false;
  find_live(u, l);
  remove_dead(u, 0);
  return is_short(size, rounds, u->out.count) && (l->exit == l->end || put_jump(u, l)) && replace(u, l);
}

static bool roll(struct unroller *u, uint32_t pc)
{
  struct sl_ptx_parser *p = u->e.p;
  if (!SL_PTX_MORE(p, p->rolled, 1))
    return false;
  p->rolled.items[p->rolled.count++] = pc;
  return true;
}

/* Lanes that do different numbers of rounds would meet elsewhere at these. */
static bool is_together(struct unroller *u, const struct sl_ptx_loop *l)
{
  for (uint32_t pc = l->head; pc < l->branch; pc++)
    switch (code_of(u)[pc].kind) {
    case SL_PTX_K_SHFL:
    case SL_PTX_K_BARRIER:
    case SL_PTX_K_ATOMIC:
    case SL_PTX_K_MEMBAR: return true;
    default: break;
    }
  return false;
}

/* Whether only the branch reads the result of the comparison. */
static bool only_branch_reads(struct unroller *u, const struct sl_ptx_loop *l)
{
  memset(u->live, 0, sizeof u->live);
  for (uint32_t pc = l->head; pc < l->branch; pc++)
    read(u, &code_of(u)[pc]);
  return !u->live[code_of(u)[l->branch].guard.id];
}

/* Registers of the original stay live; copies of them do not. */
static void remove_dead_copies(struct unroller *u, uint32_t from, uint16_t first)
{
  for (unsigned id = 0; id < SL_PTX_TOLD_APART; id++)
    u->live[id] = id < first;
  remove_dead(u, from);
}

/* The number of rounds is a multiple of four: the branch is needed after each four only. */
static bool unroll_even(struct unroller *u, const struct sl_ptx_loop *l, uint16_t first)
{
  begin_fold(u, l, false, false);
  if (!copies(u, l, SL_PTX_COUNTED_ROUNDS, UINT32_MAX))
    return false;
  remove_dead_copies(u, 0, first);
  for (uint32_t pc = l->branch; pc < l->end; pc++)
    if (!put(u, &code_of(u)[pc]))
      return false;
  if (l->leaves)
    u->out.items[u->out.count - 2].target = exit_of(l, u->out.count);
  return replace(u, l) && roll(u, l->head);
}

/* Four rounds at a time, while as many are left, before the original. */
static bool unroll_counted(struct unroller *u, const struct sl_ptx_loop *l, struct sl_ptx_counted *c, uint16_t first)
{
  struct sl_ptx_insn guard[SL_PTX_COUNTED_GUARD], end[4];
  const uint32_t without = only_branch_reads(u, l) ? c->compare : UINT32_MAX;
  const unsigned guards = sl_ptx_counted_guard(c, &u->e, l, guard);
  for (unsigned i = 0; i < guards; i++)
    if (!put(u, &guard[i]))
      return false;
  begin_fold(u, l, false, false);
  if (guards == 0 || !copies(u, l, SL_PTX_COUNTED_ROUNDS, without))
    return false;
  remove_dead_copies(u, guards, first);
  sl_ptx_counted_end(c, &u->e, l, end);
  const uint32_t rest = u->out.count + 4, count = rest + l->end - l->head;
  u->out.items[guards - 1].target = l->head + rest;
  end[1].target = l->head + guards;
  end[3].target = exit_of(l, count);
  for (unsigned i = 0; i < 4; i++)
    if (!put(u, &end[i]))
      return false;
  for (uint32_t pc = l->head; pc < l->end; pc++)
    if (!put(u, &code_of(u)[pc]))
      return false;
  u->out.items[rest + l->branch - l->head].target = l->leaves ? exit_of(l, count) : l->head + rest;
  if (l->leaves)
    u->out.items[count - 1].target = l->head + rest;
  return replace(u, l) && roll(u, l->head + guards) && roll(u, l->head + rest);
}

/* False: the loop stays. */
static bool unroll_partly(struct unroller *u, const struct sl_ptx_loop *l)
{
  struct sl_ptx_counted c;
  uint64_t number;
  const uint16_t first = (uint16_t)u->e.p->used;
  u->out.count = 0;
  if ((size_of(l) - 2) * SL_PTX_COUNTED_ROUNDS + 2 >= SL_PTX_UNROLL_MOST || is_together(u, l))
    return false;
  begin_fold(u, l, false, true);
  if (!sl_ptx_counted_find(&c, &u->f, l))
    return false;
  const uint32_t rounds =
      sl_ptx_loop_number(&u->loops, l, c.counter, &number) ? sl_ptx_counted_rounds(&c, &u->e, number) : 0;
  if (rounds > 0 && rounds < SL_PTX_COUNTED_ROUNDS)
    return false;
  return rounds > 0 && rounds % SL_PTX_COUNTED_ROUNDS == 0 ? unroll_even(u, l, first) : unroll_counted(u, l, &c, first);
}

/* Unrolls the first loop that was not looked at; false: there is none. */
static bool unroll_next(struct unroller *u)
{
  struct sl_ptx_loop l;
  struct sl_ptx_parser *p = u->e.p;
  for (uint32_t pc = u->e.begin; pc < p->code.count; pc++) {
    if (!sl_ptx_loop_at(&u->loops, pc, &l) || sl_ptx_loop_is_rolled(&u->e, &l))
      continue;
    const uint16_t used = (uint16_t)p->used;
    if (unroll_whole(u, &l))
      return true;
    sl_ptx_edit_drop(&u->e, used);
    if (unroll_partly(u, &l))
      return true;
    sl_ptx_edit_drop(&u->e, used);
    if (!roll(u, pc))
      return false;
  }
  return false;
}

static bool is_linear(const struct sl_ptx_parser *p, uint32_t begin)
{
  for (uint32_t pc = begin; pc < p->code.count; pc++)
    if (p->code.items[pc].kind == SL_PTX_K_LINEAR)
      return true;
  return false;
}

bool sl_ptx_unroll(struct sl_ptx_parser *p, uint32_t begin)
{
  struct unroller *u = calloc(1, sizeof *u);
  if (u == NULL) {
    p->status = sl_no_memory(p->err, sizeof *u);
    return false;
  }
  bool going = !is_linear(p, begin) && sl_ptx_edit_begin(&u->e, p, begin);
  while (going) {
    if (!sl_ptx_loops_begin(&u->loops, &u->e))
      p->status = sl_no_memory(p->err, (p->code.count - begin) * sizeof *u->loops.entries);
    going = p->status == SL_OK && unroll_next(u) && p->status == SL_OK;
    sl_ptx_loops_free(&u->loops);
  }
  free(u->out.items);
  free(u);
  return p->status == SL_OK;
}
