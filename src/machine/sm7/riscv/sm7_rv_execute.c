#include "machine/sm7/riscv/sm7_rv_execute.h"

#include "machine/sm7/riscv/sm7_rv_access.h"
#include "machine/sm7/riscv/sm7_rv_csr.h"
#include "machine/sm7/riscv/sm7_rv_flow.h"
#include "machine/sm7/riscv/sm7_rv_linear.h"
#include "machine/sm7/riscv/sm7_rv_shadow.h"

enum { RA = 1 };

/* The instruction being executed. */
struct step {
  struct sl_sm7_rv *rv;
  struct sl_sm7_rv_place at;
  struct sl_sm7_rv_warp *w;
  const struct sl_insn *in;
  uint32_t index, pc, active;
  uint32_t place; /* of the instruction with its prefix, if it has one */
  struct sl_sm7_effect *effect;
};

static uint32_t *reg(const struct step *s, unsigned number)
{
  return s->w->x + (size_t)number * SL_SM7_LANES;
}

static bool fault(const struct step *s, enum sl_fault_kind kind, uint32_t lanes, uint32_t address)
{
  return sl_sm7_rv_fault(s->rv, &s->at, kind, lanes, address);
}

static bool overflows(const struct step *s)
{
  return fault(s, SL_FAULT_IPDOM_OVERFLOW, s->active, SL_PTX_STACK_DEPTH);
}

static bool advance(const struct step *s)
{
  sl_ptx_stack_advance(&s->w->stack, s->index + 1);
  return true;
}

static uint32_t execute(const struct step *s)
{
  return (uint32_t)s->rv->ops->execute[s->in->op](s->w->x, s->in, s->active, s->pc, SL_SM7_LANES);
}

static bool compute_float(const struct step *s)
{
  uint32_t raised = 0;
  if (!sl_fp_execute_warp(s->rv->fp, s->w->x, s->in, s->active, SL_SM7_LANES, s->w->fcsr >> SL_FCSR_FLAG_BITS, &raised))
    return fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->active, s->pc);
  s->w->fcsr |= raised;
  return advance(s);
}

static bool branch(const struct step *s)
{
  const uint32_t taken = execute(s), to = s->pc + s->in->imm, target = sl_code_index(&s->rv->code, to);
  if (taken && target >= s->rv->code.count)
    return fault(s, SL_FAULT_JUMP, taken, to);
  if (target == s->index + 1) /* to the same place as the others */
    return advance(s);
  return sl_ptx_stack_branch(&s->w->stack, taken, target, s->rv->reconvergence[s->index]) || overflows(s);
}

static void link(const struct step *s)
{
  if (s->in->rd != 0)
    s->rv->ops->broadcast(reg(s, s->in->rd), sl_code_next(&s->rv->code, s->pc), s->active, SL_SM7_LANES);
}

/* All lanes of the top go to one place, by a call or a jump; a jump to the next instruction is not a call. */
static bool go(const struct step *s, uint32_t to)
{
  const uint32_t target = sl_code_index(&s->rv->code, to);
  if (target >= s->rv->code.count)
    return fault(s, SL_FAULT_JUMP, s->active, to);
  link(s);
  if (sl_is_call(s->in) && target != s->index + 1)
    return sl_ptx_stack_call(&s->w->stack, target) || overflows(s);
  sl_ptx_stack_advance(&s->w->stack, target);
  return true;
}

/* The return address of the current function; SL_SM7_RV_NOWHERE: it is the kernel. */
static uint32_t caller(const struct sl_ptx_stack *stack)
{
  const uint32_t call = stack->entries[stack->depth - 1].call;
  for (uint32_t i = stack->depth; i-- > 0;)
    if (stack->entries[i].call < call)
      return stack->entries[i].pc;
  return SL_SM7_RV_NOWHERE;
}

/* The lanes `away` continue first; the others execute this instruction again. */
static void hold_others(const struct step *s)
{
  s->w->stack.entries[s->w->stack.depth - 1].pc = s->index - 1;
}

/* Lanes with the same target as the first lane jump together; the others execute the jump again. A jump to the return
 * address of the function is its return; a jump of the kernel to address 0 ends the thread. */
static bool jump_indirect(struct step *s)
{
  const uint32_t *base = reg(s, s->in->rs1), first = (base[__builtin_ctz(s->active)] + s->in->imm) & ~1u;
  const uint32_t target = sl_code_index(&s->rv->code, first), back = caller(&s->w->stack), all = s->active;
  uint32_t same = 0;
  for (uint32_t rest = all; rest; rest &= rest - 1)
    same |= ((base[__builtin_ctz(rest)] + s->in->imm) & ~1u) == first ? rest & -rest : 0;
  s->active = same;
  s->effect->counted = same;
  const bool kernel = back == SL_SM7_RV_NOWHERE, ends = kernel && first == 0 && s->in->rs1 == RA;
  if (s->in->rd == 0 && (ends || (!kernel && target == back))) {
    if (same != all)
      hold_others(s);
    s->effect->exited = ends;
    sl_ptx_stack_return(&s->w->stack, same);
    return true;
  }
  if (same != all && target < s->rv->code.count) {
    const uint32_t meet = sl_is_call(s->in) ? s->index + 1 : SL_SM7_RV_NOWHERE;
    hold_others(s);
    if (!sl_ptx_stack_branch(&s->w->stack, same, s->index, meet))
      return overflows(s);
  }
  return go(s, first);
}

/* The instruction must encode a barrier, because the core must know it in advance; an end may come from a register. */
static bool command(struct step *s)
{
  const uint32_t value = sl_sm7_rv_csr_operand(s->in, s->w->x, (unsigned)__builtin_ctz(s->active));
  if (sl_sm7_rv_is_barrier(s->in))
    return advance(s);
  if (!(value & SL_SM7_RV_END))
    return fault(s, SL_FAULT_CSR, s->active, s->in->csr);
  s->rv->failed |= !(value & SL_SM7_RV_SUCCESS);
  s->effect->exited = true;
  sl_ptx_stack_exit(&s->w->stack, s->active);
  return true;
}

static bool perform(struct step *s)
{
  switch ((enum sl_kind)s->in->kind) {
  case SL_KIND_ALU:
  case SL_KIND_MUL:
  case SL_KIND_DIV:
    if (s->in->rd != 0)
      execute(s);
    return advance(s);
  case SL_KIND_FPU:
  case SL_KIND_FPX: return compute_float(s);
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO:
    s->effect->active = s->active;
    return sl_sm7_rv_access(s->rv, &s->at, s->in, s->active, s->effect) && advance(s);
  case SL_KIND_FENCE: return advance(s);
  case SL_KIND_BRANCH: return branch(s);
  case SL_KIND_JAL: return go(s, s->pc + s->in->imm);
  case SL_KIND_JALR: return jump_indirect(s);
  case SL_KIND_CSR:
    if (s->in->csr == SL_SM7_RV_CSR_COMMAND)
      return command(s);
    return sl_sm7_rv_csr(s->rv, &s->at, s->in, s->active) ? advance(s) : fault(s, SL_FAULT_CSR, s->active, s->in->csr);
  case SL_KIND_SYSTEM: return fault(s, SL_FAULT_SYSTEM, s->active, 0);
  default: return fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->active, 0);
  }
}

/* Executes an instruction in the rest of a linear variant, with the original kernel as its shadow. */
static bool perform_shadowed(struct step *s)
{
  const uint32_t active = s->active;
  const bool beside = s->rv->shadow != NULL && s->w->phase == SL_SM7_PHASE_REST;
  if (beside && !sl_sm7_rv_shadow_before(s->rv, &s->at, s->in, active))
    return false;
  if (!perform(s))
    return false;
  if (beside)
    sl_sm7_rv_shadow_after(s->rv, &s->at, s->in, active);
  return true;
}

/* An instruction of linear registers, or one with a prefix. */
static bool perform_linear(struct step *s)
{
  if (!sl_linear_is_prefix(s->in))
    return sl_sm7_rv_linear_execute(s->rv, &s->at, s->index, s->active) ||
           fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->active, 0);
  s->in = sl_sm7_rv_linear_read(s->rv, &s->at, s->index);
  if (s->in == NULL)
    return fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->active, 0);
  s->index++;
  s->pc = sl_code_address(&s->rv->code, s->index);
  s->w->stack.entries[s->w->stack.depth - 1].pc = s->index; /* where it continues */
  if (!perform_shadowed(s))
    return false;
  sl_sm7_rv_linear_written(s->rv, &s->at, s->place);
  s->in = &s->rv->code.insn[s->index]; /* named registers */
  return true;
}

static void tell(const struct step *s, uint64_t cycle)
{
  uint32_t address[SL_SM7_LANES];
  for (uint32_t rest = s->effect->active; rest; rest &= rest - 1)
    address[__builtin_ctz(rest)] = (uint32_t)s->effect->address[__builtin_ctz(rest)];
  const struct sl_sm7_rv *rv = s->rv;
  const struct sl_probe_block block = {.index = rv->block[s->at.sm * SL_SM7_MAX_BLOCKS + s->at.slot].index,
                                       .size = rv->launch.block,
                                       .grid = rv->launch.grid,
                                       .warp = s->at.warp,
                                       .launch = rv->closure};
  const struct sl_probe probe = {.cycle = cycle,
                                 .pc = sl_code_address(&rv->code, s->place),
                                 .insn = s->in,
                                 .warp = sl_sm7_rv_number(s->rv, s->at.sm, s->at.slot, s->at.warp),
                                 .lanes = SL_SM7_LANES,
                                 .active = s->active,
                                 .values = reg(s, s->in->rd),
                                 .block = &block,
                                 .address = s->effect->active ? address : NULL};
  struct sl_probe issued = probe;
  issued.kind = SL_PROBE_ISSUED;
  if (s->rv->timed)
    sl_tell(s->rv->environment.probes, &issued);
  sl_tell_execution(s->rv->environment.probes, &probe);
}

bool sl_sm7_rv_issue(void *context, unsigned sm, unsigned slot, unsigned warp, uint64_t cycle,
                     struct sl_sm7_effect *effect)
{
  struct sl_sm7_rv *rv = context;
  struct sl_sm7_rv_warp *w = &rv->warp[sl_sm7_rv_number(rv, sm, slot, warp)];
  const uint32_t index = sl_ptx_stack_pc(&w->stack);
  struct step s = {.rv = rv,
                   .at = {sm, slot, warp},
                   .w = w,
                   .index = index,
                   .place = index,
                   .pc = sl_code_address(&rv->code, index),
                   .active = sl_ptx_stack_mask(&w->stack),
                   .effect = effect};
  effect->active = 0;
  effect->exited = false;
  effect->space = SL_SM7_NO_SPACE;
  effect->barrier = 0;
  effect->barrier_warps = 0;
  effect->arrives = false;
  effect->counted = s.active;
  if (index >= rv->code.count)
    return fault(&s, SL_FAULT_FETCH, s.active, 0);
  s.in = &rv->code.insn[index];
  if (__builtin_expect(s.in->kind == SL_KIND_LINEAR, 0) ? !perform_linear(&s)
      : rv->shadow != NULL                              ? !perform_shadowed(&s)
                                                        : !perform(&s))
    return false;
  if (__builtin_expect(rv->environment.probes != NULL, 0))
    tell(&s, cycle);
  effect->live = sl_ptx_stack_mask(&w->stack);
  effect->next = effect->live ? sl_ptx_stack_pc(&w->stack) : 0;
  return true;
}
