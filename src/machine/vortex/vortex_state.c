/* The state of a Vortex GPU in checkpoints: tables and walks of sockets, memory and the GPU. Code belongs to the
 * program. */
#include "machine/machine_state.h"

#include "base/schema.h"
#include "machine/vortex/core/vortex_stages.h"
#include "machine/vortex/vortex_gpu.h"
#include "timing/memory/cache.h"
#include "timing/memory/memory_port.h"

/* ---- reads in flight: tags name cores and instructions, or the cache that waits for the line -------------------- */

enum { CORES = SL_LIMITS - 2, SOCKET }; /* beside the limits of caches and memory */

static void read_code(struct sl_archive *t, uint64_t tag, uint32_t line)
{
  (void)line;
  sl_archive_give(t, SL_GIVEN_FETCH, (uint64_t)t->limits.value[SOCKET], tag, 1);
}

/* A line for an instruction or an extension. */
static void read_data(struct sl_archive *t, uint64_t tag, uint32_t line)
{
  const uint64_t socket = (uint64_t)t->limits.value[SOCKET];
  (void)line;
  if (tag & SL_PORT_TAG)
    sl_archive_give(t, SL_GIVEN_PORT, socket, tag & ~(uint64_t)SL_PORT_TAG, 1);
  else
    sl_vortex_give_line(t, socket, tag, true);
}

/* A read behind the sockets, for a core or for the cache of that tag. */
static void read_memory(struct sl_archive *t, uint64_t tag, uint32_t line)
{
  if ((tag & SL_SOURCE_MASK) == SL_SOURCE_IO)
    sl_vortex_give_line(t, tag >> SL_SOURCE_BITS & SL_SOCKET_MASK, tag >> (SL_SOURCE_BITS + SL_SOCKET_BITS), true);
  else
    sl_archive_give(t, 0, tag, line, 1);
}

static void read_dram(struct sl_archive *t, uint64_t tag, uint32_t line)
{
  (void)line;
  read_memory(t, (uint32_t)tag, (uint32_t)(tag >> SL_LINE_SHIFT));
}

static bool is_returned(struct sl_archive *t, const struct sl_vortex_return *r)
{
  const uint64_t socket = (uint64_t)t->limits.value[SOCKET];
  return r->source == SL_SOURCE_IO ? sl_vortex_give_line(t, socket, r->line, true)
                                   : sl_archive_give(t, 0, r->source | socket << SL_SOURCE_BITS, r->line, 1);
}

/* ---- caches and sockets ------------------------------------------------------------------------------------------ */

static SL_SCHEMA(socket_schema, struct sl_vortex_socket_state, NULL, SL_BELOW_LIMIT(CORES, fetch_turn, line_turn),
                 SL_BELOW(SL_SOURCE_COUNT, memory_turn), SL_ANY(cycle, return_first, return_count, return_from),
                 SL_ANY(io_first, io_count));
static SL_CHECKED_SCHEMA(return_schema, struct sl_vortex_return, is_returned(t, self), SL_ANY(cycle, line),
                         SL_BELOW(SL_SOURCE_COUNT, source));
static SL_CHECKED_SCHEMA(io_schema, struct sl_vortex_io,
                         sl_vortex_give_line(t, (uint64_t)limit[SOCKET], self->tag, !self->write),
                         SL_ANY(cycle, line, tag, write));

static void walk_socket(struct sl_vortex_socket *s, unsigned number, struct sl_archive *t)
{
  t->limits.value[CORES] = s->count;
  t->limits.value[SOCKET] = number;
  sl_archive_structs(t, "socket", socket_schema, &s->s, 1);
  sl_archive_ring(t, "returns", return_schema, s->returns, s->return_ring, s->s.return_first, s->s.return_count);
  sl_archive_ring(t, "io", io_schema, s->io, SL_VORTEX_IOS, s->s.io_first, s->s.io_count);
  t->read = read_code;
  sl_cache_walk(&s->icache, SL_SOURCE_ICACHE | number << SL_SOURCE_BITS, t);
  t->read = read_data;
  sl_cache_walk(&s->dcache, SL_SOURCE_DCACHE | number << SL_SOURCE_BITS, t);
}

/* ---- behind the sockets ------------------------------------------------------------------------------------------ */

static SL_CHECKED_SCHEMA(request_schema, struct sl_vortex_request,
                         sl_archive_read(t, !self->write, self->tag, self->line), SL_ANY(cycle, line, tag, write));
static SL_SCHEMA(level_schema, struct sl_vortex_level_state, NULL, SL_ANY(first, count),
                 SL_RING_OF(request_schema, waiting, first, count));

static void walk_level(struct sl_vortex_level *l, uint32_t reader, struct sl_archive *t)
{
  if (!l->enabled)
    return;
  t->read = read_memory;
  sl_archive_structs(t, "level", level_schema, &l->s, 1);
  sl_cache_walk(&l->cache, reader, t);
}

static SL_SCHEMA(memory_counts_schema, struct sl_vortex_memory_counts, NULL, SL_ANY(reads, writes, answers, latency));
static SL_SCHEMA(memory_schema, struct sl_vortex_memory_state, NULL, SL_ANY(asking, cycle),
                 SL_STRUCTS(memory_counts_schema, counts));

static void walk_memory(struct sl_vortex_memory *m, struct sl_archive *t)
{
  sl_archive_structs(t, "memory", memory_schema, &m->s, 1);
  SL_ARCHIVE_BELOW(t, m->sockets, m->slice, m->clusters);
  for (unsigned c = 0; c < m->clusters; c++)
    walk_level(&m->l2[c], SL_SOURCE_COUNT | c << SL_SOURCE_BITS, t);
  walk_level(&m->l3, SL_SOURCE_COUNT | 1u << (SL_SOURCE_BITS + SL_SOCKET_BITS), t);
  t->read = read_dram;
  sl_memory_port_walk(&m->dram, t);
}

/* ---- cores ----------------------------------------------------------------------------------------------------- */

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
                 SL_RANGE(0, SL_LIMIT_NOW, SL_VORTEX_WHEEL - 1, taken_at));
static SL_SCHEMA(front_schema, struct sl_vortex_front, NULL, SL_ANY(first, moved, end, op, ready),
                 SL_RANGE(0, SL_LIMIT_NOW, SL_VORTEX_WHEEL, buffer_free, request_free, decoded));

static SL_SCHEMA(regroup_schema, struct sl_vortex_regroup, NULL, SL_MOST(SL_VORTEX_NO_EVENT, awaits),
                 SL_BELOW(SL_MAX_WARPS, first), SL_MOST(SL_MAX_WARPS, count), SL_BELOW_LIMIT(SL_LIMIT_WARPS, queue),
                 SL_BELOW(SL_VORTEX_EVENTS, last));
static SL_SCHEMA(absence_schema, struct sl_vortex_absence, NULL, SL_SET_OF(SL_LIMIT_ALL_WARPS, back_off, waits),
                 SL_RANGE(0, SL_LIMIT_NOW, SL_VORTEX_WATCHDOG + SL_VORTEX_WHEEL, from, to));
static SL_SCHEMA(due_schema, struct sl_vortex_due, NULL, SL_SET_OF(SL_LIMIT_ALL_WARPS, wake, show), SL_ANY(done, clear),
                 SL_DERIVED(stages));
static SL_SCHEMA(scoreboard_schema, struct sl_vortex_scoreboard, NULL, SL_ANY(busy), SL_ANY_CUBE(high));
static SL_SCHEMA(buffers_schema, struct sl_vortex_buffers, NULL, SL_BELOW(SL_VORTEX_IBUFFER, first),
                 SL_UP_TO_LIMIT(IBUFFER, count), SL_ANY(op));
static SL_SCHEMA(line_request_schema, struct sl_vortex_line_request, NULL, SL_ANY(ready, line, tag, write, io, flush));
static SL_SCHEMA(lsu_schema, struct sl_vortex_lsu, NULL, SL_STRUCTS(queue_schema, requests, split, returned, local),
                 SL_ANY(loads, free_at, freed, fence, send_from, tags, line_first, line_count),
                 SL_RING_OF(line_request_schema, line, line_first, line_count), SL_ANY(bank_free, bank_written),
                 SL_ANY(lane_served));
static SL_SCHEMA(line_schema, struct sl_vortex_port_line, NULL, SL_ANY(waits, write, line, tag, extension));
static SL_SCHEMA(port_return_schema, struct sl_vortex_port_return, NULL, SL_ANY(cycle, tag, extension));
static SL_SCHEMA(ports_schema, struct sl_vortex_ports, NULL, SL_STRUCTS(line_schema, port, read), SL_ANY(free),
                 SL_ANY(first, count), SL_RING_OF(port_return_schema, back, first, count));
static SL_SCHEMA(counts_schema, struct sl_vortex_counts, NULL,
                 SL_ANY(cause, instructions, thread_instructions, committed, loads, stores, ifetches, load_lines),
                 SL_ANY(store_lines, lines_answered, local_passes, local_writes, local_stalls, scheduled, loaded),
                 SL_ANY(by_warp, conflicts, schedule_idle, ibuffer_stalls, scoreboard_stalls, operand_stalls),
                 SL_ANY(stalls_alu, stalls_fpu, stalls_lsu, stalls_sfu, stalls_csr, stalls_control, fetch_latency),
                 SL_ANY(load_latency));
static SL_SCHEMA(account_schema, struct sl_vortex_account, NULL,
                 SL_BELOW_LIMIT(CODE, issued, latest, scheduled, fence, load, answered), SL_BELOW_LIMIT(CODE, writer),
                 SL_MOST(SL_VORTEX_LOADS_MAX, loads), SL_BELOW_LIMIT_OR_NONE(CODE, holder), SL_ANY(ids, scheduled_id));

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

static void walk_core(struct sl_vortex_pipeline *core, struct sl_archive *archive)
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

/* Stages without known events are evaluated in the first cycle, and then in the cycles that they request. */
static void derive_due(struct sl_vortex_due *due)
{
  due->stages = (uint16_t)((due->done != SL_VORTEX_NONE ? SL_STAGE_COMMIT : 0) |
                           (due->clear != SL_VORTEX_NONE ? SL_STAGE_CLEAR : 0) | (due->show != 0 ? SL_STAGE_SHOW : 0) |
                           (due->wake != 0 ? SL_STAGE_SCHEDULE : 0));
}

static void derive_core(struct sl_vortex_pipeline *core)
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

/* ---- the GPU ----------------------------------------------------------------------------------------------------- */

static SL_SCHEMA(timed_schema, struct sl_vortex_timed_state, NULL, SL_MOST(SL_CYCLES_MAX - 1, cycle),
                 SL_ANY(end, quiet));
static SL_SCHEMA(gpu_schema, struct sl_vortex_gpu_state, NULL, SL_ANY(timing, launches, instructions, in_kernel),
                 SL_MOST(SL_CYCLES_MAX - 1, cycle), SL_STRUCTS(sl_vortex_console_schema, console));

/* A restored run has no fault. */
static void derive(struct sl_vortex_gpu *sm)
{
  sl_vortex_memory_derive(&sm->timed.memory);
  sm->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    struct sl_ipdom_warps *w = &sm->core[c].warps;
    w->fault = (struct sl_fault){.kind = SL_FAULT_NONE};
    derive_core(&sm->timed.pipeline[c]);
    for (unsigned i = 0; i < w->extensions; i++)
      if (w->extension[i].kind->derive != NULL)
        w->extension[i].kind->derive(w->extension[i].state);
  }
}

void sl_vortex_walk(struct sl_sm *handle, struct sl_archive *archive)
{
  struct sl_vortex_gpu *sm = sl_vortex_of(handle);
  sl_archive_structs(archive, "gpu", gpu_schema, &sm->s, 1);
  archive->limits.value[SL_LIMIT_WARPS] = (int64_t)sm->spec.cores * sm->spec.warps;
  sl_archive_structs(archive, "head", sl_sm_schema, handle, 1);
  for (unsigned c = 0; c < sm->spec.cores; c++) {
    struct sl_ipdom_warps *w = &sm->core[c].warps;
    sl_ipdom_walk(w, archive->timing, archive);
    for (unsigned i = 0; i < w->extensions; i++)
      w->extension[i].kind->walk(w->extension[i].state, archive);
    walk_core(&sm->timed.pipeline[c], archive);
  }
  for (unsigned s = 0; s < sm->timed.sockets; s++)
    walk_socket(&sm->timed.socket[s], s, archive);
  sl_archive_structs(archive, "timed", timed_schema, &sm->timed.s, 1);
  walk_memory(&sm->timed.memory, archive);
  if (sl_archive_validates(archive))
    sl_vortex_expect(sm, archive);
  if (sl_archive_reads(archive) && sl_archive_balance(archive))
    derive(sm);
}
