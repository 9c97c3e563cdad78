#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/core/sm7_prefetch.h"

#include <stdlib.h>
#include <string.h>

#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/core/sm7_stages.h"
#include "machine/sm7/core/sm7_warps.h"

const struct sl_sm7_instruction sl_sm7_nothing = {.writes = 0};

static enum sl_status init_memory(struct sl_sm7_sm *sm, struct sl_error *err)
{
  const struct sl_sm7_spec *s = sm->wire.spec;
  const struct sl_sm7_cache_spec l1 = {.sets = s->l1_sets,
                                       .ways = sl_sm7_l1_ways(s),
                                       .mshrs = s->l1_mshrs,
                                       .merges = s->l1_merges,
                                       .queue = s->l1_queue,
                                       .dirty_percent = s->l1_dirty,
                                       .replacement = s->l1_replacement};
  enum sl_status status = sl_sm7_cache_init(&sm->l1, &l1, err);
  for (unsigned b = 0; b < s->l1_banks && status == SL_OK; b++)
    status = sl_sm7_ring_init(&sm->pipe[b], s->l1_latency, err);
  if (status == SL_OK)
    status = sl_sm7_texture_cache_init(&sm->textures, &s->textures, err);
  if (status == SL_OK && s->icache)
    status = sl_sm7_line_cache_init(&sm->instructions, &s->instructions, err);
  if (status == SL_OK && s->ccache)
    status = sl_sm7_line_cache_init(&sm->constants, &s->constants, err);
  return status == SL_OK ? sl_sm7_ring_init(&sm->response, s->response_fifo, err) : status;
}

enum sl_status sl_sm7_sm_init(struct sl_sm7_sm *sm, const struct sl_sm7_wiring *wire, unsigned id, unsigned sms,
                              struct sl_error *err)
{
  memset(sm, 0, sizeof *sm);
  sm->wire = *wire;
  sm->id = id;
  sm->sms = sms;
  sm->own_banks = wire->spec->banks / wire->spec->schedulers;
  sm->wide = wire->spec->register_model == SL_SM7_REGISTERS_COLLECTORS ? 0 : UINT64_MAX;
  sm->cluster = id / wire->spec->sms_per_cluster;
  sm->free_load = UINT32_MAX;
  sm->fetched = sm->dispatch = sm->indexed = SL_SM7_NONE;
  sm->free_lists = ~UINT64_C(0);
  sm->free_ops = SL_SM7_OPS;
  for (unsigned i = 0; i < SL_SM7_OPS; i++)
    sm->free_op[i] = (uint8_t)i;
  for (unsigned w = 0; w < wire->spec->warps; w++)
    sm->of_scheduler[w % wire->spec->schedulers] |= sl_sm7_bit(w);
  sl_sm7_levels_init(sm);
  memset(sm->last, SL_SM7_NONE, sizeof sm->last);
  memset(sm->piped_at, 0xff, sizeof sm->piped_at);
  sm->free_completion = SL_SM7_NO_COMPLETION;
  sm->writer = calloc(wire->spec->warps, sizeof *sm->writer);
  sm->list = malloc(SL_SM7_ACCESS_LISTS * sizeof *sm->list);
  sm->completion = malloc(SL_SM7_COMPLETIONS * sizeof *sm->completion);
  if (!sm->list || !sm->completion || !sm->writer)
    return sl_no_memory(err, SL_SM7_ACCESS_LISTS * sizeof *sm->list);
  const enum sl_status status = sl_sm7_waits_init(&sm->waits, err);
  return status == SL_OK ? init_memory(sm, err) : status;
}

void sl_sm7_sm_free(struct sl_sm7_sm *sm)
{
  sl_sm7_cache_free(&sm->l1);
  sl_sm7_texture_cache_free(&sm->textures);
  sl_sm7_line_cache_free(&sm->instructions);
  sl_sm7_line_cache_free(&sm->constants);
  for (unsigned b = 0; b < SL_SM7_L1_BANKS; b++)
    sl_sm7_ring_free(&sm->pipe[b]);
  sl_sm7_ring_free(&sm->response);
  sl_sm7_waits_free(&sm->waits);
  free(sm->writer);
  free(sm->list);
  free(sm->completion);
  free(sm->loads);
}

void sl_sm7_sm_launch(struct sl_sm7_sm *sm, unsigned limit, unsigned threads, uint32_t l1_ways)
{
  sm->limit = limit;
  sm->given = SL_SM7_NO_BLOCK;
  sm->warps_per_block = (threads + SL_SM7_LANES - 1) / SL_SM7_LANES;
  sm->padded_threads = sm->warps_per_block * SL_SM7_LANES;
  for (unsigned n = 0; n < SL_SM7_UNITS - 1; n++) /* cycles begin from 0 again */
    for (unsigned k = 0; k < SL_SM7_MAX_SCHEDULERS; k++)
      sm->unit[n][k] = (struct sl_sm7_unit_state){0};
  sm->accepts_from = sm->indexes_from = 0;
  memset(sm->file, 0, sizeof sm->file);
  memset(sm->refused, 0, sizeof sm->refused);
  memset(sm->piped_at, 0xff, sizeof sm->piped_at);
  memset(sm->blocked, 0, sizeof sm->blocked);
  memset(sm->ready_for, 0, sizeof sm->ready_for);
  sm->ready = 0;
  sl_sm7_waits_reset(&sm->waits);
  sm->phases = (struct sl_sm7_phases){0};
  sm->special = sm->wire.front->phase != NULL || sm->wire.front->pass != NULL || sm->wire.front->scalar;
  sl_sm7_cache_resize(&sm->l1, l1_ways);
}

/* No register of an ended warp is pending; only loads without destination remain. */
void sl_sm7_sm_end(struct sl_sm7_sm *sm)
{
  for (uint32_t i = 0; i < sm->loads_room; i++)
    sm->loads[i].code = &sl_sm7_nothing;
  if (sm->write_back.code != NULL)
    sm->write_back.code = &sl_sm7_nothing;
  if (sm->uncached.code != NULL)
    sm->uncached.code = &sl_sm7_nothing;
}

static void start_warp(struct sl_sm7_sm *sm, unsigned slot, unsigned index)
{
  const unsigned warp = slot * sm->warps_per_block + index;
  const struct sl_sm7_front *front = sm->wire.front;
  uint32_t pc = 0;
  front->lanes(front->context, sm->id, slot, index, &pc);
  sm->warp[warp] = (struct sl_sm7_warp){.pc = pc,
                                        .fetch_pc = pc,
                                        .buffer = {SL_SM7_NO_PC, SL_SM7_NO_PC},
                                        .slot = (uint8_t)slot,
                                        .index = (uint8_t)index,
                                        .age = sm->next_age++};
  sl_sm7_goes_on(sm, warp);
  sm->present |= sl_sm7_bit(warp);
  sm->live |= sl_sm7_bit(warp);
  sm->buffered &= ~sl_sm7_bit(warp);
  sm->hazard &= ~sl_sm7_bit(warp);
  sl_sm7_note_age(sm, warp);
}

void sl_sm7_sm_start(struct sl_sm7_sm *sm, uint64_t cycle)
{
  const unsigned slot = (unsigned)__builtin_ctz(~sm->used_slots), first = slot * sm->warps_per_block;
  const uint64_t warps = sm->warps_per_block < 64 ? ((UINT64_C(1) << sm->warps_per_block) - 1) << first : ~UINT64_C(0);
  const struct sl_sm7_front *front = sm->wire.front;
  if (SL_SM7_OBSERVED)
    sm->events->observation->cycle = cycle;
  if (sm->blocks == 0)
    sm->slept_from = cycle;
  sm->used_slots |= 1u << slot;
  sm->blocks++;
  sm->counts.blocks++;
  sm->block[slot] = (struct sl_sm7_block){.warps = warps, .active = warps, .left = sm->warps_per_block};
  sm->failed = !front->begin(front->context, sm->id, slot, sm->given);
  sm->given = SL_SM7_NO_BLOCK;
  if (sm->failed)
    return;
  if (SL_SM7_OBSERVED)
    front->report_begun(front->context, sm->id, slot, cycle);
  for (unsigned i = 0; i < sm->warps_per_block; i++)
    start_warp(sm, slot, i);
  if (front->phase != NULL)
    sl_sm7_phases_begin(sm, slot);
  for (unsigned i = 0; i < sm->warps_per_block && front->pass != NULL; i++)
    sl_sm7_pass(sm, first + i);
}

static void spend(struct sl_sm7_sm *sm, unsigned scheduler, uint64_t slots)
{
  sm->counts.cause[sm->cause[scheduler]] += slots;
  if (SL_SM7_OBSERVED)
    sl_sm7_event_spent(sm->events, scheduler, sm->cause[scheduler], slots);
}

/* Charges the cycles of sleep like the last cycle before them; the order of the schedulers has advanced. */
static void account(struct sl_sm7_sm *sm, uint64_t cycle)
{
  const uint64_t slept = cycle - sm->slept_from;
  for (unsigned k = 0; k < sm->wire.spec->schedulers && slept; k++)
    spend(sm, k, slept);
  sm->first_scheduler = (unsigned)((sm->first_scheduler + slept) % sm->wire.spec->schedulers);
  sm->counts.cycles += slept + 1;
  sm->counts.linear_cycles += sm->phases.linear ? slept + 1 : 0;
  sm->slept_from = cycle + 1;
}

static bool has_collectors(const struct sl_sm7_sm *sm)
{
  return sm->wire.spec->register_model == SL_SM7_REGISTERS_COLLECTORS;
}

static bool in_front_of_units(const struct sl_sm7_sm *sm)
{
  unsigned full = 0;
  for (unsigned u = 0; u < SL_SM7_UNITS; u++)
    full |= sm->execute_full[u];
  return full || (has_collectors(sm) ? sl_sm7_is_any_collecting(sm) : sl_sm7_is_any_reading(sm));
}

static uint64_t next_event(const struct sl_sm7_sm *sm, uint64_t cycle)
{
  if (in_front_of_units(sm) || sl_sm7_issues(sm) || sl_sm7_fetches(sm))
    return cycle + 1;
  const uint64_t lsu = sl_sm7_lsu_next(sm, cycle);
  if (lsu == cycle + 1)
    return lsu;
  const uint64_t result = sl_sm7_next_result(sm, cycle);
  return lsu < result ? lsu : result;
}

uint64_t sl_sm7_sm_cycle(struct sl_sm7_sm *sm, uint64_t cycle, uint64_t now, bool crowded)
{
  if (SL_SM7_OBSERVED)
    sm->events->observation->cycle = cycle;
  account(sm, cycle);
  sm->late = SL_SM7_NOTHING_LATE;
  sl_sm7_write_results(sm, cycle);
  const bool fresh = crowded && sl_sm7_has_fresh(sm);
  struct sl_sm7_foreseen foreseen;
  if (fresh)
    foreseen = sl_sm7_foresee(sm);
  sl_sm7_execute(sm, cycle);
  if (fresh)
    sl_sm7_prefetch_registers(sm, foreseen);
  sl_sm7_lsu_cycle(sm, cycle, now);
  if (has_collectors(sm))
    sl_sm7_collect(sm);
  else
    sl_sm7_read_operands(sm);
  sl_sm7_issue(sm, cycle);
  sl_sm7_fetch(sm, now);
  for (unsigned k = 0; k < sm->wire.spec->schedulers && !sm->failed; k++) {
    spend(sm, k, 1);
    if (sm->cause_warp[k] != sm->waits.open[k])
      sl_sm7_waits_turn(sm, k, sm->cause_warp[k], cycle);
  }
  return next_event(sm, cycle);
}
