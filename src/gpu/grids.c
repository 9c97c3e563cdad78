#include "gpu/grids.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/checkpoint.h"
#include "gpu/launch_record.h"
#include "machine/sm7/sm7.h"
#include "machine/sm7/sm7_linear.h"
#include "machine/sm7/sm7_oracle.h"
#include "machine/sm7/sm7_ptx.h"

enum sl_status sl_grids_open(struct sl_grids *grids, const struct sl_config *config,
                             const struct sl_grids_options *options, struct sl_error *err)
{
  *grids = (struct sl_grids){.config = config, .options = *options};
  if (config->machine != &sl_sm7)
    return sl_fail(err, SL_USAGE, "machine %s runs PTX without timing only: add --fast, or choose -m sm7",
                   config->name);
  if (options->fast)
    return SL_OK;
  const enum sl_status code = sl_sm7_engine_open(&grids->engine, config->spec, options->threads, err);
  grids->engine.registers = options->registers;
  grids->timed = sl_sm7_ptx_engine(&grids->engine);
  return code;
}

void sl_grids_close(struct sl_grids *grids)
{
  sl_sm7_engine_close(&grids->engine);
  free(grids->launch);
  *grids = (struct sl_grids){0};
}

static struct sl_grid_launch *append(struct sl_grids *g, const struct sl_ptx_launch *launch)
{
  if (g->count == g->room) {
    const size_t room = g->room ? 2 * g->room : 16;
    struct sl_grid_launch *larger = realloc(g->launch, room * sizeof *larger);
    if (larger == NULL)
      return NULL;
    g->launch = larger;
    g->room = room;
  }
  struct sl_grid_launch *l = &g->launch[g->count];
  *l = (struct sl_grid_launch){
      .launch = {.number = g->count, .entry = launch->kernel->begin},
      .demand = sl_sm7_ptx_demand(launch, g->options.registers ? g->options.registers : launch->regs_per_thread)};
  snprintf(l->kernel, sizeof l->kernel, "%s", launch->kernel->name);
  memcpy(l->grid, launch->grid, sizeof l->grid);
  memcpy(l->block, launch->block, sizeof l->block);
  l->launch.warps_per_block = (l->demand.threads + SL_SM7_LANES - 1) / SL_SM7_LANES;
  g->count++;
  return l;
}

static enum sl_status run_timed(struct sl_grids *g, struct sl_grid_launch *l, const struct sl_ptx_launch *launch,
                                struct sl_ptx_counts *counts, struct sl_error *err)
{
  const uint64_t cycles = g->engine.cycles;
  g->engine.bounds = g->options.bounds;
  const enum sl_status code = g->timed.run(g->timed.context, launch, counts, err);
  const struct sl_sm7_totals after = sl_sm7_gpu_totals(g->engine.gpu);
  for (size_t i = 0; i < sl_sm7_counters.count; i++)
    l->launch.counters[i] = sl_sm7_counter(&after, g->engine.cycles, i) - sl_sm7_counter(&g->engine.before, cycles, i);
  return code;
}

static enum sl_status run_fast(struct sl_grids *g, struct sl_grid_launch *l, const struct sl_ptx_launch *launch,
                               struct sl_ptx_counts *counts, struct sl_error *err)
{
  struct sl_ptx_counts own = {0};
  struct sl_ptx_launch chosen = *launch;
  struct sl_sm7_demand demand = l->demand;
  struct sl_ptx_linear *linear;
  const struct sl_sm7_spec *spec = g->config->spec;
  enum sl_status code = sl_sm7_linear_choose(spec, &chosen, &demand, &linear, err);
  if (code == SL_OK)
    code = sl_sm7_linear_shadow(spec, &chosen, launch, &g->options.bounds, err);
  struct sl_ptx_spared spared = {0};
  if (code == SL_OK && spec->oracle != SL_PTX_NO_ORACLE)
    code = sl_sm7_oracle_count(spec, &chosen, &g->options.bounds, &own, &spared, err);
  else if (code == SL_OK)
    code = sl_ptx_grid_run(&chosen, &g->options.bounds, &own, err);
  sl_ptx_linear_free(linear);
  const struct sl_sm7_totals totals = {.sm = {.warp_instructions = own.warp_insns,
                                              .thread_instructions = own.thread_insns,
                                              .blocks = own.blocks,
                                              .passed = spared.warp_insns,
                                              .passed_lanes = spared.thread_insns,
                                              .scalar = spared.scalar}};
  for (size_t i = 0; i < sl_sm7_counters.count; i++)
    l->launch.counters[i] = sl_sm7_counter(&totals, 0, i);
  l->warp_instructions = own.warp_insns;
  counts->warp_insns += own.warp_insns;
  counts->thread_insns += own.thread_insns;
  counts->blocks += own.blocks;
  return code;
}

static uint64_t warp_instructions_before(const struct sl_grids *g)
{
  uint64_t sum = 0;
  for (size_t i = 0; i + 1 < g->count; i++)
    sum += g->launch[i].warp_instructions;
  return sum;
}

static enum sl_status run(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                          struct sl_error *err)
{
  struct sl_grids *g = context;
  struct sl_grid_launch *l = append(g, launch);
  if (l == NULL)
    return sl_no_memory(err, 2 * g->room * sizeof *l);
  if (sl_sm7_occupancy(g->config->spec, &l->demand, &l->occupancy, NULL) != SL_OK)
    l->occupancy = (struct sl_sm7_occupancy){0};
  g->options.bounds.restores = g->restores;
  g->options.bounds.before = warp_instructions_before(g);
  g->options.bounds.launch = (unsigned)l->launch.number;
  g->restores = NULL;
  const double start = sl_device_seconds();
  const enum sl_status code = (g->options.fast ? run_fast : run_timed)(g, l, launch, counts, err);
  l->launch.host_seconds = sl_device_seconds() - start;
  l->launch.finished = l->launch.succeeded = code == SL_OK;
  return code;
}

static void copied(void *context, uint64_t address, uint64_t bytes)
{
  const struct sl_grids *g = context;
  if (!g->options.fast)
    g->timed.copied(g->timed.context, address, bytes);
}

struct sl_ptx_engine sl_grids_engine(struct sl_grids *grids)
{
  return (struct sl_ptx_engine){.run = run, .copied = copied, .context = grids};
}

struct sl_ptx_options sl_grids_semantics(const struct sl_grids *grids)
{
  const struct sl_sm7_spec *spec = grids->config->spec;
  return (struct sl_ptx_options){.unfused = spec->fma == SL_SM7_UNFUSED};
}

static bool is_valid(const void *object, const struct sl_limits *limits)
{
  const struct sl_grid_launch *l = object;
  (void)limits;
  return memchr(l->kernel, 0, sizeof l->kernel) != NULL;
}

static SL_SCHEMA(demand_schema, struct sl_sm7_demand, NULL,
                 SL_ANY(blocks, threads, shared_bytes, registers, sm_registers, block_registers));
static SL_SCHEMA(occupancy_schema, struct sl_sm7_occupancy, NULL, SL_ANY(fits, resident, l1_ways),
                 SL_BITS((1 << SL_SM7_LIMITS) - 1, limited));
static SL_SCHEMA(launch_schema, struct sl_grid_launch, is_valid, SL_STRUCTS(sl_launch_schema, launch),
                 SL_ANY(kernel, grid, block, warp_instructions), SL_STRUCTS(demand_schema, demand),
                 SL_STRUCTS(occupancy_schema, occupancy));

void sl_grids_archive(struct sl_archive *archive, struct sl_grids *g)
{
  const bool under_way = !sl_archive_reads(archive);
  const uint32_t count = sl_archive_number(archive, under_way ? (uint32_t)g->count - 1 : 0, UINT32_MAX);
  SL_ARCHIVE(archive, g->engine.cycles);
  if (!under_way && sl_archive_expect(archive, count <= (archive->size - archive->at) / sizeof *g->launch * 2)) {
    g->launch = calloc(count + (size_t)1, sizeof *g->launch);
    g->count = sl_archive_memory(archive, g->launch) ? count : 0;
    g->room = g->count + (g->launch != NULL);
  }
  for (size_t i = 0; i < count && !archive->bad; i++) {
    sl_archive_structs(archive, "launch", launch_schema, &g->launch[i], 1);
    sl_archive_expect(archive, g->launch[i].launch.number == i);
  }
}

uint64_t sl_grids_total(const struct sl_grids *grids, size_t counter)
{
  uint64_t total = 0;
  for (size_t i = 0; i < grids->count; i++)
    total += grids->launch[i].launch.counters[counter];
  return total;
}

double sl_grids_seconds(const struct sl_grids *grids)
{
  double seconds = 0;
  for (size_t i = 0; i < grids->count; i++)
    seconds += grids->launch[i].launch.host_seconds;
  return seconds;
}
