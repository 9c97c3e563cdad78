#include "device/gpu.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_state.h"
#include "device/engine/block_sampling.h"
#include "device/gpu_kind.h"
#include "program/program.h"

enum { COPY_CHUNK = 1 << 16 /* bytes */ };

enum sl_status sl_gpu_open(struct sl_gpu **gpu, const struct sl_config *config, const struct sl_gpu_options *options,
                           struct sl_error *err)
{
  struct sl_gpu *g = *gpu = calloc(1, sizeof *g);
  if (g == NULL)
    return sl_no_memory(err, sizeof *g);
  g->kind = options->machine_code ? &sl_gpu_riscv : &sl_gpu_ptx;
  g->config = config;
  g->options = *options;
  g->last = &g->modules;
  if (!options->machine_code && config->machine->ptx == NULL)
    return sl_fail(err, SL_USAGE, "machine %s does not execute PTX: choose sm7, or machine code", config->name);
  enum sl_status code = g->kind->open(g, err);
  if (code == SL_OK && options->first_launches > 0)
    code = sl_launch_sampler_open(&g->sampler, config->machine->counters, options->first_launches,
                                  options->sampling.plan.seed, err);
  return code;
}

void sl_gpu_close(struct sl_gpu *gpu)
{
  if (gpu == NULL)
    return;
  sl_gpu_abandon(gpu);
  gpu->kind->close(gpu);
  for (struct sl_gpu_module *m = gpu->modules, *next; m != NULL; m = next) {
    next = m->next;
    gpu->kind->unload(m);
    free(m);
  }
  sl_launch_sampler_close(gpu->sampler);
  free(gpu->record);
  free(gpu);
}

struct sl_gpu_facts sl_gpu_facts(const struct sl_gpu *gpu)
{
  return gpu->kind->facts(gpu);
}

const struct sl_config *sl_gpu_config(const struct sl_gpu *gpu)
{
  return gpu->config;
}

void sl_gpu_choose_fast(struct sl_gpu *gpu, bool fast)
{
  if (!gpu->busy) {
    gpu->options.fast = fast;
    if (gpu->kind == &sl_gpu_riscv)
      sl_gpu_riscv_choose_fast(gpu, fast);
  }
}

uint64_t sl_gpu_allocated(const struct sl_gpu *gpu)
{
  return sl_allocator_bytes(gpu->kind->buffers(gpu));
}

const struct sl_allocator *sl_gpu_buffers(const struct sl_gpu *gpu)
{
  return gpu->kind->buffers(gpu);
}

enum sl_status sl_gpu_place(struct sl_gpu *gpu, uint64_t address, uint64_t bytes, struct sl_error *err)
{
  return gpu->kind->place(gpu, address, bytes, err);
}

bool sl_gpu_buffer(const struct sl_gpu *gpu, uint64_t address, uint64_t *first, uint64_t *bytes)
{
  const struct sl_range *range = gpu->kind->buffer(gpu, address);
  if (range == NULL || address < range->first || address >= range->end)
    return false;
  *first = range->first;
  *bytes = range->end - range->first;
  return true;
}

bool sl_gpu_fast(const struct sl_gpu *gpu)
{
  return gpu->options.fast;
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

static enum sl_status add_module(struct sl_gpu *g, const char *name, const struct sl_program *program,
                                 const void *bytes, size_t size, struct sl_gpu_module **module, struct sl_error *err)
{
  struct sl_gpu_module *m = calloc(1, sizeof *m);
  *module = NULL;
  if (m == NULL)
    return sl_no_memory(err, sizeof *m);
  m->gpu = g;
  m->program = program;
  snprintf(m->name, sizeof m->name, "%s", name);
  const enum sl_status code = g->kind->load(g, m, bytes, size, err);
  if (code != SL_OK) {
    g->kind->unload(m);
    free(m);
    return code;
  }
  *g->last = *module = m;
  g->last = &m->next;
  return SL_OK;
}

static enum sl_status check_idle(const struct sl_gpu *g, struct sl_error *err)
{
  return g->busy
             ? sl_fail(err, SL_USAGE, "%s: a kernel is still running; wait for its end, or abandon it", g->config->name)
             : SL_OK;
}

enum sl_status sl_gpu_load_bytes(struct sl_gpu *gpu, const char *name, const void *bytes, size_t size,
                                 struct sl_gpu_module **module, struct sl_error *err)
{
  *module = NULL;
  return check_idle(gpu, err) == SL_OK ? add_module(gpu, name, NULL, bytes, size, module, err) : SL_USAGE;
}

enum sl_status sl_gpu_load(struct sl_gpu *gpu, const char *path, struct sl_gpu_module **module, struct sl_error *err)
{
  char *bytes;
  size_t size;
  *module = NULL;
  enum sl_status code = check_idle(gpu, err);
  if (code == SL_OK)
    code = sl_file_bytes_read(path, &bytes, &size, err);
  if (code != SL_OK)
    return code;
  code = add_module(gpu, path, NULL, bytes, size, module, err);
  free(bytes);
  return code;
}

enum sl_status sl_gpu_load_program(struct sl_gpu *gpu, const struct sl_program *program, struct sl_gpu_module **module,
                                   struct sl_error *err)
{
  *module = NULL;
  return check_idle(gpu, err) == SL_OK ? add_module(gpu, sl_program_name(program), program, NULL, 0, module, err)
                                       : SL_USAGE;
}

struct sl_gpu *sl_gpu_of(const struct sl_gpu_module *module)
{
  return module->gpu;
}

const struct sl_gpu_module *sl_gpu_module_with(const struct sl_gpu *gpu, const struct sl_program *program)
{
  const struct sl_gpu_module *m = gpu->modules;
  while (m != NULL && (program == NULL || m->program != program))
    m = m->next;
  return m;
}

const char *sl_gpu_module_name(const struct sl_gpu_module *module)
{
  return module->name;
}

bool sl_gpu_kernel(const struct sl_gpu_module *module, const char *name, struct sl_gpu_kernel *kernel)
{
  *kernel = (struct sl_gpu_kernel){.name = NULL};
  return module->gpu->kind->kernel(module, name, kernel);
}

bool sl_gpu_symbol(const struct sl_gpu_module *module, const char *name, struct sl_gpu_symbol *symbol)
{
  *symbol = (struct sl_gpu_symbol){.space = SL_GPU_GLOBAL};
  return module->gpu->kind->symbol(module, name, symbol);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

enum sl_status sl_gpu_alloc(struct sl_gpu *gpu, uint64_t bytes, uint64_t *address, struct sl_error *err)
{
  return gpu->kind->alloc(gpu, bytes, address, err);
}

enum sl_status sl_gpu_release(struct sl_gpu *gpu, uint64_t address, struct sl_error *err)
{
  return gpu->kind->release(gpu, address, err);
}

static enum sl_status check_range(const struct sl_gpu *g, enum sl_gpu_space space, uint64_t address, uint64_t size,
                                  struct sl_error *err)
{
  if (size == 0 || g->kind->mapped(g, space, address, size))
    return SL_OK;
  return sl_fail(err, SL_USAGE,
                 "%" PRIu64 " bytes at address 0x%" PRIx64 " are not all in %s memory; copy to buffers or variables",
                 size, address, space == SL_GPU_CONSTANT ? "constant" : "global");
}

enum sl_status sl_gpu_write(struct sl_gpu *gpu, enum sl_gpu_space space, uint64_t address, const void *bytes,
                            uint64_t size, struct sl_error *err)
{
  const enum sl_status code = check_range(gpu, space, address, size, err);
  if (code == SL_OK && size > 0)
    gpu->kind->write(gpu, space, address, bytes, (size_t)size, true);
  return code;
}

enum sl_status sl_gpu_read(const struct sl_gpu *gpu, enum sl_gpu_space space, uint64_t address, void *bytes,
                           uint64_t size, struct sl_error *err)
{
  const enum sl_status code = check_range(gpu, space, address, size, err);
  if (code == SL_OK && size > 0)
    gpu->kind->read(gpu, space, address, bytes, (size_t)size);
  return code;
}

enum sl_status sl_gpu_map(struct sl_gpu *gpu, uint64_t address, const void **pointer, size_t *size,
                          struct sl_error *err)
{
  *pointer = NULL;
  const enum sl_status code = check_range(gpu, SL_GPU_GLOBAL, address, *size, err);
  if (code != SL_OK || *size == 0)
    return code;
  *pointer = gpu->kind->map(gpu, address, size);
  return *pointer != NULL ? SL_OK : sl_no_memory(err, *size);
}

enum sl_status sl_gpu_fill(struct sl_gpu *gpu, uint64_t address, const void *pattern, size_t width, uint64_t size,
                           struct sl_error *err)
{
  uint8_t chunk[4096];
  enum sl_status code = SL_OK;
  if (width == 0 || width > 16 || (width & (width - 1)) != 0 || size % width != 0)
    code = sl_fail(err, SL_USAGE, "a pattern of %zu bytes cannot fill %" PRIu64 " bytes: use 1, 2, 4, 8 or 16", width,
                   size);
  if (code == SL_OK)
    code = check_range(gpu, SL_GPU_GLOBAL, address, size, err);
  for (size_t i = 0; code == SL_OK && i < sizeof chunk; i += width)
    memcpy(chunk + i, pattern, width);
  for (uint64_t at = 0, n; code == SL_OK && at < size; at += n) {
    n = size - at < sizeof chunk ? size - at : sizeof chunk;
    gpu->kind->write(gpu, SL_GPU_GLOBAL, address + at, chunk, (size_t)n, false);
  }
  return code;
}

enum sl_status sl_gpu_copy(struct sl_gpu *gpu, uint64_t to, uint64_t from, uint64_t size, struct sl_error *err)
{
  enum sl_status code = check_range(gpu, SL_GPU_GLOBAL, to, size, err);
  if (code == SL_OK)
    code = check_range(gpu, SL_GPU_GLOBAL, from, size, err);
  if (code != SL_OK || size == 0)
    return code;
  uint8_t *chunk = malloc(COPY_CHUNK);
  if (chunk == NULL)
    return sl_no_memory(err, COPY_CHUNK);
  for (uint64_t done = 0, n; done < size; done += n) { /* as memmove */
    n = size - done < COPY_CHUNK ? size - done : COPY_CHUNK;
    const uint64_t at = to <= from ? done : size - done - n;
    gpu->kind->read(gpu, SL_GPU_GLOBAL, from + at, chunk, (size_t)n);
    gpu->kind->write(gpu, SL_GPU_GLOBAL, to + at, chunk, (size_t)n, false);
  }
  free(chunk);
  return SL_OK;
}

enum sl_status sl_gpu_bind_texture(struct sl_gpu *gpu, const struct sl_gpu_module *module, const char *name,
                                   const struct sl_ptx_texture *texture, struct sl_error *err)
{
  return check_idle(gpu, err) == SL_OK ? gpu->kind->bind_texture(gpu, module, name, texture, err) : SL_USAGE;
}

enum sl_status sl_gpu_texture_create(struct sl_gpu *gpu, const struct sl_ptx_texture *texture, uint64_t *handle,
                                     struct sl_error *err)
{
  if (gpu->kind != &sl_gpu_ptx)
    return sl_fail(err, SL_USAGE, "kernels in machine code have no textures");
  return sl_ptx_memory_texture_create(sl_gpu_ptx_memory(gpu), texture, handle, err);
}

void sl_gpu_texture_drop(struct sl_gpu *gpu, uint64_t handle)
{
  if (gpu->kind == &sl_gpu_ptx)
    sl_ptx_memory_texture_drop(sl_gpu_ptx_memory(gpu), handle);
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

/* A second or third dimension of 0 counts as 1. */
static struct sl_gpu_launch completed(const struct sl_gpu_launch *launch)
{
  struct sl_gpu_launch l = *launch;
  for (unsigned i = 1; i < 3; i++) {
    l.grid[i] += l.grid[i] == 0;
    l.block[i] += l.block[i] == 0;
  }
  return l;
}

static enum sl_status check(const struct sl_gpu *gpu, const struct sl_gpu_launch *launch, struct sl_error *err)
{
  const enum sl_status code = check_idle(gpu, err);
  return code == SL_OK ? gpu->kind->check(gpu, launch, err) : code;
}

enum sl_status sl_gpu_check(const struct sl_gpu *gpu, const struct sl_gpu_launch *launch, struct sl_error *err)
{
  const struct sl_gpu_launch l = completed(launch);
  return check(gpu, &l, err);
}

/* Completes the fault that the kind describes. */
static void describe_fault(struct sl_gpu *g, const struct sl_error *err)
{
  struct sl_gpu_fault *f = &g->fault;
  const struct sl_gpu_record *r = &g->record[g->count - 1];
  snprintf(f->kernel, sizeof f->kernel, "%s", r->kernel);
  snprintf(f->text, sizeof f->text, "%.*s", (int)sizeof f->text - 1, err->text);
  f->kind = SL_GPU_FAULT_OTHER;
  g->kind->fault(g, f);
  const struct sl_range *range = g->kind->buffer(g, f->address);
  f->first = range != NULL ? range->first : 0;
  f->bytes = range != NULL ? range->end - range->first : 0;
}

static void end(struct sl_gpu *g, enum sl_status code)
{
  sl_gpu_record_end(g, code);
  if (g->sampler != NULL)
    sl_gpu_choose_fast(g, false);
}

static enum sl_status ended(struct sl_gpu *g, enum sl_status code, double start, const struct sl_error *err)
{
  g->record[g->count - 1].launch.host_seconds += sl_device_seconds() - start;
  if (code == SL_PAUSED || (code == SL_STOPPED && g->kind->under_way(g)))
    return code;
  if (code == SL_FAULT)
    describe_fault(g, err);
  end(g, code);
  return code;
}

bool sl_gpu_choose(struct sl_gpu *g, const struct sl_gpu_launch *launch)
{
  struct sl_launch_key key = {.module = launch->module, .kernel = launch->kernel, .shared = launch->shared};
  char entry[16];
  if (key.kernel == NULL) {
    snprintf(entry, sizeof entry, "0x%08" PRIx32, launch->entry);
    key.kernel = entry;
  }
  memcpy(key.grid, launch->grid, sizeof key.grid);
  memcpy(key.block, launch->block, sizeof key.block);
  const bool timed = sl_launch_sampler_begin(g->sampler, &key);
  g->chosen = true;
  g->warms = !timed && sl_launch_sampler_warms(g->sampler);
  sl_gpu_choose_fast(g, !timed);
  return timed;
}

/* The host may have chosen before. */
static void choose(struct sl_gpu *g, const struct sl_gpu_launch *launch)
{
  if (g->sampler != NULL && !g->chosen)
    sl_gpu_choose(g, launch);
  g->chosen = false;
}

enum sl_status sl_gpu_begin(struct sl_gpu *gpu, const struct sl_gpu_launch *launch, struct sl_error *err)
{
  const struct sl_gpu_launch l = completed(launch);
  struct sl_error own;
  err = err != NULL ? err : &own;
  enum sl_status code = check(gpu, &l, err);
  if (code != SL_OK)
    return code;
  const double start = sl_device_seconds();
  struct sl_gpu_record *record = sl_gpu_record_begin(gpu, &l);
  if (record == NULL)
    return sl_no_memory(err, 2 * gpu->room * sizeof *record);
  gpu->fault = (struct sl_gpu_fault){.kind = SL_GPU_FAULT_NONE};
  choose(gpu, &l);
  gpu->busy = true;
  if (gpu->options.debugger != NULL)
    gpu->options.debugger->begins(gpu->options.debugger->context);
  code = gpu->kind->begin(gpu, &l, record, err);
  if (code == SL_OK && gpu->options.debugger != NULL && gpu->options.debugger->started != NULL)
    gpu->options.debugger->started(gpu->options.debugger->context);
  return ended(gpu, code == SL_OK ? SL_PAUSED : code, start, err) == SL_PAUSED ? SL_OK : code;
}

/* Executes the launch again as often as the debugger wants it. */
static enum sl_status repeat(struct sl_gpu *g, const struct sl_gpu_launch *launch, enum sl_status code,
                             struct sl_error *err)
{
  const struct sl_gpu_debugger *d = g->options.debugger;
  struct sl_gpu_record *record = &g->record[g->count - 1];
  for (;;) {
    if (code == SL_FAULT)
      describe_fault(g, err);
    if (!d->again(d->context, code, err))
      return code;
    g->fault = (struct sl_gpu_fault){.kind = SL_GPU_FAULT_NONE};
    code = g->kind->begin(g, launch, record, err);
    if (code == SL_OK)
      do
        code = g->kind->advance(g, UINT64_MAX, record, err);
      while (code == SL_PAUSED);
  }
}

/* `launch`: the current one, if a debugger may have it executed again; else NULL. */
static enum sl_status advance(struct sl_gpu *g, uint64_t cycles, const struct sl_gpu_launch *launch,
                              struct sl_error *err)
{
  const double start = sl_device_seconds();
  enum sl_status code = g->kind->advance(g, cycles, &g->record[g->count - 1], err);
  if (launch != NULL && g->options.debugger != NULL && code != SL_PAUSED)
    code = repeat(g, launch, code, err);
  return ended(g, code, start, err);
}

enum sl_status sl_gpu_advance(struct sl_gpu *gpu, uint64_t cycles, struct sl_error *err)
{
  struct sl_error own;
  err = err != NULL ? err : &own;
  if (!gpu->busy)
    return sl_fail(err, SL_USAGE, "%s: no kernel was started", gpu->config->name);
  return advance(gpu, cycles, NULL, err);
}

void sl_gpu_abandon(struct sl_gpu *gpu)
{
  if (!gpu->busy)
    return;
  gpu->kind->abandon(gpu, &gpu->record[gpu->count - 1]);
  end(gpu, SL_STOPPED);
}

enum sl_status sl_gpu_run(struct sl_gpu *gpu, const struct sl_gpu_launch *launch, struct sl_error *err)
{
  const struct sl_gpu_launch l = completed(launch);
  struct sl_error own;
  err = err != NULL ? err : &own;
  enum sl_status code = sl_gpu_begin(gpu, launch, err);
  if (code == SL_OK)
    do
      code = advance(gpu, UINT64_MAX, &l, err);
    while (code == SL_PAUSED);
  return code;
}

void sl_gpu_settle(struct sl_gpu *g)
{
  const size_t counters = g->config->machine->counters->count;
  uint64_t timed[SL_MAX_COUNTERS], skipped = 0;
  if (g->sampler == NULL || g->sampled.settled)
    return;
  if (g->kind->sampled != NULL && g->kind->sampled(g) != NULL)
    g->sampled = *g->kind->sampled(g);
  g->sampled.settled = true;
  sl_launch_sampler_settle(g->sampler);
  memcpy(timed, g->total, sizeof timed);
  for (size_t i = 0; i < g->count; i++) {
    struct sl_gpu_record *r = &g->record[i];
    uint64_t before[SL_MAX_COUNTERS];
    memcpy(before, r->launch.counters, sizeof before);
    r->launch.untimed = sl_launch_sampler_predict(g->sampler, r->launch.number, r->launch.counters);
    skipped += r->launch.untimed ? r->warp_instructions : 0;
    for (size_t c = 0; c < counters; c++)
      g->total[c] += r->launch.counters[c] - before[c];
  }
  for (size_t c = 0; c < counters; c++) {
    const struct sl_launch_sum sum = sl_launch_sampler_sum(g->sampler, c);
    g->sampled.bar[c] = sl_block_sampler_bar(&g->sampled, c, &sum, (double)timed[c]);
  }
  g->sampled.progress += skipped;
  g->sampled.untimed_launches = sl_launch_sampler_untimed(g->sampler);
}

const struct sl_launch_sampler *sl_gpu_launch_sampler(const struct sl_gpu *gpu)
{
  return gpu->sampler;
}

double sl_gpu_predicted(const struct sl_gpu *gpu)
{
  return gpu->predicted;
}

const struct sl_sampled *sl_gpu_sampled(const struct sl_gpu *gpu)
{
  if (gpu->sampler != NULL)
    return gpu->sampled.settled ? &gpu->sampled : NULL;
  return gpu->kind->sampled != NULL ? gpu->kind->sampled(gpu) : NULL;
}

bool sl_gpu_busy(const struct sl_gpu *gpu)
{
  return gpu->busy;
}

struct sl_gpu_fault sl_gpu_last_fault(const struct sl_gpu *gpu)
{
  return gpu->fault;
}
