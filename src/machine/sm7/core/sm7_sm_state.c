#include "machine/sm7/core/sm7_sm.h"

#include <stdlib.h>

#include "machine/sm7/core/sm7_stages.h"
#include "machine/sm7/memory/sm7_memory_state.h"

enum { NO_LOAD = UINT32_MAX, MOST_LOADS = 1 << 17, ANY = UINT8_MAX };

/* ---- instructions up to their unit ------------------------------------------------------------------------------- */

/* Whether such an instruction has memory accesses beyond the SM, which the present caches may serve. */
static bool may_access(const struct sl_sm7_spec *spec, const struct sl_sm7_op *op)
{
  if (op->code == NULL || op->code->unit != SL_SM7_MEM)
    return false;
  return op->space == SL_SM7_GLOBAL || op->space == SL_SM7_LOCAL ||
         (op->code->kind != SL_SM7_STORE && op->code->kind != SL_SM7_ATOMIC &&
          (op->space == SL_SM7_TEXTURE || (op->space == SL_SM7_CONST && spec->ccache)));
}

static SL_SCHEMA(op_schema, struct sl_sm7_op, NULL, SL_ITEMS(code), SL_ANY(order, ready, load, delay, lanes, group),
                 SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp), SL_BELOW_LIMIT(SL_SM7_LIMIT_SCHEDULERS, scheduler),
                 SL_MOST(SL_SM7_READ_IN_ALL, missing), SL_MOST(SL_SM7_TEXTURE, space), SL_WALKED(list));

/* An instruction in one place, by its number, of a unit and a scheduler, with its list of accesses. */
static void op_walk(struct sl_archive *t, struct sl_sm7_sm *sm, uint8_t *number, unsigned unit, unsigned scheduler)
{
  SL_ARCHIVE_NUMBER(t, *number, SL_SM7_OPS - 1);
  struct sl_sm7_op *op = &sm->op[*number];
  sl_archive_give(t, SL_SM7_OP, sm->id, *number, 1);
  sl_archive_structs(t, "op", op_schema, op, 1);
  SL_ARCHIVE_NUMBER(t, op->list, SL_SM7_NONE);
  if (!sl_archive_expect(t, !t->bad && (unit == ANY || op->code->unit == unit) &&
                                (scheduler == ANY || op->scheduler == scheduler)) ||
      op->list == SL_SM7_NONE || !sl_archive_expect(t, op->list < SL_SM7_ACCESS_LISTS && may_access(sm->wire.spec, op)))
    return;
  struct sl_sm7_access_list *list = &sm->list[op->list];
  sl_archive_give(t, SL_SM7_LIST, sm->id, op->list, 1);
  sl_archive_expect(t, SL_ARCHIVE_NUMBER(t, list->count, SL_SM7_ACCESSES) > 0);
  SL_ARCHIVE_ARRAY(t, list->address, list->count);
  SL_ARCHIVE_ARRAY(t, list->bytes, list->count);
  SL_ARCHIVE_ARRAY(t, list->lanes, list->count);
}

/* Each instruction and each list of accesses is in one place or free. */
static void free_walk(struct sl_archive *t, struct sl_sm7_sm *sm)
{
  SL_ARCHIVE_NUMBER(t, sm->free_ops, SL_SM7_OPS);
  SL_ARCHIVE_BELOW(t, SL_SM7_OPS, sm->free_op, sm->free_ops);
  for (unsigned i = 0; i < sm->free_ops; i++)
    sl_archive_give(t, SL_SM7_OP, sm->id, sm->free_op[i], 1);
  sl_archive_take_all(t, SL_SM7_OP, sm->id, SL_SM7_OPS);
  sl_archive_give_set(t, SL_SM7_LIST, sm->id, sm->free_lists);
  sl_archive_take_all(t, SL_SM7_LIST, sm->id, SL_SM7_ACCESS_LISTS);
}

/* Registers before collectors or units. */
static void registers_walk(struct sl_archive *t, struct sl_sm7_sm *sm, uint8_t reg[][SL_SM7_MAX_SCHEDULERS],
                           uint8_t full[])
{
  for (unsigned u = 0; u < SL_SM7_UNITS; u++)
    for (unsigned rest = SL_ARCHIVE_NUMBER(t, full[u], (1u << sm->wire.spec->schedulers) - 1); rest; rest &= rest - 1)
      op_walk(t, sm, &reg[u][sl_lowest(rest)], u, sl_lowest(rest));
}

/* ---- collectors -------------------------------------------------------------------------------------------------- */

/* Each read in the queue of a bank is of an operand that its collector misses. */
static void banks_walk(struct sl_archive *t, struct sl_sm7_sm *sm)
{
  const struct sl_sm7_spec *spec = sm->wire.spec;
  for (unsigned b = 0; b < SL_SM7_BANKS; b++) {
    SL_ARCHIVE_NUMBER(t, sm->bank[b].count, b < spec->banks ? SL_SM7_BANK_QUEUE - 1 : 0);
    for (unsigned i = 0; i < sm->bank[b].count; i++) {
      uint8_t *c = &sm->bank[b].collector[(sm->bank[b].head + i) % SL_SM7_BANK_QUEUE];
      sl_archive_give(t, SL_SM7_READS, sm->id, SL_ARCHIVE_NUMBER(t, *c, spec->collectors - 1), 1);
    }
    sm->queued |= (uint64_t)(sm->bank[b].count > 0) << b;
  }
}

static void collectors_walk(struct sl_archive *t, struct sl_sm7_sm *sm)
{
  sl_archive_expect(t, (sm->collecting & ~sl_low_bits(sm->wire.spec->collectors)) == 0 &&
                           (sm->collected & ~sm->collecting) == 0);
  for (uint64_t rest = sm->collecting; rest && !t->bad; rest &= rest - 1) {
    const unsigned c = sl_lowest(rest);
    op_walk(t, sm, &sm->collector[c], ANY, ANY);
    const unsigned missing = sm->op[sm->collector[c]].missing;
    sl_archive_take(t, SL_SM7_READS, sm->id, c, missing);
    sl_archive_expect(t, (missing == 0) == (sm->collected >> c & 1));
  }
  for (unsigned i = 0; i < sm->sums && !t->bad; i++) {
    op_walk(t, sm, &sm->summing[i], ANY, ANY);
    sl_archive_expect(t, sm->op[sm->summing[i]].missing == 0);
  }
  banks_walk(t, sm);
}

/* ---- register file ----------------------------------------------------------------------------------------------- */

static SL_SCHEMA(file_schema, struct sl_sm7_register_file, NULL, SL_ANY(since, port, free_at), SL_ANY(kept, kept_of),
                 SL_WALKED(reader, readers, queue, queued));

static void queue_walk(struct sl_archive *t, struct sl_sm7_sm *sm, uint8_t *number, uint8_t *count, unsigned most,
                       unsigned unit, unsigned scheduler)
{
  SL_ARCHIVE_NUMBER(t, *count, sm->wire.spec->register_model == SL_SM7_REGISTERS_VOLTA ? most : 0);
  for (unsigned i = 0; i < *count && !t->bad; i++)
    op_walk(t, sm, &number[i], unit, scheduler);
}

static void files_walk(struct sl_archive *t, struct sl_sm7_sm *sm)
{
  for (unsigned k = 0; k < SL_SM7_MAX_SCHEDULERS && !t->bad; k++) {
    struct sl_sm7_register_file *f = &sm->file[k];
    queue_walk(t, sm, f->reader, &f->readers, SL_SM7_READING, ANY, k);
    queue_walk(t, sm, f->queue, &f->queued, SL_SM7_MEMORY_QUEUE, SL_SM7_MEM, k);
  }
}

/* ---- units ------------------------------------------------------------------------------------------------------- */

static SL_SCHEMA(completion_schema, struct sl_sm7_completion, NULL, SL_ITEMS(code),
                 SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp), SL_BELOW_LIMIT(SL_SM7_LIMIT_SCHEDULERS, scheduler),
                 SL_DERIVED(next));

static void units_walk(struct sl_archive *t, struct sl_sm7_sm *sm)
{
  for (unsigned place = 0; place < SL_SM7_HORIZON; place++) {
    const uint32_t count = sl_archive_number(t, sm->completing[place].count, sm->wire.spec->result_buses);
    unsigned number = sm->completing[place].first;
    for (uint32_t n = 0; n < count && !t->bad; n++) {
      struct sl_sm7_completion c = {.code = NULL};
      if (!sl_archive_reads(t))
        c = sm->completion[number];
      sl_archive_structs(t, "completion", completion_schema, &c, 1);
      number = c.next;
      if (!sl_archive_expect(t, !t->bad && c.code->unit != SL_SM7_MEM) || !sl_archive_reads(t))
        continue;
      sm->completion[sm->fresh_completion] = c;
      sl_sm7_append_completion(sm, sm->fresh_completion++, place);
    }
  }
}

/* ---- loads and the load/store unit ------------------------------------------------------------------------------- */

static SL_SCHEMA(load_schema, struct sl_sm7_load, NULL, SL_ITEMS_OR_OTHERS(code), SL_WALKED(remaining, next),
                 SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp), SL_BELOW_LIMIT(SL_SM7_LIMIT_SCHEDULERS, scheduler),
                 SL_ANY(away, group), SL_STRUCTS(sl_sm7_trip_schema, trip));

/* Loads keep their numbers, because packets refer to them. A free one has no outstanding sectors. */
static void loads_walk(struct sl_archive *t, struct sl_sm7_sm *sm)
{
  const uint32_t room = sl_archive_number(t, sm->loads_room, MOST_LOADS);
  if (sl_archive_reads(t) && room > 0) {
    sm->loads = calloc(room, sizeof *sm->loads);
    sm->loads_room = sl_archive_memory(t, sm->loads != NULL) ? room : 0;
  }
  for (uint32_t i = sm->loads_room; i-- > 0;) {
    struct sl_sm7_load *l = &sm->loads[i];
    SL_ARCHIVE(t, l->remaining);
    sl_archive_take(t, SL_SM7_SECTORS, sm->id, i, l->remaining);
    if (l->remaining > 0) {
      sl_archive_structs(t, "load", load_schema, l, 1);
      sl_archive_expect(t, l->code != NULL);
    } else if (sl_archive_reads(t)) {
      *l = (struct sl_sm7_load){.code = &sl_sm7_nothing, .next = sm->free_load};
      sm->free_load = i;
    }
  }
}

static SL_SCHEMA(result_schema, struct sl_sm7_result, NULL, SL_ITEMS_OR_OTHERS(code), SL_ANY(ready, load, lanes),
                 SL_BELOW_LIMIT(SL_LIMIT_WARPS, warp), SL_BELOW_LIMIT(SL_SM7_LIMIT_SCHEDULERS, scheduler),
                 SL_MOST(SL_SM7_WRITTEN_IN_ALL, written));

static void shared_walk(struct sl_archive *t, struct sl_sm7_sm *sm)
{
  SL_ARCHIVE_NUMBER(t, sm->shared.count, sm->wire.spec->shared_latency);
  for (uint32_t i = 0; i < sm->shared.count && !t->bad; i++) {
    const struct sl_sm7_result *r = &sm->shared.result[(sm->shared.head + i) % SL_SM7_SHARED_ROOM];
    sl_archive_structs(t, "shared", result_schema, r, 1);
    sl_archive_expect(t, r->code != NULL);
  }
}

/* A register of the load/store unit. It holds loads itself, whose numbers are those of outstanding ones. */
static void served_walk(struct sl_archive *t, struct sl_sm7_sm *sm, uint8_t *place)
{
  if (sl_archive_number(t, *place != SL_SM7_NONE, 1) == 0)
    return;
  op_walk(t, sm, place, SL_SM7_MEM, ANY);
  if (t->bad)
    return;
  const struct sl_sm7_op *op = &sm->op[*place];
  const bool loads = op->list != SL_SM7_NONE && op->code->kind != SL_SM7_STORE;
  sl_archive_expect(t, loads || op->load == NO_LOAD);
  sl_archive_give(t, SL_SM7_SECTORS, sm->id, op->load, loads ? sm->list[op->list].count : 0);
}

static void lsu_walk(struct sl_archive *t, struct sl_sm7_sm *sm)
{
  served_walk(t, sm, &sm->dispatch);
  if (sm->wire.spec->constant_unit)
    served_walk(t, sm, &sm->indexed);
  sl_archive_expect(t, sm->indexed == SL_SM7_NONE || t->bad || sm->op[sm->indexed].space == SL_SM7_CONST);
  sl_archive_give(t, SL_SM7_SECTORS, sm->id, sm->write_back.load,
                  sm->write_back.code != NULL && !sm->shared_write_back);
  sl_archive_give(t, SL_SM7_SECTORS, sm->id, sm->uncached.load, sm->uncached.code != NULL);
  for (unsigned w = 0; w < SL_SM7_MAX_WARPS; w++)
    sl_archive_take(t, SL_SM7_STORES, sm->id, w, sm->present >> w & 1 ? sm->warp[w].stores : 0);
}

/* ---- warps ------------------------------------------------------------------------------------------------------- */

/* The units that will write the pending registers. */
static void writers_walk(struct sl_archive *t, struct sl_sm7_sm *sm)
{
  for (unsigned w = 0; w < sm->wire.spec->warps; w++)
    for (unsigned i = 0; i < SL_SM7_REGISTERS / 64; i++)
      for (uint64_t rest = sm->warp[w].busy[i]; rest; rest &= rest - 1) {
        SL_ARCHIVE_NUMBER(t, sm->writer[w][64 * i + sl_lowest(rest)], SL_SM7_UNITS - 1);
      }
}

static SL_SCHEMA(span_schema, struct sl_sm7_quantum, NULL, SL_ANY(from, to), SL_WALKED(next));

static void spans_walk(struct sl_archive *t, struct sl_sm7_sm *sm, unsigned warp)
{
  enum { MOST = 1 << 20 };
  const struct sl_sm7_waits *w = &sm->waits;
  uint32_t count = 0, next = sl_archive_reads(t) ? UINT32_MAX : w->first[warp];
  for (uint32_t i = next; i != UINT32_MAX; i = w->span[i].next)
    count++;
  count = sl_archive_number(t, count, MOST);
  for (uint32_t i = 0; i < count && !t->bad; i++) {
    struct sl_sm7_quantum s = sl_archive_reads(t) ? (struct sl_sm7_quantum){0} : w->span[next];
    next = s.next;
    sl_archive_structs(t, "span", span_schema, &s, 1);
    if (sl_archive_expect(t, s.from < s.to && s.to <= sm->slept_from) && sl_archive_reads(t))
      sl_sm7_waits_add(sm, warp, s.from, s.to);
  }
}

static void waits_walk(struct sl_archive *t, struct sl_sm7_sm *sm)
{
  const struct sl_sm7_waits *w = &sm->waits;
  const unsigned schedulers = sm->wire.spec->schedulers;
  for (unsigned warp = 0; warp < sm->wire.spec->warps; warp++)
    spans_walk(t, sm, warp);
  for (unsigned k = 0; k < schedulers; k++)
    sl_archive_expect(t, w->open[k] == SL_SM7_NONE || (w->open[k] % schedulers == k && w->since[k] <= sm->slept_from));
}

/* ---- the SM ------------------------------------------------------------------------------------------------------ */

static SL_SCHEMA(warp_schema, struct sl_sm7_warp, NULL, SL_ANY(pc, fetch_pc, buffer), SL_MOST(1, next),
                 SL_ANY(slot, index, in_pipe, stores, atomics, pending, age), SL_BELOW(SL_SM7_REGISTERS, waits_on),
                 SL_ANY(group, loads, busy));
static SL_SCHEMA(block_schema, struct sl_sm7_block, NULL, SL_ANY(warps, active, at, needed, left));
static SL_SCHEMA(phases_schema, struct sl_sm7_phases, NULL, SL_MOST(SL_SM7_PHASE_REST, of),
                 SL_ANY(linear, held, blocks, threads_left, coefficients, open, asked, known));
static SL_SCHEMA(levels_schema, struct sl_sm7_levels, NULL, SL_ANY(active, pending), SL_MOST(SL_SM7_MAX_WARPS, count));
static SL_SCHEMA(unit_schema, struct sl_sm7_unit_state, NULL, SL_ANY(free_at, taken));
SL_SCHEMA(sl_sm7_counts_schema, struct sl_sm7_counts, NULL,
          SL_ANY(warp_instructions, thread_instructions, cycles, blocks, cause, shared_cycles, shared_instructions,
                 sectors, fetches, memory_instructions, constant_passes, others, of_phase, lanes_of_phase,
                 linear_cycles, lanes, words_read, words_written, narrow_reads, sums, passed, passed_lanes, strayed,
                 scalar));
static SL_SCHEMA(waits_schema, struct sl_sm7_waits, NULL, SL_WALKED(span, room, fresh, free, first), SL_ANY(warps),
                 SL_BELOW_LIMIT_OR_NONE(SL_LIMIT_WARPS, open), SL_ANY(since));

static void sm_walk(struct sl_archive *t, void *object)
{
  struct sl_sm7_sm *sm = object;
  bool valid =
      sl_all_once(&(uint64_t){0}, sm->by_age, sm->aged, sm->wire.spec->warps) && (sm->phases.held & ~sm->barrier) == 0;
  for (unsigned k = 0; k < sm->wire.spec->schedulers; k++) {
    uint64_t seen = sm->levels[k].active; /* active and pending warps belong to the scheduler, each once */
    valid &=
        sl_all_once(&seen, sm->levels[k].pending, sm->levels[k].count, SL_SM7_MAX_WARPS) && seen == sm->of_scheduler[k];
  }
  if (!sl_archive_expect(t, valid))
    return;
  writers_walk(t, sm);
  waits_walk(t, sm);
  loads_walk(t, sm);
  registers_walk(t, sm, sm->issue_reg, sm->issue_full);
  registers_walk(t, sm, sm->execute_reg, sm->execute_full);
  collectors_walk(t, sm);
  files_walk(t, sm);
  units_walk(t, sm);
  lsu_walk(t, sm);
  free_walk(t, sm);
  shared_walk(t, sm);
  for (unsigned b = 0; b < sm->wire.spec->l1_banks; b++)
    sm->piped |= (uint32_t)(sm->pipe[b].count > 0) << b;
  if (sm->wire.spec->icache)
    sl_sm7_line_cache_walk(t, "instructions", &sm->instructions, sm->id, SL_SM7_TO_FETCH);
  if (sm->wire.spec->ccache)
    sl_sm7_line_cache_walk(t, "constants", &sm->constants, sm->id, SL_SM7_TO_CONSTANTS);
}

SL_WALKED_SCHEMA(sl_sm7_sm_schema, struct sl_sm7_sm, sm_walk, SL_INDEX_IS_LIMIT(SL_LIMIT_OWNER, 1),
                 SL_DERIVED(wire, id, cluster, sms, own_banks, of_scheduler, special), SL_WALKED(writer),
                 SL_SET_OF(SL_LIMIT_ALL_WARPS, present, live, buffered, hazard, on_load, barrier, atomic, fence),
                 SL_SET_OF(SL_LIMIT_ALL_WARPS, fence_passed, fence_done, finished, missing),
                 SL_STRUCTS(warp_schema, warp), SL_ANY(next_age, next_order, used_slots, given, by_age),
                 SL_MOST(SL_SM7_MAX_WARPS, aged), SL_ANY(slept_from), SL_STRUCTS(block_schema, block),
                 SL_STRUCTS(phases_schema, phases), SL_MOST(SL_SM7_MAX_BLOCKS, blocks),
                 SL_DERIVED(limit, warps_per_block, padded_threads, events, written, wide, written_again, prefetched,
                            ready_for, ready, blocked),
                 SL_BELOW_LIMIT_OR_NONE(SL_LIMIT_WARPS, last, cause_warp, fetched), SL_STRUCTS(levels_schema, levels),
                 SL_BELOW_LIMIT(SL_SM7_LIMIT_SCHEDULERS, first_scheduler), SL_BELOW(SL_SM7_STALL_REASONS, cause),
                 SL_STRUCTS(waits_schema, waits), SL_BELOW_LIMIT(SL_LIMIT_WARPS, last_fetched),
                 SL_WALKED(instructions, op, free_op, free_ops, list, issue_reg, execute_reg, issue_full, execute_full),
                 SL_BELOW_LIMIT(SL_SM7_LIMIT_COLLECTORS, dispatcher), SL_ANY(collecting, collected, free_lists),
                 SL_MOST(SL_SM7_SUMS, sums), SL_STRUCTS(file_schema, file), SL_ANY(refused),
                 SL_WALKED(collector, summing, bank, queued, completing, completing_at, completion, free_completion),
                 SL_WALKED(fresh_completion, executing, dispatch, indexed, constants, shared, loads, loads_room,
                           free_load, piped),
                 SL_STRUCTS(unit_schema, unit), SL_SET_LIMIT(SL_SM7_LIMIT_PLACE, SL_SM7_REQUEST),
                 SL_STRUCTS(sl_sm7_cache_schema, l1), SL_STRUCTS(sl_sm7_texture_cache_schema, textures),
                 SL_SET_LIMIT(SL_SM7_LIMIT_PLACE, SL_SM7_BEFORE_L1), SL_STRUCTS(sl_sm7_ring_schema, pipe),
                 SL_SET_LIMIT(SL_SM7_LIMIT_PLACE, SL_SM7_REQUEST), SL_STRUCTS(sl_sm7_ring_schema, response),
                 SL_ANY(accepts_from, indexes_from, piped_at), SL_STRUCTS(result_schema, write_back, uncached),
                 SL_ANY(shared_write_back), SL_BELOW(SL_SM7_WRITE_BACK_CLIENTS, write_back_turn),
                 SL_DERIVED(failed, out_of_memory, late), SL_STRUCTS(sl_sm7_counts_schema, counts));

/* ---- rules over several fields ----------------------------------------------------------------------------------- */

static bool block_valid(const struct sl_sm7_sm *sm, unsigned slot)
{
  const struct sl_sm7_block *b = &sm->block[slot];
  const uint64_t warps = sl_low_bits(sm->warps_per_block) << slot * sm->warps_per_block;
  uint64_t at = 0;
  for (unsigned i = 0; i < SL_SM7_BARRIERS; i++)
    at |= b->at[i];
  return b->warps == warps && b->active == (sm->live & warps) && (at & ~warps) == 0 && b->left > 0 &&
         b->left == sl_count(sm->present & warps);
}

/* A warp's place is its number. The front end validates its PCs and its stack. */
static bool warp_valid(const struct sl_sm7_sm *sm, unsigned number)
{
  const struct sl_sm7_warp *w = &sm->warp[number];
  const struct sl_sm7_front *front = sm->wire.front;
  unsigned pending = 0;
  uint32_t pc = w->pc;
  for (unsigned i = 0; i < SL_SM7_REGISTERS / 64; i++)
    pending += sl_count(w->busy[i]);
  return w->slot == number / sm->warps_per_block && w->index == number % sm->warps_per_block && pending == w->pending &&
         (!(sm->live >> number & 1) || front->lanes(front->context, sm->id, w->slot, w->index, &pc) != 0) &&
         pc == w->pc;
}

bool sl_sm7_sm_valid(const struct sl_sm7_sm *sm, uint64_t next_block, uint64_t cycle)
{
  const bool given = sm->given != SL_SM7_NO_BLOCK;
  uint64_t all = 0;
  bool valid = (sm->used_slots & ~sl_low_bits(sm->limit)) == 0 && sm->blocks == sl_count(sm->used_slots) &&
               sm->blocks + given <= sm->limit && (!given || sm->given < next_block) &&
               (sm->blocks == 0 || sm->slept_from <= cycle);
  for (uint64_t rest = valid ? sm->used_slots : 0; rest; rest &= rest - 1) {
    all |= sm->block[sl_lowest(rest)].warps;
    valid &= block_valid(sm, sl_lowest(rest));
  }
  valid &= ((sm->present & ~all) | (sm->live & ~sm->present) | (sm->finished & (sm->live | ~sm->present)) |
            ((sm->fence | sm->fence_done) & ~sm->live)) == 0;
  for (uint64_t rest = valid ? sm->present : 0; rest; rest &= rest - 1)
    valid &= warp_valid(sm, sl_lowest(rest));
  return valid;
}

bool sl_sm7_sm_at_rest(const struct sl_sm7_sm *sm)
{
  return sm->blocks == 0 && sm->used_slots == 0 &&
         (sm->present | sm->live | sm->finished | sm->fence | sm->fence_done) == 0;
}
