/* The cycle loop of the plain register file by issue windows: without an observer, or with one that takes the lives of
 * instructions (isa/probe.h). A window has as many cycles as the
 * pipeline from pick to execute, so instructions that execute in a window were picked before it. The loop therefore
 * simulates a window part by part instead of cycle by cycle:
 * 1. units, memory path and execute, for the warps picked in the previous window,
 * 2. schedule: picks the warps that execute in the next window.
 * An effect that the scheduler sees in a later cycle is left in a ring by cycle, or with its cycle number. At the end
 * of a run the warp sets of the cycle-by-cycle loop (simtight_cycle.c) are built from them. Both loops simulate the
 * same machine.
 *
 * The loop is compiled twice: for runs that are told to an observer, and for others. The SM's cycle counter moves
 * within the window only in the former. An instruction is told when it executes: it left its pick `depth` cycles
 * before. Picks are told after all executions of their window; of an instruction that has not executed at the end of a
 * run, only then. */
#include <string.h>

#include "machine/simtight/simtight_events.h"
#include "machine/simtight/simtight_replay.h"
#include "machine/simtight/simtight_sm.h"
#include "machine/simtight/simtight_windows.h"

#define SPECIALISED static inline __attribute__((always_inline))

/* Keeps rare cases out of the hot path. */
#define RARE __attribute__((noinline))

enum { RING = SL_WINDOWS_RING, KINDS = SL_FETCHED_KINDS, NO_WARP = SL_MAX_WARPS, NO_KIND = SL_NO_KIND };

enum { FOR_UNIT, FOR_MEMORY };

/* What a run does beside simulation: an observer is told, or a segment recorded (simtight_replay.h). */
enum mode { PLAIN, TELLS, RECORDS };

static unsigned at(int64_t cycle)
{
  return sl_windows_at(cycle);
}

/* ---- conversion from and to the cycle loop's sets ---------------------------------------------------------------- */

/* Warps in the pipeline between pick and execute. */
static sl_warps in_pipeline(const struct sl_simtight_sm *sm)
{
  sl_warps warps = 0;
  for (unsigned i = 0; i < SL_SIMTIGHT_DEPTH; i++) {
    const int warp = sm->s.pipeline[at(sm->s.cycle + i)];
    warps |= warp >= 0 ? sl_bit((unsigned)warp) : 0;
  }
  return warps;
}

void sl_windows_enter(struct sl_windows *r, struct sl_simtight_sm *sm)
{
  struct sl_suspension *s = &sm->s.suspension;
  const int64_t now = sm->s.cycle;
  memset(r, 0, sizeof *r);
  for (int64_t i = 0; i < SL_SIMTIGHT_DEPTH; i++)
    if (sm->s.pipeline[at(now + i)] >= 0)
      sl_windows_fetch(&r->fetched[at(now + i)], sm, (unsigned)sm->s.pipeline[at(now + i)]);
  for (unsigned w = 0; w < SL_MAX_WARPS; w++)
    r->since[w] = now - 1;
  r->ended = sm->s.ended ? now - 1 : SL_NEVER;
  r->available = sm->s.queue & ~s->registered;
  r->ready[at(now + 1)] = (sm->s.queue & s->registered & ~s->live) | (sm->s.requeue & ~s->live);
  r->result = sm->s.result;
  if (r->result.lanes) {
    const unsigned warp = sl_response_warp(r->result);
    r->ready[at(now + 2)] |= sl_bit(warp);
    sl_suspension_clear(s, warp, r->result.lanes);
  }
  r->waiting[FOR_UNIT] = s->waiting[SL_WAIT_UNIT];
  r->waiting[FOR_MEMORY] = s->waiting[SL_WAIT_MEMORY];
  r->told = in_pipeline(sm);
}

void sl_windows_leave(struct sl_windows *r, struct sl_simtight_sm *sm)
{
  struct sl_suspension *s = &sm->s.suspension;
  const int64_t now = sm->s.cycle;
  const int latest = now > 0 ? sm->s.pipeline[at(now - 1)] : -1;
  const sl_warps stopped = sm->s.barrier.waiting | r->arrived[at(now)] | sm->s.ended;
  sm->s.barrier.waiting |= r->arrived[at(now)];
  sm->s.requeue = latest >= 0 ? sl_bit((unsigned)latest) & ~stopped : 0;
  s->waiting[SL_WAIT_UNIT] = r->waiting[FOR_UNIT];
  s->waiting[SL_WAIT_MEMORY] = r->waiting[FOR_MEMORY];
  s->live = r->waiting[FOR_UNIT] | r->waiting[FOR_MEMORY];
  s->registered = (s->live | r->ready[at(now + 1)]) & ~sm->s.requeue;
  sm->s.result = r->result;
  if (r->result.lanes)
    sl_suspension_set(s, sl_response_warp(r->result), r->result.lanes, SL_WAIT_WRITE_BACK);
  sm->s.queue = sl_low_bits(sm->spec.warps) & ~(in_pipeline(sm) | sm->s.requeue | stopped);
}

/* ---- write back -------------------------------------------------------------------------------------------------- */

/* Writes a queued result if the port is free. Its lanes are suspended to the end of this cycle. The code has no branch
 * on it, because its presence is hard to predict. */
SPECIALISED void write_back(struct sl_windows *r, struct sl_simtight_sm *sm, int64_t now, const enum mode mode)
{
  struct sl_resume *queue = &sm->s.resume;
  const struct sl_response item = queue->item[SL_RESUME_QUEUE];
  const unsigned warp = sl_response_warp(item), writes = queue->full & 1 & (r->result.lanes == 0);
  const sl_lanes lanes = sm->s.suspension.lanes[warp] & ~(item.lanes & (UINT64_C(0) - writes));
  const sl_warps woken = (uint64_t)(writes & (lanes == 0)) << warp;
  sm->s.suspension.lanes[warp] = lanes;
  queue->full ^= writes;
  r->woken |= woken;
  r->until[writes ? warp : NO_WARP] = now;
  r->ready[at(now + 2)] |= woken;
  if (mode == TELLS && writes)
    sl_simtight_report_written(sm, item);
}

/* ---- telling ----------------------------------------------------------------------------------------------------- */

/* Whether the observer has been told the pick of a warp that executes now. */
SPECIALISED unsigned was_told(struct sl_windows *r, unsigned warp)
{
  const unsigned flag = r->told >> warp & 1 ? SL_LIFE_FETCHED : 0;
  r->told &= ~sl_bit(warp);
  return flag;
}

/* Tells the picks of warps that have not executed. */
static void tell_fetch(struct sl_windows *r, struct sl_simtight_sm *sm, unsigned warp, int64_t picked)
{
  const struct sl_paths *paths = &sm->warps.paths[warp];
  const int64_t now = sm->s.cycle;
  if (was_told(r, warp) != 0)
    return;
  sm->s.cycle = picked;
  sl_simtight_tell_of(sm, SL_PROBE_FETCHED, sm->s.account.attempt[warp], warp, paths->path[sl_paths_select(paths)].pc,
                      0);
  sm->s.cycle = now;
}

static void tell_picks(struct sl_windows *r, struct sl_simtight_sm *sm)
{
  for (int64_t i = 0; i < SL_SIMTIGHT_DEPTH; i++) {
    const int warp = sm->s.pipeline[at(sm->s.cycle + i)];
    if (warp >= 0)
      tell_fetch(r, sm, (unsigned)warp, sm->s.cycle + i - SL_SIMTIGHT_DEPTH);
  }
}

/* ---- execute ----------------------------------------------------------------------------------------------------- */

/* Returns true if the unit of an instruction can accept it in this cycle. */
SPECIALISED bool unit_accepts(const struct sl_simtight_sm *sm, const enum sl_kind kind, int64_t now)
{
  switch (kind) {
  case SL_KIND_MUL: return sl_multiplier_events_can_put(&sm->s.multiplier, now);
  case SL_KIND_DIV: return sl_divider_can_put(&sm->s.divider, now);
  case SL_KIND_FPU: return sl_fpu_can_put(&sm->s.fpu);
  case SL_KIND_VOTE: return !sl_resume_has(&sm->s.resume, SL_RESUME_MEMORY);
  default: return sl_request_path_can_put(&sm->s.path, now);
  }
}

SPECIALISED void suspend(struct sl_windows *r, struct sl_simtight_sm *sm, unsigned warp, sl_lanes lanes, unsigned why,
                         int64_t now)
{
  sm->s.suspension.lanes[warp] |= lanes;
  r->waiting[why] |= sl_bit(warp);
  r->since[warp] = now;
}

/* Number of lanes in a set, which is nearly always the full set. */
SPECIALISED unsigned lanes_in(const struct sl_simtight_sm *sm, sl_lanes lanes)
{
  return __builtin_expect(lanes == sm->warps.all, 1) ? sm->warps.spec.lanes : sl_count(lanes);
}

SPECIALISED void issue_memory(struct sl_windows *r, struct sl_simtight_sm *sm, unsigned warp,
                              const struct sl_request *request, int64_t now)
{
  const sl_lanes waiting = request->responds ? request->pending : 0;
  if (SL_CHECKS)
    sl_simtight_reference_put(sm, request);
  r->busy = true;
  sl_request_path_put(&sm->s.path, sm->warps.ops, now);
  if (!waiting) {
    r->ready[at(now + 2)] |= sl_bit(warp);
    return;
  }
  suspend(r, sm, warp, waiting, FOR_MEMORY, now);
  sm->s.counts.requested += lanes_in(sm, waiting);
}

/* Sends an executed instruction to the unit that delivers its result. */
SPECIALISED void dispatch(struct sl_windows *r, struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                          const enum sl_kind kind, int64_t now)
{
  const struct sl_response response = sl_response(ex->active, warp, ex->insn->rd);
  r->busy = true;
  switch (kind) {
  case SL_KIND_MUL:
    if (SL_CHECKS)
      sl_simtight_reference_multiply(sm, response);
    sl_multiplier_events_put(&sm->s.multiplier, response, now);
    sl_resume_show_product(&sm->s.resume, &sm->s.multiplier);
    break;
  case SL_KIND_DIV: sl_divider_put(&sm->s.divider, response, now); break;
  case SL_KIND_VOTE: sl_simtight_vote(sm, response); break;
  default: sl_fpu_put(&sm->s.fpu, ex->insn, response); break;
  }
  suspend(r, sm, warp, ex->active, FOR_UNIT, now);
}

/* Executes a warp command. Returns false if no warp can run before the barrier opens. */
static RARE bool command(struct sl_windows *r, struct sl_simtight_sm *sm, unsigned warp, uint32_t value, int64_t now,
                         const enum mode mode)
{
  if (value & SL_COMMAND_END) {
    sm->s.ended |= sl_bit(warp);
    r->ended = sl_sooner(r->ended, now);
    sm->s.success &= (value & SL_COMMAND_SUCCESS) != 0;
  } else {
    r->arrived[at(now + 1)] |= sl_bit(warp);
    r->arrivals = true;
    if (mode == TELLS)
      sl_simtight_report_arrived(sm, warp);
  }
  sl_warps stopped = sm->s.ended | sm->s.barrier.waiting;
  for (unsigned i = 0; i < RING; i++)
    stopped |= r->arrived[i];
  return stopped != sl_low_bits(sm->spec.warps);
}

static RARE bool faulted(struct sl_simtight_sm *sm)
{
  sm->base.state = SL_SM_FAULTED;
  return false;
}

SPECIALISED void count_retry(struct sl_windows *r, struct sl_simtight_sm *sm, unsigned warp, int64_t now)
{
  sm->s.counts.slots[SL_SLOT_RETRIED]++;
  sm->s.recent[at(now)] = 0;
  r->ready[at(now + 2)] |= sl_bit(warp);
}

/* Returns true if the warp repeats an access and the memory path refuses it again. Nothing but the counters changes
 * then, because the path of a converged warp has no other to yield to. */
SPECIALISED bool refuses_again(struct sl_windows *r, struct sl_simtight_sm *sm, unsigned warp, int64_t now,
                               const enum mode mode)
{
  if (!(r->refused >> warp & 1))
    return false;
  if (!sl_request_path_can_put(&sm->s.path, now)) {
    count_retry(r, sm, warp, now);
    if (mode == TELLS)
      sl_simtight_tell_retry(sm, warp, sm->warps.paths[warp].path[0].pc, was_told(r, warp));
    return true;
  }
  r->refused &= ~sl_bit(warp);
  return false;
}

/* Execute stage for one kind of instruction. Returns false if the window ends with this cycle. */
SPECIALISED bool execute_kind(struct sl_windows *r, struct sl_simtight_sm *sm, unsigned warp, unsigned path,
                              const struct sl_insn *insn, const enum sl_kind kind, int64_t now, const enum mode mode)
{
  const struct sl_path *p = &sm->warps.paths[warp].path[path];
  struct sl_execution ex = {.insn = insn, .pc = p->pc, .active = p->lanes};
  if (sl_kind_needs_unit(kind) && !unit_accepts(sm, kind, now)) {
    sl_paths_retry(&sm->warps.paths[warp], path);
    if ((kind == SL_KIND_LOAD || kind == SL_KIND_STORE) && sm->warps.paths[warp].count == 1)
      r->refused |= sl_bit(warp);
    count_retry(r, sm, warp, now);
    if (mode == TELLS)
      sl_simtight_tell_retry(sm, warp, ex.pc, was_told(r, warp));
    return true;
  }
  struct sl_request *request = sl_request_path_next(&sm->s.path);
  const enum sl_effect effect = sl_windows_perform(sm, warp, path, &ex, request, kind);
  if (effect == SL_EFFECT_FAULT || !sl_path_warps_check(&sm->warps, warp, ex.active))
    return faulted(sm);
  if (mode == TELLS)
    sl_simtight_tell_execution(sm, warp, &ex, request, kind, was_told(r, warp));
  const unsigned active = lanes_in(sm, ex.active);
  sm->s.counts.slots[SL_SLOT_ISSUED]++;
  sm->s.counts.thread_instructions += active;
  sm->s.counts.by_warp[warp]++;
  sm->s.recent[at(now)] = (uint8_t)active;
  if (kind == SL_KIND_MUL || kind == SL_KIND_DIV || kind == SL_KIND_FPU || kind == SL_KIND_VOTE) {
    dispatch(r, sm, warp, &ex, kind, now);
  } else if (sl_kind_needs_unit(kind)) {
    issue_memory(r, sm, warp, request, now);
  } else if (effect == SL_EFFECT_RESULT) {
    r->result = sl_response(ex.active, warp, insn->rd);
    r->ready[at(now + 3)] |= sl_bit(warp);
  } else if (effect == SL_EFFECT_COMMAND) {
    if (mode == RECORDS)
      sl_simtight_replay_record(sm, warp, &ex, request);
    return command(r, sm, warp, ex.command, now, mode);
  } else {
    r->ready[at(now + 2)] |= sl_bit(warp);
  }
  if (mode == RECORDS)
    sl_simtight_replay_record(sm, warp, &ex, request);
  return true;
}

static RARE bool execute_other(struct sl_windows *r, struct sl_simtight_sm *sm, unsigned warp, unsigned path,
                               const struct sl_insn *insn, int64_t now, const enum mode mode)
{
  return execute_kind(r, sm, warp, path, insn, (enum sl_kind)insn->kind, now, mode);
}

/* The pc is outside instruction memory. */
static RARE bool no_instruction(struct sl_simtight_sm *sm, unsigned warp)
{
  unsigned path;
  struct sl_execution ex;
  sl_path_warps_fetch(&sm->warps, warp, &path, &ex);
  return faulted(sm);
}

/* The execute stage of an instruction of path `path`. kind: of the instruction. */
SPECIALISED bool execute_path(struct sl_windows *r, struct sl_simtight_sm *sm, unsigned warp, unsigned path,
                              const struct sl_insn *insn, unsigned kind, int64_t now, const enum mode mode)
{
  switch (kind & (KINDS - 1)) { /* so that the compiler needs no range check */
  case SL_KIND_ALU: return execute_kind(r, sm, warp, path, insn, SL_KIND_ALU, now, mode);
  case SL_KIND_BRANCH: return execute_kind(r, sm, warp, path, insn, SL_KIND_BRANCH, now, mode);
  case SL_KIND_MUL: return execute_kind(r, sm, warp, path, insn, SL_KIND_MUL, now, mode);
  case SL_KIND_LOAD: return execute_kind(r, sm, warp, path, insn, SL_KIND_LOAD, now, mode);
  case SL_KIND_STORE: return execute_kind(r, sm, warp, path, insn, SL_KIND_STORE, now, mode);
  case SL_KIND_PUSH: return execute_kind(r, sm, warp, path, insn, SL_KIND_PUSH, now, mode);
  case SL_KIND_POP: return execute_kind(r, sm, warp, path, insn, SL_KIND_POP, now, mode);
  case SL_KIND_JAL: return execute_kind(r, sm, warp, path, insn, SL_KIND_JAL, now, mode);
  default: return execute_other(r, sm, warp, path, insn, now, mode);
  }
}

/* The execute stage. */
SPECIALISED bool execute(struct sl_windows *r, struct sl_simtight_sm *sm, unsigned warp, int64_t now,
                         const enum mode mode)
{
  const struct sl_fetched_insn *const f = &r->fetched[at(now)];
  const struct sl_insn *insn = f->insn;
  unsigned kind = f->kind, path = 0;
  if (kind == NO_KIND) {
    struct sl_paths *paths = &sm->warps.paths[warp];
    const struct sl_code *code = &sm->warps.code;
    path = sl_paths_select(paths);
    const uint32_t index = sl_code_index(code, paths->path[path].pc);
    if (__builtin_expect(index >= code->count, 0))
      return no_instruction(sm, warp);
    sl_paths_count(paths, path);
    insn = &code->insn[index];
    kind = insn->kind;
  }
  return execute_path(r, sm, warp, path, insn, kind, now, mode);
}

/* Returns true if units, memory path and resume queue are empty. Their cycles change nothing until an instruction puts
 * something in. */
static bool units_idle(const struct sl_simtight_sm *sm)
{
  const struct sl_request_path *path = &sm->s.path;
  return !SL_CHECKS && !sm->spec.fpu && sm->s.resume.full == 0 && sm->s.multiplier.count == 0 &&
         sm->s.divider.count == 0 && !sl_request_path_active(path) && path->scratchpad.answer >= SL_NEVER &&
         path->dram.answer >= SL_NEVER;
}

/* Executes the warps picked for the cycles up to `until`. Returns the cycle after the last one; the window ends early
 * when the SM stops. */
SPECIALISED int64_t execute_round(struct sl_windows *r, struct sl_simtight_sm *sm, int64_t until, bool *goes_on,
                                  const enum mode mode)
{
  int64_t now = sm->s.cycle;
  r->busy = !units_idle(sm);
  while (now < until && *goes_on) {
    const int warp = sm->s.pipeline[at(now)];
    if (mode == TELLS)
      sm->s.cycle = now;
    if (r->busy) {
      write_back(r, sm, now, mode);
      sl_simtight_units_cycle(sm, now);
    }
    r->result.lanes = 0;
    if (warp < 0)
      sm->s.recent[at(now)] = 0;
    else if (!refuses_again(r, sm, (unsigned)warp, now, mode))
      *goes_on = execute(r, sm, (unsigned)warp, now, mode);
    if (mode == TELLS && sm->base.state == SL_SM_FAULTED)
      tell_fetch(r, sm, (unsigned)warp, now - SL_SIMTIGHT_DEPTH);
    now++;
  }
  return now;
}

/* ---- schedule ---------------------------------------------------------------------------------------------------- */

/* Returns true if warps wait for memory or a unit at the start of cycle `now` of this window. */
static bool some_wait(const struct sl_windows *r, unsigned why, int64_t now)
{
  for (sl_warps rest = r->waiting[why]; rest; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    if (r->since[warp] < now && !((r->woken & sl_bit(warp)) && r->until[warp] < now))
      return true;
  }
  return false;
}

/* No warp can be picked in cycle `now`. barrier: some wait at the barrier. */
static RARE void idle(const struct sl_windows *r, struct sl_simtight_sm *sm, int64_t now, bool barrier)
{
  const bool memory = some_wait(r, FOR_MEMORY, now), unit = some_wait(r, FOR_UNIT, now);
  sm->s.counts.slots[sl_simtight_idle_reason(memory, unit, barrier, r->ended < now)]++;
}

/* The barrier unit's cycles of a window. Warps arrive when they execute, so its inputs are known. */
static RARE void barrier_round(struct sl_windows *r, struct sl_simtight_sm *sm, int64_t from, int64_t until,
                               const enum mode mode)
{
  struct sl_barrier barrier = sm->s.barrier; /* in registers of the host */
  for (int64_t now = from; now < until; now++) {
    barrier.waiting |= r->arrived[at(now)];
    r->arrived[at(now)] = 0;
    const sl_warps released = sl_barrier_cycle(&barrier, false);
    r->ready[at(now + 1)] |= released;
    r->at_barrier[at(now)] = barrier.waiting;
    if (mode == TELLS && released != 0) {
      sm->s.cycle = now;
      sl_simtight_report_released(sm, released);
    }
  }
  sm->s.barrier = barrier;
}

/* Picks warps in the cycles from `from` to `until` - 1. */
SPECIALISED void schedule_round(struct sl_windows *r, struct sl_simtight_sm *sm, int64_t from, int64_t until,
                                const enum mode mode)
{
  sl_warps available = r->available, history = sm->s.scheduler.history;
  const bool barrier = r->arrivals || !sl_barrier_idle(&sm->s.barrier);
  unsigned picks = 0;
  if (barrier)
    barrier_round(r, sm, from, until, mode);
  for (int64_t now = from; now < until; now++) {
    int8_t *const slot = &sm->s.pipeline[at(now + SL_SIMTIGHT_DEPTH)];
    available |= r->ready[at(now)];
    r->ready[at(now)] = 0;
    *slot = -1;
    if (available == 0) {
      idle(r, sm, now, barrier && r->at_barrier[at(now)] != 0);
      continue;
    }
    const sl_warps fresh = available & ~history, from_these = fresh ? fresh : available,
                   pick = from_these & -from_these;
    history = (fresh ? history : 0) | pick;
    available &= ~pick;
    *slot = (int8_t)sl_lowest(pick);
    picks++;
    sl_windows_fetch(&r->fetched[at(now + SL_SIMTIGHT_DEPTH)], sm, sl_lowest(pick));
    if (mode == TELLS) {
      sm->s.cycle = now;
      sl_simtight_account_pick(sm, sl_lowest(pick));
      sm->s.account.attempt[sl_lowest(pick)] = ++sm->s.account.ids;
    }
  }
  if (mode == TELLS)
    sm->s.cycle = until;
  if (!barrier)
    sl_barrier_skip(&sm->s.barrier, (unsigned)(until - from) & 1);
  r->available = available;
  sm->s.scheduler.history = history;
  sm->s.in_pipeline = until - from == SL_SIMTIGHT_DEPTH ? picks : sl_count(in_pipeline(sm));
  r->arrivals = r->arrived[at(until)] != 0;
  r->waiting[FOR_UNIT] &= ~r->woken;
  r->waiting[FOR_MEMORY] &= ~r->woken;
  r->woken = 0;
}

/* Warp 0 has gone back if its pc is lower than at the end of the window before. It can execute again SL_SIMTIGHT_DEPTH
 * cycles after it has executed. That cycle is an anchor, and the next window ends at it. */
static void watch(struct sl_anchors *a, const struct sl_simtight_sm *sm, int64_t from, int64_t until)
{
  const uint32_t before = a->pc;
  a->pc = sm->warps.paths[0].path[0].pc;
  if (a->pc >= before || until - a->latest < a->distance)
    return;
  for (int64_t now = from; now < until; now++)
    if (sm->s.pipeline[at(now)] == 0)
      a->next = now + SL_SIMTIGHT_DEPTH;
}

/* Runs until the end, a stop, or an anchor. Returns whether the SM can go on. */
SPECIALISED bool run(struct sl_windows *r, struct sl_simtight_sm *sm, int64_t end, const enum mode mode)
{
  struct sl_anchors *const anchors = mode != TELLS && sm->replay != NULL ? sl_replay_anchors(sm->replay) : NULL;
  bool goes_on = true;
  while (goes_on && sm->s.cycle < end && sm->s.in_pipeline > 0) {
    const int64_t begin = sm->s.cycle;
    int64_t until = sl_sooner(begin + SL_SIMTIGHT_DEPTH, end);
    if (mode != TELLS && anchors != NULL && anchors->next > begin)
      until = sl_sooner(until, anchors->next);
    sm->s.cycle = execute_round(r, sm, until, &goes_on, mode);
    schedule_round(r, sm, begin, sm->s.cycle, mode);
    goes_on = goes_on && !(mode == TELLS && sl_probes_stopped(sm->environment.probes));
    if (mode == TELLS || anchors == NULL)
      continue;
    watch(anchors, sm, begin, sm->s.cycle);
    if (anchors->next == sm->s.cycle)
      break;
  }
  return goes_on && sm->s.cycle < end && sm->s.in_pipeline > 0;
}

/* Functions of their own, so that the host's registers are chosen for each alone. */
static __attribute__((noinline)) bool run_plain(struct sl_windows *r, struct sl_simtight_sm *sm, int64_t end)
{
  return run(r, sm, end, PLAIN);
}

static __attribute__((noinline)) bool run_recording(struct sl_windows *r, struct sl_simtight_sm *sm, int64_t end)
{
  return run(r, sm, end, RECORDS);
}

void sl_simtight_run_windows(struct sl_simtight_sm *sm, int64_t end)
{
  struct sl_windows r;
  bool goes_on = true;
  sl_windows_enter(&r, sm);
  while (goes_on) {
    const bool records = sm->replay != NULL && sl_replay_anchors(sm->replay)->records;
    goes_on = records ? run_recording(&r, sm, end) : run_plain(&r, sm, end);
    if (goes_on)
      sl_replay_anchor(sm->replay, &r, sm->s.cycle, end);
  }
  sl_windows_leave(&r, sm);
}

void sl_simtight_tell_windows(struct sl_simtight_sm *sm, int64_t end)
{
  struct sl_windows r;
  sl_windows_enter(&r, sm);
  run(&r, sm, end, TELLS);
  tell_picks(&r, sm);
  sl_simtight_stop(sm);
  sl_windows_leave(&r, sm);
}
