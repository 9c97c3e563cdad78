/* Functional mode: the same instructions without timing; the warps of all cores take turns. */
#include "func/ipdom_execute.h"
#include "func/ipdom_warps.h"
#include "machine/vortex/vortex_gpu.h"

static enum sl_ipdom_effect fault(struct sl_vortex_gpu *sm, unsigned core)
{
  sm->fault = sm->core[core].warps.fault;
  sm->base.state = SL_SM_FAULTED;
  return SL_IPDOM_FAULTS;
}

static enum sl_ipdom_effect no_program(struct sl_vortex_gpu *sm, unsigned core, unsigned warp)
{
  struct sl_ipdom_warps *w = &sm->core[core].warps;
  w->fault = (struct sl_fault){.kind = SL_FAULT_FETCH,
                               .warp = (int)sl_ipdom_global(w, warp),
                               .lanes = w->warp[warp].mask,
                               .pc = w->warp[warp].pc};
  return fault(sm, core);
}

static enum sl_ipdom_effect step_plain(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  w->warp[warp].pc = sl_next(ex->insn, ex->pc);
  return sl_ipdom_execute(w, warp, ex);
}

static enum sl_ipdom_effect step_extended(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex)
{
  struct sl_extended extended = {0};
  ex->extended = &extended;
  if (!sl_ipdom_schedule(w, warp, ex->insn, &ex->active, &extended) ||
      (w->renames != 0 && !sl_ipdom_rename(w, warp, ex->insn, ex->pc, ex->active, &extended)))
    return SL_IPDOM_FAULTS;
  return sl_ipdom_execute_extended(w, warp, ex);
}

static void report(struct sl_vortex_gpu *sm, unsigned core, unsigned warp, const struct sl_ipdom_execution *ex)
{
  const struct sl_ipdom_warps *w = &sm->core[core].warps;
  struct sl_vortex_account *account = &sm->timed.pipeline[core].s.account;
  account->scheduled[warp] = sl_code_index(w->code, ex->pc);
  account->scheduled_id[warp] = sm->s.instructions + 1;
  sl_vortex_report(sm, core,
                   &(struct sl_probe){.kind = SL_PROBE_EXECUTED,
                                      .id = sm->s.instructions + 1,
                                      .cycle = sm->s.instructions,
                                      .pc = ex->pc,
                                      .insn = ex->insn,
                                      .warp = warp,
                                      .active = ex->active,
                                      .values = sl_ipdom_register(w, warp, ex->insn->rd),
                                      .stored = sl_ipdom_register(w, warp, ex->insn->rs2),
                                      .address = ex->address});
  if (sl_ipdom_switched(ex)) {
    const struct sl_probe change = sl_ipdom_switch(w, warp, sm->s.instructions + 1, sm->s.instructions, ex->pc);
    sl_vortex_report(sm, core, &change);
  }
}

/* The watchdog's part before an instruction. */
static void await_progress(struct sl_vortex_gpu *sm, unsigned core, unsigned warp)
{
  struct sl_ipdom_warps *w = &sm->core[core].warps;
  const uint64_t changes = w->s.switches.timeouts;
  const uint32_t pc = w->warp[warp].pc;
  (void)sl_ipdom_await_progress(w, warp, false);
  if (sm->observed && w->s.switches.timeouts != changes) {
    const struct sl_probe change = sl_ipdom_switch(w, warp, 0, sm->s.instructions, pc);
    sl_vortex_report(sm, core, &change);
  }
}

static void report_barrier(struct sl_vortex_gpu *sm, unsigned core, enum sl_probe_kind kind, sl_warps warps)
{
  const struct sl_vortex_account *account = &sm->timed.pipeline[core].s.account;
  const sl_warps together = kind == SL_PROBE_RELEASED ? warps : 0;
  for (; warps && sm->observed; warps &= warps - 1) {
    const unsigned warp = sl_lowest(warps);
    sl_vortex_report(sm, core,
                     &(struct sl_probe){.kind = kind,
                                        .together = together,
                                        .id = account->scheduled_id[warp],
                                        .cycle = sm->s.instructions - 1,
                                        .pc = sl_code_address(&sm->code, account->scheduled[warp]),
                                        .warp = warp});
  }
}

/* A warp has reached a global barrier or ended: the others of its cluster may continue. */
static void open_barriers(struct sl_vortex_gpu *sm, unsigned core)
{
  sl_warps released[SL_VORTEX_CORES_MAX];
  const unsigned cores = sm->spec.cores / sm->spec.clusters, cluster = core / cores;
  if (!sl_vortex_open_barriers(sm, cluster, released))
    return;
  for (unsigned c = 0; c < cores; c++)
    report_barrier(sm, cluster * cores + c, SL_PROBE_RELEASED, released[c]);
}

static void arrive(struct sl_vortex_gpu *sm, unsigned core, unsigned warp, const struct sl_ipdom_execution *ex)
{
  report_barrier(sm, core, SL_PROBE_ARRIVED, sl_bit(warp));
  const sl_warps released = sl_core_sync_arrive(&sm->core[core].warps.s.sync, warp, ex->barrier, ex->count);
  report_barrier(sm, core, SL_PROBE_RELEASED, released);
  if (released == 0)
    open_barriers(sm, core);
}

static void end(struct sl_vortex_gpu *sm, unsigned core, unsigned warp)
{
  sl_ipdom_end(&sm->core[core].warps, warp);
  sl_ipdom_begin_spawned(&sm->core[core].warps);
  open_barriers(sm, core);
}

/* The instruction's effect on other warps. */
static void control(struct sl_vortex_gpu *sm, unsigned core, unsigned warp, enum sl_ipdom_effect effect,
                    const struct sl_ipdom_execution *ex)
{
  struct sl_ipdom_warps *w = &sm->core[core].warps;
  switch (effect) {
  case SL_IPDOM_ENDS: end(sm, core, warp); break;
  case SL_IPDOM_SPAWNS:
    sl_core_sync_ask(&w->s.sync, warp, ex->count, ex->target);
    sl_ipdom_begin_spawned(w);
    break;
  case SL_IPDOM_ARRIVES: arrive(sm, core, warp, ex); break;
  default: break;
  }
}

/* Executes an instruction of a warp. */
static enum sl_ipdom_effect step(struct sl_vortex_gpu *sm, unsigned core, unsigned warp)
{
  struct sl_ipdom_warps *w = &sm->core[core].warps;
  struct sl_ipdom_warp *p = &w->warp[warp];
  if (__builtin_expect(w->spec.watchdog != 0, 0))
    await_progress(sm, core, warp);
  struct sl_ipdom_execution ex = {
      .insn = sl_ipdom_insn(w, p->pc), .pc = p->pc, .active = p->mask, .address = sm->address};
  if (__builtin_expect(ex.insn == NULL, 0))
    return no_program(sm, core, warp);
  w->s.clock.cycle = sm->s.cycle + sm->s.instructions;
  const enum sl_ipdom_effect effect = w->extensions > 0 ? step_extended(w, warp, &ex) : step_plain(w, warp, &ex);
  if (__builtin_expect(effect == SL_IPDOM_FAULTS, 0)) {
    p->pc = ex.pc;
    return fault(sm, core);
  }
  if (__builtin_expect(sm->warms, 0))
    sl_vortex_warm(sm, core, &ex);
  if (__builtin_expect(sm->observed, 0))
    report(sm, core, warp, &ex);
  w->s.clock.thread_instructions += sl_count(ex.active);
  sm->s.instructions++;
  if (__builtin_expect(sl_ipdom_watched(w, ex.insn), 0) && sl_ipdom_see_kernel(w, warp, &ex, effect))
    sl_vortex_kernels(sm);
  if (__builtin_expect(effect != SL_IPDOM_NOTHING, 0))
    control(sm, core, warp, effect, &ex);
  return effect;
}

static sl_warps ready(const struct sl_vortex_gpu *sm, unsigned core)
{
  return sl_core_sync_free(&sm->core[core].warps.s.sync);
}

/* Runs instructions that need no individual checks; returns their number. */
static uint64_t run_basic_blocks(struct sl_vortex_gpu *sm, unsigned core, unsigned warp, uint64_t instructions)
{
  struct sl_ipdom_warps *w = &sm->core[core].warps;
  if (sm->observed)
    sm->basic_blocks.observer.event = (struct sl_probe){
        .launch = sm->s.launches - 1, .core = core, .warp = sl_ipdom_global(w, warp), .lanes = w->spec.lanes};
  const uint64_t run = sl_ipdom_blocks_run(&sm->basic_blocks, w, sm->code_edition, warp, instructions);
  w->s.clock.thread_instructions += run * sl_count(w->warp[warp].mask);
  sm->s.instructions += run;
  return run;
}

uint64_t sl_vortex_run_warp(struct sl_sm *handle, struct sl_time_slice *slice, uint64_t most)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  const unsigned core = slice->warp / sm->spec.warps, warp = slice->warp % sm->spec.warps;
  const uint64_t instructions = sl_time_slice_most(slice, most);
  const uint32_t environment = sl_fp_enter();
  uint64_t done = 0;
  bool can = ready(sm, core) >> warp & 1;
  while (done < instructions && can) {
    done += sm->warms ? 0 : run_basic_blocks(sm, core, warp, instructions - done);
    if (done == instructions)
      break;
    const enum sl_ipdom_effect effect = step(sm, core, warp);
    if (effect == SL_IPDOM_FAULTS)
      break;
    done++;
    if (__builtin_expect(sm->observed, 0) && sl_probes_stopped(sm->environment.probes)) {
      sm->base.state = SL_SM_STOPPED;
      break;
    }
    can = (effect == SL_IPDOM_NOTHING || (ready(sm, core) >> warp & 1)) && sm->base.state == SL_SM_RUNNING;
  }
  sl_fp_leave(environment);
  slice->left = done < instructions && sm->base.state != SL_SM_STOPPED ? 0 : slice->left - done;
  return done;
}

int sl_vortex_next(struct sl_sm *handle, unsigned after)
{
  const struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  const unsigned warps = sm->spec.warps, number = after + 1 < sm->spec.cores * warps ? after + 1 : 0;
  unsigned core = number / warps;
  sl_warps set = ready(sm, core) & ~sl_low_bits(number % warps);
  for (unsigned i = 0; i < sm->spec.cores && set == 0; i++) {
    core = (core + 1) % sm->spec.cores;
    set = ready(sm, core);
  }
  return set == 0 ? -1 : (int)(core * warps + sl_lowest(set));
}

void sl_vortex_none(struct sl_sm *handle)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  if (sl_vortex_active(sm)) {
    sl_vortex_deadlock(sm);
    return;
  }
  sl_vortex_console_end(&sm->s.console, sm->environment.print_byte, sm->environment.print_context);
  sm->base.state = SL_SM_DONE;
}
