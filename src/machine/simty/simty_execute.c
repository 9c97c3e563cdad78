/* Execution of an instruction on the running path of a warp: registers, memory, and the at most two paths that it
 * leaves. */
#include "func/path_execute.h"

#include "machine/replay/timing_replay.h"
#include "machine/simty/simty_sm.h"

enum { LINK = 1 /* register that marks a jump as a call or return */ };

/* The paths that an instruction leaves: lanes that continue, and lanes that branch away or stay. */
struct after {
  struct sl_ordered_path next, other;
};

/* The instruction being executed. Results of its functions: it has not faulted. */
struct step {
  struct sl_rv_lanes lanes;
  struct sl_simty_core *sm;
  unsigned warp;
  uint8_t depth; /* of the running path */
  bool all;      /* a memory access serves all its lanes */
  struct sl_execution *ex;
  struct sl_simty_effect *effect;
  struct after after;
};

SL_RV_BODY struct sl_rv_lanes lanes_of(const void *step)
{
  const struct step *s = step;
  return s->lanes;
}

static int fault(void *step, enum sl_fault_kind kind, sl_lanes lanes, uint32_t address)
{
  const struct step *s = step;
  sl_path_fault(&s->sm->warps, s->warp, s->ex, kind, lanes, address);
  if (kind == SL_FAULT_UNKNOWN_INSTRUCTION && !s->sm->spec.host)
    s->sm->warps.fault.detail = "without a host CPU the core executes rv32i_zicsr";
  return false;
}

/* The lanes that have executed the instruction go on; the others of the path execute it again. */
SL_RV_BODY int next(void *step, bool wrote)
{
  struct step *s = step;
  (void)wrote;
  s->after.next = sl_ordered_path(s->ex->active, sl_next(s->ex->insn, s->ex->pc), s->depth);
  s->after.other = sl_ordered_path(s->lanes.active & ~s->ex->active, s->ex->pc, s->depth);
  return true;
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

SL_RV_BODY bool outside(const void *step, uint32_t target)
{
  return sl_path_warps_outside(&((const struct step *)step)->sm->warps, target);
}

SL_RV_BODY int branch(void *step, sl_lanes taken, uint32_t target)
{
  struct step *s = step;
  if (taken && outside(s, target))
    return fault(s, SL_FAULT_JUMP, taken, target);
  s->ex->jumped = taken != 0;
  s->after.next = sl_ordered_path(s->ex->active & ~taken, sl_next(s->ex->insn, s->ex->pc), s->depth);
  s->after.other = sl_ordered_path(taken, target, s->depth);
  return true;
}

SL_RV_BODY int jump(void *step, uint32_t target)
{
  struct step *s = step;
  const struct sl_insn *in = s->ex->insn;
  const bool call = in->rd == LINK, back = in->kind == SL_KIND_JALR && in->rd == 0 && in->rs1 == LINK;
  s->ex->jumped = true;
  s->after.next = sl_ordered_path(s->ex->active, target, (uint8_t)(s->depth + call - back));
  return true;
}

/* Lanes with the leader's target jump. The other lanes will execute the instruction again. */
SL_RV_BODY int jump_indirect(void *step)
{
  struct step *s = step;
  const struct sl_path_warps *t = &s->sm->warps;
  const uint32_t *base = sl_rv_register(&s->lanes, s->ex->insn->rs1);
  const sl_lanes all = s->lanes.active;
  const uint32_t target = sl_rv_target(&s->lanes, sl_lowest(all)), even = target - s->ex->insn->imm;
  s->ex->active = all & (t->ops->equal(base, even, t->spec.lanes) | t->ops->equal(base, even + 1, t->spec.lanes));
  if (outside(s, target))
    return fault(s, SL_FAULT_JUMP, s->ex->active, target);
  s->after.other = sl_ordered_path(all & ~s->ex->active, s->ex->pc, s->depth);
  s->lanes.active = s->ex->active;
  sl_rv_link(&s->lanes);
  return jump(s, target);
}

/* ---- observers --------------------------------------------------------------------------------------------------- */

static void report(struct sl_simty_core *sm, unsigned warp, const struct sl_execution *ex)
{
  const struct sl_path_warps *t = &sm->warps;
  const uint32_t *x = sl_path_warps_registers(t, warp);
  sm->s.account.last[warp] = ex->pc;
  sm->s.account.executed[warp] = ex->active;
  sm->s.account.last_id[warp] = sl_simty_executing(sm);
  sm->s.account.ids += !t->s.timing;
  sl_tell_execution(sm->environment.probes, &(struct sl_probe){
                                                .cycle = t->s.timing ? sm->s.cycle - 1 : sm->s.counts.instructions,
                                                .launch = sm->s.launches - 1,
                                                .id = sm->s.account.last_id[warp],
                                                .pc = ex->pc,
                                                .insn = ex->insn,
                                                .warp = warp,
                                                .active = ex->active,
                                                .lanes = t->spec.lanes,
                                                .values = x + ((size_t)ex->insn->rd << t->lane_bits),
                                                .stored = x + ((size_t)ex->insn->rs2 << t->lane_bits),
                                                .address = sm->s.request.address,
                                            });
  if (sl_probes_stopped(sm->environment.probes) && sm->base.state == SL_SM_RUNNING)
    sm->base.state = SL_SM_STOPPED;
}

/* ---- all instructions -------------------------------------------------------------------------------------------- */

/* All paths wait at warp commands, and not at one. */
static int diverged(struct step *s)
{
  const struct sl_sorted_paths *paths = &s->sm->paths[s->warp];
  const struct sl_ordered_path *other = paths->next.lanes != 0 ? &paths->next : &paths->cold[0];
  fault(s, SL_FAULT_DIVERGED_COMMAND, paths->running.lanes, 0);
  if (paths->next.lanes != 0 || paths->cold_count > 0) {
    s->sm->warps.fault.held = other->lanes;
    s->sm->warps.fault.held_pc = sl_path_pc(*other);
  }
  return false;
}

/* A warp command needs the whole warp. A path with fewer lanes waits there and runs after all others. */
static int command(struct step *s)
{
  struct sl_simty_core *sm = s->sm;
  struct sl_sorted_paths *paths = &sm->paths[s->warp];
  if (s->ex->active != sm->warps.all) {
    s->after.next = sl_no_path();
    s->after.other = sl_parked_path(paths->running);
    s->effect->wakes = true;
    s->ex->active = 0;
    return sl_sorted_paths_stuck(paths) ? diverged(s) : true;
  }
  const enum sl_effect done = sl_csr_access(&sm->warps, s->warp, s->ex);
  s->effect->wakes = done != SL_EFFECT_COMMAND;
  if (done == SL_EFFECT_FAULT)
    return false;
  if (done == SL_EFFECT_COMMAND && (s->ex->command & SL_COMMAND_END)) {
    sm->s.ended |= sl_bit(s->warp);
    sm->s.success = sm->s.success && (s->ex->command & SL_COMMAND_SUCCESS);
  } else if (done == SL_EFFECT_COMMAND) {
    sm->s.barrier.waiting |= sl_bit(s->warp);
    if (__builtin_expect(sm->observed, 0))
      sl_simty_tell(sm, (struct sl_probe){
                            .kind = SL_PROBE_ARRIVED, .id = sl_simty_executing(sm), .warp = s->warp, .pc = s->ex->pc});
  }
  return next(s, false);
}

SL_RV_BODY int csr(void *step)
{
  struct step *s = step;
  if (s->ex->insn->csr == SL_CSR_COMMAND)
    return command(s);
  return sl_csr_access(&s->sm->warps, s->warp, s->ex) != SL_EFFECT_FAULT && next(s, false);
}

/* Executes an instruction of a unit. If the unit cannot accept it, all its lanes replay. */
SL_RV_BODY int compute(void *step)
{
  struct step *s = step;
  const struct sl_insn *in = s->ex->insn;
  const bool unit = s->sm->warps.s.timing && sl_simty_needs_unit(in);
  if (unit && (!sl_simty_unit_accepts(s->sm, in) || !sl_simty_may_use(&s->sm->s.refusals, s->warp))) {
    s->effect->wakes = true;
    s->effect->refused = true;
    s->ex->active = 0;
    return next(s, false);
  }
  if (in->rd != 0)
    sl_rv_compute(&s->lanes);
  if (unit)
    sl_simty_unit_put(s->sm, s->warp, s->ex);
  return next(s, false);
}

SL_RV_BODY int memory(void *step)
{
  struct step *s = step;
  return sl_simty_access(s->sm, s->warp, s->ex, s->all, s->effect) && next(s, false);
}

enum with_lanes { LANES_FAULT, LANES_DONE, LANES_PARK, LANES_UNKNOWN };

/* Executes a vote or shuffle, whose result passes the gather stage, one cycle after an ALU result; or a wait for lanes,
 * which is as at a warp command: they run after all others until the awaited ones are here. It does not get the step,
 * which would then be in memory for all instructions. */
static __attribute__((noinline)) enum with_lanes
with_lanes(struct sl_simty_core *sm, unsigned warp, const struct sl_execution *ex, struct sl_simty_effect *effect)
{
  const struct sl_rv_lanes l = sl_path_lanes(&sm->warps, warp, ex);
  const struct sl_sorted_paths *paths = &sm->paths[warp];
  struct sl_fault *const fault = &sm->warps.fault;
  if (ex->insn->kind == SL_KIND_VOTE) {
    const sl_lanes lost = sl_rv_vote(&l);
    effect->wakes = true;
    if (lost == 0)
      return LANES_DONE;
    sl_path_fault(&sm->warps, warp, ex, SL_FAULT_BALLOT, lost, 0);
    return LANES_FAULT;
  }
  if (ex->insn->op != SL_OP_SYNC_LANES)
    return LANES_UNKNOWN;
  const sl_lanes missing = sl_rv_awaited(&l);
  if (missing == 0)
    return LANES_DONE;
  if (!sl_sorted_paths_stuck(paths))
    return LANES_PARK;
  sl_path_fault(&sm->warps, warp, ex, SL_FAULT_LANES_APART, ex->active, 0);
  fault->held = missing;
  fault->held_pc = sl_path_pc(sl_sorted_paths_of(paths, sl_lowest(missing)));
  return LANES_FAULT;
}

/* Marks of nesting levels have no effect here. */
SL_RV_BODY int special(void *step)
{
  struct step *s = step;
  const enum sl_kind kind = s->ex->insn->kind;
  if (kind == SL_KIND_PUSH || kind == SL_KIND_POP)
    return next(s, false);
  switch (with_lanes(s->sm, s->warp, s->ex, s->effect)) {
  case LANES_FAULT: return false;
  case LANES_DONE: return next(s, true);
  case LANES_PARK:
    s->after.next = sl_no_path();
    s->after.other = sl_parked_path(s->sm->paths[s->warp].running);
    s->ex->active = 0;
    return true;
  case LANES_UNKNOWN: break;
  }
  return fault(s, SL_FAULT_UNKNOWN_INSTRUCTION, s->lanes.active, 0);
}

static const struct sl_rv_rules rules = {
    .lanes = lanes_of,
    .compute = compute,
    .next = next,
    .fault = fault,
    .outside = outside,
    .branch = branch,
    .jump = jump,
    .jump_indirect = jump_indirect,
    .reserves = true, /* sl_memory_access refuses LR and SC where there are none */
    .vote = special,
    .access = memory,
    .csr = csr,
    .special = special,
};

/* Test builds. */
static const char *broken_paths(struct sl_simty_core *sm, unsigned warp, sl_lanes lanes)
{
  struct sl_warp_path path[SL_MAX_LANES];
  const char *broken = sl_sorted_paths_broken(&sm->paths[warp], sm->warps.all);
  if (broken != NULL || sm->warps.waited == NULL)
    return broken;
  return sl_path_warps_waited(&sm->warps, warp, lanes, path, sl_sorted_paths_places(&sm->paths[warp], path));
}

/* Records an instruction for the replay. The access of a memory kind has been recorded by sl_simty_access. An indirect
 * jump can be replayed if all lanes of the path jump to one place. */
static __attribute__((noinline)) void record(struct sl_simty_core *sm, unsigned warp, const struct sl_execution *ex,
                                             sl_lanes active, uint32_t next)
{
  const enum sl_kind kind = ex->insn->kind;
  if (ex->active == 0 || kind == SL_KIND_LOAD || kind == SL_KIND_STORE || kind == SL_KIND_AMO)
    return;
  sl_replay_record(sm->replay, warp, ex, false, next, kind != SL_KIND_JALR || ex->active == active);
}

bool sl_simty_execute(struct sl_simty_core *sm, unsigned warp, bool all, struct sl_simty_effect *effect)
{
  struct sl_sorted_paths *paths = &sm->paths[warp];
  const sl_lanes active = paths->running.lanes;
  const uint8_t depth = sl_path_depth(paths->running);
  struct sl_execution ex = {.pc = sl_path_pc(paths->running), .active = active};
  const uint32_t index = sl_code_index(&sm->warps.code, ex.pc);
  *effect = (struct sl_simty_effect){0};
  if (index >= sm->warps.code.count)
    return sl_path_fault(&sm->warps, warp, &ex, SL_FAULT_FETCH, active, 0);
  ex.insn = &sm->warps.code.insn[index];
  const uint32_t writer = sl_memory_overwrote(sm->warps.memory, ex.pc, ex.insn->word, sl_insn_bytes(ex.insn));
  if (__builtin_expect(writer != 0, 0))
    return sl_path_fault(&sm->warps, warp, &ex, SL_FAULT_OVERWRITTEN, active, writer);
  struct step s = {.lanes = sl_path_lanes(&sm->warps, warp, &ex),
                   .sm = sm,
                   .warp = warp,
                   .depth = depth,
                   .all = all,
                   .ex = &ex,
                   .effect = effect,
                   .after = {.other = sl_no_path()}};
  if (!sl_rv_execute(&rules, &s, (enum sl_kind)ex.insn->kind))
    return false;
  if (__builtin_expect(sm->records, 0))
    record(sm, warp, &ex, active, sl_path_pc(s.after.next));
  effect->partial = ex.active != active;
  sm->s.counts.executed += sl_count(ex.active);
  if (__builtin_expect(sm->observed, 0) && ex.active != 0)
    report(sm, warp, &ex);
  if (effect->refused)
    sl_simty_refuse(&sm->s.refusals, warp, active);
  else
    sl_simty_accept(&sm->s.refusals, warp, ex.active);
  if (effect->refused && sl_simty_is_overdue(&sm->s.refusals, warp))
    return true; /* the path stays the running one */
  const bool used = sm->spec.fairness ? sl_fair_update(&sm->warps.paths[warp].fair, paths, s.after.next, s.after.other)
                                      : sl_sorted_paths_update(paths, s.after.next, s.after.other);
  sm->s.counts.pushes_pops += used;
  if (!used && paths->cold_count > 0 && sm->spec.sorter && (sm->warps.s.timing || sm->drained)) {
    sl_sorted_paths_probe(paths);
    sm->s.counts.probes++;
  }
  const char *broken = SL_CHECKS ? broken_paths(sm, warp, active) : NULL;
  if (broken != NULL) {
    sl_path_fault(&sm->warps, warp, &ex, SL_FAULT_INTERNAL, active, 0);
    sm->warps.fault.detail = broken;
    return false;
  }
  return true;
}

/* ---- refused warps --------------------------------------------------------------------------------------------- */

void sl_simty_refuse(struct sl_simty_refusals *r, unsigned warp, sl_lanes lanes)
{
  if (r->refused[warp] == 0)
    r->lane[warp] = (uint8_t)sl_lowest(lanes);
  if (r->refused[warp] < SL_SIMTY_REFUSALS && ++r->refused[warp] == SL_SIMTY_REFUSALS)
    r->overdue[r->count++] = (uint8_t)warp;
}

void sl_simty_accept_refused(struct sl_simty_refusals *r, unsigned warp, sl_lanes lanes)
{
  const bool overdue = sl_simty_is_overdue(r, warp);
  unsigned kept = 0;
  if (!overdue && !(lanes >> r->lane[warp] & 1))
    return;
  r->refused[warp] = 0;
  for (unsigned i = 0; i < r->count && overdue; i++)
    if (r->overdue[i] != warp)
      r->overdue[kept++] = r->overdue[i];
  r->count = overdue ? (uint8_t)kept : r->count;
}

bool sl_simty_refusals_valid(const struct sl_simty_refusals *r)
{
  sl_warps listed = 0, overdue = 0;
  for (unsigned w = 0; w < SL_MAX_WARPS; w++)
    overdue |= sl_simty_is_overdue(r, w) ? sl_bit(w) : 0;
  for (unsigned i = 0; i < r->count && i < SL_MAX_WARPS; i++)
    listed |= sl_bit(r->overdue[i] % SL_MAX_WARPS);
  return r->count == sl_count(overdue) && listed == overdue;
}
