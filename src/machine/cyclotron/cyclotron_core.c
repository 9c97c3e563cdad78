#include "machine/cyclotron/cyclotron_core.h"

#include "func/ipdom_execute.h"

/* Timed and functional execution of the Cyclotron core. */

static enum sl_ipdom_effect fault(struct sl_cyclotron_core *core)
{
  core->fault = core->warps.fault;
  core->fault.cycle = core->s.cycle;
  core->base.state = SL_SM_FAULTED;
  return SL_IPDOM_FAULTS;
}

static const struct sl_stage stages[] = {
    {"execute", "the core fetches, issues and executes the instruction in one cycle",
     SL_PROBE_FETCHED | SL_PROBE_ISSUED},
    {"done", "the instruction is complete", SL_PROBE_RETIRED},
};

const struct sl_stages sl_cyclotron_stages = {stages, sizeof stages / sizeof stages[0]};

static void tell(const struct sl_cyclotron_core *core, struct sl_probe probe)
{
  probe.cycle = core->s.timing ? core->s.cycle : core->s.instructions - 1;
  probe.launch = core->s.launches - 1;
  probe.lanes = core->spec.lanes;
  sl_tell(core->environment.probes, &probe);
}

/* An instruction's id is its number. */
static void tell_execution(struct sl_cyclotron_core *core, unsigned warp, const struct sl_ipdom_execution *ex)
{
  struct sl_probe probe = {.kind = SL_PROBE_FETCHED,
                           .id = core->s.latest_id[warp] = core->s.instructions,
                           .cycle = core->s.timing ? core->s.cycle : core->s.instructions - 1,
                           .launch = core->s.launches - 1,
                           .pc = ex->pc,
                           .warp = warp,
                           .active = ex->active,
                           .lanes = core->spec.lanes,
                           .insn = ex->insn,
                           .values = sl_ipdom_register(&core->warps, warp, ex->insn->rd),
                           .stored = sl_ipdom_register(&core->warps, warp, ex->insn->rs2),
                           .address = ex->address};
  if (core->s.timing) {
    sl_tell(core->environment.probes, &probe);
    probe.kind = SL_PROBE_ISSUED;
    sl_tell(core->environment.probes, &probe);
  }
  sl_tell_execution(core->environment.probes, &probe);
  if (core->s.timing) {
    probe.kind = SL_PROBE_RETIRED;
    probe.stage = sl_stage_of(&sl_cyclotron_stages, SL_PROBE_RETIRED);
    sl_tell(core->environment.probes, &probe);
  }
}

static void tell_barrier(const struct sl_cyclotron_core *core, enum sl_probe_kind kind, sl_warps warps)
{
  const sl_warps together = kind == SL_PROBE_RELEASED ? warps : 0;
  for (; warps && core->environment.probes != NULL; warps &= warps - 1) {
    const unsigned warp = sl_lowest(warps);
    tell(core, (struct sl_probe){.kind = kind,
                                 .id = core->s.latest_id[warp],
                                 .pc = core->s.latest[warp],
                                 .warp = warp,
                                 .together = together});
  }
}

static void count(struct sl_cyclotron_core *core, const struct sl_ipdom_execution *ex)
{
  struct sl_cyclotron_state *s = &core->s;
  const struct sl_cyclotron_reads *reads = &core->reads[sl_code_number(&core->code, ex->insn)];
  const unsigned lanes = sl_count(ex->active);
  s->instructions++;
  s->thread_instructions += lanes;
  s->register_reads += reads->registers * lanes;
  s->bank_conflicts += reads->conflicts * lanes;
  if (ex->insn->width == 0)
    return;
  unsigned stacks = 0;
  for (sl_lanes rest = ex->active; rest; rest &= rest - 1)
    stacks += ex->address[sl_lowest(rest)] > core->spec.stack_from;
  s->stack_reads += ex->insn->kind != SL_KIND_STORE ? stacks : 0;
  s->stack_writes += ex->insn->kind != SL_KIND_LOAD ? stacks : 0;
}

/* Starts the warps below the count that do not run yet, at once. */
static void spawn(struct sl_cyclotron_core *core, const struct sl_ipdom_execution *ex)
{
  struct sl_core_sync *sync = &core->warps.s.sync;
  const sl_warps begin = sl_low_bits(ex->count) & ~sync->active;
  for (sl_warps rest = begin; rest; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    sl_ipdom_spawn(&core->warps, warp, ex->target);
    core->s.next[warp] = core->s.cycle + 1 + core->spec.fetch_bubble;
  }
  sync->active |= begin;
  sync->started |= begin;
}

static void arrive(struct sl_cyclotron_core *core, unsigned warp, const struct sl_ipdom_execution *ex)
{
  tell_barrier(core, SL_PROBE_ARRIVED, sl_bit(warp));
  const sl_warps released =
      sl_core_sync_arrive(&core->warps.s.sync, warp, ex->barrier & ~SL_CORE_SYNC_GLOBAL, ex->count);
  tell_barrier(core, SL_PROBE_RELEASED, released);
  for (sl_warps rest = released; rest; rest &= rest - 1)
    core->s.next[sl_lowest(rest)] = core->s.cycle + 1 + core->spec.fetch_bubble;
}

/* A warp ends; with return.ends the first one ends the run. */
static void finish(struct sl_cyclotron_core *core, unsigned warp, bool returned)
{
  sl_ipdom_end(&core->warps, warp);
  if ((returned && core->s.timing && core->spec.first_ends) || core->warps.s.sync.active == 0)
    core->base.state = SL_SM_DONE;
}

static bool returns(const struct sl_cyclotron_core *core, enum sl_ipdom_effect effect)
{
  return effect == SL_IPDOM_FAULTS && core->warps.fault.kind == SL_FAULT_JUMP && core->warps.fault.address == 0;
}

static void control(struct sl_cyclotron_core *core, unsigned warp, enum sl_ipdom_effect effect,
                    const struct sl_ipdom_execution *ex)
{
  switch (effect) {
  case SL_IPDOM_ENDS: finish(core, warp, false); break;
  case SL_IPDOM_SPAWNS: spawn(core, ex); break;
  case SL_IPDOM_ARRIVES: arrive(core, warp, ex); break;
  default: break;
  }
}

static enum sl_ipdom_effect no_program(struct sl_cyclotron_core *core, unsigned warp)
{
  const struct sl_ipdom_warp *p = &core->warps.warp[warp];
  core->warps.fault = (struct sl_fault){.kind = SL_FAULT_FETCH, .warp = (int)warp, .lanes = p->mask, .pc = p->pc};
  return fault(core);
}

/* Executes one instruction of a warp. */
static enum sl_ipdom_effect step(struct sl_cyclotron_core *core, unsigned warp)
{
  struct sl_ipdom_warps *w = &core->warps;
  struct sl_ipdom_warp *p = &w->warp[warp];
  struct sl_ipdom_execution ex = {
      .insn = sl_ipdom_insn(w, p->pc), .pc = p->pc, .active = p->mask, .address = core->address};
  if (__builtin_expect(ex.insn == NULL, 0))
    return no_program(core, warp);
  w->s.clock.cycle = core->s.timing ? core->s.cycle : core->s.instructions;
  p->pc = sl_next(ex.insn, ex.pc);
  enum sl_ipdom_effect effect = sl_ipdom_execute(w, warp, &ex);
  const bool returned = returns(core, effect);
  if (__builtin_expect(effect == SL_IPDOM_FAULTS && !returned, 0)) {
    p->pc = ex.pc;
    return fault(core);
  }
  count(core, &ex);
  w->s.clock.thread_instructions += sl_count(ex.active);
  core->s.latest[warp] = ex.pc;
  const bool refetches = ex.jumped || ex.insn->kind == SL_KIND_WARP || ex.insn->kind == SL_KIND_VOTE;
  core->s.next[warp] = core->s.cycle + 1 + (refetches ? core->spec.fetch_bubble : 0);
  if (__builtin_expect(core->environment.probes != NULL, 0))
    tell_execution(core, warp, &ex);
  if (__builtin_expect(returned, 0)) {
    w->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
    finish(core, warp, true);
    return SL_IPDOM_ENDS;
  }
  if (effect != SL_IPDOM_NOTHING)
    control(core, warp, effect, &ex);
  return effect;
}

/* Deadlock: every remaining warp waits. */
static void deadlock(struct sl_cyclotron_core *core)
{
  struct sl_ipdom_warps *w = &core->warps;
  const unsigned warp = sl_lowest(w->s.sync.active);
  w->fault = (struct sl_fault){
      .kind = SL_FAULT_WARPS_WAIT, .warp = (int)warp, .lanes = w->warp[warp].mask, .pc = core->s.latest[warp]};
  const struct sl_insn *insn = sl_ipdom_insn(w, w->fault.pc);
  if (insn != NULL)
    w->fault.insn = *insn;
  fault(core);
}

/* ---- timed execution --------------------------------------------------------------------------------------------- */

/* The running warp that executes next. */
static unsigned soonest(const struct sl_cyclotron_core *core, sl_warps free)
{
  unsigned warp = sl_lowest(free);
  for (sl_warps rest = free & (free - 1); rest; rest &= rest - 1)
    warp = core->s.next[sl_lowest(rest)] < core->s.next[warp] ? sl_lowest(rest) : warp;
  return warp;
}

/* Charges cycles to the first instruction that executes in them, or to the instruction that delays the next warp. */
static void account(struct sl_cyclotron_core *core, enum sl_cyclotron_stall_reason cause, unsigned warp,
                    uint64_t cycles)
{
  core->s.cause[cause] += cycles;
  if (core->environment.probes != NULL)
    tell(core, (struct sl_probe){.kind = SL_PROBE_WAITED,
                                 .cause = cause,
                                 .warp = warp,
                                 .pc = core->s.latest[warp],
                                 .count = (int64_t)cycles});
}

static void run_cycle(struct sl_cyclotron_core *core, sl_warps free)
{
  unsigned first = SL_MAX_WARPS;
  for (sl_warps rest = free; rest && core->base.state == SL_SM_RUNNING; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    if (core->s.next[warp] > core->s.cycle)
      continue;
    if (step(core, warp) == SL_IPDOM_FAULTS)
      break;
    first = first == SL_MAX_WARPS ? warp : first;
  }
  if (first < SL_MAX_WARPS)
    account(core, SL_CYCLOTRON_ISSUED, first, 1);
  core->s.cycle += core->base.state != SL_SM_FAULTED;
}

void sl_cyclotron_run_cycles(struct sl_sm *handle, uint64_t cycles)
{
  struct sl_cyclotron_core *core = sl_cyclotron_of(handle);
  const uint32_t environment = sl_fp_enter();
  const uint64_t end = cycles > UINT64_MAX - core->s.cycle ? UINT64_MAX : core->s.cycle + cycles;
  while (core->base.state == SL_SM_RUNNING && core->s.cycle < end) {
    const sl_warps free = sl_core_sync_free(&core->warps.s.sync);
    if (free == 0) {
      deadlock(core);
      break;
    }
    const unsigned warp = soonest(core, free);
    if (core->s.next[warp] > core->s.cycle) {
      const uint64_t until = core->s.next[warp] < end ? core->s.next[warp] : end;
      account(core, SL_CYCLOTRON_JUMP, warp, until - core->s.cycle);
      core->s.cycle = until;
      continue;
    }
    run_cycle(core, free);
    if (sl_probes_stopped(core->environment.probes) && core->base.state == SL_SM_RUNNING)
      core->base.state = SL_SM_STOPPED;
  }
  if (core->base.state == SL_SM_DONE)
    sl_vortex_console_end(&core->s.console, core->environment.print_byte, core->environment.print_context);
  sl_fp_leave(environment);
}

/* ---- functional execution ---------------------------------------------------------------------------------------- */

uint64_t sl_cyclotron_run_warp(struct sl_sm *handle, struct sl_time_slice *slice, uint64_t most)
{
  struct sl_cyclotron_core *core = sl_cyclotron_of(handle);
  const unsigned warp = slice->warp;
  const uint64_t instructions = sl_time_slice_most(slice, most);
  const uint32_t environment = sl_fp_enter();
  uint64_t done = 0;
  while (done < instructions && core->base.state == SL_SM_RUNNING &&
         (sl_core_sync_free(&core->warps.s.sync) >> warp & 1) != 0) {
    if (step(core, warp) == SL_IPDOM_FAULTS)
      break;
    done++;
    if (sl_probes_stopped(core->environment.probes) && core->base.state == SL_SM_RUNNING)
      core->base.state = SL_SM_STOPPED;
  }
  if (core->base.state == SL_SM_DONE)
    sl_vortex_console_end(&core->s.console, core->environment.print_byte, core->environment.print_context);
  sl_fp_leave(environment);
  slice->left = done < instructions && core->base.state != SL_SM_STOPPED ? 0 : slice->left - done;
  return done;
}

int sl_cyclotron_next(struct sl_sm *handle, unsigned after)
{
  const struct sl_cyclotron_core *core = sl_cyclotron_of(handle);
  const sl_warps free = sl_core_sync_free(&core->warps.s.sync);
  const sl_warps behind = after + 1 < core->spec.warps ? free & ~sl_low_bits(after + 1) : 0;
  return free == 0 ? -1 : (int)sl_lowest(behind ? behind : free);
}

void sl_cyclotron_none(struct sl_sm *handle)
{
  struct sl_cyclotron_core *core = sl_cyclotron_of(handle);
  if (core->warps.s.sync.active != 0)
    deadlock(core);
  else
    core->base.state = SL_SM_DONE;
}
