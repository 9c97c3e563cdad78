/* Charging cycles and events to instructions; nothing here runs unless someone profiles, or the program asks for the
 * performance counters that tell whose results are waited for (performance.class=1).
 *
 * A cycle in which a core issues goes to the instruction issued, the first of them with several slices. Any other goes
 * to the instruction that is waited for: the one that has yet to write the register, the one that needs an element of a
 * stream or room in operand collection, the barrier, the jump or CSR access that holds fetch, the one being fetched.
 * Of several warps that wait for the same kind of thing it is the lowest's. Cycles in which no warp is active go to the
 * core's last instruction. So every core's rows add up to the cycles of the run. */
#include "machine/vortex/core/vortex_profile.h"

#include <stdlib.h>

enum { REGISTERS = 64 };

struct sl_vortex_ledger {
  struct sl_profile *profile; /* NULL: only results are watched */
  uint32_t issued, latest;    /* instructions: the first issued in this cycle, the last scheduled */
  uint32_t scheduled[SL_MAX_WARPS];
  uint32_t writer[SL_MAX_WARPS][REGISTERS]; /* of registers that are awaited */
};

static const struct sl_cause causes[SL_VORTEX_CAUSES] = {
#define CAUSE(id, name, colour, meaning) {name, meaning, SL_##colour},
#include "machine/vortex/vortex_causes.def"
#undef CAUSE
};

SL_HOLDS(SL_MAX_CAUSES, SL_VORTEX_CAUSES, "causes of a row's cycles");

const struct sl_causes sl_vortex_causes = {causes, SL_VORTEX_CAUSES};

unsigned sl_vortex_profiled(const void *spec)
{
  (void)spec;
  return SL_PROFILE_CACHE_LINES | SL_PROFILE_SCRATCHPAD;
}

enum sl_status sl_vortex_ledger_create(struct sl_vortex_pipeline *core, struct sl_profile *profile,
                                       struct sl_error *err)
{
  if (profile == NULL && core->spec->performance_class != 1)
    return SL_OK;
  core->ledger = calloc(1, sizeof *core->ledger);
  if (core->ledger == NULL)
    return sl_no_memory(err, sizeof *core->ledger);
  core->ledger->profile = profile;
  return SL_OK;
}

void sl_vortex_ledger_start(struct sl_vortex_pipeline *core)
{
  struct sl_profile *profile = core->ledger->profile;
  const struct sl_insn *entry = sl_ipdom_insn(core->warps, core->warps->warp[0].pc);
  *core->ledger = (struct sl_vortex_ledger){.profile = profile};
  core->ledger->latest = entry != NULL ? sl_code_number(core->warps->code, entry) : 0;
}

static struct sl_profile_row *row_of(const struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  return &core->ledger->profile->rows[op->number];
}

void sl_vortex_ledger_schedule(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  core->ledger->latest = core->ledger->scheduled[op->warp] = op->number;
}

void sl_vortex_ledger_issue(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  struct sl_vortex_ledger *l = core->ledger;
  const uint32_t index = op->number;
  for (uint64_t rest = op->facts.writes; rest; rest &= rest - 1)
    l->writer[op->warp][sl_lowest(rest)] = index;
  if (!core->s.issued)
    l->issued = index;
  if (l->profile == NULL)
    return;
  row_of(core, op)->vector_issues++;
  row_of(core, op)->active_lanes += sl_count(op->mask);
}

void sl_vortex_ledger_line(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  if (core->ledger->profile != NULL)
    row_of(core, op)->transactions++;
}

void sl_vortex_ledger_local(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op, unsigned passes)
{
  if (core->ledger->profile == NULL)
    return;
  row_of(core, op)->scratchpad_requests++;
  row_of(core, op)->scratchpad_passes += passes;
}

/* The next instruction of a warp to issue. */
static const struct sl_vortex_op *head(const struct sl_vortex_pipeline *core, unsigned warp)
{
  const struct sl_vortex_queue *buffer = &core->s.ibuffer[warp];
  return &core->op[sl_vortex_first(core, buffer)->op];
}

/* Who writes the register that the lowest warp waits for, of those whose registers are in `busy`. */
static uint32_t writer(const struct sl_vortex_pipeline *core, const uint64_t *busy)
{
  for (sl_warps rest = core->s.visible & core->s.hindered; rest; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    const uint64_t awaited = head(core, warp)->facts.registers & busy[warp];
    if (awaited)
      return core->ledger->writer[warp][sl_lowest(awaited)];
  }
  return core->ledger->latest;
}

/* The next instruction of the lowest warp of a set. */
static uint32_t next_of(const struct sl_vortex_pipeline *core, sl_warps warps)
{
  return warps ? head(core, sl_lowest(warps))->number : core->ledger->latest;
}

/* The instruction of a warp that is in the pipeline last or, when there is none, will be scheduled next. */
static uint32_t current(const struct sl_vortex_pipeline *core, sl_warps warps)
{
  if (warps == 0)
    return core->ledger->latest;
  const unsigned warp = sl_lowest(warps);
  const struct sl_insn *next = sl_ipdom_insn(core->warps, core->warps->warp[warp].pc);
  return core->s.in_flight[warp] > 0 || next == NULL ? core->ledger->scheduled[warp]
                                                     : sl_code_number(core->warps->code, next);
}

static uint32_t waited_for(const struct sl_vortex_pipeline *core, enum sl_vortex_cause cause)
{
  const sl_warps active = core->warps->s.gang.active, waiting = core->warps->s.gang.at_barrier;
  switch (cause) {
  case SL_VORTEX_ISSUED: return core->ledger->issued;
  case SL_VORTEX_MEMORY: return writer(core, core->s.busy_load);
  case SL_VORTEX_FPU: return writer(core, core->s.busy_fpu);
  case SL_VORTEX_PIPELINE: return writer(core, core->s.busy);
  case SL_VORTEX_STREAM: return next_of(core, core->s.starved);
  case SL_VORTEX_OPERANDS: return next_of(core, core->s.visible & ~core->s.hindered);
  case SL_VORTEX_FETCH: return current(core, active & ~waiting);
  case SL_VORTEX_BARRIER: return core->ledger->scheduled[sl_lowest(active)];
  default: return core->ledger->latest;
  }
}

/* Every register that an instruction waits for counts for the unit it comes from. */
static void count_results(struct sl_vortex_pipeline *core)
{
  uint64_t *const of_unit[SL_UNIT_COUNT] = {&core->s.counts.stalls_alu, &core->s.counts.stalls_lsu,
                                            &core->s.counts.stalls_sfu, &core->s.counts.stalls_fpu};
  for (sl_warps warps = core->s.visible & core->s.hindered; warps; warps &= warps - 1) {
    const unsigned warp = sl_lowest(warps);
    for (uint64_t rest = head(core, warp)->facts.registers & core->s.busy[warp]; rest; rest &= rest - 1) {
      const uint32_t index = core->ledger->writer[warp][sl_lowest(rest)];
      const bool control = core->warps->code->insn[index].kind == SL_KIND_WARP;
      const unsigned unit = core->facts[index].unit;
      (*of_unit[unit])++;
      core->s.counts.stalls_csr += unit == SL_UNIT_SFU && !control;
      core->s.counts.stalls_control += unit == SL_UNIT_SFU && control;
    }
  }
}

void sl_vortex_ledger_cycle(struct sl_vortex_pipeline *core, enum sl_vortex_cause cause)
{
  if (core->spec->performance_class == 1)
    count_results(core);
  if (core->ledger->profile != NULL)
    core->ledger->profile->rows[waited_for(core, cause)].cycles[cause]++;
}

/* What follows the last commit is draining, and so is what does not fit into whole stretches of cycles. */
void sl_vortex_settle(struct sl_vortex_pipeline *core, uint64_t end)
{
  const uint64_t more = end - core->s.cycle;
  core->s.counts.cause[SL_VORTEX_DRAIN] += more;
  if (core->ledger != NULL && core->ledger->profile != NULL)
    core->ledger->profile->rows[core->ledger->latest].cycles[SL_VORTEX_DRAIN] += more;
}
