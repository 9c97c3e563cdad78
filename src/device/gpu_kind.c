#include "device/gpu_kind.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/checkpoint.h"
#include "device/engine/launch_sampling.h"
#include "machine/sm7/sm7_occupancy.h"
#include "machine/sm7/sm7_ptx.h"
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
                         SL_BITS((1 << SL_SM7_LIMITS) - 1, limits));

void sl_gpu_records_archive(struct sl_archive *archive, struct sl_gpu *g, uint64_t *cycles)
{
  const bool saves = !sl_archive_reads(archive);
  const uint32_t count = sl_archive_number(archive, saves ? (uint32_t)g->count - 1 : 0, UINT32_MAX);
  SL_ARCHIVE(archive, *cycles);
  if (!saves && sl_archive_expect(archive, count <= (archive->size - archive->at) / sizeof *g->record * 2)) {
    g->record = calloc(count + (size_t)1, sizeof *g->record);
    g->count = sl_archive_memory(archive, g->record != NULL) ? count : 0;
    g->room = g->count + (g->record != NULL);
  }
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

enum sl_status sl_gpu_check_ptx_kernel(const struct sl_ptx_module *module, const struct sl_ptx_function *k,
                                       const uint32_t block[3], struct sl_error *err)
{
  for (uint32_t pc = k->begin; pc < k->end; pc++)
    if (module->code[pc].kind == SL_PTX_K_LINEAR)
      return sl_fail(err, SL_USAGE,
                     "kernel '%.100s' needs linear registers: launch the original kernel; a machine with r2d2=on then "
                     "runs this variant",
                     k->name);
  if (k->block[0] > 0 && memcmp(k->block, block, sizeof k->block) != 0)
    return sl_fail(err, SL_USAGE,
                   "kernel '%.100s' requires blocks of %u x %u x %u threads (.reqntid), but the launch has %u x %u x "
                   "%u: launch it with the required size",
                   k->name, k->block[0], k->block[1], k->block[2], block[0], block[1], block[2]);
  if (k->max_threads > 0 && (uint64_t)block[0] * block[1] * block[2] > k->max_threads)
    return sl_fail(err, SL_USAGE, "kernel '%.100s' allows at most %u threads per block", k->name, k->max_threads);
  return SL_OK;
}

void sl_gpu_describe_ptx(const struct sl_gpu *g, const struct sl_ptx_launch *l, struct sl_gpu_record *r)
{
  const struct sl_sm7_demand demand =
      sl_sm7_ptx_demand(l, g->options.registers ? g->options.registers : l->regs_per_thread);
  struct sl_sm7_occupancy o;
  r->launch.entry = l->kernel->begin;
  r->launch.warps_per_block = (demand.threads + SL_SM7_LANES - 1) / SL_SM7_LANES;
  r->registers = demand.registers;
  r->shared_bytes = demand.shared_bytes;
  if (sl_sm7_occupancy(g->config->spec, &demand, &o, NULL) != SL_OK)
    return;
  r->fits = o.fits;
  r->limits = o.limited;
  r->resident = o.resident;
}

static enum sl_gpu_fault_kind kind_of(enum sl_ptx_fault_kind kind)
{
  switch (kind) {
  case SL_PTX_FAULT_BUFFER:
  case SL_PTX_FAULT_ADDRESS: return SL_GPU_FAULT_ADDRESS;
  case SL_PTX_FAULT_ALIGNMENT: return SL_GPU_FAULT_MISALIGNED;
  case SL_PTX_FAULT_STACK: return SL_GPU_FAULT_CONVERGENCE;
  case SL_PTX_FAULT_DEPTH: return SL_GPU_FAULT_STACK;
  case SL_PTX_FAULT_FUNCTION: return SL_GPU_FAULT_JUMP;
  case SL_PTX_FAULT_ASSERT:
  case SL_PTX_FAULT_TRAP: return SL_GPU_FAULT_TRAP;
  case SL_PTX_FAULT_TEXTURE:
  case SL_PTX_FAULT_TEXEL:
  case SL_PTX_FAULT_TEXTURES: return SL_GPU_FAULT_TEXTURE;
  case SL_PTX_FAULT_BARRIER: return SL_GPU_FAULT_DEADLOCK;
  case SL_PTX_FAULT_LIVELOCK: return SL_GPU_FAULT_LIVELOCK;
  default: return SL_GPU_FAULT_OTHER;
  }
}

void sl_gpu_describe_ptx_fault(const struct sl_ptx_launch *launch, const struct sl_ptx_fault *own,
                               struct sl_gpu_fault *f)
{
  const struct sl_ptx_module *m = launch->module;
  if (own->kind == SL_PTX_FAULT_NONE)
    return;
  const uint32_t *block = launch->block, thread = own->warp * SL_PTX_LANES + own->lane;
  f->kind = kind_of(own->kind);
  f->assertion = own->kind == SL_PTX_FAULT_ASSERT;
  f->in_grid = true;
  memcpy(f->block, own->block, sizeof f->block);
  f->thread[0] = thread % block[0];
  f->thread[1] = thread / block[0] % block[1];
  f->thread[2] = thread / block[0] / block[1];
  f->warp = own->warp;
  f->lanes = UINT64_C(1) << own->lane;
  f->pc = own->pc;
  f->address = own->address;
  f->global = own->space == SL_PTX_GLOBAL;
  if (own->pc >= m->code_count)
    return;
  const struct sl_ptx_insn *in = &m->code[own->pc];
  const struct sl_ptx_source *source = in->source > 0 ? &m->sources[in->source - 1] : NULL;
  const bool known = source != NULL && source->file < m->file_count && m->files[source->file][0] != '\0';
  snprintf(f->file, sizeof f->file, "%.*s", (int)sizeof f->file - 1, known ? m->files[source->file] : m->path);
  f->line = known ? source->line : in->line;
}
