#include "func/path_execute.h"

#include "func/rv_execute.h"

struct step {
  struct sl_path_warps *t;
  struct sl_paths *paths;
  unsigned warp, path;
  struct sl_execution *ex;
  struct sl_request *request;
};

SL_RV_BODY struct sl_rv_lanes lanes_of(const void *step)
{
  const struct step *s = step;
  return sl_path_lanes(s->t, s->warp, s->ex);
}

SL_RV_BODY int fault(void *step, enum sl_fault_kind kind, sl_lanes lanes, uint32_t address)
{
  const struct step *s = step;
  sl_path_fault(s->t, s->warp, s->ex, kind, lanes, address);
  return SL_EFFECT_FAULT;
}

SL_RV_BODY int next(void *step, bool wrote)
{
  const struct step *s = step;
  sl_paths_advance(s->paths, s->path, sl_code_next(&s->t->code, s->ex->pc));
  return wrote ? SL_EFFECT_RESULT : SL_EFFECT_NONE;
}

SL_RV_BODY bool outside(const void *step, uint32_t target)
{
  return sl_path_warps_outside(((const struct step *)step)->t, target);
}

SL_RV_BODY int branch(void *step, sl_lanes taken, uint32_t target)
{
  const struct step *s = step;
  return (int)sl_path_branched(s->t, s->warp, s->path, s->ex, taken, target);
}

SL_RV_BODY int jumped(const struct step *s)
{
  s->ex->jumped = true;
  sl_path_warps_count_call(s->t, &s->paths->path[s->path], s->ex->insn);
  return s->ex->insn->rd != 0 ? SL_EFFECT_RESULT : SL_EFFECT_NONE;
}

SL_RV_BODY int jump(void *step, uint32_t target)
{
  const struct step *s = step;
  const int effect = jumped(s);
  sl_paths_advance(s->paths, s->path, target);
  return effect;
}

/* Each lane goes to its own target. */
SL_RV_BODY int jump_indirect(void *step)
{
  struct step *s = step;
  const struct sl_rv_lanes l = lanes_of(s);
  uint32_t target[SL_MAX_LANES], differ = 0;
  sl_lanes wrong = 0;
  const uint32_t first = sl_rv_target(&l, sl_lowest(s->ex->active));
  for (sl_lanes rest = s->ex->active; rest; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    target[lane] = sl_rv_target(&l, lane);
    differ |= target[lane] ^ first;
    wrong |= outside(s, target[lane]) ? sl_bit(lane) : 0;
  }
  s->ex->jumped = true;
  if (wrong)
    return fault(s, SL_FAULT_JUMP, wrong, target[sl_lowest(wrong)]);
  sl_rv_link(&l);
  const int effect = jumped(s);
  if (differ)
    sl_paths_scatter(s->paths, s->path, target);
  else
    sl_paths_advance(s->paths, s->path, first);
  return effect;
}

SL_RV_BODY int memory(void *step)
{
  const struct step *s = step;
  return (int)sl_path_access(s->t, s->warp, s->path, s->ex, s->request);
}

/* A warp command of some lanes is a fault, unless the scheme lets them wait for others. Then it is fetched again. */
SL_RV_BODY int diverged_command(const struct step *s)
{
  if (s->t->fault.kind != SL_FAULT_DIVERGED_COMMAND || !sl_paths_arrive(s->paths, s->path))
    return SL_EFFECT_FAULT;
  s->t->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  sl_paths_advance(s->paths, s->path, s->ex->pc);
  return SL_EFFECT_NONE;
}

SL_RV_BODY int csr(void *step)
{
  const struct step *s = step;
  const enum sl_effect effect = sl_csr_access(s->t, s->warp, s->ex);
  if (__builtin_expect(effect == SL_EFFECT_FAULT, 0))
    return diverged_command(s);
  sl_paths_advance(s->paths, s->path, sl_code_next(&s->t->code, s->ex->pc));
  return (int)effect;
}

/* Lanes that others of the warp wait for: the group waits if the scheme lets it. Then the instruction is fetched again.
 */
static __attribute__((noinline)) int sync_lanes(struct step *s)
{
  const struct sl_rv_lanes l = lanes_of(s);
  const sl_lanes missing = sl_rv_awaited(&l);
  if (missing == 0) {
    s->paths->fair.parked &= ~s->ex->active; /* those that have waited */
    return next(s, false);
  }
  if (sl_paths_arrive(s->paths, s->path)) {
    sl_paths_advance(s->paths, s->path, s->ex->pc);
    return SL_EFFECT_NONE;
  }
  fault(s, SL_FAULT_LANES_APART, s->ex->active, 0);
  sl_path_held(s->t, s->warp, missing);
  return SL_EFFECT_FAULT;
}

/* Marks of the convergence scheme, and flushes. */
SL_RV_BODY int special(void *step)
{
  struct step *s = step;
  const enum sl_kind kind = s->ex->insn->kind;
  if (s->ex->insn->op == SL_OP_SYNC_LANES)
    return sync_lanes(s);
  if (kind == SL_KIND_WARP)
    return fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->ex->active, 0);
  if (kind == SL_KIND_FLUSH)
    return next(s, false);
  const enum sl_marked marked = sl_paths_mark(s->paths, s->path, kind == SL_KIND_PUSH ? SL_MARK_PUSH : SL_MARK_POP);
  if (marked == SL_MARKED)
    return next(s, false);
  return fault(s, marked == SL_MARKED_FULL ? SL_FAULT_NEST_OVERFLOW : SL_FAULT_NEST_UNDERFLOW, s->ex->active, 0);
}

static const struct sl_rv_rules rules = {
    .lanes = lanes_of,
    .next = next,
    .fault = fault,
    .outside = outside,
    .branch = branch,
    .jump = jump,
    .jump_indirect = jump_indirect,
    .reserves = true, /* sl_memory_access refuses LR and SC where there are none */
    .access = memory,
    .fence = memory,
    .csr = csr,
    .special = special,
};

enum sl_effect sl_path_execute(struct sl_path_warps *t, unsigned warp, unsigned path, struct sl_execution *ex,
                               struct sl_request *request)
{
  struct step s = {.t = t, .paths = &t->paths[warp], .warp = warp, .path = path, .ex = ex, .request = request};
  return (enum sl_effect)sl_rv_execute(&rules, &s, (enum sl_kind)ex->insn->kind);
}
