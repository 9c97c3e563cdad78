/* The cycle loop of the plain register file while nobody listens: a round of as many cycles as a warp is in the
 * pipeline for. What executes in a round has been picked before it, so that a round is done part by part instead of
 * cycle by cycle:
 *   1. execute: the warps that were picked a round ago. Memory path and units are brought to a cycle when an
 *      instruction has to know whether they take it, and to the end of the round afterwards.
 *   2. schedule: the warps that execute in the next round.
 * What a part does in a cycle and a later part sees in a later one, it leaves in rings by cycle. The warps' sets of the
 * cycle loop (simtight_cycle.c), which is the same machine cycle by cycle, are made from the rings when a run ends. */
#include <string.h>

#include "machine/simtight/simtight_units.h"

#define SPECIALISED static inline __attribute__((always_inline))

/* Kept out of the way of what happens nearly always. */
#define RARE __attribute__((noinline))

enum {
  RING = SL_SIMTIGHT_RING,
  KINDS = 32,                         /* a power of two */
  CHANGES = 2 * SL_SIMTIGHT_DEPTH + 1 /* of suspensions in a round: an instruction and a write per cycle, or none */
};
SL_HOLDS(KINDS, SL_KIND_UNKNOWN + 1, "kinds of instructions");
SL_HOLDS(RING, SL_SIMTIGHT_DEPTH + 4, "cycles between what executes last in a round and what is scheduled first");

/* What a change does to the sets of warps that wait. */
enum change { FOR_UNIT, FOR_MEMORY, WOKEN, CHANGE_KINDS };

struct rounds {
  sl_warps available;     /* can be picked in the scheduler's cycle */
  sl_warps ready[RING];   /* at c % RING: can be picked from cycle c on, */
  sl_warps arrived[RING]; /* come to the barrier before the barrier unit's cycle c */
  bool arrivals;          /* there are some */
  int64_t ended;          /* the cycle in which the first warp ended, or an earlier one; SL_NEVER: none has */
  /* Changes of this round: all of a kind, and one by one. */
  sl_warps changed[CHANGE_KINDS];
  unsigned changes;
  struct {
    int64_t cycle;
    sl_warps warps;
    enum change kind;
  } change[CHANGES];
};

static unsigned at(int64_t cycle)
{
  return (unsigned)cycle % RING;
}

/* With the end of this cycle; of warps that there may be none of. */
SPECIALISED void note(struct rounds *r, enum change kind, sl_warps warps, int64_t cycle)
{
  r->changed[kind] |= warps;
  r->change[r->changes].cycle = cycle;
  r->change[r->changes].warps = warps;
  r->change[r->changes].kind = kind;
  r->changes += warps != 0;
}

/* ---- from the cycle loop's sets and back ------------------------------------------------------------------------- */

static void enter(struct rounds *r, struct sl_simtight_sm *sm)
{
  struct sl_suspension *s = &sm->s.suspension;
  const int64_t now = sm->s.cycle;
  memset(r, 0, sizeof *r);
  r->ended = sm->s.ended ? now - 1 : SL_NEVER;
  r->available = sm->s.queue & ~s->registered;
  r->ready[at(now + 1)] = (sm->s.queue & s->registered & ~s->live) | (sm->s.requeue & ~s->live);
  if (sm->s.result.lanes) {
    const unsigned warp = sl_response_warp(sm->s.result);
    r->ready[at(now + 2)] |= sl_bit(warp);
    sl_suspension_clear(s, warp, sm->s.result.lanes);
  }
}

static sl_warps in_pipeline(const struct sl_simtight_sm *sm)
{
  sl_warps warps = 0;
  for (unsigned i = 0; i < SL_SIMTIGHT_DEPTH; i++) {
    const int warp = sm->s.pipeline[at(sm->s.cycle + i)];
    warps |= warp >= 0 ? sl_bit((unsigned)warp) : 0;
  }
  return warps;
}

static void leave(struct rounds *r, struct sl_simtight_sm *sm)
{
  struct sl_suspension *s = &sm->s.suspension;
  const int64_t now = sm->s.cycle;
  sm->s.barrier.waiting |= r->arrived[at(now)];
  s->registered = (s->live & ~sm->s.requeue) | (r->ready[at(now + 1)] & ~sm->s.requeue);
  if (sm->s.result.lanes)
    sl_suspension_set(s, sl_response_warp(sm->s.result), sm->s.result.lanes, SL_WAIT_WRITE_BACK);
  sm->s.queue = sl_low_bits(sm->spec.warps) & ~(in_pipeline(sm) | sm->s.requeue | sm->s.barrier.waiting | sm->s.ended);
}

/* ---- write back -------------------------------------------------------------------------------------------------- */

/* A queued result is written if the port is free: its lanes are suspended to the end of this cycle. Whether there is
 * one is hard to foretell: no branch on it. */
SPECIALISED void write_back(struct rounds *r, struct sl_simtight_sm *sm, bool port_taken, int64_t now)
{
  struct sl_resume *queue = &sm->s.resume;
  const struct sl_response item = queue->item[SL_RESUME_QUEUE];
  const unsigned warp = sl_response_warp(item), writes = queue->full & 1 & !port_taken;
  const sl_lanes lanes = sm->s.suspension.lanes[warp] & ~(item.lanes & (UINT64_C(0) - writes));
  const sl_warps woken = (uint64_t)(writes & (lanes == 0)) << warp;
  sm->s.suspension.lanes[warp] = lanes;
  sm->s.suspension.live &= ~woken;
  queue->full ^= writes;
  r->ready[at(now + 2)] |= woken;
  note(r, WOKEN, woken, now);
}

/* ---- execute ----------------------------------------------------------------------------------------------------- */

/* Whether the unit that an instruction needs can take it in this cycle. */
SPECIALISED bool unit_accepts(const struct sl_simtight_sm *sm, const enum sl_kind kind)
{
  const int64_t now = sm->s.cycle;
  switch (kind) {
  case SL_KIND_MUL: return sl_multiplier_events_can_put(&sm->s.multiplier, now);
  case SL_KIND_DIV: return sl_divider_can_put(&sm->s.divider, now);
  case SL_KIND_FPU: return sl_fpu_can_put(&sm->s.fpu);
  default: return sl_request_path_can_put(&sm->s.path, now);
  }
}

/* The warp can be picked again so many cycles from now. */
SPECIALISED void requeue(struct rounds *r, struct sl_simtight_sm *sm, unsigned warp, unsigned after)
{
  sm->s.requeue = sl_bit(warp);
  r->ready[at(sm->s.cycle + after)] |= sl_bit(warp);
}

SPECIALISED void suspend(struct rounds *r, struct sl_simtight_sm *sm, unsigned warp, sl_lanes lanes, enum change why)
{
  sm->s.requeue = sl_bit(warp);
  sm->s.suspension.lanes[warp] |= lanes;
  sm->s.suspension.live |= sl_bit(warp);
  note(r, why, sl_bit(warp), sm->s.cycle);
}

/* Of a set of lanes, nearly always all of them. */
SPECIALISED unsigned lanes_in(const struct sl_simtight_sm *sm, sl_lanes lanes)
{
  return __builtin_expect(lanes == sm->warps.all, 1) ? sm->warps.spec.lanes : sl_count(lanes);
}

static RARE bool retry(struct rounds *r, struct sl_simtight_sm *sm, unsigned warp, unsigned path)
{
  sl_paths_retry(&sm->warps.paths[warp], path);
  sm->s.counts.slots[SL_SLOT_RETRIED]++;
  requeue(r, sm, warp, 2);
  return true;
}

SPECIALISED void issue_memory(struct rounds *r, struct sl_simtight_sm *sm, unsigned warp,
                              const struct sl_request *request)
{
  const sl_lanes waiting = request->responds ? request->pending : 0;
  sl_simtight_boxes_put(sm, request);
  sl_request_path_put(&sm->s.path, sm->warps.ops, sm->s.cycle);
  if (!waiting) {
    requeue(r, sm, warp, 2);
    return;
  }
  suspend(r, sm, warp, waiting, FOR_MEMORY);
  sm->s.counts.requested += lanes_in(sm, waiting);
}

/* Hands an executed instruction to the unit that delivers its result. */
SPECIALISED void dispatch(struct rounds *r, struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                          const enum sl_kind kind)
{
  const struct sl_response response = sl_response(ex->active, warp, ex->insn->rd);
  switch (kind) {
  case SL_KIND_MUL:
    sl_simtight_boxes_multiply(sm, response);
    sl_multiplier_events_put(&sm->s.multiplier, response, sm->s.cycle);
    sl_resume_show_product(&sm->s.resume, &sm->s.multiplier);
    break;
  case SL_KIND_DIV: sl_divider_put(&sm->s.divider, response, sm->s.cycle); break;
  default: sl_fpu_put(&sm->s.fpu, ex->insn, response); break;
  }
  suspend(r, sm, warp, ex->active, FOR_UNIT);
}

/* A warp command: false if no warp is left that could run before others open its barrier. */
static RARE bool command(struct rounds *r, struct sl_simtight_sm *sm, unsigned warp, uint32_t value)
{
  if (value & SL_COMMAND_END) {
    sm->s.ended |= sl_bit(warp);
    r->ended = sl_sooner(r->ended, sm->s.cycle);
    sm->s.success &= (value & SL_COMMAND_SUCCESS) != 0;
  } else {
    r->arrived[at(sm->s.cycle + 1)] |= sl_bit(warp);
    r->arrivals = true;
  }
  sl_warps stopped = sm->s.ended | sm->s.barrier.waiting;
  for (unsigned i = 0; i < RING; i++)
    stopped |= r->arrived[i];
  return stopped != sl_low_bits(sm->spec.warps);
}

static RARE bool faulted(struct sl_simtight_sm *sm)
{
  sm->s.state = SL_SM_FAULTED;
  return false;
}

/* What the instruction does to the warp's threads; kind is its kind, known when this is compiled for the frequent ones.
 */
SPECIALISED enum sl_effect perform(struct sl_simtight_sm *sm, unsigned warp, unsigned path, struct sl_execution *ex,
                                   struct sl_request *request, const enum sl_kind kind)
{
  switch (kind) {
  case SL_KIND_ALU:
  case SL_KIND_MUL: return sl_path_compute(&sm->warps, warp, path, ex);
  case SL_KIND_BRANCH: return sl_path_branch(&sm->warps, warp, path, ex);
  case SL_KIND_LOAD:
  case SL_KIND_STORE: return sl_path_access(&sm->warps, warp, path, ex, request);
  default: return sl_path_execute(&sm->warps, warp, path, ex, request);
  }
}

/* The execute stage for an instruction of a kind. False: the round ends with this cycle. */
SPECIALISED bool execute_kind(struct rounds *r, struct sl_simtight_sm *sm, unsigned warp, unsigned path,
                              const struct sl_insn *insn, const enum sl_kind kind)
{
  const struct sl_path *p = &sm->warps.paths[warp].path[path];
  struct sl_execution ex = {.insn = insn, .pc = p->pc, .active = p->lanes};
  if (sl_kind_needs_unit(kind) && !unit_accepts(sm, kind))
    return retry(r, sm, warp, path);
  struct sl_request *request = sl_request_path_next(&sm->s.path);
  const enum sl_effect effect = perform(sm, warp, path, &ex, request, kind);
  if (effect == SL_EFFECT_FAULT || !sl_path_warps_check(&sm->warps, warp))
    return faulted(sm);
  const unsigned active = lanes_in(sm, ex.active);
  sm->s.counts.slots[SL_SLOT_ISSUED]++;
  sm->s.counts.thread_instructions += active;
  sm->s.counts.by_warp[warp]++;
  sm->s.recent[at(sm->s.cycle)] = (uint8_t)active;
  if (kind == SL_KIND_MUL || kind == SL_KIND_DIV || kind == SL_KIND_FPU) {
    dispatch(r, sm, warp, &ex, kind);
  } else if (sl_kind_needs_unit(kind)) {
    issue_memory(r, sm, warp, request);
  } else if (effect == SL_EFFECT_RESULT) {
    sm->s.result = sl_response(ex.active, warp, insn->rd);
    requeue(r, sm, warp, 3);
  } else if (effect == SL_EFFECT_COMMAND) {
    return command(r, sm, warp, ex.command);
  } else {
    requeue(r, sm, warp, 2);
  }
  return true;
}

static RARE bool execute_other(struct rounds *r, struct sl_simtight_sm *sm, unsigned warp, unsigned path,
                               const struct sl_insn *insn)
{
  return execute_kind(r, sm, warp, path, insn, (enum sl_kind)insn->kind);
}

/* The execute stage. */
SPECIALISED bool execute(struct rounds *r, struct sl_simtight_sm *sm, unsigned warp)
{
  const struct sl_paths *paths = &sm->warps.paths[warp];
  const struct sl_code *code = &sm->warps.code;
  const unsigned path = sl_paths_select(paths);
  const uint32_t index = sl_code_index(code, paths->path[path].pc);
  if (__builtin_expect(index >= code->count, 0)) {
    struct sl_execution ex;
    unsigned of;
    sl_path_warps_fetch(&sm->warps, warp, &of, &ex);
    return faulted(sm);
  }
  const struct sl_insn *insn = &code->insn[index];
  switch ((enum sl_kind)(insn->kind & (KINDS - 1))) { /* so that no test of its range is needed */
  case SL_KIND_ALU: return execute_kind(r, sm, warp, path, insn, SL_KIND_ALU);
  case SL_KIND_BRANCH: return execute_kind(r, sm, warp, path, insn, SL_KIND_BRANCH);
  case SL_KIND_MUL: return execute_kind(r, sm, warp, path, insn, SL_KIND_MUL);
  case SL_KIND_LOAD: return execute_kind(r, sm, warp, path, insn, SL_KIND_LOAD);
  case SL_KIND_STORE: return execute_kind(r, sm, warp, path, insn, SL_KIND_STORE);
  default: return execute_other(r, sm, warp, path, insn);
  }
}

/* What has been picked for the cycles up to `until`. False: the round has ended early. */
static bool execute_round(struct rounds *r, struct sl_simtight_sm *sm, int64_t until)
{
  bool goes_on = true;
  while (sm->s.cycle < until && goes_on) {
    const int warp = sm->s.pipeline[at(sm->s.cycle)];
    write_back(r, sm, sm->s.result.lanes != 0, sm->s.cycle);
    sl_simtight_units_cycle(sm, sm->s.cycle);
    sm->s.recent[at(sm->s.cycle)] = 0;
    sm->s.requeue = 0;
    sm->s.result.lanes = 0;
    if (warp >= 0) {
      sm->s.in_pipeline--;
      goes_on = execute(r, sm, (unsigned)warp);
    }
    sm->s.cycle++;
  }
  return goes_on;
}

/* ---- schedule ---------------------------------------------------------------------------------------------------- */

/* Warps that wait for memory or a unit at the start of cycle now, given those at the start of the round. */
static sl_warps waiting_in(const struct rounds *r, sl_warps waiting, enum change why, int64_t now)
{
  for (unsigned i = 0; i < r->changes && r->change[i].cycle < now; i++)
    if (r->change[i].kind == why)
      waiting |= r->change[i].warps;
    else if (r->change[i].kind == WOKEN)
      waiting &= ~r->change[i].warps;
  return waiting;
}

/* No warp can be picked in cycle now. */
static RARE void idle(const struct rounds *r, struct sl_simtight_sm *sm, int64_t now)
{
  const sl_warps *waiting = sm->s.suspension.waiting;
  const sl_warps memory = waiting_in(r, waiting[SL_WAIT_MEMORY], FOR_MEMORY, now);
  const sl_warps unit = waiting_in(r, waiting[SL_WAIT_UNIT], FOR_UNIT, now);
  sm->s.counts.slots[sl_simtight_idle_reason(sm, memory, unit, r->ended < now)]++;
}

/* The round's changes are made. A warp that is woken is not suspended again in it: the pipeline is as long. */
static void settle_waiting(struct rounds *r, sl_warps *waiting)
{
  waiting[SL_WAIT_MEMORY] = (waiting[SL_WAIT_MEMORY] | r->changed[FOR_MEMORY]) & ~r->changed[WOKEN];
  waiting[SL_WAIT_UNIT] = (waiting[SL_WAIT_UNIT] | r->changed[FOR_UNIT]) & ~r->changed[WOKEN];
  memset(r->changed, 0, sizeof r->changed);
  r->changes = 0;
}

/* The barrier unit's cycle, in which these warps have come. */
static RARE void barrier_cycle(struct rounds *r, struct sl_simtight_sm *sm, int64_t now)
{
  sm->s.barrier.waiting |= r->arrived[at(now)];
  r->arrived[at(now)] = 0;
  r->ready[at(now + 1)] |= sl_barrier_cycle(&sm->s.barrier, false);
}

/* Picks warps in the cycles from `from` to the one before `until`. */
static void schedule_round(struct rounds *r, struct sl_simtight_sm *sm, int64_t from, int64_t until)
{
  sl_warps available = r->available, history = sm->s.scheduler.history;
  const bool barrier = r->arrivals || !sl_barrier_idle(&sm->s.barrier);
  unsigned picked = 0;
  for (int64_t now = from; now < until; now++) {
    int8_t *const slot = &sm->s.pipeline[at(now + SL_SIMTIGHT_DEPTH)];
    available |= r->ready[at(now)];
    r->ready[at(now)] = 0;
    if (barrier)
      barrier_cycle(r, sm, now);
    *slot = -1;
    if (available == 0) {
      idle(r, sm, now);
      continue;
    }
    const sl_warps fresh = available & ~history, from_these = fresh ? fresh : available,
                   pick = from_these & -from_these;
    history = (fresh ? history : 0) | pick;
    available &= ~pick;
    *slot = (int8_t)sl_lowest(pick);
    picked++;
  }
  if (!barrier)
    sl_barrier_skip(&sm->s.barrier, (unsigned)(until - from) & 1);
  r->available = available;
  sm->s.scheduler.history = history;
  sm->s.in_pipeline += picked;
  r->arrivals = r->arrived[at(until)] != 0;
  settle_waiting(r, sm->s.suspension.waiting);
}

void sl_simtight_run_rounds(struct sl_simtight_sm *sm, int64_t end)
{
  struct rounds r;
  bool goes_on = true;
  enter(&r, sm);
  while (goes_on && sm->s.cycle < end && sm->s.in_pipeline > 0) {
    const int64_t begin = sm->s.cycle;
    goes_on = execute_round(&r, sm, sl_sooner(begin + SL_SIMTIGHT_DEPTH, end));
    schedule_round(&r, sm, begin, sm->s.cycle);
  }
  leave(&r, sm);
}
