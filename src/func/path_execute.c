#include "func/path_execute.h"

#include "func/rv_execute.h"

/* The value that an instruction writes to a CSR that reads 0. */
static uint32_t written(const struct sl_path_warps *t, const uint32_t *x, const struct sl_insn *in, unsigned lane)
{
  return sl_csr_written(in, 0, sl_csr_operand(in, x[((size_t)in->rs1 << t->lane_bits) + lane]));
}

static enum sl_effect csr_fault(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                                enum sl_fault_kind kind)
{
  sl_path_fault(t, warp, ex, kind, ex->active, ex->insn->csr);
  return SL_EFFECT_FAULT;
}

static enum sl_effect command(struct sl_path_warps *t, unsigned warp, struct sl_execution *ex, const uint32_t *x)
{
  if (!sl_csr_writes(ex->insn))
    return SL_EFFECT_NONE;
  if (ex->active != t->all)
    return csr_fault(t, warp, ex, SL_FAULT_DIVERGED_COMMAND);
  ex->command = written(t, x, ex->insn, 0);
  return SL_EFFECT_COMMAND;
}

bool sl_csr_commands(const struct sl_path_warps *t, unsigned warp, const struct sl_insn *in, uint32_t *value)
{
  if (in->kind != SL_KIND_CSR || in->csr != SL_CSR_COMMAND || !sl_csr_writes(in))
    return false;
  *value = written(t, sl_path_warps_registers(t, warp), in, 0);
  return true;
}

static void print_words(struct sl_path_warps *t, const struct sl_execution *ex, const uint32_t *x)
{
  if (t->print_word == NULL || !sl_csr_writes(ex->insn))
    return;
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1)
    t->print_word(t->print_context, written(t, x, ex->insn, sl_lowest(rest)));
}

enum sl_effect sl_csr_access(struct sl_path_warps *t, unsigned warp, struct sl_execution *ex)
{
  const struct sl_insn *in = ex->insn;
  uint32_t *x = sl_path_warps_registers(t, warp);
  uint32_t *d = x + ((size_t)in->rd << t->lane_bits);
  uint32_t value = 0, step = 0;
  switch (in->csr) {
  case SL_CSR_COMMAND: return command(t, warp, ex, x);
  case SL_CSR_PRINT_WORD: print_words(t, ex, x); break;
  case SL_CSR_END:
    if (t->end_program != NULL && sl_csr_writes(in))
      t->end_program(t->print_context, written(t, x, in, sl_lowest(ex->active)));
    break;
  case SL_CSR_HART_ID:
    value = warp << t->lane_bits;
    step = 1;
    break;
  case SL_CSR_CLOSURE: value = t->s.closure; break;
  default: return csr_fault(t, warp, ex, SL_FAULT_CSR);
  }
  if (in->rd == 0)
    return SL_EFFECT_NONE;
  for (unsigned lane = 0; lane < t->spec.lanes; lane++)
    if (ex->active >> lane & 1)
      d[lane] = value + lane * step;
  return SL_EFFECT_RESULT;
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

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

/* Marks of the convergence scheme, and flushes. */
SL_RV_BODY int special(void *step)
{
  struct step *s = step;
  const enum sl_kind kind = s->ex->insn->kind;
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
