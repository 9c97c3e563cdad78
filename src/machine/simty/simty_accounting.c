/* Stall accounting of the issue slot, and notification of the observer. This code runs only with an observer. */
#include <string.h>

#include "machine/simty/simty_sm.h"

static const struct sl_stall_reason causes[SL_SIMTY_SLOT_COUNT] = {
#define CAUSE(id, name, kind, meaning) {name, meaning, SL_STALL_REASON_##kind},
#include "machine/simty/simty_stall_reasons.def"
#undef CAUSE
};

SL_HOLDS(SL_MAX_STALL_REASONS, SL_SIMTY_SLOT_COUNT, "stall reasons of a row");

const struct sl_stall_reasons sl_simty_stall_reasons = {causes, SL_SIMTY_SLOT_COUNT};

static const struct sl_stage stages[] = {
    {"buffer", "the instruction has been fetched and predecoded", SL_PROBE_FETCHED},
    {"operands", "a scheduler has picked it; its operands are read", SL_PROBE_STAGED},
    {"commit", "it executes on the running path of its warp", SL_PROBE_ISSUED},
    {"done", "its results are written, or it has left the pipeline without any",
     SL_PROBE_RETIRED | SL_PROBE_RETRIED | SL_PROBE_FLUSHED},
};

const struct sl_stages sl_simty_stages = {stages, sizeof stages / sizeof stages[0]};

unsigned sl_simty_profiled(const void *spec)
{
  (void)spec;
  return SL_PROFILE_RETRIES;
}

void sl_simty_tell(struct sl_simty_core *sm, struct sl_probe probe)
{
  struct sl_probes *probes = sm->environment.probes;
  if (!sl_probes_want(probes, probe.kind))
    return;
  probe.cycle = sm->warps.s.timing ? sm->s.cycle - 1 : sm->s.counts.instructions;
  probe.launch = sm->s.launches - 1;
  probe.lanes = sm->warps.spec.lanes;
  probe.stage = sl_stage_of(&sl_simty_stages, probe.kind);
  sl_tell(probes, &probe);
  if (sl_probes_stopped(probes) && sm->base.state == SL_SM_RUNNING)
    sm->base.state = SL_SM_STOPPED;
}

/* Returns a pc; for a word outside memory, that of the latest instruction. */
static uint32_t place(const struct sl_simty_core *sm, uint32_t pc)
{
  return sl_code_at(&sm->warps.code, pc) != NULL ? pc : sm->s.account.latest;
}

void sl_simty_account_start(struct sl_simty_core *sm, uint32_t entry)
{
  memset(&sm->s.account, 0, sizeof sm->s.account);
  sm->s.account.latest = entry;
  for (unsigned w = 0; w < SL_MAX_WARPS; w++)
    sm->s.account.last[w] = entry;
}

static void charge(struct sl_simty_core *sm, unsigned warp, uint32_t pc, unsigned slot, uint64_t cycles)
{
  sl_simty_tell(
      sm, (struct sl_probe){.kind = SL_PROBE_WAITED, .warp = warp, .pc = pc, .cause = slot, .count = (int64_t)cycles});
}

/* Charges the cycles since the last pick to an instruction. */
static void charge_idle(struct sl_simty_core *sm, unsigned warp, uint32_t pc)
{
  for (unsigned slot = SL_SIMTY_MEMORY; slot < SL_SIMTY_SLOT_COUNT; slot++) {
    const uint64_t cycles = sm->s.counts.slots[slot] - sm->s.account.charged[slot];
    sm->s.account.charged[slot] += cycles;
    if (cycles > 0)
      charge(sm, warp, pc, slot, cycles);
  }
}

void sl_simty_account_pick(struct sl_simty_core *sm, unsigned warp)
{
  charge_idle(sm, warp, sm->s.account.last[warp]);
  sm->s.account.last[warp] = sm->s.account.latest = place(sm, sm->s.fetch.buffer[warp].pc);
  sm->s.account.issued[(sm->s.cycle + 1) % SL_SIMTY_RING] = sm->s.account.fetched[warp];
  sl_simty_tell(sm, (struct sl_probe){.kind = SL_PROBE_STAGED,
                                      .id = sm->s.account.fetched[warp],
                                      .warp = warp,
                                      .pc = sm->s.fetch.buffer[warp].pc});
  sm->s.account.fetched[warp] = 0;
}

void sl_simty_account_commit(struct sl_simty_core *sm, const struct sl_fetched *word, enum sl_simty_slot slot,
                             sl_lanes lanes)
{
  struct sl_probe probe = {.kind = slot != SL_SIMTY_WRONG_PATH ? SL_PROBE_ISSUED : SL_PROBE_FLUSHED,
                           .id = sl_simty_executing(sm),
                           .warp = word->warp,
                           .pc = place(sm, word->pc),
                           .active = lanes};
  charge(sm, probe.warp, (uint32_t)probe.pc, slot, 1);
  sl_simty_tell(sm, probe);
  probe.kind = SL_PROBE_RETRIED;
  if (slot == SL_SIMTY_REPLAYED)
    sl_simty_tell(sm, probe);
}

/* Charges instructions in flight at the end to themselves, and idle cycles to the latest instruction. */
void sl_simty_account_end(struct sl_simty_core *sm)
{
  charge_idle(sm, 0, sm->s.account.latest);
  for (unsigned t = 0; t < SL_SIMTY_EXECUTED + 1; t++) {
    const struct sl_simty_issue *i = &sm->s.ring[(sm->s.cycle + 1 - t) % SL_SIMTY_RING];
    if (i->valid)
      charge(sm, i->word.warp, place(sm, i->word.pc), SL_SIMTY_IN_FLIGHT, 1);
  }
}

/* ---- stages ------------------------------------------------------------------------------------------------------ */

void sl_simty_report_warps(struct sl_simty_core *sm, enum sl_probe_kind kind, sl_warps warps)
{
  const unsigned step = sm->s.barrier.block != 0 ? sm->s.barrier.block : sm->s.barrier.warps;
  for (; warps; warps &= warps - 1) {
    const unsigned warp = sl_lowest(warps);
    struct sl_probe probe = {
        .kind = kind, .id = sm->s.account.last_id[warp], .warp = warp, .pc = sm->s.account.last[warp]};
    if (kind == SL_PROBE_RELEASED)
      probe.together = sl_low_bits(step) << (warp - warp % step);
    if (kind == SL_PROBE_FETCHED) {
      probe.pc = sm->s.fetch.buffer[warp].pc;
      probe.id = sm->s.account.fetched[warp] = ++sm->s.account.ids;
    }
    if (kind == SL_PROBE_RETIRED) {
      probe.active = sm->s.account.executed[warp];
      sm->s.account.executed[warp] = 0;
      if (probe.active == 0)
        continue;
    }
    sl_simty_tell(sm, probe);
  }
}

#define RTL(id, rtl, name, unit, role, value, meaning) ID_##id,
#define OURS(id, name, unit, role, value, meaning) ID_##id,
#define CAUSE(id, name, kind, meaning) ID_CAUSE_##id,
enum {
#include "machine/simty/simty_counters.def"
  COUNTER_COUNT
};
#undef RTL
#undef OURS
#undef CAUSE

#define RTL(id, rtl, name, unit, role, value, meaning) {name, unit, SL_COUNTER_##role, NULL, meaning, -1, rtl},
#define OURS(id, name, unit, role, value, meaning) {name, unit, SL_COUNTER_##role, NULL, meaning, -1, NULL},
#define CAUSE(id, name, kind, meaning) {"slots_" name, "cycles", SL_COUNTER_STALL_REASON, name, meaning, -1, NULL},
static const struct sl_counter counters[COUNTER_COUNT] = {
#include "machine/simty/simty_counters.def"
};
#undef RTL
#undef OURS
#undef CAUSE

const struct sl_counters sl_simty_counters = {counters, COUNTER_COUNT};

const struct sl_energy_source sl_simty_energy[] = {
    {SL_ENERGY_FETCH, "warp_instrs", 1},
    {SL_ENERGY_SCHEDULE, "warp_instrs", 1},
    {SL_ENERGY_LANE_OTHER, "thread_instrs", 1},
    {SL_ENERGY_SHARED, "scratchpad_words", 32},
    {0},
};

/* Instructions picked or issued but not committed. */
static uint64_t in_flight(const struct sl_simty_core *sm)
{
  uint64_t sum = 0;
  for (int age = -1; age < SL_SIMTY_EXECUTED; age++)
    sum += sm->s.ring[(sm->s.cycle - (uint64_t)(int64_t)age) % SL_SIMTY_RING].valid;
  return sum;
}

static uint64_t committed(const struct sl_simty_core *sm)
{
  return sm->s.counts.slots[SL_SIMTY_ISSUED] + sm->s.counts.slots[SL_SIMTY_REPLAYED];
}

static uint64_t cycles_of(const struct sl_simty_core *sm, enum sl_simty_slot slot)
{
  return slot == SL_SIMTY_IN_FLIGHT ? in_flight(sm) : sm->s.counts.slots[slot];
}

/* clang-format off */
#define RTL(id, rtl, name, unit, role, value, meaning) case ID_##id: return value;
#define OURS(id, name, unit, role, value, meaning) case ID_##id: return value;
#define CAUSE(id, name, kind, meaning) case ID_CAUSE_##id: return cycles_of(sm, SL_SIMTY_##id);
/* clang-format on */
uint64_t sl_simty_counter(const struct sl_sm *handle, size_t index)
{
  const struct sl_simty_core *sm = sl_simty_of_const(handle);
  switch (index) {
#include "machine/simty/simty_counters.def"
  default: return 0;
  }
}
