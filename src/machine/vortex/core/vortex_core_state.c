/* The pipeline of a Vortex core in checkpoints: its tables. */
#include "base/schema.h"
#include "machine/vortex/core/vortex_stages.h"

/* ---- tables ------------------------------------------------------------------------------------------------------ */

enum { OPS = SL_LIMIT_OWN, CODE, SLICES, IBUFFER };

/* Positions in a queue, whose range follows from the keys. */
static SL_CHECKED_SCHEMA(queue_schema, struct sl_vortex_queue,
                         self->first <= self->mask && self->count <= self->mask + 1, SL_DERIVED(base, mask),
                         SL_ANY(first, count));

static SL_SCHEMA(op_schema, struct sl_vortex_op, NULL, SL_DERIVED(facts, threads),
                 SL_SET_OF(SL_LIMIT_ALL_LANES, mask, unsent, local, io), SL_ANY(decoded, pc, next, slice, holds),
                 SL_BELOW_LIMIT(CODE, number), SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp), SL_BELOW(SL_MAX_WARPS, place),
                 SL_MOST(SL_IPDOM_FAULTS, effect), SL_ANY(executed, local_last, answers, barrier, count, target),
                 SL_ANY(id, queued));
static SL_SCHEMA(extended_schema, struct sl_extended, NULL, SL_ANY(renamed, replaced), SL_BYTES(note, copy));
static SL_SCHEMA(entry_schema, struct sl_vortex_entry, NULL, SL_ANY(ready, last), SL_BELOW_LIMIT(OPS, op));

/* Cycles are within the wheel's range (sl_vortex_looks_ahead). */
static SL_SCHEMA(operands_schema, struct sl_vortex_operands, NULL, SL_ANY(issued, collected, dispatched, sent, taken),
                 SL_RANGE(0, SL_LIMIT_NOW, SL_VORTEX_WHEEL, collector_free, dispatch_free, alu_free),
                 SL_BELOW_LIMIT(OPS, op), SL_RANGE(0, SL_LIMIT_NOW, SL_VORTEX_WHEEL - 1, collected_at, dispatched_at),
                 SL_RANGE_GRID(0, SL_LIMIT_NOW, SL_VORTEX_WHEEL - 1, taken_at));
static SL_SCHEMA(front_schema, struct sl_vortex_front, NULL, SL_ANY(first, moved, end, op, ready),
                 SL_RANGE(0, SL_LIMIT_NOW, SL_VORTEX_WHEEL, buffer_free, request_free, decoded));

static SL_SCHEMA(regroup_schema, struct sl_vortex_regroup, NULL, SL_MOST(SL_VORTEX_NO_EVENT, awaits),
                 SL_BELOW(SL_MAX_WARPS, first), SL_MOST(SL_MAX_WARPS, count),
                 SL_BELOW_LIMIT_GRID(SL_LIMIT_WARPS, queue), SL_BELOW(SL_VORTEX_EVENTS, last));
static SL_SCHEMA(absence_schema, struct sl_vortex_absence, NULL, SL_SET_OF(SL_LIMIT_ALL_WARPS, back_off, waits),
                 SL_RANGE(0, SL_LIMIT_NOW, SL_VORTEX_WATCHDOG + SL_VORTEX_WHEEL, from, to));
static SL_SCHEMA(due_schema, struct sl_vortex_due, NULL, SL_SET_OF(SL_LIMIT_ALL_WARPS, wake, show), SL_ANY(done, clear),
                 SL_DERIVED(stages));
static SL_SCHEMA(scoreboard_schema, struct sl_vortex_scoreboard, NULL, SL_ANY_GRID(busy), SL_ANY_CUBE(high));
static SL_SCHEMA(buffers_schema, struct sl_vortex_buffers, NULL, SL_BELOW(SL_VORTEX_IBUFFER, first),
                 SL_UP_TO_LIMIT(IBUFFER, count), SL_ANY_GRID(op));
static SL_SCHEMA(request_schema, struct sl_vortex_line_request, NULL, SL_ANY(ready, line, tag, write, io, flush));
static SL_SCHEMA(lsu_schema, struct sl_vortex_lsu, NULL, SL_STRUCTS(queue_schema, requests, split, returned, local),
                 SL_ANY(loads, free_at, freed, fence, send_from, tags, line_first, line_count),
                 SL_RING_OF(request_schema, line, line_first, line_count), SL_ANY(bank_free, bank_written),
                 SL_ANY_GRID(lane_served));
static SL_SCHEMA(line_schema, struct sl_vortex_port_line, NULL, SL_ANY(waits, write, line, tag, extension));
static SL_SCHEMA(return_schema, struct sl_vortex_port_return, NULL, SL_ANY(cycle, tag, extension));
static SL_SCHEMA(ports_schema, struct sl_vortex_ports, NULL, SL_STRUCTS(line_schema, port, read), SL_ANY(free),
                 SL_ANY(first, count), SL_RING_OF(return_schema, back, first, count));
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
                 SL_TAKES(SL_GIVEN_IN_FLIGHT, in_flight), SL_ANY(committed), SL_TAKES(SL_GIVEN_TOTAL, total_in_flight),
                 SL_STRUCTS(buffers_schema, ibuffer), SL_STRUCTS(front_schema, front),
                 SL_STRUCTS(regroup_schema, regroup), SL_STRUCTS(absence_schema, absence),
                 SL_STRUCTS(queue_schema, collect, collected, dispatch, input, result, stored), SL_ANY(collector_free),
                 SL_TAKES(SL_GIVEN_RESULTS, results), SL_TAKES(SL_GIVEN_WAITING, waiting),
                 SL_TAKES(SL_GIVEN_FPU_TAGS, fpu_tags), SL_BELOW_LIMIT(SLICES, slice),
                 SL_BELOW(SL_UNIT_COUNT, last_winner), SL_STRUCTS(lsu_schema, lsu), SL_STRUCTS(ports_schema, ports),
                 SL_ANY(spawn_from, issued), SL_MOST(SL_CYCLES_MAX - 1, end_cycle), SL_MOST(0, faulted),
                 SL_STRUCTS(counts_schema, counts), SL_ANY(free_op), SL_STRUCTS(account_schema, account));

void sl_vortex_core_walk(struct sl_vortex_pipeline *core, struct sl_archive *archive)
{
  archive->limits.value[OPS] = core->op_count;
  archive->limits.value[CODE] = core->warps->code->count;
  archive->limits.value[SLICES] = core->slices;
  archive->limits.value[IBUFFER] = core->spec->ibuffer_size;
  archive->limits.value[SL_LIMIT_OWNER] = core->number;
  sl_archive_structs(archive, "pipeline", state_schema, &core->s, 1);
  sl_archive_structs(archive, "op", op_schema, core->op, core->op_count);
  sl_archive_structs(archive, "extended", extended_schema, core->extended, core->op_count);
  SL_ARCHIVE_ARRAY(archive, core->address, (size_t)core->op_count * core->spec->lanes);
  sl_archive_structs(archive, "entries", entry_schema, core->entries, core->entry_count);
  sl_archive_structs(archive, "operands", operands_schema, core->operands, core->slices);
}

/* ---- derived fields ---------------------------------------------------------------------------------------------- */

void sl_vortex_derive_op(const struct sl_vortex_pipeline *core, uint32_t number)
{
  struct sl_vortex_op *op = &core->op[number];
  const struct sl_extended *e = &core->extended[number];
  op->facts = e->replaced ? sl_vortex_facts_of(core->spec, &e->copy) : core->facts[op->number];
  op->threads = (uint8_t)sl_count(op->mask);
}

/* Stages without known events are evaluated in the first cycle, and then in the cycles that they request. */
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
    sl_vortex_derive_op(core, i);
  core->known = (struct sl_vortex_known){.again = SL_STAGES_IN_VAIN};
  for (unsigned warp = 0; warp < core->spec->warps; warp++)
    if (core->s.ibuffer.count[warp] > 0) /* includes those that become visible later */
      sl_vortex_know(core, warp);
  for (unsigned i = 0; i < SL_VORTEX_WHEEL; i++)
    derive_due(&core->s.due[i]);
  for (unsigned slice = 0; slice < core->slices; slice++) /* the fast path of commit requests nothing */
    sl_vortex_look_at_head(core, SL_STAGE_COMMIT, &core->s.result[slice][SL_UNIT_LSU]);
}
