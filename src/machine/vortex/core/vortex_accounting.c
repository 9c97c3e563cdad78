/* Observer events of the stages, and the stall accounting of a core's cycles. This code runs only with an observer, or
 * if the program selects the performance counters of stalls by unit (performance.class=1).
 *
 * A cycle with an issue is charged to the issued instruction, with several slices to the first one. Any other cycle is
 * charged to the instruction that blocks issue: the writer of a pending register; the instruction that needs a stream's
 * element or room in operand collection; the barrier; the jump or CSR access that holds fetch; or the instruction being
 * fetched. If several warps wait for the same kind of event, the lowest warp counts. Cycles without an active warp are
 * charged to the core's last instruction. Each core's cycles therefore add up to those of the run. */
#include "machine/vortex/core/vortex_stages.h"

#include "isa/probe.h"

static const struct sl_stall_reason causes[SL_VORTEX_STALL_REASONS] = {
#define CAUSE(id, name, kind, meaning) {name, meaning, SL_STALL_REASON_##kind},
#include "machine/vortex/vortex_stall_reasons.def"
#undef CAUSE
};

SL_HOLDS(SL_MAX_STALL_REASONS, SL_VORTEX_STALL_REASONS, "stall reasons of a row's cycles");

const struct sl_stall_reasons sl_vortex_stall_reasons = {causes, SL_VORTEX_STALL_REASONS};

enum sl_vortex_stage { SL_VORTEX_STAGE_FETCH, SL_VORTEX_STAGE_ISSUE, SL_VORTEX_STAGE_MEMORY, SL_VORTEX_STAGE_DONE };

static const struct sl_stage stages[] = {
    /* in the order of enum sl_vortex_stage */
    {"fetch", "the warp is scheduled; the instruction is fetched, decoded and buffered", SL_PROBE_FETCHED},
    {"issue", "it is issued; its operands are collected and its unit executes it", SL_PROBE_ISSUED},
    {"memory", "the load/store unit has accepted it", SL_PROBE_STAGED},
    {"done", "it has committed", SL_PROBE_RETIRED},
};

const struct sl_stages sl_vortex_stages = {stages, sizeof stages / sizeof stages[0]};

unsigned sl_vortex_profiled(const void *spec)
{
  (void)spec;
  return SL_PROFILE_CACHE_LINES | SL_PROFILE_SCRATCHPAD | SL_PROFILE_QUEUED;
}

void sl_vortex_account_start(struct sl_vortex_pipeline *core)
{
  const struct sl_insn *entry = sl_ipdom_insn(core->warps, core->warps->warp[0].pc);
  core->s.account = (struct sl_vortex_account){.holder = SL_NO_HOLDER,
                                               .latest = entry != NULL ? sl_code_number(core->warps->code, entry) : 0};
}

static inline void tell(const struct sl_vortex_pipeline *core, struct sl_probe probe)
{
  probe.cycle = core->s.cycle;
  if (core->tell != NULL)
    core->tell(core->observer, core->number, &probe);
}

/* Whether events are written as records at once. A core with a log buffers them (vortex_events.c). */
static inline bool records(const struct sl_vortex_pipeline *core)
{
  return core->recorder != NULL && core->warps->log == NULL;
}

static inline bool wants(const struct sl_vortex_pipeline *core, enum sl_probe_kind kind)
{
  return (core->recorder->wanted & kind) != 0;
}

static inline enum sl_vortex_stage stage_of(enum sl_probe_kind kind)
{
  switch (kind) {
  case SL_PROBE_ISSUED: return SL_VORTEX_STAGE_ISSUE;
  case SL_PROBE_STAGED: return SL_VORTEX_STAGE_MEMORY;
  case SL_PROBE_RETIRED: return SL_VORTEX_STAGE_DONE;
  default: return SL_VORTEX_STAGE_FETCH;
  }
}

static inline void record_of(const struct sl_vortex_pipeline *core, enum sl_probe_kind kind,
                             const struct sl_vortex_op *op, int64_t count)
{
  if (wants(core, kind))
    *sl_record_add(core->recorder, *core->launches - 1) = (struct sl_probe_record){
        .cycle = core->s.cycle,
        .id = op->id,
        .pc = op->pc,
        .more = (kind & SL_RECORDS_OF_COUNTS) != 0 ? (uint64_t)count : op->mask,
        .warp = sl_ipdom_global(core->warps, op->warp),
        .core = (uint16_t)core->number,
        .kind = (uint8_t)__builtin_ctz(kind),
        .stage = (uint8_t)stage_of(kind),
    };
}

static inline void tell_of(const struct sl_vortex_pipeline *core, enum sl_probe_kind kind,
                           const struct sl_vortex_op *op, int64_t count)
{
  if (records(core))
    record_of(core, kind, op, count);
  else
    tell(core, (struct sl_probe){
                   .kind = kind, .id = op->id, .warp = op->warp, .pc = op->pc, .active = op->mask, .count = count});
}

void sl_vortex_account_id(struct sl_vortex_pipeline *core, struct sl_vortex_op *op)
{
  op->queued = 0;
  op->id = core->s.account.ids++ * core->spec->cores + core->number + 1;
  core->s.account.scheduled_id[op->warp] = op->id;
}

void sl_vortex_account_schedule(struct sl_vortex_pipeline *core, struct sl_vortex_op *op)
{
  core->s.account.latest = core->s.account.scheduled[op->warp] = op->number;
  sl_vortex_account_id(core, op);
  tell_of(core, SL_PROBE_FETCHED, op, 0);
}

void sl_vortex_account_issue(struct sl_vortex_pipeline *core, uint16_t index)
{
  struct sl_vortex_account *l = &core->s.account;
  const struct sl_vortex_op *op = &core->op[index];
  const struct sl_extended *extended = &core->extended[index];
  const struct sl_insn *in = extended->replaced ? &extended->copy : sl_vortex_insn(core, op);
  l->writer[op->warp][in->rd] = op->number;
  if (!core->s.issued)
    l->issued = op->number;
  tell_of(core, SL_PROBE_ISSUED, op, 0);
}

void sl_vortex_account_line(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  tell_of(core, SL_PROBE_TRANSACTED, op, 0);
}

void sl_vortex_account_local(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op, unsigned passes)
{
  const unsigned banks = core->lmem_banks;
  tell(core, (struct sl_probe){.kind = SL_PROBE_BANKED,
                               .id = op->id,
                               .warp = op->warp,
                               .pc = op->pc,
                               .active = op->local,
                               .count = passes,
                               .least = (sl_count(op->local) + banks - 1) / banks});
}

void sl_vortex_account_commit(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  tell_of(core, SL_PROBE_RETIRED, op, 0);
}

void sl_vortex_account_barrier(struct sl_vortex_pipeline *core, enum sl_probe_kind kind, sl_warps warps)
{
  const sl_warps together = kind == SL_PROBE_RELEASED ? warps : 0;
  for (; warps; warps &= warps - 1) {
    const unsigned warp = sl_lowest(warps);
    tell(core, (struct sl_probe){.kind = kind,
                                 .id = core->s.account.scheduled_id[warp],
                                 .warp = warp,
                                 .together = together,
                                 .pc = sl_code_address(core->warps->code, core->s.account.scheduled[warp])});
  }
}

/* ---- LSU stalls -------------------------------------------------------------------------------------------------- */

static uint32_t first_of(const struct sl_vortex_pipeline *core, const struct sl_vortex_queue *queue)
{
  return core->op[sl_vortex_first(core, queue)->op].number;
}

/* The reason why the next access was not accepted, in the LSU's order of checks. */
static uint32_t hindrance(const struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_lsu *lsu = &core->s.lsu;
  const struct sl_vortex_account *l = &core->s.account;
  if (lsu->fence)
    return l->fence;
  if (!sl_vortex_room(&lsu->requests, core->spec->lsu_queue))
    return first_of(core, sl_vortex_room(&lsu->split, core->spec->lsu_queue) ? &lsu->requests : &lsu->split);
  return l->loads > 0 ? l->load[0] : l->answered;
}

/* An access that has waited is taken, or begins its way from one queue to the next. */
static void tell_dequeued(const struct sl_vortex_pipeline *core, struct sl_vortex_op *op)
{
  if (op->queued > 0)
    tell_of(core, SL_PROBE_DEQUEUED, op, op->queued);
  op->queued = 0;
}

void sl_vortex_account_taken(struct sl_vortex_pipeline *core, struct sl_vortex_op *op, bool taken)
{
  struct sl_vortex_account *l = &core->s.account;
  l->holder = taken ? op->number : hindrance(core);
  if (taken) {
    tell_dequeued(core, op);
    tell_of(core, SL_PROBE_STAGED, op, 0);
  }
  if (!taken || op->mask == 0)
    return;
  if (op->facts.flags & SL_FACT_FENCE)
    l->fence = op->number;
  else if ((op->facts.flags & SL_FACT_LOAD) && l->loads < SL_VORTEX_LOADS_MAX)
    l->load[l->loads++] = op->number;
}

void sl_vortex_account_answered(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  struct sl_vortex_account *l = &core->s.account;
  uint32_t i = 0;
  l->answered = op->number;
  while (i < l->loads && l->load[i] != op->number)
    i++;
  if (i == l->loads) /* a fence */
    return;
  l->loads--;
  for (; i < l->loads; i++)
    l->load[i] = l->load[i + 1];
}

static void tell_queued(struct sl_vortex_pipeline *core, const struct sl_vortex_queue *queue, uint32_t holder)
{
  const uint32_t pc = holder != SL_NO_HOLDER ? sl_code_address(core->warps->code, holder) : 0;
  for (uint32_t i = 0; i < queue->count; i++) {
    const struct sl_vortex_entry *e = sl_vortex_entry(core, queue, i);
    struct sl_vortex_op *op = &core->op[e->op];
    if (e->ready > core->s.cycle) {
      tell_dequeued(core, op);
      continue;
    }
    if (op->queued == UINT16_MAX)
      tell_dequeued(core, op);
    op->queued++;
    if (core->tells_queues)
      tell(core, (struct sl_probe){.kind = SL_PROBE_QUEUED,
                                   .id = op->id,
                                   .warp = op->warp,
                                   .pc = op->pc,
                                   .active = op->mask,
                                   .holder = pc,
                                   .count = 1});
  }
}

/* Accesses in transit to the LSU block later ones. */
void sl_vortex_account_queue(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_account *l = &core->s.account;
  const struct sl_vortex_queue *input = &core->s.input[0][SL_UNIT_LSU];
  if (l->holder == SL_NO_HOLDER && input->count > 0)
    l->holder = first_of(core, input);
  tell_queued(core, input, l->holder);
  for (unsigned slice = 0; slice < core->slices; slice++)
    tell_queued(core, &core->s.dispatch[slice][SL_UNIT_LSU], l->holder);
  l->holder = SL_NO_HOLDER;
}

/* ---- cycle attribution ------------------------------------------------------------------------------------------- */

/* The next instruction of a warp to issue. */
static const struct sl_vortex_op *head(const struct sl_vortex_pipeline *core, unsigned warp)
{
  return &core->op[sl_vortex_to_issue(core, warp)];
}

/* The writer of the register of this set that the lowest warp waits for. */
static uint32_t writer(const struct sl_vortex_pipeline *core, enum sl_vortex_awaited set)
{
  uint8_t reg[SL_VORTEX_NAMES];
  for (sl_warps rest = core->s.visible & core->s.hindered; rest; rest &= rest - 1) {
    const unsigned warp = sl_lowest(rest);
    if (sl_scoreboard_list(&core->s.scoreboard, set, warp, &head(core, warp)->facts, reg) > 0)
      return core->s.account.writer[warp][reg[0]];
  }
  return core->s.account.latest;
}

/* The next instruction of the lowest warp of a set. */
static uint32_t next_of(const struct sl_vortex_pipeline *core, sl_warps warps)
{
  return warps ? head(core, sl_lowest(warps))->number : core->s.account.latest;
}

/* The last instruction of a warp in the pipeline; if there is none, the next one to be scheduled. */
static uint32_t current(const struct sl_vortex_pipeline *core, sl_warps warps)
{
  if (warps == 0)
    return core->s.account.latest;
  const unsigned warp = sl_lowest(warps);
  const struct sl_insn *next = sl_ipdom_insn(core->warps, core->warps->warp[warp].pc);
  return core->s.in_flight[warp] > 0 || next == NULL ? core->s.account.scheduled[warp]
                                                     : sl_code_number(core->warps->code, next);
}

static uint32_t waited_for(const struct sl_vortex_pipeline *core, enum sl_vortex_stall_reason cause)
{
  const sl_warps active = core->warps->s.sync.active, waiting = core->warps->s.sync.at_barrier;
  switch (cause) {
  case SL_VORTEX_ISSUED: return core->s.account.issued;
  case SL_VORTEX_MEMORY: return writer(core, SL_AWAITED_LOAD);
  case SL_VORTEX_FPU: return writer(core, SL_AWAITED_FPU);
  case SL_VORTEX_PIPELINE: return writer(core, SL_AWAITED);
  case SL_VORTEX_STREAM: return next_of(core, core->s.starved);
  case SL_VORTEX_OPERANDS: return next_of(core, core->s.visible & ~core->s.hindered);
  case SL_VORTEX_FETCH: return current(core, active & ~waiting);
  case SL_VORTEX_SWITCH: return core->s.account.scheduled[sl_lowest(sl_vortex_absent_warps(core))];
  case SL_VORTEX_BARRIER: return core->s.account.scheduled[sl_lowest(active)];
  default: return core->s.account.latest;
  }
}

/* Every register that an instruction waits for counts for the unit that writes it. */
static void count_results(struct sl_vortex_pipeline *core)
{
  uint64_t *const of_unit[SL_UNIT_COUNT] = {&core->s.counts.stalls_alu, &core->s.counts.stalls_lsu,
                                            &core->s.counts.stalls_sfu, &core->s.counts.stalls_fpu};
  for (sl_warps warps = core->s.visible & core->s.hindered; warps; warps &= warps - 1) {
    const unsigned warp = sl_lowest(warps);
    uint8_t reg[SL_VORTEX_NAMES];
    const unsigned count = sl_scoreboard_list(&core->s.scoreboard, SL_AWAITED, warp, &head(core, warp)->facts, reg);
    for (unsigned i = 0; i < count; i++) {
      const uint32_t index = core->s.account.writer[warp][reg[i]];
      const bool control = core->warps->code->insn[index].kind == SL_KIND_WARP;
      const unsigned unit = core->facts[index].unit;
      (*of_unit[unit])++;
      core->s.counts.stalls_csr += unit == SL_UNIT_SFU && !control;
      core->s.counts.stalls_control += unit == SL_UNIT_SFU && control;
    }
  }
}

static void charge(struct sl_vortex_pipeline *core, uint32_t number, enum sl_vortex_stall_reason cause, int64_t cycles)
{
  if (records(core)) {
    if (wants(core, SL_PROBE_WAITED))
      sl_record_wait_of(core->recorder, *core->launches - 1,
                        &(struct sl_probe_record){.cycle = core->s.cycle,
                                                  .pc = sl_code_address(core->warps->code, number),
                                                  .more = (uint64_t)cycles,
                                                  .warp = sl_ipdom_global(core->warps, 0),
                                                  .core = (uint16_t)core->number,
                                                  .kind = __builtin_ctz(SL_PROBE_WAITED),
                                                  .stage = sl_record_wait(cause, SL_PROBE_BUSY, true)});
    return;
  }
  tell(core, (struct sl_probe){.kind = SL_PROBE_WAITED,
                               .pc = sl_code_address(core->warps->code, number),
                               .any_warp = true,
                               .cause = cause,
                               .count = cycles});
}

void sl_vortex_account_cycle(struct sl_vortex_pipeline *core, enum sl_vortex_stall_reason cause)
{
  if (core->spec->performance_class == 1)
    count_results(core);
  if (core->tell != NULL)
    charge(core, waited_for(core, cause), cause, 1);
}

/* Cycles after the last commit count as drain, and so do those that do not fill whole quanta. */
void sl_vortex_settle(struct sl_vortex_pipeline *core, uint64_t end)
{
  const int64_t more = (int64_t)(end - core->s.cycle);
  core->s.counts.cause[SL_VORTEX_DRAIN] += (uint64_t)more;
  if (core->watched && more != 0)
    charge(core, core->s.account.latest, SL_VORTEX_DRAIN, more);
}
