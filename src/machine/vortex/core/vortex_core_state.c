/* The pipeline of a Vortex core in checkpoints: its tables, and the rules over several fields. */
#include <string.h>

#include "base/state_archive.h"
#include "machine/vortex/core/vortex_places.h"

/* ---- tables ------------------------------------------------------------------------------------------------------ */

enum { OPS = SL_LIMIT_OWN, CODE, SLICES };

/* Positions in a queue, whose range follows from the keys. */
static SL_CHECKED_SCHEMA(queue_schema, struct sl_vortex_queue,
                         self->first <= self->mask && self->count <= self->mask + 1, SL_DERIVED(base, mask),
                         SL_ANY(first, count));

static SL_SCHEMA(op_schema, struct sl_vortex_op, NULL, SL_DERIVED(facts, threads),
                 SL_SET_OF(SL_LIMIT_ALL_LANES, mask, unsent, local, io), SL_ANY(decoded, pc, next, slice, holds),
                 SL_BELOW_LIMIT(CODE, number), SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp), SL_BELOW(SL_MAX_WARPS, place),
                 SL_MOST(SL_IPDOM_FAULTS, effect), SL_ANY(executed, local_last, answers, barrier, count, target),
                 SL_ANY(id));
static SL_SCHEMA(extended_schema, struct sl_extended, NULL, SL_ANY(renamed, replaced), SL_BYTES(note, copy));
static SL_SCHEMA(entry_schema, struct sl_vortex_entry, NULL, SL_ANY(ready, last), SL_BELOW_LIMIT(OPS, op));

/* Cycles are within the wheel's range (sl_vortex_looks_ahead). */
static SL_SCHEMA(operands_schema, struct sl_vortex_operands, NULL, SL_ANY(issued, collected, dispatched, sent, taken),
                 SL_RANGE(0, SL_LIMIT_NOW, SL_VORTEX_WHEEL, collector_free, dispatch_free, alu_free),
                 SL_BELOW_LIMIT(OPS, op), SL_RANGE(0, SL_LIMIT_NOW, SL_VORTEX_WHEEL - 1, collected_at, dispatched_at),
                 SL_RANGE_GRID(0, SL_LIMIT_NOW, SL_VORTEX_WHEEL - 1, taken_at));
static SL_SCHEMA(front_schema, struct sl_vortex_front, NULL, SL_ANY(first, moved, end, op, ready),
                 SL_RANGE(0, SL_LIMIT_NOW, SL_VORTEX_WHEEL, buffer_free, request_free, decoded));

static SL_SCHEMA(due_schema, struct sl_vortex_due, NULL, SL_SET_OF(SL_LIMIT_ALL_WARPS, wake, show), SL_ANY(done, clear),
                 SL_DERIVED(stages));
static SL_SCHEMA(scoreboard_schema, struct sl_vortex_scoreboard, NULL, SL_ANY_GRID(busy), SL_ANY_CUBE(high));
static SL_SCHEMA(buffers_schema, struct sl_vortex_buffers, NULL, SL_BELOW(SL_VORTEX_IBUFFER, first), SL_ANY(count),
                 SL_ANY_GRID(op));
static SL_SCHEMA(request_schema, struct sl_vortex_line_request, NULL, SL_ANY(ready, line, tag, write, io, flush));
static SL_SCHEMA(lsu_schema, struct sl_vortex_lsu, NULL, SL_STRUCTS(queue_schema, requests, split, returned, local),
                 SL_ANY(loads, free_at, freed, fence, send_from, tags), SL_STRUCTS(request_schema, line),
                 SL_BELOW(SL_VORTEX_LINES, line_first), SL_MOST(SL_VORTEX_LINES, line_count),
                 SL_ANY(bank_free, bank_written), SL_ANY_GRID(lane_served));
static SL_SCHEMA(line_schema, struct sl_vortex_port_line, NULL, SL_ANY(waits, write, line, tag, extension));
static SL_SCHEMA(return_schema, struct sl_vortex_port_return, NULL, SL_ANY(cycle, tag, extension));
static SL_SCHEMA(ports_schema, struct sl_vortex_ports, NULL, SL_STRUCTS(line_schema, port, read), SL_ANY(free),
                 SL_STRUCTS(return_schema, back), SL_BELOW(SL_VORTEX_PORT_RETURNS, first),
                 SL_MOST(SL_VORTEX_PORT_RETURNS, count));
static SL_SCHEMA(counts_schema, struct sl_vortex_counts, NULL,
                 SL_ANY(cause, instructions, thread_instructions, committed, loads, stores, ifetches, load_lines),
                 SL_ANY(store_lines, lines_answered, local_passes, local_writes, local_stalls, scheduled, loaded),
                 SL_ANY(by_warp, conflicts, schedule_idle, ibuffer_stalls, scoreboard_stalls, operand_stalls),
                 SL_ANY(stalls_alu, stalls_fpu, stalls_lsu, stalls_sfu, stalls_csr, stalls_control, fetch_latency),
                 SL_ANY(load_latency));
static SL_SCHEMA(account_schema, struct sl_vortex_account, NULL,
                 SL_BELOW_LIMIT(CODE, issued, latest, scheduled, fence, load, answered),
                 SL_BELOW_LIMIT_GRID(CODE, writer), SL_MOST(SL_VORTEX_LOADS_MAX, loads),
                 SL_BELOW_LIMIT_OR_NONE(CODE, holder), SL_ANY(ids, scheduled_id));

static SL_SCHEMA(state_schema, struct sl_vortex_pipeline_state, NULL,
                 SL_IS_LIMIT(SL_LIMIT_NOW, SL_CYCLES_MAX - 1, cycle),
                 SL_SET_OF(SL_LIMIT_ALL_WARPS, stalled, visible, hindered, starved, snapshot),
                 SL_STRUCTS(due_schema, due), SL_STRUCTS(scoreboard_schema, scoreboard),
                 SL_ANY(in_flight, committed, total_in_flight), SL_STRUCTS(buffers_schema, ibuffer),
                 SL_STRUCTS(front_schema, front),
                 SL_STRUCTS(queue_schema, collect, collected, dispatch, input, result, stored),
                 SL_ANY(collector_free, results, waiting, fpu_tags), SL_BELOW_LIMIT(SLICES, slice),
                 SL_BELOW(SL_UNIT_COUNT, last_winner), SL_STRUCTS(lsu_schema, lsu), SL_STRUCTS(ports_schema, ports),
                 SL_ANY(spawn_from, issued), SL_MOST(SL_CYCLES_MAX - 1, end_cycle), SL_MOST(0, faulted),
                 SL_STRUCTS(counts_schema, counts), SL_ANY(free_op), SL_STRUCTS(account_schema, account));

void sl_vortex_core_walk(struct sl_vortex_pipeline *core, struct sl_archive *archive)
{
  archive->limits.value[OPS] = core->op_count;
  archive->limits.value[CODE] = core->warps->code->count;
  archive->limits.value[SLICES] = core->slices;
  sl_archive_structs(archive, "pipeline", state_schema, &core->s, 1);
  sl_archive_structs(archive, "op", op_schema, core->op, core->op_count);
  sl_archive_structs(archive, "extended", extended_schema, core->extended, core->op_count);
  SL_ARCHIVE_ARRAY(archive, core->address, (size_t)core->op_count * core->spec->lanes);
  sl_archive_structs(archive, "entries", entry_schema, core->entries, core->entry_count);
  sl_archive_structs(archive, "operands", operands_schema, core->operands, core->slices);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* A register may have become the end of a stream. */
static bool register_valid(const struct sl_vortex_pipeline *core, unsigned reg, unsigned original)
{
  return reg == original ||
         (core->warps->renames != 0 && reg >= SL_IPDOM_FIRST_STREAM && reg < SL_IPDOM_RV32_REGISTERS);
}

static bool copy_valid(const struct sl_vortex_pipeline *core, const struct sl_insn *copy, const struct sl_insn *insn)
{
  struct sl_insn same = *copy;
  same.rd = insn->rd;
  same.rs1 = insn->rs1;
  same.rs2 = insn->rs2;
  same.rs3 = insn->rs3;
  return memcmp(&same, insn, sizeof same) == 0 && register_valid(core, copy->rd, insn->rd) &&
         register_valid(core, copy->rs1, insn->rs1) && register_valid(core, copy->rs2, insn->rs2) &&
         register_valid(core, copy->rs3, insn->rs3);
}

static void derive_record(const struct sl_vortex_pipeline *core, uint32_t index)
{
  struct sl_vortex_op *op = &core->op[index];
  const struct sl_extended *e = &core->extended[index];
  op->facts = e->replaced ? sl_vortex_facts_of(core->spec, &e->copy) : core->facts[op->number];
  op->threads = (uint8_t)sl_count(op->mask);
}

/* Validates also free records, because they keep their old contents. */
static bool record_valid(struct sl_vortex_pipeline *core, uint32_t index)
{
  struct sl_vortex_op *op = &core->op[index];
  const struct sl_extended *e = &core->extended[index];
  if (op->slice != op->warp % core->slices || (e->replaced && !e->renamed) ||
      (e->renamed && (core->warps->renames == 0 || !copy_valid(core, &e->copy, sl_vortex_insn(core, op)))))
    return false;
  derive_record(core, index);
  return op->effect != SL_IPDOM_SPAWNS || op->count <= core->spec->warps;
}

static bool records_valid(struct sl_vortex_pipeline *core)
{
  for (uint32_t i = 0; i < core->op_count; i++)
    if (!record_valid(core, i))
      return false;
  return true;
}

/* ---- instructions, in their places ------------------------------------------------------------------------------- */

/* The LSU keeps a place for it until all answers have arrived. */
static bool is_answered(const struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  return (op->facts.flags & SL_FACT_LOAD) || ((op->facts.flags & SL_FACT_FENCE) && core->spec->fence_flushes);
}

static bool in_lsu_valid(const struct sl_vortex_pipeline *core, const struct sl_vortex_op *op,
                         const struct sl_vortex_tally *t)
{
  return op->answers == t->lines + t->local && op->holds == 1 && t->queued == ((op->unsent | op->local) != 0) &&
         t->local <= core->spec->lanes;
}

/* A store completes while the LSU still sends its lines. */
static bool elsewhere_valid(const struct sl_vortex_op *op, const struct sl_vortex_tally *t)
{
  const bool is_store = op->facts.flags & SL_FACT_STORE, done = t->place >= SL_PLACE_DONE || t->place == SL_PLACE_NONE;
  return t->lines + t->local == 0 && op->answers == 0 && (!t->queued || (is_store && done)) &&
         (t->place != SL_PLACE_NONE || t->queued) && op->holds == (t->place != SL_PLACE_NONE) + t->queued;
}

static bool instruction_valid(const struct sl_vortex_pipeline *core, const struct sl_vortex_op *op,
                              struct sl_vortex_tally *t)
{
  const bool answered = is_answered(core, op);
  if (t->place == SL_PLACE_FREE)
    return !t->queued && !t->partial && t->lines + t->local == 0;
  if (answered && t->place == SL_PLACE_NONE)
    t->place = SL_PLACE_LSU;
  if (op->pc != sl_code_address(core->warps->code, op->number) || (t->partial && !answered))
    return false;
  if (op->mask == 0 && !core->extends && t->place != SL_PLACE_NONE)
    return false;
  return t->place == SL_PLACE_LSU ? in_lsu_valid(core, op, t) && t->lines + t->local + t->queued > 0
                                  : elsewhere_valid(op, t);
}

struct sums {
  uint32_t warp[SL_MAX_WARPS], total, loads, fpu[SL_VORTEX_SLICES_MAX];
  bool fence;
};

static void add(const struct sl_vortex_op *op, const struct sl_vortex_tally *t, struct sums *sums)
{
  if (t->place == SL_PLACE_FREE || t->place == SL_PLACE_NONE)
    return;
  sums->warp[op->warp]++;
  sums->total += t->place != SL_PLACE_CLEARED;
  sums->loads += t->place == SL_PLACE_LSU;
  sums->fence = sums->fence || (t->place == SL_PLACE_LSU && (op->facts.flags & SL_FACT_FENCE));
  sums->fpu[op->slice] += t->place == SL_PLACE_DONE && op->facts.unit == SL_UNIT_FPU;
}

static bool sums_valid(const struct sl_vortex_pipeline *core, const struct sums *sums)
{
  const struct sl_vortex_pipeline_state *s = &core->s;
  for (unsigned w = 0; w < core->spec->warps; w++)
    if (sums->warp[w] != s->in_flight[w])
      return false;
  for (unsigned slice = 0; slice < core->slices; slice++)
    if (s->fpu_tags[slice] != (core->spec->fpu_queue > 0 ? sums->fpu[slice] : 0))
      return false;
  return sums->total == s->total_in_flight && s->lsu.loads <= core->lsu_loads && s->lsu.freed <= s->lsu.loads &&
         sums->loads == s->lsu.loads - s->lsu.freed && sums->fence == s->lsu.fence;
}

static bool instructions_valid(const struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock)
{
  struct sums sums = {0};
  for (uint32_t i = 0; i < core->op_count; i++) {
    if (!instruction_valid(core, &core->op[i], &stock->op[i]))
      return false;
    add(&core->op[i], &stock->op[i], &sums);
  }
  return sums_valid(core, &sums);
}

/* ---- warps: each resumes once ------------------------------------------------------------------------------------ */

/* Instructions that have ended their warp and are still in flight. */
static bool is_behind_end(const struct sl_vortex_pipeline *core, const struct sl_vortex_op *op)
{
  return core->spec->execute_at_schedule && op->effect == SL_IPDOM_ENDS;
}

/* Counts the events that will make warps schedulable: an instruction that fetch waits for, a cycle, or other warps at a
 * barrier or not yet ended. */
static void count_reasons(const struct sl_vortex_pipeline *core, const struct sl_vortex_stock *stock,
                          unsigned reasons[SL_MAX_WARPS])
{
  const struct sl_core_sync *sync = &core->warps->s.sync;
  for (uint32_t i = 0; i < core->op_count; i++) {
    const struct sl_vortex_op *op = &core->op[i];
    const unsigned place = stock->op[i].place;
    const bool holds_fetch =
        (op->facts.flags & SL_FACT_STALLS_FETCH) && (place == SL_PLACE_BUFFERED || place == SL_PLACE_ISSUED);
    if ((place == SL_PLACE_FRONT || holds_fetch) && !is_behind_end(core, op))
      reasons[op->warp]++;
  }
  for (unsigned w = 0; w < core->spec->warps; w++) {
    for (unsigned i = 0; i < SL_VORTEX_WHEEL; i++)
      reasons[w] += (unsigned)(core->s.due[i].wake >> w & 1);
    reasons[w] += (unsigned)((sync->at_barrier >> w & 1) + (sync->asking >> w & 1));
  }
}

/* Warps with an empty mask are about to be switched off. */
static bool goes_on(const struct sl_vortex_pipeline *core, unsigned warp, unsigned reasons)
{
  const bool active = core->warps->s.sync.active >> warp & 1, free = !(core->s.stalled >> warp & 1);
  if (active && core->warps->warp[warp].mask == 0 && (free || reasons == 0))
    return false;
  return active ? reasons + free <= 1 : reasons == 0;
}

/* A warp with buffered instructions is made visible to issue once. */
static bool is_shown(const struct sl_vortex_pipeline *core, unsigned warp)
{
  unsigned shown = core->s.visible >> warp & 1;
  for (unsigned i = 0; i < SL_VORTEX_WHEEL; i++)
    shown += (unsigned)(core->s.due[i].show >> warp & 1);
  return shown == (core->s.ibuffer.count[warp] > 0);
}

static bool warps_valid(const struct sl_vortex_pipeline *core, const struct sl_vortex_stock *stock)
{
  unsigned reasons[SL_MAX_WARPS] = {0};
  count_reasons(core, stock, reasons);
  for (unsigned w = 0; w < core->spec->warps; w++)
    if (!goes_on(core, w, reasons[w]) || !is_shown(core, w))
      return false;
  return true;
}

/* ---- extensions and observers ------------------------------------------------------------------------------------ */

static bool line_valid(const struct sl_vortex_pipeline *core, uint8_t extension, uint32_t tag)
{
  const struct sl_ipdom_warps *w = core->warps;
  return extension < w->extensions && w->extension[extension].kind->tag_valid != NULL &&
         w->extension[extension].kind->tag_valid(w->extension[extension].state, tag);
}

static bool ports_valid(const struct sl_vortex_pipeline *core, const struct sl_vortex_stock *stock)
{
  const struct sl_vortex_ports *p = &core->s.ports;
  for (unsigned i = 0; i < SL_VORTEX_PORTS_MAX; i++)
    if (p->port[i].waits && !p->port[i].write && !line_valid(core, p->port[i].extension, p->port[i].tag))
      return false;
  for (unsigned i = 0; i < SL_VORTEX_PORT_LINES; i++) {
    const bool asked = stock->asked[i / 64] >> i % 64 & 1;
    if (asked == (p->free[i / 64] >> i % 64 & 1) || (asked && !line_valid(core, p->read[i].extension, p->read[i].tag)))
      return false;
  }
  for (unsigned i = 0; i < p->count; i++) {
    const struct sl_vortex_port_return *r = &p->back[(p->first + i) % SL_VORTEX_PORT_RETURNS];
    if (!line_valid(core, r->extension, r->tag))
      return false;
  }
  return true;
}

static bool extension_valid(const struct sl_vortex_pipeline *core, const struct sl_vortex_stock *stock, unsigned number)
{
  const struct sl_extension *e = &core->warps->extension[number];
  unsigned count = 0;
  for (uint32_t i = 0; i < core->op_count; i++) {
    const struct sl_vortex_op *op = &core->op[i];
    const unsigned place = stock->op[i].place;
    if (place != SL_PLACE_FREE)
      stock->flight[count++] =
          (struct sl_extension_flight){.note = &core->extended[i].note[number],
                                       .warp = op->warp,
                                       .replaced = core->extended[i].replaced,
                                       .issued = place != SL_PLACE_FRONT && place != SL_PLACE_BUFFERED};
  }
  return e->kind->valid(e->state, stock->flight, count);
}

static bool extensions_valid(const struct sl_vortex_pipeline *core, const struct sl_vortex_stock *stock)
{
  for (unsigned i = 0; i < core->warps->extensions; i++)
    if (!extension_valid(core, stock, i))
      return false;
  return core->warps->extensions == 0 || ports_valid(core, stock);
}

/* Records are in their initial state, or all zero: their numbers are 0. */
bool sl_vortex_core_unused(const struct sl_vortex_pipeline *core)
{
  for (uint32_t i = 0; i < core->op_count; i++)
    if (core->op[i].number != 0 || core->extended[i].replaced)
      return false;
  return true;
}

/* Stages without known events are evaluated in the first cycle. */
static void derive_due(struct sl_vortex_due *due)
{
  due->stages = (uint16_t)((due->done != SL_VORTEX_NONE ? SL_STAGE_COMMIT : 0) |
                           (due->clear != SL_VORTEX_NONE ? SL_STAGE_CLEAR : 0) | (due->show != 0 ? SL_STAGE_SHOW : 0) |
                           (due->wake != 0 ? SL_STAGE_SCHEDULE : 0));
}

void sl_vortex_core_derive(struct sl_vortex_pipeline *core)
{
  sl_vortex_lay_out(core);
  for (uint32_t i = 0; i < core->op_count; i++)
    derive_record(core, i);
  core->known = (struct sl_vortex_known){.again = SL_STAGES_IN_VAIN};
  for (unsigned warp = 0; warp < core->spec->warps; warp++)
    if (core->s.ibuffer.count[warp] > 0) /* includes those that become visible later */
      sl_vortex_know(core, warp);
  for (unsigned i = 0; i < SL_VORTEX_WHEEL; i++)
    derive_due(&core->s.due[i]);
}

bool sl_vortex_core_valid(struct sl_vortex_pipeline *core, struct sl_vortex_stock *stock)
{
  return records_valid(core) && sl_vortex_places_valid(core, stock) && instructions_valid(core, stock) &&
         warps_valid(core, stock) && extensions_valid(core, stock);
}
