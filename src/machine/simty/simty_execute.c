/* Execution of an instruction on the running path of a warp: registers, memory, and the at most two paths that it
 * leaves. */
#include "machine/simty/simty_sm.h"
#include "warp/path_csr.h"

enum { LINK = 1 /* register that marks a jump as a call or return */ };

/* The paths that an instruction leaves: lanes that continue, and lanes that branch away or stay. */
struct after {
  struct sl_ordered_path next, other;
};

static bool fault(struct sl_simty_core *sm, unsigned warp, const struct sl_execution *ex, enum sl_fault_kind kind,
                  sl_lanes lanes, uint32_t address)
{
  sm->warps.fault =
      (struct sl_fault){.kind = kind, .warp = (int)warp, .lanes = lanes, .pc = ex->pc, .address = address};
  if (ex->insn != NULL)
    sm->warps.fault.insn = *ex->insn;
  return false;
}

static void write_link(struct sl_simty_core *sm, uint32_t *x, const struct sl_execution *ex, sl_lanes lanes)
{
  struct sl_path_warps *t = &sm->warps;
  if (ex->insn->rd != 0)
    t->ops->broadcast(x + ((size_t)ex->insn->rd << t->lane_bits), sl_next(ex->insn, ex->pc), lanes, t->spec.lanes);
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

static bool branch(struct sl_simty_core *sm, unsigned warp, struct sl_execution *ex, uint8_t depth, struct after *after)
{
  const struct sl_path_warps *t = &sm->warps;
  uint32_t *x = sl_path_warps_registers(t, warp);
  const sl_lanes taken = t->ops->execute[ex->insn->op](x, ex->insn, ex->active, ex->pc, t->spec.lanes);
  const uint32_t target = ex->pc + ex->insn->imm;
  if (taken && sl_path_warps_outside(t, target))
    return fault(sm, warp, ex, SL_FAULT_JUMP, taken, target);
  ex->jumped = taken != 0;
  after->next = sl_ordered_path(ex->active & ~taken, sl_next(ex->insn, ex->pc), depth);
  after->other = sl_ordered_path(taken, target, depth);
  return true;
}

static bool jump(struct sl_simty_core *sm, unsigned warp, struct sl_execution *ex, uint8_t depth, struct after *after)
{
  const uint32_t target = ex->pc + ex->insn->imm;
  if (sl_path_warps_outside(&sm->warps, target))
    return fault(sm, warp, ex, SL_FAULT_JUMP, ex->active, target);
  ex->jumped = true;
  write_link(sm, sl_path_warps_registers(&sm->warps, warp), ex, ex->active);
  after->next = sl_ordered_path(ex->active, target, (uint8_t)(depth + (ex->insn->rd == LINK)));
  return true;
}

/* Lanes with the leader's target jump. The other lanes will execute the instruction again. */
static bool jump_indirect(struct sl_simty_core *sm, unsigned warp, struct sl_execution *ex, uint8_t depth,
                          struct after *after)
{
  const struct sl_path_warps *t = &sm->warps;
  const struct sl_insn *in = ex->insn;
  uint32_t *x = sl_path_warps_registers(t, warp);
  const uint32_t *base = x + ((size_t)in->rs1 << t->lane_bits);
  const uint32_t target = (base[sl_lowest(ex->active)] + in->imm) & ~1u;
  const uint32_t even = target - in->imm;
  sl_lanes same = t->ops->equal(base, even, t->spec.lanes) | t->ops->equal(base, even + 1, t->spec.lanes);
  same &= ex->active;
  if (sl_path_warps_outside(t, target))
    return fault(sm, warp, ex, SL_FAULT_JUMP, same, target);
  ex->jumped = true;
  write_link(sm, x, ex, same);
  const bool call = in->rd == LINK, back = in->rd == 0 && in->rs1 == LINK;
  after->next = sl_ordered_path(same, target, (uint8_t)(depth + call - back));
  after->other = sl_ordered_path(ex->active & ~same, ex->pc, depth);
  return true;
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
                                                .address = sm->s.request.address,
                                            });
  if (sl_probes_stopped(sm->environment.probes) && sm->s.state == SL_SM_RUNNING)
    sm->s.state = SL_SM_STOPPED;
}

/* ---- all instructions -------------------------------------------------------------------------------------------- */

/* A warp command needs the whole warp. A path with fewer lanes waits there and runs after all others. */
static bool command(struct sl_simty_core *sm, unsigned warp, struct sl_execution *ex, struct after *after,
                    struct sl_simty_effect *effect)
{
  struct sl_sorted_paths *paths = &sm->paths[warp];
  if (ex->active != sm->warps.all) {
    after->next = sl_no_path();
    after->other = sl_parked_path(paths->running);
    effect->wakes = true;
    ex->active = 0;
    if (sl_sorted_paths_stuck(paths))
      return fault(sm, warp, ex, SL_FAULT_DIVERGED_COMMAND, paths->running.lanes, 0);
    return true;
  }
  const enum sl_effect done = sl_csr_access(&sm->warps, warp, ex);
  effect->wakes = done != SL_EFFECT_COMMAND;
  if (done == SL_EFFECT_FAULT)
    return false;
  if (done == SL_EFFECT_COMMAND && (ex->command & SL_COMMAND_END)) {
    sm->s.ended |= sl_bit(warp);
    sm->s.success = sm->s.success && (ex->command & SL_COMMAND_SUCCESS);
  } else if (done == SL_EFFECT_COMMAND) {
    sm->s.barrier.waiting |= sl_bit(warp);
    if (__builtin_expect(sm->observed, 0))
      sl_simty_tell(
          sm, (struct sl_probe){.kind = SL_PROBE_ARRIVED, .id = sl_simty_executing(sm), .warp = warp, .pc = ex->pc});
  }
  return true;
}

/* Executes an instruction of a unit. If the unit cannot accept it, all its lanes replay. */
static void compute(struct sl_simty_core *sm, unsigned warp, struct sl_execution *ex, struct sl_simty_effect *effect)
{
  const struct sl_path_warps *t = &sm->warps;
  const struct sl_insn *in = ex->insn;
  const bool unit = t->s.timing && sl_simty_needs_unit(in);
  if (unit && !sl_simty_unit_accepts(sm, in)) {
    effect->wakes = true;
    ex->active = 0;
    return;
  }
  if (in->rd != 0)
    t->ops->execute[in->op](sl_path_warps_registers(t, warp), in, ex->active, ex->pc, t->spec.lanes);
  if (unit)
    sl_simty_unit_put(sm, warp, ex);
}

/* Executes ex->insn on ex->active, and reduces ex->active to the lanes that did execute it. */
static bool perform(struct sl_simty_core *sm, unsigned warp, struct sl_execution *ex, uint8_t depth, bool all,
                    struct after *after, struct sl_simty_effect *effect)
{
  const sl_lanes active = ex->active;
  switch ((enum sl_kind)ex->insn->kind) {
  case SL_KIND_ALU:
  case SL_KIND_MUL:
  case SL_KIND_DIV:
  case SL_KIND_FPU: compute(sm, warp, ex, effect); break;
  case SL_KIND_BRANCH: return branch(sm, warp, ex, depth, after);
  case SL_KIND_JAL: return jump(sm, warp, ex, depth, after);
  case SL_KIND_JALR:
    if (!jump_indirect(sm, warp, ex, depth, after))
      return false;
    ex->active = after->next.lanes;
    return true;
  case SL_KIND_LOAD:
  case SL_KIND_STORE:
  case SL_KIND_AMO:
    if (!sl_simty_access(sm, warp, ex, all, effect))
      return false;
    break;
  case SL_KIND_CSR:
    if (ex->insn->csr == SL_CSR_COMMAND) {
      if (!command(sm, warp, ex, after, effect))
        return false;
      if (ex->active == 0)
        return true;
    } else if (sl_csr_access(&sm->warps, warp, ex) == SL_EFFECT_FAULT) {
      return false;
    }
    break;
  case SL_KIND_FENCE:
  case SL_KIND_PUSH: /* annotations of nesting levels have no effect here */
  case SL_KIND_POP: break;
  case SL_KIND_SYSTEM: return fault(sm, warp, ex, SL_FAULT_SYSTEM, active, 0);
  default:
    fault(sm, warp, ex, SL_FAULT_UNKNOWN_INSTRUCTION, active, 0);
    if (!sm->spec.host)
      sm->warps.fault.detail = "without a host CPU the core executes rv32i_zicsr";
    return false;
  }
  after->next = sl_ordered_path(ex->active, sl_next(ex->insn, ex->pc), depth);
  after->other = sl_ordered_path(active & ~ex->active, ex->pc, depth);
  return true;
}

bool sl_simty_execute(struct sl_simty_core *sm, unsigned warp, bool all, struct sl_simty_effect *effect)
{
  struct sl_sorted_paths *paths = &sm->paths[warp];
  const sl_lanes active = paths->running.lanes;
  const uint8_t depth = sl_path_depth(paths->running);
  struct sl_execution ex = {.pc = sl_path_pc(paths->running), .active = active};
  struct after after = {.other = sl_no_path()};
  const uint32_t index = sl_code_index(&sm->warps.code, ex.pc);
  *effect = (struct sl_simty_effect){0};
  if (index >= sm->warps.code.count)
    return fault(sm, warp, &ex, SL_FAULT_FETCH, active, 0);
  ex.insn = &sm->warps.code.insn[index];
  const uint32_t writer = sl_memory_overwrote(sm->warps.memory, ex.pc, ex.insn->word, sl_insn_bytes(ex.insn));
  if (__builtin_expect(writer != 0, 0))
    return fault(sm, warp, &ex, SL_FAULT_OVERWRITTEN, active, writer);
  if (!perform(sm, warp, &ex, depth, all, &after, effect))
    return false;
  effect->partial = ex.active != active;
  sm->s.counts.executed += sl_count(ex.active);
  if (__builtin_expect(sm->observed, 0) && ex.active != 0)
    report(sm, warp, &ex);
  const bool used = sl_sorted_paths_update(paths, after.next, after.other);
  sm->s.counts.pushes_pops += used;
  if (!used && paths->cold_count > 0 && sm->spec.sorter && (sm->warps.s.timing || sm->drained)) {
    sl_sorted_paths_probe(paths);
    sm->s.counts.probes++;
  }
#ifdef SL_CHECK_INVARIANTS
  const char *broken = sl_sorted_paths_broken(paths, sm->warps.all);
  if (broken != NULL) {
    fault(sm, warp, &ex, SL_FAULT_INTERNAL, active, 0);
    sm->warps.fault.detail = broken;
    return false;
  }
#endif
  return true;
}
