#include "core/threads.h"

#include <stdlib.h>

#include "core/csr.h"
#include "core/memory_access.h"

enum sl_code sl_threads_init(struct sl_threads *t, const struct sl_threads_spec *spec, const struct sl_lane_ops *ops,
                             struct sl_memory *memory, struct sl_error *err)
{
  const size_t words = (size_t)spec->warps * SL_REGISTERS * spec->lanes;
  const size_t bytes = (words * sizeof *t->x + SL_CACHE_LINE - 1) / SL_CACHE_LINE * SL_CACHE_LINE;
  *t = (struct sl_threads){
      .spec = *spec,
      .ops = ops,
      .memory = memory,
      .lane_bits = sl_log2(spec->lanes),
      .all = sl_low_bits(spec->lanes),
      .stack = {.virtual_base = sl_threads_stack_base(spec),
                .physical_base = sl_threads_stack_memory(spec),
                .slot_shift = 2 + sl_log2(spec->lanes) + sl_log2(spec->warps)},
      .x = aligned_alloc(SL_CACHE_LINE, bytes),
      .paths = calloc(spec->warps, sizeof *t->paths),
      .code = calloc(spec->code_words, sizeof *t->code),
  };
  if (t->x == NULL || t->paths == NULL || t->code == NULL) {
    sl_threads_free(t);
    return sl_no_memory(err, bytes);
  }
  memset(t->x, 0, bytes);
  const struct sl_insn empty = sl_decode(0, spec->isa_sets);
  for (uint32_t i = 0; i < spec->code_words; i++)
    t->code[i] = empty;
  return SL_OK;
}

void sl_threads_free(struct sl_threads *t)
{
  free(t->x);
  free(t->paths);
  free(t->code);
  *t = (struct sl_threads){0};
}

void sl_threads_start(struct sl_threads *t, uint32_t entry, uint32_t closure)
{
  t->closure = closure;
  t->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  for (unsigned w = 0; w < t->spec.warps; w++)
    sl_paths_start(&t->paths[w], t->all, entry);
}

void sl_threads_write_code(struct sl_threads *t, uint32_t address, uint32_t word)
{
  uint32_t index = ((address - t->spec.code_base) / 4) & (t->spec.code_words - 1);
  t->code[index] = sl_decode(word, t->spec.isa_sets);
}

static enum sl_effect fault(struct sl_threads *t, unsigned warp, const struct sl_execution *ex, enum sl_fault_kind kind)
{
  t->fault =
      (struct sl_fault){.kind = kind, .warp = (int)warp, .lanes = ex->active, .pc = ex->pc, .insn = *ex->insn};
  return SL_EFFECT_FAULT;
}

/* The link register of a jump. */
static enum sl_effect link(struct sl_threads *t, uint32_t *x, const struct sl_execution *ex)
{
  if (ex->insn->rd == 0)
    return SL_EFFECT_NONE;
  t->ops->broadcast(x + ((size_t)ex->insn->rd << t->lane_bits), ex->pc + 4, ex->active, t->spec.lanes);
  return SL_EFFECT_RESULT;
}

static enum sl_effect jump_indirect(struct sl_threads *t, struct sl_paths *paths, unsigned path, uint32_t *x,
                                    const struct sl_execution *ex)
{
  const uint32_t *base = x + ((size_t)ex->insn->rs1 << t->lane_bits);
  uint32_t target[SL_MAX_LANES];
  uint32_t differ = 0;
  const uint32_t first = (base[sl_lowest(ex->active)] + ex->insn->imm) & ~1u;
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1) {
    unsigned lane = sl_lowest(rest);
    target[lane] = (base[lane] + ex->insn->imm) & ~1u;
    differ |= target[lane] ^ first;
  }
  enum sl_effect effect = link(t, x, ex);
  if (differ)
    sl_paths_scatter(paths, path, target);
  else
    sl_paths_advance(paths, path, first);
  return effect;
}

static enum sl_effect nest(struct sl_threads *t, unsigned warp, unsigned path, const struct sl_execution *ex)
{
  struct sl_path *p = &t->paths[warp].path[path];
  if (ex->insn->kind == SL_KIND_PUSH) {
    if (p->level == SL_NEST_MAX)
      return fault(t, warp, ex, SL_FAULT_NEST_OVERFLOW);
    p->level++;
  } else {
    if (p->level == 0)
      return fault(t, warp, ex, SL_FAULT_NEST_UNDERFLOW);
    p->level--;
  }
  sl_paths_advance(&t->paths[warp], path, ex->pc + 4);
  return SL_EFFECT_NONE;
}

enum sl_effect sl_threads_execute(struct sl_threads *t, unsigned warp, unsigned path, struct sl_execution *ex,
                                  struct sl_request *request)
{
  const struct sl_insn *in = ex->insn;
  struct sl_paths *paths = &t->paths[warp];
  uint32_t *x = sl_threads_registers(t, warp);
  enum sl_effect effect = SL_EFFECT_NONE;
  switch ((enum sl_kind)in->kind) {
  case SL_KIND_ALU:
  case SL_KIND_MUL:
  case SL_KIND_DIV:
  case SL_KIND_FPU:
    if (in->rd != 0) {
      t->ops->execute[in->op](x, in, ex->active, ex->pc, t->spec.lanes);
      effect = SL_EFFECT_RESULT;
    }
    break;
  case SL_KIND_BRANCH: {
    sl_lanes taken = t->ops->execute[in->op](x, in, ex->active, ex->pc, t->spec.lanes);
    sl_paths_branch(paths, path, taken, ex->pc + in->imm, ex->pc + 4);
    return SL_EFFECT_NONE;
  }
  case SL_KIND_JAL:
    effect = link(t, x, ex);
    sl_paths_advance(paths, path, ex->pc + in->imm);
    return effect;
  case SL_KIND_JALR:
    return jump_indirect(t, paths, path, x, ex);
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO:
  case SL_KIND_FENCE:
    if (!sl_memory_access(t, warp, ex, request))
      return SL_EFFECT_FAULT;
    break;
  case SL_KIND_CSR:
    effect = sl_csr_access(t, warp, ex);
    if (effect == SL_EFFECT_FAULT)
      return effect;
    break;
  case SL_KIND_PUSH:
  case SL_KIND_POP:
    return nest(t, warp, path, ex);
  case SL_KIND_FLUSH:
    break;
  case SL_KIND_SYSTEM:
    return fault(t, warp, ex, SL_FAULT_SYSTEM);
  case SL_KIND_LRSC:
  case SL_KIND_UNKNOWN:
    return fault(t, warp, ex, SL_FAULT_UNKNOWN_INSTRUCTION);
  }
  sl_paths_advance(paths, path, ex->pc + 4);
  return effect;
}
