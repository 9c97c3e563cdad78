#include "machine/sm7/riscv/sm7_rv_warps.h"

#include "base/livelock.h"
#include "convergence/simt_stack.h"

enum { MOST_LOCAL = 1 << 20 /* bytes of a warp's stacks in a trial */ };

struct context {
  struct sl_sm7_rv *rv;
  struct sl_sm7_rv_place at;
  struct sl_sm7_rv_warp *w;
  struct sl_trial_memory *memory;
};

/* Notes the bytes of shared and global memory that an instruction will access. Stacks belong to the warp's state: they
 * must not grow, because that moves them. False: the access faults or ends the trial, or stacks grow. */
static bool look(const struct context *c, const struct sl_insn *in)
{
  const uint32_t *base = c->w->x + (size_t)in->rs1 * SL_SM7_LANES, offset = in->kind == SL_KIND_AMO ? 0 : in->imm;
  for (uint32_t rest = sl_simt_stack_mask(&c->w->stack); rest; rest &= rest - 1) {
    const uint32_t address = base[__builtin_ctz(rest)] + offset;
    if (address >= SL_SM7_RV_LOCAL) {
      if (~address / 4 >= c->w->local_words)
        return false;
      continue;
    }
    uint8_t *bytes = sl_sm7_rv_shared_or_global(c->rv, &c->at, address);
    if (bytes == NULL || (address & (in->width - 1u)) != 0 ||
        !sl_trial_access(c->memory, bytes, in->width, in->kind != SL_KIND_LOAD))
      return false;
  }
  return true;
}

/* Barriers, ends and output have an effect outside the warp. */
static bool shows(const struct sl_insn *in)
{
  return in->kind == SL_KIND_CSR && (in->csr == SL_SM7_RV_CSR_COMMAND || in->csr == SL_SM7_RV_CSR_PRINT_WORD);
}

static bool step(void *context, struct sl_trial_step *did)
{
  const struct context *c = context;
  const struct sl_simt_stack *stack = &c->w->stack;
  struct sl_sm7_effect effect;
  did->pc = sl_simt_stack_pc(stack);
  did->lanes = sl_simt_stack_mask(stack);
  if (did->pc >= c->rv->code.count)
    return false;
  const struct sl_insn *in = &c->rv->code.insn[did->pc];
  const bool accesses = in->kind == SL_KIND_LOAD || in->kind == SL_KIND_STORE || in->kind == SL_KIND_AMO;
  if (shows(in) || in->kind == SL_KIND_LINEAR || (accesses && !look(c, in)))
    return false;
  if (!sl_sm7_rv_issue(c->rv, c->at.sm, c->at.slot, c->at.warp, 0, &effect) || effect.live == 0)
    return false;
  did->back = (in->kind == SL_KIND_BRANCH || in->kind == SL_KIND_JAL || in->kind == SL_KIND_JALR) &&
              sl_simt_stack_pc(stack) <= did->pc;
  return true;
}

static bool spins(void *context, struct sl_spin *spin)
{
  struct context *c = context;
  struct sl_sm7_rv *rv = c->rv;
  struct sl_sm7_rv_warp *w = c->w;
  struct sl_probes *probes = rv->environment.probes;
  const size_t local = (size_t)w->local_words * SL_SM7_LANES * sizeof *w->local;
  struct sl_trial trial = {.memory = c->memory, .context = c, .step = step};
  if (local > MOST_LOCAL)
    return false;
  sl_trial_add(&trial, &w->stack, sizeof w->stack);
  sl_trial_add(&trial, w->x, (size_t)w->rows * SL_SM7_LANES * sizeof *w->x);
  sl_trial_add(&trial, &w->fcsr, sizeof w->fcsr);
  sl_trial_add(&trial, w->local, local);
  sl_trial_keep(&trial, &rv->fault, sizeof rv->fault);
  rv->environment.probes = NULL;
  const bool result = sl_trial_spins(&trial, spin);
  rv->environment.probes = probes;
  return result;
}

bool sl_sm7_rv_spins(void *context, unsigned sm, unsigned slot, unsigned warp, struct sl_trial_memory *memory)
{
  struct sl_sm7_rv *rv = context;
  struct context c = {
      .rv = rv, .at = {sm, slot, warp}, .w = &rv->warp[sl_sm7_rv_number(rv, sm, slot, warp)], .memory = memory};
  struct sl_spin spin;
  if (rv->linear.chosen != NULL) /* linear registers are not part of a trial */
    return false;
  if (!sl_simt_groups_spin(&c.w->stack, spins, &c, &spin))
    return false;
  const bool better = sl_lanes_at(sl_sm7_scheme(&rv->spec), &c.w->stack, ~spin.lanes).lanes != 0;
  if (rv->fault.kind == SL_FAULT_LIVELOCK && (rv->fault.blocks || !better))
    return true;
  sl_sm7_rv_fault(rv, &c.at, SL_FAULT_LIVELOCK, (uint32_t)spin.lanes, 0);
  rv->fault.pc = sl_code_address(&rv->code, spin.pc);
  rv->fault.insn = rv->code.insn[spin.pc];
  rv->fault.blocks = better;
  rv->fault.parked = c.w->stack.turn.period != 0;
  return true;
}

/* Updates of uniform registers without cost: of all warps, or of all but the first of a block. */
static bool pass_updates(void *context, unsigned sm, unsigned slot, unsigned warp, struct sl_sm7_passed *passed)
{
  struct sl_sm7_rv *rv = context;
  const struct sl_simt_stack *stack = &rv->warp[sl_sm7_rv_number(rv, sm, slot, warp)].stack;
  struct sl_sm7_effect effect;
  effect.id = 0;
  if (rv->linear.updates == SL_SM7_UR_BLOCK && warp == 0)
    return true;
  for (uint32_t pc = sl_simt_stack_pc(stack); rv->fact[pc].update; pc = passed->next) {
    if (!sl_sm7_rv_issue(rv, sm, slot, warp, 0, &effect))
      return false;
    passed->instructions++;
    passed->lanes += (uint32_t)__builtin_popcount(effect.counted);
    passed->next = sl_simt_stack_pc(stack);
    passed->straight &= passed->next == pc + 1 + rv->fact[pc].more;
  }
  return true;
}

static void prefetch_warp(const void *context, unsigned sm, unsigned slot, unsigned warp)
{
  const struct sl_sm7_rv *rv = context;
  __builtin_prefetch(&rv->warp[sl_sm7_rv_number(rv, sm, slot, warp)]);
}

static void prefetch_registers(const void *context, unsigned sm, unsigned slot, unsigned warp, uint32_t pc)
{
  const struct sl_sm7_rv *rv = context;
  if (pc >= rv->code.count)
    return;
  const struct sl_insn *in = &rv->code.insn[pc];
  const uint32_t *x = rv->warp[sl_sm7_rv_number(rv, sm, slot, warp)].x;
  const uint8_t number[] = {in->rd, in->rs1, in->rs2};
  for (unsigned i = 0; i < sizeof number; i++)
    for (unsigned word = 0; word < SL_SM7_LANES; word += SL_CACHE_LINE / sizeof *x)
      __builtin_prefetch(x + number[i] * SL_SM7_LANES + word);
}

struct sl_sm7_front sl_sm7_rv_front(struct sl_sm7_rv *rv)
{
  const bool linear = rv->linear.chosen != NULL;
  return (struct sl_sm7_front){.context = rv,
                               .code = rv->fact,
                               .count = rv->code.count,
                               .code_address = sl_code_address(&rv->code, 0),
                               .code_bytes = sizeof(uint32_t),
                               .begin = linear ? sl_sm7_rv_linear_begin : sl_sm7_rv_begin,
                               .report_begun = sl_sm7_rv_report_begun,
                               .lanes = sl_sm7_rv_lanes,
                               .phase = linear ? sl_sm7_rv_phase : NULL,
                               .pass = linear && rv->linear.updates != SL_SM7_UR_WARP ? pass_updates : NULL,
                               .issue = sl_sm7_rv_issue,
                               .prefetch_warp = prefetch_warp,
                               .prefetch_registers = prefetch_registers,
                               .spins = sl_sm7_rv_spins};
}
