#include "warp/path_execute.h"

#include "warp/path_csr.h"

static enum sl_effect fault(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex,
                            enum sl_fault_kind kind)
{
  t->fault = (struct sl_fault){.kind = kind, .warp = (int)warp, .lanes = ex->active, .pc = ex->pc, .insn = *ex->insn};
  return SL_EFFECT_FAULT;
}

enum sl_effect sl_path_wrong_jump(struct sl_path_warps *t, unsigned warp, const struct sl_execution *ex, sl_lanes lanes,
                                  uint32_t target)
{
  fault(t, warp, ex, SL_FAULT_JUMP);
  t->fault.lanes = lanes;
  t->fault.address = target;
  return SL_EFFECT_FAULT;
}

/* Writes the link register of a jump. */
static enum sl_effect link(struct sl_path_warps *t, uint32_t *x, const struct sl_execution *ex)
{
  if (ex->insn->rd == 0)
    return SL_EFFECT_NONE;
  t->ops->broadcast(x + ((size_t)ex->insn->rd << t->lane_bits), sl_code_next(&t->code, ex->pc), ex->active,
                    t->spec.lanes);
  return SL_EFFECT_RESULT;
}

static enum sl_effect jump_indirect(struct sl_path_warps *t, unsigned warp, unsigned path, struct sl_execution *ex)
{
  struct sl_paths *paths = &t->paths[warp];
  uint32_t *x = sl_path_warps_registers(t, warp);
  const uint32_t *base = x + ((size_t)ex->insn->rs1 << t->lane_bits);
  uint32_t target[SL_MAX_LANES];
  uint32_t differ = 0;
  sl_lanes wrong = 0;
  const uint32_t first = (base[sl_lowest(ex->active)] + ex->insn->imm) & ~1u;
  ex->jumped = true;
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1) {
    unsigned lane = sl_lowest(rest);
    target[lane] = (base[lane] + ex->insn->imm) & ~1u;
    differ |= target[lane] ^ first;
    wrong |= sl_path_warps_outside(t, target[lane]) ? sl_bit(lane) : 0;
  }
  if (wrong)
    return sl_path_wrong_jump(t, warp, ex, wrong, target[sl_lowest(wrong)]);
  enum sl_effect effect = link(t, x, ex);
  sl_path_warps_count_call(t, &paths->path[path], ex->insn);
  if (differ)
    sl_paths_scatter(paths, path, target);
  else
    sl_paths_advance(paths, path, first);
  return effect;
}

static enum sl_effect nest(struct sl_path_warps *t, unsigned warp, unsigned path, const struct sl_execution *ex)
{
  const enum sl_mark_kind kind = ex->insn->kind == SL_KIND_PUSH ? SL_MARK_PUSH : SL_MARK_POP;
  const enum sl_marked marked = sl_paths_mark(&t->paths[warp], path, kind);
  if (marked != SL_MARKED)
    return fault(t, warp, ex, marked == SL_MARKED_FULL ? SL_FAULT_NEST_OVERFLOW : SL_FAULT_NEST_UNDERFLOW);
  sl_paths_advance(&t->paths[warp], path, sl_code_next(&t->code, ex->pc));
  return SL_EFFECT_NONE;
}

/* A warp command of some lanes is a fault, unless the scheme lets them wait for others. Then it is fetched again. */
static enum sl_effect diverged_command(struct sl_path_warps *t, unsigned warp, unsigned path,
                                       const struct sl_execution *ex)
{
  struct sl_paths *paths = &t->paths[warp];
  if (t->fault.kind != SL_FAULT_DIVERGED_COMMAND || !sl_paths_arrive(paths, path))
    return SL_EFFECT_FAULT;
  t->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  sl_paths_advance(paths, path, ex->pc);
  return SL_EFFECT_NONE;
}

enum sl_effect sl_path_execute(struct sl_path_warps *t, unsigned warp, unsigned path, struct sl_execution *ex,
                               struct sl_request *request)
{
  const struct sl_insn *in = ex->insn;
  struct sl_paths *paths = &t->paths[warp];
  uint32_t *x = sl_path_warps_registers(t, warp);
  enum sl_effect effect = SL_EFFECT_NONE;
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_ALU:
  case SL_KIND_MUL:
  case SL_KIND_DIV:
  case SL_KIND_FPU: return sl_path_compute(t, warp, path, ex);
  case SL_KIND_BRANCH: return sl_path_branch(t, warp, path, ex);
  case SL_KIND_JAL:
    if (__builtin_expect(sl_path_warps_outside(t, ex->pc + in->imm), 0))
      return sl_path_wrong_jump(t, warp, ex, ex->active, ex->pc + in->imm);
    ex->jumped = true;
    effect = link(t, x, ex);
    sl_path_warps_count_call(t, &paths->path[path], in);
    sl_paths_advance(paths, path, ex->pc + in->imm);
    return effect;
  case SL_KIND_JALR: return jump_indirect(t, warp, path, ex);
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO:
  case SL_KIND_FENCE: return sl_path_access(t, warp, path, ex, request);
  case SL_KIND_CSR:
    effect = sl_csr_access(t, warp, ex);
    if (__builtin_expect(effect == SL_EFFECT_FAULT, 0))
      return diverged_command(t, warp, path, ex);
    break;
  case SL_KIND_PUSH:
  case SL_KIND_POP: return nest(t, warp, path, ex);
  case SL_KIND_FLUSH: break;
  case SL_KIND_SYSTEM: return fault(t, warp, ex, SL_FAULT_SYSTEM);
  case SL_KIND_FPX:
  case SL_KIND_LRSC:
  case SL_KIND_WARP:
  case SL_KIND_LINEAR:
  case SL_KIND_UNKNOWN: return fault(t, warp, ex, SL_FAULT_UNKNOWN_INSTRUCTION);
  }
  sl_paths_advance(paths, path, sl_code_next(&t->code, ex->pc));
  return effect;
}
