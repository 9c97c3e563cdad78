#include "machine/vortex/core/vortex_execute.h"

#include "func/ipdom_execute.h"
#include "func/ipdom_warps.h"
#include "func/warp_livelock.h"
#include "isa/probe.h"
#include "machine/vortex/core/vortex_stages.h"
#include "machine/vortex/core/vortex_units.h"

struct place {
  const struct sl_vortex_gpu *sm;
  unsigned core;
};

/* Where a warp continues: at its oldest instruction in flight that has not executed, else at its next one. Those in
 * flight follow each other in memory, because fetch waits for a jump to execute. */
static uint32_t next_pc(const void *context, unsigned warp)
{
  const struct place *place = context;
  const struct sl_vortex_gpu *sm = place->sm;
  const unsigned core = place->core;
  const struct sl_vortex_pipeline *p = &sm->timed.pipeline[core];
  uint32_t pc = sm->core[core].warps.warp[warp].pc, oldest = UINT32_MAX;
  for (uint32_t i = 0; i < p->op_count && sm->s.timing; i++)
    if (p->op[i].holds > 0 && p->op[i].warp == warp && !p->op[i].executed && p->op[i].pc < oldest)
      oldest = p->op[i].pc;
  return oldest != UINT32_MAX ? oldest : pc;
}

/* Returns true if a warp is about to end, or to change which warps run or wait. */
static bool changes_come(const struct sl_vortex_gpu *sm, unsigned core)
{
  const struct sl_vortex_pipeline *p = &sm->timed.pipeline[core];
  const struct sl_core_sync *sync = &sm->core[core].warps.s.sync;
  bool come = sync->spawning && sync->active == sl_bit(sync->spawner);
  come |= sm->s.timing && sync->at_global != 0 && sm->timed.s.cycle != sm->timed.s.end;
  for (uint32_t i = 0; i < p->op_count && sm->s.timing && !come; i++)
    come = p->op[i].holds > 0 && p->op[i].executed && p->op[i].effect != SL_IPDOM_NOTHING;
  return come;
}

static bool all_spin(struct sl_vortex_gpu *sm, struct sl_fault *fault)
{
  struct sl_trial_memory *memory = sl_trial_memory_create();
  bool all = true;
  for (unsigned c = 0; c < sm->spec.cores && all; c++) {
    struct sl_ipdom_warps *w = &sm->core[c].warps;
    const struct place place = {sm, c};
    all = !changes_come(sm, c) && sl_ipdom_livelock(w, sl_core_sync_free(&w->s.sync), next_pc, &place, memory, fault);
  }
  sl_trial_memory_free(memory);
  return all;
}

void sl_vortex_check_livelock(struct sl_sm *handle)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  struct sl_fault fault = {.kind = SL_FAULT_NONE};
  if (!all_spin(sm, &fault) || fault.kind == SL_FAULT_NONE)
    return;
  fault.cycle = sm->s.timing ? sm->s.cycle : 0;
  sm->fault = fault;
  sm->base.state = SL_SM_FAULTED;
}

unsigned sl_vortex_warp_paths(const struct sl_sm *handle, unsigned number, struct sl_warp_path path[SL_MAX_LANES])
{
  const struct sl_vortex_gpu *sm = sl_vortex_of_const(handle);
  const struct sl_ipdom_warps *w = &sm->core[number / sm->spec.warps].warps;
  return w->convergence->places(&w->warp[number % sm->spec.warps], path);
}

/* The remaining instruction is what executes and what the stages see. */
bool sl_vortex_rename(struct sl_vortex_pipeline *core, uint16_t index)
{
  struct sl_vortex_op *op = &core->op[index];
  struct sl_extended *extended = &core->extended[index];
  if (!sl_ipdom_rename(core->warps, op->warp, sl_vortex_insn(core, op), op->pc, op->mask, extended)) {
    core->s.faulted = true;
    return false;
  }
  if (!extended->replaced)
    return true;
  op->facts = sl_vortex_facts_of(core->spec, &extended->copy);
  return true;
}

static enum sl_ipdom_effect execute_extended(struct sl_vortex_pipeline *core, uint16_t index,
                                             struct sl_ipdom_execution *ex)
{
  ex->extended = &core->extended[index];
  if (core->warps->renames != 0 && !ex->extended->renamed && !sl_vortex_rename(core, index))
    return SL_IPDOM_FAULTS;
  return sl_ipdom_execute_extended(core->warps, core->op[index].warp, ex);
}

/* Writes the record of an execution, if the observer takes records and wants nothing more of it. */
static bool record(const struct sl_vortex_pipeline *core, const struct sl_vortex_op *op,
                   const struct sl_ipdom_execution *ex)
{
  const struct sl_ipdom_warps *w = core->warps;
  const struct sl_insn *in = ex->insn;
  if (core->recorder == NULL || w->log != NULL || core->recorder->only != 0 ||
      (core->recorder->wanted & SL_PROBE_EXECUTION) != SL_PROBE_EXECUTED)
    return false;
  const struct sl_probe_record executed = {.cycle = core->s.cycle,
                                           .id = op->id,
                                           .pc = ex->pc,
                                           .more = ex->active,
                                           .warp = sl_ipdom_global(w, op->warp),
                                           .core = (uint16_t)core->number};
  sl_record_execution(core->recorder, *core->launches - 1, &executed, in, w->spec.lanes,
                      in->rd != 0 ? sl_ipdom_register(w, op->warp, in->rd) : NULL, in->width != 0 ? ex->address : NULL);
  return true;
}

static void report(struct sl_vortex_pipeline *core, struct sl_vortex_op *op, const struct sl_ipdom_execution *ex)
{
  if (!core->watched)
    sl_vortex_account_id(core, op);
  if (!record(core, op, ex))
    core->tell(core->observer, core->number,
               &(struct sl_probe){.kind = SL_PROBE_EXECUTED,
                                  .id = op->id,
                                  .cycle = core->s.cycle,
                                  .pc = ex->pc,
                                  .insn = ex->insn,
                                  .warp = op->warp,
                                  .active = ex->active,
                                  .values = sl_ipdom_register(core->warps, op->warp, ex->insn->rd),
                                  .stored = sl_ipdom_register(core->warps, op->warp, ex->insn->rs2),
                                  .address = ex->address});
  if (sl_ipdom_switched(ex)) {
    const struct sl_probe change = sl_ipdom_switch(core->warps, op->warp, op->id, core->s.cycle, ex->pc);
    core->tell(core->observer, core->number, &change);
  }
}

/* Executes the instruction, once. Data that later stages need goes into the record in flight. */
void sl_vortex_execute_any(struct sl_vortex_pipeline *core, uint16_t index, uint64_t clock)
{
  struct sl_vortex_op *op = &core->op[index];
  struct sl_ipdom_warps *warps = core->warps;
  struct sl_ipdom_execution ex = {
      .insn = sl_vortex_insn(core, op),
      .pc = op->pc,
      .active = op->mask,
      .address = core->address + ((size_t)index << warps->lane_bits),
  };
  warps->s.clock.cycle = clock;
  warps->s.clock.thread_instructions = core->s.counts.committed;
  const enum sl_ipdom_effect effect =
      core->extends ? execute_extended(core, index, &ex) : sl_ipdom_execute(warps, op->warp, &ex);
  op->effect = (uint8_t)effect;
  op->target = ex.target;
  op->count = ex.count;
  op->barrier = ex.barrier;
  if (op->facts.unit == SL_UNIT_LSU) {
    op->local = ex.local;
    op->io = ex.io;
    op->unsent = op->mask & ~ex.local;
    op->local_last = 0;
  }
  if (__builtin_expect(sl_ipdom_watched(warps, ex.insn), 0) && effect != SL_IPDOM_FAULTS &&
      sl_ipdom_see_kernel(warps, op->warp, &ex, effect) && core->kernels_changed != NULL)
    core->kernels_changed(core->gpu);
  if (core->tell != NULL && effect != SL_IPDOM_FAULTS)
    report(core, op, &ex);
  if (effect == SL_IPDOM_FAULTS) {
    warps->fault.cycle = core->s.cycle;
    core->s.faulted = true;
  } else if (effect == SL_IPDOM_ENDS && core->spec->execute_at_schedule)
    sl_vortex_warp_ends(core, op->warp);
}
