#include "machine/vortex/core/vortex_stages.h"

#include "base/arrays.h"

#include <stdlib.h>
#include <string.h>

#include "machine/vortex/core/vortex_frontend.h"
#include "machine/vortex/core/vortex_operands.h"

enum { OPS_PER_WARP = 48, OPS_LEAST = 256 };

/* Every queue gets room for all instructions in flight, except queues known to be short. */
static void queue(struct sl_vortex_queue *q, uint32_t *used, uint32_t capacity)
{
  uint32_t size = 4;
  while (size < capacity)
    size *= 2;
  q->base = *used;
  q->mask = size - 1;
  *used += size;
}

/* Assigns the ranges of entries to the queues, whatever their contents. */
uint32_t sl_vortex_lay_out(struct sl_vortex_pipeline *core)
{
  uint32_t used = 0;
  const struct sl_vortex_spec *spec = core->spec;
  const uint32_t all = core->op_count;
  for (unsigned s = 0; s < core->slices; s++) {
    queue(&core->s.collect[s], &used, spec->operands_queue > 0 ? spec->operands_queue : all);
    queue(&core->s.collected[s], &used, spec->operands_queue > 0 ? spec->operands_queue + 2 : all);
    queue(&core->s.stored[s], &used, all);
    for (unsigned u = 0; u < SL_UNIT_COUNT; u++) {
      queue(&core->s.dispatch[s][u], &used, spec->dispatch_size);
      queue(&core->s.input[s][u], &used, spec->dispatch_decoupled ? all : 1);
      queue(&core->s.result[s][u], &used, all);
    }
  }
  queue(&core->s.lsu.requests, &used, spec->lsu_queue > 0 ? spec->lsu_queue : all);
  queue(&core->s.lsu.split, &used, spec->lsu_queue > 0 ? spec->lsu_queue : all);
  queue(&core->s.lsu.returned, &used, core->coalescer_tags * 2);
  queue(&core->s.lsu.local, &used, spec->lsu_loads * spec->lanes);
  return used;
}

static void derive(struct sl_vortex_pipeline *core)
{
  const struct sl_vortex_spec *spec = core->spec;
  const uint32_t lanes = spec->lanes;
  core->slices = sl_vortex_slices(spec);
  core->slice_warps = spec->warps / core->slices;
  for (unsigned w = 0; w < spec->warps; w++)
    core->slice_set[w % core->slices] |= sl_bit(w);
  core->coalescer_line = sl_vortex_coalescer_line(spec);
  core->channels = sl_vortex_channels(spec);
  core->channel_width = lanes / core->channels;
  core->channel_lanes = sl_low_bits(core->channel_width);
  core->lsu_loads = spec->lsu_loads;
  core->coalescer_tags = sl_vortex_coalescer_tags(spec);
  core->lmem_banks = spec->lmem_banks > 0 ? spec->lmem_banks : lanes;
  core->lmem_wide = lanes > SL_VORTEX_NARROW;
  core->ahead = sl_vortex_looks_ahead(spec);
  core->feeds = core->ahead && core->slices == 1 && !spec->dispatch_decoupled && spec->shared_unit_delay > 0;
  core->polled = core->feeds && !core->extends ? 0 : SL_STAGES;
  core->fetch_horizon = sl_vortex_fetch_horizon(spec);
  core->regroups = core->warps->lanes_branch;
  core->parks = core->warps->convergence->apart != NULL && !core->regroups;
  core->watches = spec->scs_watchdog > 0;
  core->selects = core->regroups ? sl_vortex_regroup : core->watches ? sl_vortex_back_off : NULL;
  core->plain = core->polled == 0 && core->fetch_horizon > 0 && !core->regroups && !core->watches;
  core->lmem_latency = core->lmem_wide ? spec->lmem_wide_latency : spec->lmem_latency;
}

enum sl_status sl_vortex_pipeline_init(struct sl_vortex_pipeline *core, const struct sl_vortex_spec *spec,
                                       struct sl_ipdom_warps *warps, struct sl_error *err)
{
  core->spec = spec;
  core->warps = warps;
  core->number = warps->spec.core;
  core->extends = warps->extensions > 0;
  for (unsigned i = 0; i < warps->extensions; i++)
    core->asks |= warps->extension[i].kind->cycle != NULL;
  core->op_count = spec->warps * OPS_PER_WARP > OPS_LEAST ? spec->warps * OPS_PER_WARP : OPS_LEAST;
  derive(core);
  core->entry_count = sl_vortex_lay_out(core);
  core->entries = sl_lines_of(core->entry_count, sizeof *core->entries);
  core->op = sl_lines_of(core->op_count, sizeof *core->op);
  core->extended = sl_lines_of(core->op_count, sizeof *core->extended);
  core->address = sl_lines_of((size_t)core->op_count * spec->lanes, sizeof *core->address);
  core->operands = sl_lines_of(core->slices, sizeof *core->operands);
  if (core->entries == NULL || core->op == NULL || core->extended == NULL || core->address == NULL ||
      core->operands == NULL)
    return sl_no_memory(err, core->entry_count * sizeof *core->entries);
  return SL_OK;
}

void sl_vortex_pipeline_free(struct sl_vortex_pipeline *core)
{
  free(core->entries);
  free(core->op);
  free(core->extended);
  free(core->address);
  free(core->operands);
}

static void empty(struct sl_vortex_pipeline *core)
{
  struct sl_vortex_pipeline_state *s = &core->s;
  memset(&s->ibuffer, 0, sizeof s->ibuffer);
  memset(&s->front, 0, sizeof s->front);
  s->regroup = (struct sl_vortex_regroup){.last = SL_VORTEX_EVENTS - 1};
  s->absence = (struct sl_vortex_absence){0};
  memset(s->regroup.awaits, SL_VORTEX_NO_EVENT, sizeof s->regroup.awaits);
  memset(core->operands, 0, core->slices * sizeof *core->operands);
  memset(s->collect, 0, sizeof s->collect);
  memset(s->collected, 0, sizeof s->collected);
  memset(s->stored, 0, sizeof s->stored);
  memset(s->dispatch, 0, sizeof s->dispatch);
  memset(s->input, 0, sizeof s->input);
  memset(s->result, 0, sizeof s->result);
  s->lsu = (struct sl_vortex_lsu){0};
  sl_vortex_lay_out(core);
  for (unsigned i = 0; i < SL_VORTEX_WHEEL; i++)
    s->due[i] = (struct sl_vortex_due){.done = SL_VORTEX_NONE, .clear = SL_VORTEX_NONE};
  for (uint32_t i = 0; i < core->op_count; i++)
    core->op[i] = (struct sl_vortex_op){.next = (uint16_t)(i + 1 < core->op_count ? i + 1 : SL_VORTEX_NONE)};
  core->s.free_op = 0;
  memset(&core->s.scoreboard, 0, sizeof core->s.scoreboard);
  memset(core->s.in_flight, 0, sizeof core->s.in_flight);
  memset(core->s.committed, 0, sizeof core->s.committed);
  memset(core->s.collector_free, 0, sizeof core->s.collector_free);
  memset(core->s.snapshot, 0, sizeof core->s.snapshot);
  memset(core->s.slice, 0, sizeof core->s.slice);
  memset(core->s.results, 0, sizeof core->s.results);
  core->s.waiting = 0;
  for (unsigned slice = 0; slice < SL_VORTEX_SLICES_MAX; slice++)
    core->s.last_winner[slice] = SL_UNIT_COUNT - 1;
  memset(core->s.fpu_tags, 0, sizeof core->s.fpu_tags);
}

void sl_vortex_pipeline_start(struct sl_vortex_pipeline *core)
{
  empty(core);
  memset(core->s.lsu.bank_written, 0xff, sizeof core->s.lsu.bank_written);
  core->s.ports = (struct sl_vortex_ports){0};
  memset(core->s.ports.free, 0xff, sizeof core->s.ports.free);
  core->s.counts = (struct sl_vortex_counts){0};
  core->s.stalled = 1;
  core->s.visible = core->s.hindered = core->s.starved = 0;
  core->known = (struct sl_vortex_known){.again = SL_STAGES_IN_VAIN};
  core->s.faulted = false;
  core->s.spawn_from = core->s.cycle = core->s.end_cycle = 0;
  core->s.total_in_flight = 0;
  core->s.regroup.awaits[0] = core->regroups ? SL_VORTEX_STARTS : SL_VORTEX_NO_EVENT;
  sl_vortex_wake(core, sl_bit(0), core->spec->start_cycle);
  if (core->watched || core->tell != NULL)
    sl_vortex_account_start(core);
}

void sl_vortex_look_at_all(struct sl_vortex_pipeline *core)
{
  core->known.again = SL_STAGES_IN_VAIN;
}
