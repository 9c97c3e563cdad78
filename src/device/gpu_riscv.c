/* GPUs for machine code: a device (device/device.h) whose kernels are launched without a host program. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_state.h"
#include "device/gpu_kind.h"
#include "device/launch.h"
#include "program/kernels.h"

struct riscv_gpu {
  struct sl_device *device;
  bool hosted;  /* it also runs host programs */
  size_t first; /* number of the current launch in the device's result */
  uint64_t elapsed_before, elapsed;
};

static struct riscv_gpu *state_of(const struct sl_gpu *gpu)
{
  return gpu->state;
}

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static bool progress(void *context, uint64_t cycles)
{
  struct sl_gpu *g = context;
  (void)cycles;
  return g->options.progress == NULL || g->options.progress(g->options.context, sl_gpu_elapsed(g));
}

static enum sl_status riscv_open(struct sl_gpu *g, struct sl_error *err)
{
  struct riscv_gpu *s = g->state = calloc(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  if (g->options.hosted != NULL) {
    const struct sl_device_options *hosted = g->options.hosted; /* the caller's, for this call */
    g->options.hosted = NULL;
    g->options.fast = hosted->fast;
    s->hosted = true;
    return sl_device_create(g->config, hosted, &s->device, err);
  }
  if (g->config->machine->soc(g->config->spec).launches == SL_LAUNCH_NONE)
    return sl_fail(err, SL_USAGE, "%s runs whole programs only and cannot launch a kernel. Run the program",
                   g->config->name);
  const struct sl_device_options options = {
      .console = g->options.console,
      .probes = g->options.bounds.probes != NULL ? *g->options.bounds.probes : (struct sl_probes){.wanted = 0},
      .progress = progress,
      .progress_context = g,
      .fast = g->options.fast,
      .mode = g->options.debugger != NULL ? SL_MODE_INSTRUCTIONS : SL_MODE_EMITTED,
      .order = g->options.bounds.order,
      .threads = g->options.threads};
  const enum sl_status code = sl_device_create(g->config, &options, &s->device, err);
  if (code == SL_OK && g->options.checked)
    s->device->buffers.gap = SL_GPU_CHECKED_GAP;
  return code;
}

static void riscv_close(struct sl_gpu *g)
{
  struct riscv_gpu *s = state_of(g);
  if (s == NULL)
    return;
  sl_device_destroy(s->device);
  free(s);
}

static struct sl_gpu_facts riscv_facts(const struct sl_gpu *g)
{
  const struct sl_soc *soc = sl_device_soc(state_of(g)->device);
  const uint32_t cores = soc->cores ? soc->cores : 1;
  const uint64_t threads = (uint64_t)soc->lanes * soc->warps;
  const uint32_t most = soc->launches == SL_LAUNCH_PROGRAM || threads > UINT32_MAX ? UINT32_MAX : (uint32_t)threads;
  return (struct sl_gpu_facts){.address_bits = 32,
                               .memory_bytes = soc->buffers_end - soc->buffers_base,
                               .lanes = soc->lanes,
                               .warps = soc->warps,
                               .cores = cores,
                               .max_threads = most,
                               .max_block = {most, most, most},
                               .max_grid = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                               .powers_of_two = soc->launches != SL_LAUNCH_GRID,
                               .shared_bytes = soc->scratchpad_bytes,
                               .max_shared = soc->scratchpad_bytes,
                               .peak = g->config->machine->peaks(g->config->spec).operations.per_cycle};
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

static enum sl_status riscv_load(struct sl_gpu *g, struct sl_gpu_module *module, const void *bytes, size_t size,
                                 struct sl_error *err)
{
  enum sl_status code = SL_OK;
  if (module->program == NULL) {
    code = sl_program_parse(module->name, bytes, size, &module->owned, err);
    module->program = module->owned;
  }
  if (code != SL_OK || sl_device_has(state_of(g)->device, module->program))
    return code;
  return sl_device_add(state_of(g)->device, module->program, err);
}

static void riscv_unload(struct sl_gpu_module *module)
{
  sl_program_free(module->owned);
}

static bool riscv_kernel(const struct sl_gpu_module *module, const char *name, struct sl_gpu_kernel *kernel)
{
  struct sl_kernel own;
  uint32_t address, at = 0, widest = 1;
  if (!sl_program_find_kernel(module->program, name, &own)) {
    kernel->name = name;
    return sl_program_kernel_count(module->program) == 0 && sl_program_symbol(module->program, name, &address);
  }
  struct sl_parameter parameter[SL_GPU_PARAMETERS];
  const size_t count = sl_kernel_parameters(&own, parameter, SL_GPU_PARAMETERS);
  kernel->name = own.name;
  kernel->described = true;
  kernel->parameter_count = (unsigned)count;
  for (size_t i = 0; i < count && i < SL_GPU_PARAMETERS; i++) {
    struct sl_gpu_parameter *p = &kernel->parameter[i];
    const unsigned bytes = parameter[i].size;
    snprintf(p->name, sizeof p->name, "%s", parameter[i].name);
    kernel->described &= bytes != 0;
    widest = bytes > widest ? bytes : widest;
    at = bytes > 0 ? (at + bytes - 1) / bytes * bytes : at;
    p->offset = at;
    p->bytes = bytes;
    at += bytes;
  }
  kernel->parameter_bytes = (at + widest - 1) / widest * widest;
  kernel->max_threads = riscv_facts(module->gpu).max_threads;
  return true;
}

static bool riscv_symbol(const struct sl_gpu_module *module, const char *name, struct sl_gpu_symbol *symbol)
{
  uint32_t address;
  if (!sl_program_symbol(module->program, name, &address))
    return false;
  symbol->address = address;
  return true;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static enum sl_status riscv_alloc(struct sl_gpu *g, uint64_t bytes, uint64_t *address, struct sl_error *err)
{
  uint32_t own;
  const enum sl_status code = sl_device_alloc(state_of(g)->device, bytes, &own, err);
  *address = code == SL_OK ? own : 0;
  return code;
}

static enum sl_status riscv_place(struct sl_gpu *g, uint64_t address, uint64_t bytes, struct sl_error *err)
{
  if (address > UINT32_MAX)
    return sl_fail(err, SL_USAGE, "the address 0x%" PRIx64 " of a buffer is above 4 GiB", address);
  return sl_device_place_buffer(state_of(g)->device, (uint32_t)address, bytes, err);
}

static enum sl_status riscv_release(struct sl_gpu *g, uint64_t address, struct sl_error *err)
{
  if (address > UINT32_MAX)
    return sl_fail(err, SL_USAGE, "no buffer begins at 0x%" PRIx64 "; was it released before?", address);
  return sl_device_release(state_of(g)->device, (uint32_t)address, err);
}

static const struct sl_range *riscv_buffer(const struct sl_gpu *g, uint64_t address)
{
  return sl_device_buffer_at(state_of(g)->device, address);
}

static const struct sl_allocator *riscv_buffers(const struct sl_gpu *g)
{
  return &state_of(g)->device->buffers;
}

/* Buffers, and all memory of programs: their variables have no sizes. */
static bool riscv_mapped(const struct sl_gpu *g, enum sl_gpu_space space, uint64_t address, uint64_t size)
{
  (void)g;
  return space == SL_GPU_GLOBAL && address <= UINT32_MAX && size <= UINT64_C(0x100000000) - address;
}

static void riscv_write(struct sl_gpu *g, enum sl_gpu_space space, uint64_t address, const void *bytes, size_t size,
                        bool from_host)
{
  (void)space, (void)from_host;
  sl_device_write(state_of(g)->device, (uint32_t)address, bytes, size);
  sl_device_tell_written(state_of(g)->device, (uint32_t)address, size);
}

static void riscv_read(const struct sl_gpu *g, enum sl_gpu_space space, uint64_t address, void *bytes, size_t size)
{
  (void)space;
  sl_device_read(state_of(g)->device, (uint32_t)address, bytes, size);
}

static const uint8_t *riscv_map(struct sl_gpu *g, uint64_t address, size_t *size)
{
  return sl_device_map(state_of(g)->device, (uint32_t)address, size);
}

static enum sl_status riscv_bind(struct sl_gpu *g, const struct sl_gpu_module *module, const char *name,
                                 const struct sl_ptx_texture *texture, struct sl_error *err)
{
  (void)g, (void)module, (void)name, (void)texture;
  return sl_fail(err, SL_USAGE, "kernels in machine code have no textures");
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

static struct sl_launch_order order_of(const struct sl_gpu_launch *launch)
{
  struct sl_launch_order order = {.program = launch->module != NULL ? launch->module->program : NULL,
                                  .kernel = launch->kernel,
                                  .entry = launch->entry,
                                  .shared = launch->shared,
                                  .arguments = launch->arguments,
                                  .argument_bytes = launch->argument_bytes};
  memcpy(order.grid, launch->grid, sizeof order.grid);
  memcpy(order.block, launch->block, sizeof order.block);
  return order;
}

static enum sl_status riscv_check(const struct sl_gpu *g, const struct sl_gpu_launch *launch, struct sl_error *err)
{
  const struct sl_launch_order order = order_of(launch);
  return sl_device_check_order(state_of(g)->device, &order, err);
}

static enum sl_status riscv_begin(struct sl_gpu *g, const struct sl_gpu_launch *launch, struct sl_gpu_record *record,
                                  struct sl_error *err)
{
  struct riscv_gpu *s = state_of(g);
  const struct sl_launch_order order = order_of(launch);
  record->shared_bytes = launch->shared;
  if (!s->hosted)
    sl_device_forget_launches(s->device);
  s->first = sl_device_result(s->device)->launch_count;
  s->elapsed_before = s->elapsed = sl_device_elapsed(s->device);
  return sl_device_start_kernel(s->device, &order, err);
}

static uint64_t elapsed(const struct sl_gpu *gpu)
{
  const struct riscv_gpu *s = state_of(gpu);
  return s->elapsed - s->elapsed_before;
}

static void count(const struct sl_gpu *g, struct sl_gpu_record *r)
{
  const struct riscv_gpu *s = state_of(g);
  const struct sl_result *result = sl_device_result(s->device);
  const size_t number = r->launch.number;
  const double seconds = r->launch.host_seconds; /* of the calls so far: the caller adds those of this one */
  if (result->launch_count <= s->first)
    return;
  r->launch = result->launches[s->first];
  r->launch.number = number;
  r->launch.host_seconds = seconds;
  const struct sl_counters *counters = g->config->machine->counters;
  for (size_t i = 0; i < counters->count; i++)
    if (counters->counter[i].role == SL_COUNTER_WARP_INSTRUCTIONS)
      r->warp_instructions += r->launch.counters[i];
}

/* Cycles that this launch may still take. A machine with several cores may have gone some cycles beyond. */
static uint64_t left(const struct sl_gpu *g)
{
  const uint64_t limit = g->options.limit, now = elapsed(g);
  return limit == 0 ? UINT64_MAX : limit > now ? limit - now : 0;
}

static bool riscv_under_way(const struct sl_gpu *g)
{
  return sl_device_under_way(state_of(g)->device);
}

static enum sl_status riscv_advance(struct sl_gpu *g, uint64_t cycles, struct sl_gpu_record *record,
                                    struct sl_error *err)
{
  struct riscv_gpu *s = state_of(g);
  const uint64_t most = left(g);
  enum sl_status code = sl_device_wait_for(s->device, cycles < most ? cycles : most, err);
  s->elapsed = sl_device_elapsed(s->device);
  if (code == SL_PAUSED && left(g) == 0) {
    sl_device_abandon(s->device);
    code = sl_fail(err, SL_LIMIT,
                   "kernel %s has not ended after %" PRIu64
                   " cycles; allow more with --max-cycles, or in a host program with MAX_CYCLES",
                   record->kernel, g->options.limit);
  }
  if (code != SL_PAUSED && !(code == SL_STOPPED && riscv_under_way(g)))
    count(g, record);
  return code;
}

static void riscv_abandon(struct sl_gpu *g, struct sl_gpu_record *record)
{
  sl_device_abandon(state_of(g)->device);
  count(g, record);
}

static enum sl_gpu_fault_kind kind_of(enum sl_fault_kind kind)
{
  switch (kind) {
  case SL_FAULT_UNKNOWN_INSTRUCTION:
  case SL_FAULT_OVERWRITTEN:
  case SL_FAULT_EXTENSION: return SL_GPU_FAULT_INSTRUCTION;
  case SL_FAULT_FETCH:
  case SL_FAULT_JUMP: return SL_GPU_FAULT_JUMP;
  case SL_FAULT_ADDRESS:
  case SL_FAULT_OUTSIDE: return SL_GPU_FAULT_ADDRESS;
  case SL_FAULT_STACK: return SL_GPU_FAULT_STACK;
  case SL_FAULT_MISALIGNED: return SL_GPU_FAULT_MISALIGNED;
  case SL_FAULT_ATOMIC: return SL_GPU_FAULT_ATOMIC;
  case SL_FAULT_NEST_OVERFLOW:
  case SL_FAULT_NEST_UNDERFLOW:
  case SL_FAULT_DIVERGED_COMMAND:
  case SL_FAULT_IPDOM_OVERFLOW:
  case SL_FAULT_IPDOM_UNDERFLOW:
  case SL_FAULT_JOIN_TOKEN:
  case SL_FAULT_DIVERGENT_BRANCH: return SL_GPU_FAULT_CONVERGENCE;
  case SL_FAULT_CSR: return SL_GPU_FAULT_CSR;
  case SL_FAULT_SYSTEM: return SL_GPU_FAULT_TRAP;
  case SL_FAULT_DEADLOCK:
  case SL_FAULT_WARPS_WAIT: return SL_GPU_FAULT_DEADLOCK;
  case SL_FAULT_LIVELOCK: return SL_GPU_FAULT_LIVELOCK;
  default: return SL_GPU_FAULT_OTHER;
  }
}

static void describe_fault(const struct sl_device *device, struct sl_gpu_fault *f)
{
  const struct sl_fault own = sl_device_last_fault(device);
  if (own.kind == SL_FAULT_NONE)
    return;
  f->kind = kind_of(own.kind);
  f->in_grid = own.in_grid;
  memcpy(f->block, own.block, sizeof f->block);
  memcpy(f->thread, own.thread, sizeof f->thread);
  f->warp = own.warp < 0 ? 0 : (uint32_t)own.warp;
  f->lanes = own.lanes;
  f->pc = own.pc;
  f->address = own.address;
  const struct sl_program *program = sl_device_program_at(device, own.pc);
  if (program == NULL)
    return;
  const struct sl_location place = sl_program_locate(program, own.pc);
  snprintf(f->file, sizeof f->file, "%.*s", (int)sizeof f->file - 1, place.file != NULL ? place.file : "");
  f->line = place.line;
}

static void riscv_fault(const struct sl_gpu *g, struct sl_gpu_fault *f)
{
  describe_fault(state_of(g)->device, f);
}

void sl_gpu_riscv_choose_fast(struct sl_gpu *gpu, bool fast)
{
  state_of(gpu)->device->options.fast = fast;
}

struct sl_device *sl_gpu_device(const struct sl_gpu *gpu)
{
  return gpu->kind == &sl_gpu_riscv ? state_of(gpu)->device : NULL;
}

struct sl_gpu_fault sl_gpu_riscv_fault(const struct sl_device *device)
{
  struct sl_gpu_fault f = {.kind = SL_GPU_FAULT_NONE};
  describe_fault(device, &f);
  sl_device_last_kernel(device, f.kernel, sizeof f.kernel);
  const struct sl_range *range = sl_device_buffer_at(device, f.address);
  f.first = range != NULL ? range->first : 0;
  f.bytes = range != NULL ? range->end - range->first : 0;
  return f;
}

const struct sl_gpu_kind sl_gpu_riscv = {
    .open = riscv_open,
    .close = riscv_close,
    .facts = riscv_facts,
    .load = riscv_load,
    .unload = riscv_unload,
    .kernel = riscv_kernel,
    .symbol = riscv_symbol,
    .alloc = riscv_alloc,
    .place = riscv_place,
    .release = riscv_release,
    .buffer = riscv_buffer,
    .buffers = riscv_buffers,
    .mapped = riscv_mapped,
    .write = riscv_write,
    .read = riscv_read,
    .map = riscv_map,
    .bind_texture = riscv_bind,
    .check = riscv_check,
    .begin = riscv_begin,
    .advance = riscv_advance,
    .under_way = riscv_under_way,
    .abandon = riscv_abandon,
    .fault = riscv_fault,
    .elapsed = elapsed,
};
