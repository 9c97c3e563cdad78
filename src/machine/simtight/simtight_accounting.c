/* Stall accounting of the issue slot, and notification of the observer. This code runs only with an observer. */
#include <string.h>

#include "machine/simtight/simtight_events.h"
#include "machine/simtight/simtight_sm.h"

static const struct sl_stall_reason causes[SL_SLOT_COUNT] = {
#define CAUSE(id, name, kind, meaning) {name, meaning, SL_STALL_REASON_##kind},
#include "machine/simtight/simtight_stall_reasons.def"
#undef CAUSE
};

SL_HOLDS(SL_MAX_STALL_REASONS, SL_SLOT_COUNT, "stall reasons of a row");

const struct sl_stall_reasons sl_simtight_stall_reasons = {causes, SL_SLOT_COUNT};

static const struct sl_stage stages[] = {
    /* in the order of enum sl_simtight_stage */
    {"pick", "a scheduler has picked the warp; its paths, instruction and operands are read", SL_PROBE_FETCHED},
    {"execute", "the instruction executes", SL_PROBE_ISSUED},
    {"result", "lanes wait for a unit, memory or write-back", SL_PROBE_STAGED},
    {"done", "the instruction has left the pipeline",
     SL_PROBE_RETIRED | SL_PROBE_RETRIED | SL_PROBE_ABORTED | SL_PROBE_FLUSHED},
};

const struct sl_stages sl_simtight_stages = {stages, sizeof stages / sizeof stages[0]};

unsigned sl_simtight_profiled(const void *untyped)
{
  const struct sl_simtight_spec *spec = untyped;
  return SL_PROFILE_RETRIES | SL_PROFILE_HOLDERS | SL_PROFILE_QUEUED | SL_PROFILE_REGULARITY | SL_PROFILE_DRAM |
         SL_PROFILE_SCRATCHPAD | (spec->compressed ? SL_PROFILE_SPILLS : 0u) |
         (spec->scalar_pipeline ? SL_PROFILE_SCALAR : 0u);
}

/* Completes an event that the observer wants, and tells it. */
static void tell(struct sl_simtight_sm *sm, struct sl_probe *probe)
{
  struct sl_probes *probes = sm->environment.probes;
  probe->cycle = sm->warps.s.timing ? (uint64_t)sm->s.cycle : sm->s.counts.instructions - 1;
  probe->launch = sm->s.launches - 1;
  probe->lanes = sm->warps.spec.lanes;
  probe->stage = sl_simtight_stage_of(probe->kind);
  sl_tell(probes, probe);
  sl_simtight_stop(sm);
}

void sl_simtight_tell(struct sl_simtight_sm *sm, struct sl_probe probe)
{
  if (sl_probes_want(sm->environment.probes, probe.kind))
    tell(sm, &probe);
}

void sl_simtight_account_start(struct sl_simtight_sm *sm, uint32_t entry)
{
  memset(&sm->s.account, 0, sizeof sm->s.account);
  sm->s.account.latest = entry;
  for (unsigned w = 0; w < SL_MAX_WARPS; w++)
    sm->s.account.last[w] = entry;
}

static void charge(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc, unsigned slot, uint64_t cycles)
{
  sm->s.account.charged[slot] += cycles;
  sl_simtight_tell_waited(sm, warp, pc, slot, cycles);
}

/* Charges the cycles since the last pick to an instruction. There are rarely any. */
static __attribute__((noinline)) void charge_idle(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc)
{
  for (unsigned slot = 0; slot < SL_SLOT_COUNT; slot++)
    if (sm->s.counts.slots[slot] != sm->s.account.charged[slot])
      charge(sm, warp, pc, slot, sm->s.counts.slots[slot] - sm->s.account.charged[slot]);
}

void sl_simtight_account_pick(struct sl_simtight_sm *sm, unsigned warp)
{
  if (sm->s.cycle != sm->s.account.next_pick)
    charge_idle(sm, warp, sm->s.account.last[warp]);
  sm->s.account.next_pick = sm->s.cycle + 1;
}

/* pc of a request's instruction; 0: a request for a spilled register. */
static uint32_t instruction_of(const struct sl_simtight_sm *sm, int request)
{
  const uint32_t number = request >= 0 ? sm->s.path.pool[request].instruction : SL_NO_INSTRUCTION;
  return number != SL_NO_INSTRUCTION ? sl_code_address(&sm->warps.code, number) : 0;
}

/* The oldest request on the memory path. */
static uint32_t path_holder(const struct sl_simtight_sm *sm)
{
  const struct sl_request_path *p = &sm->s.path;
  int oldest = p->fifo_count > 0 ? p->fifo[p->fifo_head] : -1;
  for (unsigned stage = 1; stage <= 4; stage++)
    oldest = sl_request_path_stage(p, stage) >= 0 ? sl_request_path_stage(p, stage) : oldest;
  return instruction_of(sm, oldest);
}

/* Returns the pc of the instruction that holds a busy unit. In other units it is an instruction whose result its warp
 * awaits. A multiplier refuses while its results are not taken, a divider while it divides or its result leaves, an FPU
 * while its request cannot begin. */
static uint32_t holder(const struct sl_simtight_sm *sm, uint32_t pc)
{
  const struct sl_divider *d = &sm->s.divider;
  switch ((enum sl_kind)sl_code_at(&sm->warps.code, pc)->kind) {
  case SL_KIND_MUL: return sm->s.account.awaited[sl_response_warp(sl_multiplier_events_oldest(&sm->s.multiplier))];
  case SL_KIND_DIV:
    return sm->s.account.awaited[sl_response_warp(d->response[(d->head - (d->count == 0)) % SL_DIVIDER_MAX_DEPTH])];
  case SL_KIND_FPU: return sm->s.account.awaited[sl_response_warp(sm->s.fpu.request.item)];
  case SL_KIND_VOTE:
    return sm->s.account.awaited[sl_response_warp(sm->s.resume.item[SL_RESUME_MEMORY])]; /* of the register */
  default: return path_holder(sm);
  }
}

static __attribute__((noinline)) void tell_dequeued(struct sl_simtight_sm *sm, const struct sl_request *r,
                                                    int64_t cycles)
{
  const uint64_t id = sm->s.account.awaited_id[r->warp];
  const uint32_t pc = r->instruction != SL_NO_INSTRUCTION ? sl_code_address(&sm->warps.code, r->instruction)
                                                          : sm->s.account.last[r->warp];
  const struct sl_probe_record record = {
      .kind = __builtin_ctz(SL_PROBE_DEQUEUED), .id = id, .warp = r->warp, .pc = pc, .more = (uint64_t)cycles};
  if (sl_probes_want(sm->environment.probes, SL_PROBE_DEQUEUED) && !sl_simtight_record(sm, record))
    sl_simtight_tell(
        sm, (struct sl_probe){.kind = SL_PROBE_DEQUEUED, .id = id, .warp = r->warp, .pc = pc, .count = cycles});
}

/* The request that stage 0 has taken in this cycle has left the FIFO, where it could be taken in the cycle after its
 * put at the earliest. */
static inline void account_dequeued(struct sl_simtight_sm *sm)
{
  const struct sl_request_path *p = &sm->s.path;
  const unsigned place = (p->fifo_head + SL_REQUEST_FIFO_MAX - 1u) % SL_REQUEST_FIFO_MAX;
  const struct sl_request *r = &p->pool[p->fifo[place]];
  const int64_t cycles = sm->s.cycle - p->put[place] - 1;
  if (r->responds && cycles > 0)
    tell_dequeued(sm, r, cycles);
}

/* A request waits in the FIFO if the request in stage 4 is fed back or stalls, or an older one enters. */
static __attribute__((noinline)) void account_queued(struct sl_simtight_sm *sm, int deciding)
{
  const struct sl_request_path *p = &sm->s.path;
  const uint32_t holder_pc = instruction_of(sm, p->fifo_taken == sm->s.cycle ? sl_request_path_stage(p, 1) : deciding);
  struct sl_probe queued = {.kind = SL_PROBE_QUEUED, .holder = holder_pc, .count = 1};
  for (unsigned i = 0; i < p->fifo_count; i++) {
    const unsigned index = p->fifo[(p->fifo_head + i) % SL_REQUEST_FIFO_MAX];
    const struct sl_request *r = &p->pool[index];
    const uint32_t pc =
        r->instruction != SL_NO_INSTRUCTION ? instruction_of(sm, (int)index) : sm->s.account.last[r->warp];
    if (!r->responds)
      continue;
    queued.id = sm->s.account.awaited_id[r->warp];
    queued.warp = r->warp;
    queued.pc = pc;
    tell(sm, &queued);
  }
}

void sl_simtight_account_queue(struct sl_simtight_sm *sm, int deciding)
{
  const struct sl_request_path *p = &sm->s.path;
  if (p->fifo_taken == sm->s.cycle)
    account_dequeued(sm);
  if (p->fifo_count != 0 && sl_probes_want(sm->environment.probes, SL_PROBE_QUEUED))
    account_queued(sm, deciding);
}

void sl_simtight_account_flushed(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc)
{
  if (sm->s.account.attempt[warp] != 0)
    sl_simtight_tell_of(sm, SL_PROBE_FLUSHED, sm->s.account.attempt[warp], warp, pc, 0);
  sm->s.account.attempt[warp] = 0;
}

void sl_simtight_account_slot(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc, enum sl_slot slot)
{
  charge(sm, warp, pc, slot, 1);
  sm->s.account.last[warp] = sm->s.account.latest = pc;
  if (slot == SL_SLOT_ISSUED)
    return;
  if (slot == SL_SLOT_RETRIED) {
    if (sm->environment.probes->records != NULL) /* which do not tell the holder */
      sl_simtight_tell_of(sm, SL_PROBE_RETRIED, sm->s.account.attempt[warp], warp, pc, 0);
    else
      sl_simtight_tell(sm, (struct sl_probe){.kind = SL_PROBE_RETRIED,
                                             .id = sm->s.account.attempt[warp],
                                             .warp = warp,
                                             .pc = pc,
                                             .holder = holder(sm, pc)});
    sm->s.account.attempt[warp] = 0;
  }
  sl_simtight_account_flushed(sm, warp, pc);
}

void sl_simtight_account_end(struct sl_simtight_sm *sm)
{
  charge_idle(sm, 0, sm->s.account.latest);
}

#define RTL(id, number, rtl, name, unit, role, value, meaning) ID_##id,
#define OURS(id, name, unit, role, value, meaning) ID_##id,
#define CAUSE(id, name, kind, meaning) ID_CAUSE_##id,
enum {
#include "machine/simtight/simtight_counters.def"
  COUNTER_COUNT
};
#undef RTL
#undef OURS
#undef CAUSE

#define RTL(id, number, rtl, name, unit, role, value, meaning)                                                         \
  {name, unit, SL_COUNTER_##role, NULL, meaning, number, rtl},
#define OURS(id, name, unit, role, value, meaning) {name, unit, SL_COUNTER_##role, NULL, meaning, -1, NULL},
#define CAUSE(id, name, kind, meaning) {"slots_" name, "cycles", SL_COUNTER_STALL_REASON, name, meaning, -1, NULL},
static const struct sl_counter counters[COUNTER_COUNT] = {
#include "machine/simtight/simtight_counters.def"
};
#undef RTL
#undef OURS
#undef CAUSE

const struct sl_counters sl_simtight_counters = {counters, COUNTER_COUNT};

const struct sl_energy_source sl_simtight_energy[] = {
    {SL_ENERGY_FETCH, "warp_instrs", 1},
    {SL_ENERGY_SCHEDULE, "warp_instrs", 1},
    {SL_ENERGY_LANE_OTHER, "thread_instrs", 1},
    {SL_ENERGY_SHARED, "scratchpad_words", 32},
    {0},
};

/* The hardware sums instructions in a tree of registers. At the end the counter lacks the tree's latest values. */
static uint64_t uncounted(const struct sl_simtight_sm *sm)
{
  uint64_t sum = 0;
  for (int64_t c = sm->s.cycle - SL_SIMTIGHT_UNCOUNTED; c < sm->s.cycle; c++)
    if (c >= 0)
      sum += sm->s.recent[c % SL_SIMTIGHT_RING];
  return sum;
}

static uint64_t registers(const struct sl_simtight_sm *sm)
{
  return (uint64_t)sm->spec.warps * SL_REGISTERS;
}

/* Warp instructions that the scalar pipeline executed. */
static uint64_t scalar(const struct sl_simtight_sm *sm)
{
  return sm->s.scalar.issues - sm->s.scalar.retries - sm->s.scalar.misfits;
}

/* clang-format off */
#define RTL(id, number, rtl, name, unit, role, value, meaning) case ID_##id: return value;
#define OURS(id, name, unit, role, value, meaning) case ID_##id: return value;
#define CAUSE(id, name, kind, meaning) case ID_CAUSE_##id: return sm->s.counts.slots[SL_SLOT_##id];
/* clang-format on */
uint64_t sl_simtight_counter(const struct sl_sm *handle, size_t index)
{
  const struct sl_simtight_sm *sm = sl_simtight_of_const(handle);
  switch (index) {
#include "machine/simtight/simtight_counters.def"
  default: return 0;
  }
}

/* The lives of instructions. This code runs only with an observer. */

/* Adds the record of the instruction whose attempt ends in this cycle. */
static inline struct sl_life_record *add(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc, sl_lanes active,
                                         unsigned flags)
{
  struct sl_life_record *const l = sl_record_add_life(sm->environment.probes, sm->s.launches - 1);
  const uint64_t attempt = sm->s.account.attempt[warp];
  sm->s.account.attempt[warp] = 0;
  sm->s.account.last[warp] = sm->s.account.latest = pc;
  l->record.cycle = (uint64_t)(sm->s.cycle - SL_SIMTIGHT_DEPTH);
  l->record.id = attempt != 0 ? attempt : ++sm->s.account.ids;
  l->record.pc = pc;
  l->record.more = active;
  l->record.warp = warp;
  l->record.core = 0;
  l->record.stage = (uint8_t)flags;
  return l;
}

void sl_simtight_tell_retry(struct sl_simtight_sm *sm, unsigned warp, uint32_t pc, unsigned told)
{
  struct sl_life_record *const l = add(sm, warp, pc, 0, told | SL_LIFE_WAITED);
  sm->s.account.charged[SL_SLOT_RETRIED]++;
  l->life = (struct sl_record_life){.spent = {SL_SIMTIGHT_DEPTH},
                                    .executed = SL_SIMTIGHT_DEPTH,
                                    .end = __builtin_ctz(SL_PROBE_RETRIED),
                                    .cause = SL_SLOT_RETRIED};
}

/* Bank cycles of an access beyond those without a conflict. */
static unsigned conflicts(const struct sl_simtight_sm *sm, const struct sl_request *request)
{
  if (request->scratchpad_passes <= 1)
    return 0;
  const unsigned banks = sm->spec.scratchpad_banks, least = (sl_count(request->scratchpad) + banks - 1) / banks;
  return request->scratchpad_passes > least ? request->scratchpad_passes - least : 0;
}

void sl_simtight_tell_life(struct sl_simtight_sm *sm, unsigned warp, const struct sl_execution *ex,
                           struct sl_request *request, unsigned flags, bool accesses)
{
  const struct sl_path_warps *const t = &sm->warps;
  const struct sl_insn *const in = ex->insn;
  const bool awaited = (flags & SL_LIFE_GOES_ON) != 0;
  struct sl_life_record *const l = add(sm, warp, ex->pc, ex->active, flags);
  l->life = (struct sl_record_life){.spent = {SL_SIMTIGHT_DEPTH, 0, !awaited && in->rd != 0},
                                    .executed = SL_SIMTIGHT_DEPTH,
                                    .end = __builtin_ctz(SL_PROBE_RETIRED),
                                    .stage = SL_SIMTIGHT_RESULT,
                                    .cause = SL_SLOT_ISSUED};
  sm->s.account.charged[SL_SLOT_ISSUED]++;
  sm->s.account.executed[warp] = l->record.id;
  if (awaited) {
    sm->s.account.awaited[warp] = ex->pc;
    sm->s.account.awaited_id[warp] = l->record.id;
    sm->s.account.lanes[warp] = sm->s.account.unanswered[warp] = ex->active;
  }
  if (accesses) {
    request->instruction = sl_code_number(&t->code, in);
    if (in->kind != SL_KIND_FENCE && request->scratchpad)
      l->life.banked = (uint16_t)conflicts(sm, request);
  }
  sl_record_parts(sm->environment.probes->records, l, in, t->spec.lanes,
                  in->rd != 0 ? sl_path_warps_registers(t, warp) + ((size_t)in->rd << t->lane_bits) : NULL,
                  in->width != 0 && accesses ? request->address : NULL);
}
