#include "device/gpu_kind.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/checkpoint.h"
#include "device/engine/launch_sampling.h"
#include "ptx/ptx.h"

struct sl_gpu_record *sl_gpu_record_begin(struct sl_gpu *g, const struct sl_gpu_launch *launch)
{
  if (g->count == g->room) {
    const size_t room = g->room ? 2 * g->room : 1;
    struct sl_gpu_record *larger = realloc(g->record, room * sizeof *larger);
    if (larger == NULL)
      return NULL;
    g->record = larger;
    g->room = room;
  }
  struct sl_gpu_record *r = &g->record[g->count++];
  *r = (struct sl_gpu_record){.launch.number = (size_t)g->launches++};
  if (launch->kernel != NULL)
    snprintf(r->kernel, sizeof r->kernel, "%s", launch->kernel);
  else
    snprintf(r->kernel, sizeof r->kernel, "0x%08" PRIx32, launch->entry);
  memcpy(r->grid, launch->grid, sizeof r->grid);
  memcpy(r->block, launch->block, sizeof r->block);
  return r;
}

static void add_to_totals(struct sl_gpu *g, const struct sl_gpu_record *r)
{
  const struct sl_counters *counters = g->config->machine->counters;
  for (size_t i = 0; i < counters->count; i++) {
    const uint64_t value = r->launch.counters[i];
    if (counters->counter[i].role != SL_COUNTER_GREATEST)
      g->total[i] += value;
    else if (value > g->total[i])
      g->total[i] = value;
  }
  g->seconds += r->launch.host_seconds;
}

/* Takes a launch that has ended for a sample, or predicts its cycles. */
static void sample(struct sl_gpu *g, enum sl_status code)
{
  const struct sl_gpu_record *r = &g->record[g->count - 1];
  if (g->sampler != NULL)
    g->predicted = sl_launch_sampler_end(g->sampler, r->warp_instructions, code == SL_OK ? r->launch.counters : NULL);
}

void sl_gpu_record_end(struct sl_gpu *g, enum sl_status code)
{
  struct sl_gpu_record *r = &g->record[g->count - 1];
  r->launch.finished = code == SL_OK || code == SL_CHECK_FAILED;
  r->launch.succeeded = code == SL_OK;
  add_to_totals(g, r);
  sample(g, code);
  g->picoseconds = sl_gpu_picoseconds(g, &r->launch);
  g->elapsed += g->kind->elapsed(g);
  g->busy = false;
  if (g->options.forgets)
    g->count--;
}

size_t sl_gpu_record_count(const struct sl_gpu *gpu)
{
  return gpu->count;
}

const struct sl_gpu_record *sl_gpu_record(const struct sl_gpu *gpu, size_t i)
{
  return &gpu->record[i];
}

void sl_gpu_forget(struct sl_gpu *gpu)
{
  if (gpu->busy) {
    memmove(gpu->record, &gpu->record[gpu->count - 1], sizeof *gpu->record);
    gpu->count = 1;
  } else {
    gpu->count = 0;
  }
}

uint64_t sl_gpu_total(const struct sl_gpu *gpu, size_t counter)
{
  return gpu->total[counter];
}

double sl_gpu_seconds(const struct sl_gpu *gpu)
{
  return gpu->seconds;
}

uint64_t sl_gpu_elapsed(const struct sl_gpu *gpu)
{
  return gpu->elapsed + (gpu->busy ? gpu->kind->elapsed(gpu) : 0);
}

uint64_t sl_gpu_picoseconds(const struct sl_gpu *gpu, const struct sl_launch *launch)
{
  const struct sl_gpu_facts facts = gpu->kind->facts(gpu);
  const struct sl_machine *machine = gpu->config->machine;
  double cycles = 0;
  for (size_t i = 0; i < machine->counters->count; i++) {
    const enum sl_counter_role role = machine->counters->counter[i].role;
    const double value = (double)launch->counters[i];
    if (role == SL_COUNTER_CYCLES)
      cycles += gpu->options.fast ? gpu->predicted : value;
    if (gpu->options.fast && gpu->sampler == NULL && role == SL_COUNTER_THREAD_INSTRUCTIONS && facts.peak > 0)
      cycles += value / facts.peak;
  }
  return (uint64_t)(cycles * (facts.clock_mhz > 0 ? 1e6 / facts.clock_mhz : 1e3) + 0.5);
}

uint64_t sl_gpu_last_picoseconds(const struct sl_gpu *gpu)
{
  return gpu->picoseconds;
}

static SL_CHECKED_SCHEMA(record_schema, struct sl_gpu_record, memchr(self->kernel, 0, sizeof self->kernel) != NULL,
                         SL_STRUCTS(sl_launch_schema, launch),
                         SL_ANY(kernel, grid, block, registers, shared_bytes, warp_instructions, fits, resident),
                         SL_BITS(SL_OCCUPANCY_GRID - 1, limits));

/* Makes room for the records to be restored, and for one more. */
static void make_records(struct sl_archive *archive, struct sl_gpu *g, uint32_t count)
{
  g->record = NULL;
  g->count = g->room = 0;
  if (!sl_archive_expect(archive, count <= (archive->size - archive->at) / sizeof *g->record * 2))
    return;
  g->record = calloc(count + (size_t)1, sizeof *g->record);
  g->count = sl_archive_memory(archive, g->record != NULL) ? count : 0;
  g->room = g->count + (g->record != NULL);
}

void sl_gpu_records_archive(struct sl_archive *archive, struct sl_gpu *g, uint64_t *cycles)
{
  const bool saves = !sl_archive_reads(archive);
  const uint32_t count = sl_archive_number(archive, saves ? (uint32_t)g->count - 1 : 0, UINT32_MAX);
  SL_ARCHIVE(archive, *cycles);
  if (!saves)
    make_records(archive, g, count);
  for (size_t i = 0; i < count && !archive->bad; i++) {
    sl_archive_structs(archive, "launch", record_schema, &g->record[i], 1);
    if (!sl_archive_expect(archive, g->record[i].launch.number == i) || saves)
      continue;
    add_to_totals(g, &g->record[i]);
    g->elapsed += g->options.fast ? g->record[i].warp_instructions : 0;
    g->launches++;
  }
  if (!saves && !g->options.fast)
    g->elapsed = *cycles;
}

#define TERMINATED(text) (memchr(text, 0, sizeof(text)) != NULL)

static SL_CHECKED_SCHEMA(fault_schema, struct sl_gpu_fault,
                         TERMINATED(self->kernel) && TERMINATED(self->file) && TERMINATED(self->text),
                         SL_MOST(SL_GPU_FAULT_OTHER, kind), SL_ANY(kernel, in_grid, block, thread, warp, lanes, pc),
                         SL_ANY(file, line, address, global, assertion, first, bytes, text));

/* GPUs that sample launches have no checkpoints, so nothing is predicted. */
static SL_CHECKED_SCHEMA(past_schema, struct sl_gpu, self->count <= self->launches,
                         SL_DERIVED(kind, config, options, modules, last, busy, record, room, sampler, chosen, warms),
                         SL_MOST(UINT32_MAX, count), SL_ANY(launches, total, elapsed, seconds, picoseconds),
                         SL_DERIVED(predicted, sampled, state), SL_STRUCTS(fault_schema, fault));

void sl_gpu_past_archive(struct sl_archive *archive, struct sl_gpu *g)
{
  sl_archive_structs(archive, "past", past_schema, g, 1);
  if (sl_archive_reads(archive))
    make_records(archive, g, (uint32_t)g->count);
  for (size_t i = 0; i < g->count && !archive->bad; i++) {
    sl_archive_structs(archive, "launch", record_schema, &g->record[i], 1);
    sl_archive_expect(archive, g->record[i].launch.number == g->launches - g->count + i);
  }
}
