#include "machine/sm7/riscv/sm7_rv_execute.h"

#include "func/rv_execute.h"
#include "machine/sm7/riscv/sm7_rv_access.h"
#include "machine/sm7/riscv/sm7_rv_csr.h"
#include "machine/sm7/riscv/sm7_rv_flow.h"
#include "machine/sm7/riscv/sm7_rv_linear.h"
#include "machine/sm7/riscv/sm7_rv_shadow.h"

enum { RA = 1, LANE_BITS = 5 };

SL_HOLDS(1 << LANE_BITS, SL_SM7_LANES, "the lanes of a warp");

/* The instruction being executed. Results of its functions: it has been executed. */
struct step {
  struct sl_rv_lanes lanes; /* registers that a linear prefix has fused */
  struct sl_sm7_rv *rv;
  struct sl_sm7_rv_place at;
  struct sl_sm7_rv_warp *w;
  uint32_t index;
  uint32_t place; /* of the instruction with its prefix, if it has one */
  struct sl_sm7_effect *effect;
};

SL_RV_BODY struct sl_rv_lanes lanes_of(const void *step)
{
  const struct step *s = step;
  return s->lanes;
}

SL_RV_BODY int fault(void *step, enum sl_fault_kind kind, sl_lanes lanes, uint32_t address)
{
  const struct step *s = step;
  return sl_sm7_rv_fault(s->rv, &s->at, kind, (uint32_t)lanes, address);
}

static bool overflows(struct step *s)
{
  return fault(s, SL_FAULT_IPDOM_OVERFLOW, s->lanes.active, SL_SIMT_STACK_DEPTH);
}

SL_RV_BODY int next(void *step, bool wrote)
{
  const struct step *s = step;
  (void)wrote;
  sl_simt_stack_advance(&s->w->stack, s->index + 1);
  return true;
}

SL_RV_BODY bool outside(const void *step, uint32_t target)
{
  const struct sl_code *code = &((const struct step *)step)->rv->code;
  return sl_code_index(code, target) >= code->count;
}

SL_RV_BODY int branch(void *step, sl_lanes taken, uint32_t to)
{
  struct step *s = step;
  const uint32_t target = sl_code_index(&s->rv->code, to);
  if (taken && target >= s->rv->code.count)
    return fault(s, SL_FAULT_JUMP, taken, to);
  if (target == s->index + 1) /* to the same place as the others */
    return next(s, false);
  return sl_simt_stack_branch(&s->w->stack, (uint32_t)taken, target, s->rv->reconvergence[s->index]) || overflows(s);
}

/* All lanes of the top go to one place, by a call or a jump; a jump to the next instruction is not a call. */
SL_RV_BODY int jump(void *step, uint32_t to)
{
  struct step *s = step;
  const uint32_t target = sl_code_index(&s->rv->code, to);
  if (sl_is_call(s->lanes.insn) && target != s->index + 1)
    return sl_simt_stack_call(&s->w->stack, target) || overflows(s);
  sl_simt_stack_advance(&s->w->stack, target);
  return true;
}

/* The return address of the current function; SL_SM7_RV_NOWHERE: it is the kernel. */
static uint32_t caller(const struct sl_simt_stack *stack)
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
static int jump_indirect(void *step)
{
  struct step *s = step;
  const struct sl_insn *in = s->lanes.insn;
  const sl_lanes all = s->lanes.active;
  const uint32_t first = sl_rv_target(&s->lanes, sl_lowest(all)), target = sl_code_index(&s->rv->code, first);
  const uint32_t same = (uint32_t)sl_rv_lanes_to(&s->lanes, first), back = caller(&s->w->stack);
  s->lanes.active = same;
  s->effect->counted = same;
  const bool kernel = back == SL_SM7_RV_NOWHERE, ends = kernel && first == 0 && in->rs1 == RA;
  if (in->rd == 0 && (ends || (!kernel && target == back))) {
    if (same != all)
      hold_others(s);
    s->effect->exited = ends;
    sl_simt_stack_return(&s->w->stack, same);
    return true;
  }
  if (target >= s->rv->code.count)
    return fault(s, SL_FAULT_JUMP, same, first);
  if (same != all) {
    const uint32_t meet = sl_is_call(in) ? s->index + 1 : SL_SM7_RV_NOWHERE;
    hold_others(s);
    if (!sl_simt_stack_branch(&s->w->stack, same, s->index, meet))
      return overflows(s);
  }
  sl_rv_link(&s->lanes);
  return jump(s, first);
}

/* The instruction must encode a barrier, because the core must know it in advance; an end may come from a register. */
static int command(struct step *s)
{
  const struct sl_insn *in = s->lanes.insn;
  const uint32_t value = sl_sm7_rv_csr_operand(in, s->w->x, sl_lowest(s->lanes.active));
  if (sl_sm7_rv_is_barrier(in))
    return next(s, false);
  if (!(value & SL_SM7_RV_END))
    return fault(s, SL_FAULT_CSR, s->lanes.active, in->csr);
  s->rv->failed |= !(value & SL_SM7_RV_SUCCESS);
  s->effect->exited = true;
  sl_simt_stack_exit(&s->w->stack, (uint32_t)s->lanes.active);
  return true;
}

SL_RV_BODY int memory(void *step)
{
  struct step *s = step;
  s->effect->active = (uint32_t)s->lanes.active;
  return sl_sm7_rv_access(s->rv, &s->at, s->lanes.insn, s->effect->active, s->effect) && next(s, false);
}

SL_RV_BODY int csr(void *step)
{
  struct step *s = step;
  const struct sl_insn *in = s->lanes.insn;
  if (in->csr == SL_SM7_RV_CSR_COMMAND)
    return command(s);
  return sl_sm7_rv_csr(s->rv, &s->at, in, (uint32_t)s->lanes.active) ? next(s, false)
                                                                     : fault(s, SL_FAULT_CSR, s->lanes.active, in->csr);
}

static int floating(void *step)
{
  struct step *s = step;
  return sl_rv_float(&s->lanes, s->rv->fp, &s->w->fcsr)
             ? next(s, true)
             : fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->lanes.active, s->lanes.pc);
}

static const struct sl_rv_rules rules = {
    .lanes = lanes_of,
    .floating = floating,
    .next = next,
    .fault = fault,
    .outside = outside,
    .branch = branch,
    .jump = jump,
    .jump_indirect = jump_indirect,
    .access = memory,
    .csr = csr,
};

static bool perform(struct step *s)
{
  return sl_rv_execute(&rules, s, (enum sl_kind)s->lanes.insn->kind);
}

/* Executes an instruction in the rest of a linear variant, with the original kernel as its shadow. */
static bool perform_shadowed(struct step *s)
{
  const uint32_t active = (uint32_t)s->lanes.active;
  const bool beside = s->rv->shadow != NULL && s->w->phase == SL_SM7_PHASE_REST;
  if (beside && !sl_sm7_rv_shadow_before(s->rv, &s->at, s->lanes.insn, active))
    return false;
  if (!perform(s))
    return false;
  if (beside)
    sl_sm7_rv_shadow_after(s->rv, &s->at, s->lanes.insn, active);
  return true;
}

/* An instruction of linear registers, or one with a prefix. */
static bool perform_linear(struct step *s)
{
  if (!sl_linear_is_prefix(s->lanes.insn))
    return sl_sm7_rv_linear_execute(s->rv, &s->at, s->index, (uint32_t)s->lanes.active) ||
           fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->lanes.active, 0);
  s->lanes.insn = sl_sm7_rv_linear_read(s->rv, &s->at, s->index);
  if (s->lanes.insn == NULL)
    return fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->lanes.active, 0);
  s->index++;
  s->lanes.pc = sl_code_address(&s->rv->code, s->index);
  s->w->stack.entries[s->w->stack.depth - 1].pc = s->index; /* where it continues */
  if (!perform_shadowed(s))
    return false;
  sl_sm7_rv_linear_written(s->rv, &s->at, s->place);
  s->lanes.insn = &s->rv->code.insn[s->index]; /* named registers */
  return true;
}

void sl_sm7_rv_report_begun(void *context, unsigned sm, unsigned slot, uint64_t cycle)
{
  const struct sl_sm7_rv *rv = context;
  const struct sl_sm7_rv_block *b = &rv->block[sm * SL_SM7_MAX_BLOCKS + slot];
  const struct sl_probe_block block = {
      .index = b->index, .size = rv->launch.block, .grid = rv->launch.grid, .launch = rv->closure};
  sl_tell(rv->environment.probes, &(struct sl_probe){.kind = SL_PROBE_BEGUN,
                                                     .cycle = cycle,
                                                     .launch = rv->launches - 1,
                                                     .core = sm,
                                                     .pc = rv->entry,
                                                     .warp = sl_sm7_rv_number(rv, sm, slot, 0),
                                                     .lanes = SL_SM7_LANES,
                                                     .block = &block});
}

static void tell(const struct step *s, uint64_t cycle)
{
  uint32_t address[SL_SM7_LANES];
  for (uint32_t rest = s->effect->active; rest; rest &= rest - 1)
    address[__builtin_ctz(rest)] = (uint32_t)s->effect->address[__builtin_ctz(rest)];
  struct sl_sm7_rv *rv = s->rv;
  const bool eliminated = rv->timed && s->effect->id == 0; /* outside the pipeline */
  const uint64_t id = s->effect->id != 0 ? s->effect->id : ++rv->observation.ids;
  const struct sl_probe_block block = {.index = rv->block[s->at.sm * SL_SM7_MAX_BLOCKS + s->at.slot].index,
                                       .size = rv->launch.block,
                                       .grid = rv->launch.grid,
                                       .warp = s->at.warp,
                                       .launch = rv->closure};
  const struct sl_probe probe = {.cycle = eliminated ? rv->observation.cycle : cycle,
                                 .id = id,
                                 .stage = SL_SM7_STAGE_ISSUE,
                                 .launch = rv->launches - 1,
                                 .core = s->at.sm,
                                 .pc = sl_code_address(&rv->code, s->place),
                                 .insn = s->lanes.insn,
                                 .warp = sl_sm7_rv_number(s->rv, s->at.sm, s->at.slot, s->at.warp),
                                 .lanes = SL_SM7_LANES,
                                 .active = s->lanes.active,
                                 .values = sl_rv_register(&s->lanes, s->lanes.insn->rd),
                                 .block = &block,
                                 .address = s->effect->active ? address : NULL};
  struct sl_probe pipeline = probe;
  pipeline.kind = SL_PROBE_ISSUED;
  if (rv->timed)
    sl_tell(rv->environment.probes, &pipeline);
  sl_tell_execution(rv->environment.probes, &probe);
  pipeline.kind = SL_PROBE_RETIRED;
  pipeline.stage = SL_SM7_STAGE_DONE;
  if (eliminated)
    sl_tell(rv->environment.probes, &pipeline);
}

bool sl_sm7_rv_issue(void *context, unsigned sm, unsigned slot, unsigned warp, uint64_t cycle,
                     struct sl_sm7_effect *effect)
{
  struct sl_sm7_rv *rv = context;
  struct sl_sm7_rv_warp *w = &rv->warp[sl_sm7_rv_number(rv, sm, slot, warp)];
  const uint32_t index = sl_simt_stack_pc(&w->stack);
  struct step s = {.lanes = {.ops = rv->ops,
                             .x = w->x,
                             .active = sl_simt_stack_mask(&w->stack),
                             .pc = sl_code_address(&rv->code, index),
                             .lanes = SL_SM7_LANES,
                             .lane_bits = LANE_BITS},
                   .rv = rv,
                   .at = {sm, slot, warp},
                   .w = w,
                   .index = index,
                   .place = index,
                   .effect = effect};
  effect->active = 0;
  effect->exited = false;
  effect->space = SL_SM7_NO_SPACE;
  effect->barrier = 0;
  effect->barrier_warps = 0;
  effect->arrives = false;
  effect->counted = (uint32_t)s.lanes.active;
  if (index >= rv->code.count)
    return fault(&s, SL_FAULT_FETCH, s.lanes.active, 0);
  s.lanes.insn = &rv->code.insn[index];
  if (__builtin_expect(s.lanes.insn->kind == SL_KIND_LINEAR, 0) ? !perform_linear(&s)
      : rv->shadow != NULL                                      ? !perform_shadowed(&s)
                                                                : !perform(&s))
    return false;
  if (__builtin_expect(rv->environment.probes != NULL, 0))
    tell(&s, cycle);
  effect->live = sl_simt_stack_mask(&w->stack);
  effect->next = effect->live ? sl_simt_stack_pc(&w->stack) : 0;
  return true;
}
