/* The public interface: memory, modules, and launches without a host program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api_types.h"
#include "device/device.h"
#include "device/launch.h"

/* ---- memory ------------------------------------------------------------------------------------------------------ */

enum simtlab_status simtlab_device_alloc(simtlab_device *device, uint64_t size, uint64_t *address,
                                         struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(address, error);
  struct sl_error e;
  device->used = true;
  return sl_api_report(sl_gpu_alloc(device->gpu, size, address, &e), &e, error);
}

enum simtlab_status simtlab_device_release(simtlab_device *device, uint64_t address, struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  struct sl_error e;
  return sl_api_report(sl_gpu_release(device->gpu, address, &e), &e, error);
}

enum simtlab_status simtlab_device_write(simtlab_device *device, uint64_t address, const void *bytes, size_t size,
                                         struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  if (size > 0)
    SL_API_NEEDS(bytes, error);
  struct sl_error e;
  return sl_api_report(sl_gpu_write(device->gpu, SL_GPU_GLOBAL, address, bytes, size, &e), &e, error);
}

enum simtlab_status simtlab_device_read(const simtlab_device *device, uint64_t address, void *bytes, size_t size,
                                        struct simtlab_error *error)
{
  SL_API_NEEDS(device, error);
  if (size > 0)
    SL_API_NEEDS(bytes, error);
  struct sl_error e;
  return sl_api_report(sl_gpu_read(device->gpu, SL_GPU_GLOBAL, address, bytes, size, &e), &e, error);
}

enum simtlab_status simtlab_device_map(simtlab_device *device, uint64_t address, size_t *size, const void **pointer,
                                       struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(size, error);
  SL_API_NEEDS(pointer, error);
  struct sl_error e;
  return sl_api_report(sl_gpu_map(device->gpu, address, pointer, size, &e), &e, error);
}

enum simtlab_status simtlab_device_fill(simtlab_device *device, uint64_t address, const void *pattern, size_t width,
                                        uint64_t size, struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(pattern, error);
  struct sl_error e;
  return sl_api_report(sl_gpu_fill(device->gpu, address, pattern, width, size, &e), &e, error);
}

enum simtlab_status simtlab_device_copy(simtlab_device *device, uint64_t to, uint64_t from, uint64_t size,
                                        struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  struct sl_error e;
  return sl_api_report(sl_gpu_copy(device->gpu, to, from, size, &e), &e, error);
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

enum simtlab_status simtlab_device_add(simtlab_device *device, const simtlab_program *program,
                                       struct simtlab_error *error)
{
  SL_API_HOSTED(device, error);
  SL_API_NEEDS(program, error);
  struct sl_error e;
  struct sl_gpu_module *module;
  device->used = true;
  return sl_api_report(sl_gpu_load_program(device->gpu, sl_api_program(program), &module, &e), &e, error);
}

simtlab_module *simtlab_module_load(simtlab_device *device, const char *path, struct simtlab_error *error)
{
  struct sl_error e;
  struct sl_gpu_module *module = NULL;
  if (device == NULL || path == NULL)
    sl_api_null(__func__, device == NULL ? "device" : "path", error);
  else if (device->running)
    sl_api_running(__func__, error);
  else {
    device->used = true;
    sl_api_report(sl_gpu_load(device->gpu, path, &module, &e), &e, error);
  }
  return (simtlab_module *)module;
}

simtlab_module *simtlab_module_parse(simtlab_device *device, const char *name, const void *bytes, size_t size,
                                     struct simtlab_error *error)
{
  struct sl_error e;
  struct sl_gpu_module *module = NULL;
  if (device == NULL || name == NULL || bytes == NULL)
    sl_api_null(__func__, device == NULL ? "device" : name == NULL ? "name" : "bytes", error);
  else if (device->running)
    sl_api_running(__func__, error);
  else {
    device->used = true;
    sl_api_report(sl_gpu_load_bytes(device->gpu, name, bytes, size, &module, &e), &e, error);
  }
  return (simtlab_module *)module;
}

bool simtlab_module_kernel(const simtlab_module *module, const char *name, struct simtlab_kernel *kernel)
{
  struct sl_gpu_kernel own;
  if (module == NULL || name == NULL || kernel == NULL || !sl_gpu_kernel(sl_api_module(module), name, &own))
    return false;
  *kernel = (struct simtlab_kernel){.parameters = own.parameter_count,
                                    .argument_bytes = own.described ? own.parameter_bytes : 0,
                                    .shared_bytes = own.shared_bytes,
                                    .local_bytes = own.local_bytes,
                                    .registers = own.registers,
                                    .max_threads = own.max_threads};
  memcpy(kernel->block, own.block, sizeof kernel->block);
  return true;
}

bool simtlab_module_parameter(const simtlab_module *module, const char *kernel, unsigned index,
                              struct simtlab_parameter *parameter)
{
  struct sl_gpu_kernel own;
  if (module == NULL || kernel == NULL || parameter == NULL || !sl_gpu_kernel(sl_api_module(module), kernel, &own) ||
      index >= own.parameter_count || index >= SL_GPU_PARAMETERS)
    return false;
  *parameter = (struct simtlab_parameter){.offset = own.parameter[index].offset, .size = own.parameter[index].bytes};
  memcpy(parameter->name, own.parameter[index].name, sizeof parameter->name);
  return true;
}

bool simtlab_module_symbol(const simtlab_module *module, const char *name, struct simtlab_symbol *symbol)
{
  struct sl_gpu_symbol own;
  if (module == NULL || name == NULL || symbol == NULL || !sl_gpu_symbol(sl_api_module(module), name, &own))
    return false;
  *symbol =
      (struct simtlab_symbol){.address = own.address, .size = own.bytes, .constant = own.space == SL_GPU_CONSTANT};
  return true;
}

/* Finds bytes of a variable. */
static enum sl_status find_symbol(const struct sl_gpu_module *module, const char *name, uint64_t offset, uint64_t size,
                                  struct sl_gpu_symbol *symbol, struct sl_error *err)
{
  if (!sl_gpu_symbol(module, name, symbol))
    return sl_fail(err, SL_USAGE, "%.200s has no variable '%.100s'", sl_gpu_module_name(module), name);
  if (symbol->bytes != 0 && (offset > symbol->bytes || size > symbol->bytes - offset))
    return sl_fail(err, SL_USAGE, "variable '%.100s' has %llu bytes, not %llu from byte %llu on", name,
                   (unsigned long long)symbol->bytes, (unsigned long long)size, (unsigned long long)offset);
  return SL_OK;
}

enum simtlab_status simtlab_module_write(simtlab_module *module, const char *name, uint64_t offset, const void *bytes,
                                         size_t size, struct simtlab_error *error)
{
  SL_API_NEEDS(module, error);
  SL_API_NEEDS(name, error);
  SL_API_NEEDS(bytes, error);
  struct sl_error e;
  struct sl_gpu_symbol symbol;
  enum sl_status code = find_symbol(sl_api_module(module), name, offset, size, &symbol, &e);
  if (code == SL_OK)
    code = sl_gpu_write(sl_gpu_of(sl_api_module(module)), symbol.space, symbol.address + offset, bytes, size, &e);
  return sl_api_report(code, &e, error);
}

enum simtlab_status simtlab_module_read(const simtlab_module *module, const char *name, uint64_t offset, void *bytes,
                                        size_t size, struct simtlab_error *error)
{
  SL_API_NEEDS(module, error);
  SL_API_NEEDS(name, error);
  SL_API_NEEDS(bytes, error);
  struct sl_error e;
  struct sl_gpu_symbol symbol;
  enum sl_status code = find_symbol(sl_api_module(module), name, offset, size, &symbol, &e);
  if (code == SL_OK)
    code = sl_gpu_read(sl_gpu_of(sl_api_module(module)), symbol.space, symbol.address + offset, bytes, size, &e);
  return sl_api_report(code, &e, error);
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

/* The module of a program that was added; NULL: it was not, and any module may have the kernel. */
static const struct sl_gpu_module *module_of(const simtlab_device *device, const struct simtlab_launch *launch)
{
  return launch->module != NULL ? sl_api_module(launch->module)
                                : sl_gpu_module_with(device->gpu, sl_api_program(launch->program));
}

enum simtlab_status simtlab_device_start(simtlab_device *device, const struct simtlab_launch *launch,
                                         struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(launch, error);
  if (launch->argument_bytes > 0)
    SL_API_NEEDS(launch->arguments, error);
  if (device->ptx)
    SL_API_NEEDS(launch->kernel, error);
  struct sl_error e;
  struct sl_gpu_launch own = {.module = module_of(device, launch),
                              .kernel = launch->kernel,
                              .entry = launch->entry,
                              .shared = launch->shared,
                              .registers = launch->registers,
                              .arguments = launch->arguments,
                              .argument_bytes = launch->argument_bytes};
  memcpy(own.grid, launch->grid, sizeof own.grid);
  memcpy(own.block, launch->block, sizeof own.block);
  return sl_api_report(sl_gpu_begin(device->gpu, &own, &e), &e, error);
}

enum simtlab_status simtlab_device_start_entry(simtlab_device *device, uint32_t entry, uint32_t argument,
                                               unsigned warps_per_block, struct simtlab_error *error)
{
  SL_API_HOSTED(device, error);
  struct sl_error e;
  return sl_api_report(sl_device_start_entry(device->device, entry, argument, warps_per_block, &e), &e, error);
}

enum simtlab_status simtlab_device_wait(simtlab_device *device, struct simtlab_error *error)
{
  return simtlab_device_wait_for(device, UINT64_MAX, error);
}

enum simtlab_status simtlab_device_wait_for(simtlab_device *device, uint64_t cycles, struct simtlab_error *error)
{
  struct sl_error e;
  SL_API_BETWEEN_RUNS(device, error);
  sl_api_begin(device);
  const bool entry = device->device != NULL && !sl_gpu_busy(device->gpu);
  const enum sl_status code =
      entry ? sl_device_wait_for(device->device, cycles, &e) : sl_gpu_advance(device->gpu, cycles, &e);
  return sl_api_end(device, code, &e, error);
}

void simtlab_device_abandon(simtlab_device *device)
{
  if (device == NULL || device->running)
    return;
  sl_gpu_abandon(device->gpu);
  if (device->device != NULL)
    sl_device_abandon(device->device);
}

/* The total of a counter, those of forgotten launches included. */
static uint64_t total_of(const simtlab_device *device, size_t counter)
{
  const struct sl_machine *machine = device->config.machine;
  const struct sl_result *result = sl_device_result(device->device);
  const uint64_t kept = sl_counter_total(machine, counter, result->launches, result->launch_count),
                 forgotten = device->forgotten[counter];
  if (machine->counters->counter[counter].role != SL_COUNTER_GREATEST)
    return kept + forgotten;
  return kept > forgotten ? kept : forgotten;
}

/* Launches of a host program stay: its run refers to them. So does a launch that has not ended. */
static void forget_launches(simtlab_device *device)
{
  if (device->loaded || sl_device_under_way(device->device))
    return;
  for (size_t i = 0; i < device->config.machine->counters->count; i++)
    device->forgotten[i] = total_of(device, i);
  sl_device_forget_launches(device->device);
}

enum simtlab_status simtlab_device_forget(simtlab_device *device, struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  struct sl_error e;
  sl_gpu_forget(device->gpu);
  if (device->device != NULL)
    forget_launches(device);
  return sl_api_report(SL_OK, &e, error);
}

bool simtlab_device_last_fault(const simtlab_device *device, struct simtlab_fault *fault)
{
  if (device == NULL || fault == NULL)
    return false;
  const struct sl_gpu_fault own =
      device->device != NULL ? sl_gpu_riscv_fault(device->device) : sl_gpu_last_fault(device->gpu);
  if (own.kind == SL_GPU_FAULT_NONE)
    return false;
  const bool inside = own.address >= own.first && own.address - own.first < own.bytes;
  *fault = (struct simtlab_fault){.kind = (enum simtlab_fault_kind)(own.kind - 1), /* the same kinds */
                                  .warp = own.warp,
                                  .lanes = own.lanes,
                                  .pc = own.pc,
                                  .address = own.address,
                                  .in_grid = own.in_grid,
                                  .line = own.line,
                                  .buffer = inside ? own.first : 0,
                                  .buffer_bytes = inside ? own.bytes : 0};
  memcpy(fault->block, own.block, sizeof fault->block);
  memcpy(fault->thread, own.thread, sizeof fault->thread);
  snprintf(fault->file, sizeof fault->file, "%s", own.file);
  snprintf(fault->kernel, sizeof fault->kernel, "%.*s", (int)sizeof fault->kernel - 1, own.kernel);
  return true;
}

_Static_assert(SIMTLAB_FAULT_OTHER == (enum simtlab_fault_kind)(SL_GPU_FAULT_OTHER - 1) &&
                   SIMTLAB_FAULT_SYSTEM == (enum simtlab_fault_kind)(SL_GPU_FAULT_TRAP - 1),
               "kinds of faults");

enum simtlab_status simtlab_device_facts(const simtlab_device *device, struct simtlab_facts *facts,
                                         struct simtlab_error *error)
{
  SL_API_NEEDS(device, error);
  SL_API_NEEDS(facts, error);
  const struct sl_gpu_facts own = sl_gpu_facts(device->gpu);
  *facts = (struct simtlab_facts){.ptx = own.ptx,
                                  .address_bits = own.address_bits,
                                  .memory_bytes = own.memory_bytes,
                                  .lanes = own.lanes,
                                  .warps = own.warps,
                                  .cores = own.cores,
                                  .max_threads = own.max_threads,
                                  .powers_of_two = own.powers_of_two,
                                  .shared_bytes = own.shared_bytes,
                                  .max_shared = own.max_shared,
                                  .clock_mhz = own.clock_mhz};
  for (unsigned i = 0; i < 3; i++) {
    facts->max_block[i] = own.max_block[i];
    facts->max_grid[i] = own.max_grid[i];
  }
  return SIMTLAB_OK;
}

unsigned simtlab_device_lanes(const simtlab_device *device)
{
  return device == NULL ? 0 : sl_gpu_facts(device->gpu).lanes;
}

unsigned simtlab_device_warps(const simtlab_device *device)
{
  return device == NULL ? 0 : sl_gpu_facts(device->gpu).warps;
}

/* ---- counters ---------------------------------------------------------------------------------------------------- */

/* A launch of the host program or without one; NULL: no such launch. */
static const struct sl_launch *launch_of(const simtlab_device *device, size_t launch)
{
  if (device->device == NULL)
    return launch < sl_gpu_record_count(device->gpu) ? &sl_gpu_record(device->gpu, launch)->launch : NULL;
  const struct sl_result *result = sl_device_result(device->device);
  return launch < result->launch_count ? &result->launches[launch] : NULL;
}

size_t simtlab_device_launches(const simtlab_device *device)
{
  if (device == NULL)
    return 0;
  return device->device == NULL ? sl_gpu_record_count(device->gpu) : sl_device_result(device->device)->launch_count;
}

static const struct sl_machine *machine_of(const simtlab_device *device)
{
  return device->config.machine;
}

size_t simtlab_device_counters(const simtlab_device *device)
{
  return device == NULL ? 0 : machine_of(device)->counters->count;
}

static const struct sl_counter *counter_of(const simtlab_device *device, size_t counter)
{
  const bool known = device != NULL && counter < machine_of(device)->counters->count;
  return known ? &machine_of(device)->counters->counter[counter] : NULL;
}

const char *simtlab_counter_name(const simtlab_device *device, size_t counter)
{
  const struct sl_counter *own = counter_of(device, counter);
  return own != NULL ? own->name : NULL;
}

const char *simtlab_counter_unit(const simtlab_device *device, size_t counter)
{
  const struct sl_counter *own = counter_of(device, counter);
  return own != NULL ? own->unit : NULL;
}

uint64_t simtlab_counter_value(const simtlab_device *device, size_t launch, size_t counter)
{
  if (counter_of(device, counter) == NULL || launch_of(device, launch) == NULL)
    return 0;
  return launch_of(device, launch)->counters[counter];
}

bool simtlab_counter_total(const simtlab_device *device, const char *name, uint64_t *value)
{
  size_t counter;
  if (device == NULL || name == NULL || value == NULL || !sl_counter_find(machine_of(device), name, &counter))
    return false;
  *value = device->device == NULL ? sl_gpu_total(device->gpu, counter) : total_of(device, counter);
  return true;
}

uint64_t simtlab_device_picoseconds(const simtlab_device *device, size_t launch)
{
  const struct sl_launch *own = device != NULL ? launch_of(device, launch) : NULL;
  return own != NULL ? sl_gpu_picoseconds(device->gpu, own) : 0;
}

/* The public interface: events that the library collects in batches, for callers to whom a callback per event is slow.
 */

enum { SL_EVENTS_FIRST = 65536 };

static unsigned kind_of(const struct sl_probe *p)
{
  if (p->kind == SL_PROBE_EXECUTED)
    return SIMTLAB_COMMIT_EVENT;
  if (p->access == SL_PROBE_LOAD)
    return SIMTLAB_LOAD_EVENT;
  return p->access == SL_PROBE_STORE ? SIMTLAB_STORE_EVENT : SIMTLAB_ATOMIC_EVENT;
}

static struct simtlab_event event_of(const struct sl_probe *p, unsigned kind, unsigned warp)
{
  struct simtlab_event event = {.cycle = p->cycle,
                                .active = p->active,
                                .pc = p->pc,
                                .launch = p->launch,
                                .warp = warp,
                                .word = p->insn != NULL ? (uint32_t)p->insn->word : 0,
                                .rd = p->values != NULL ? p->insn->rd : -1,
                                .line = p->line,
                                .kind = kind,
                                .width = kind != SIMTLAB_COMMIT_EVENT ? p->width : 0};
  if (kind != SIMTLAB_COMMIT_EVENT && p->wide_address != NULL && p->active != 0)
    event.address = p->wide_address[__builtin_ctzll(p->active)];
  const uint32_t *index = p->ptx_warp != NULL ? p->ptx_warp->block->index : p->block != NULL ? p->block->index : NULL;
  for (unsigned i = 0; i < 3 && index != NULL; i++)
    event.block[i] = index[i];
  return event;
}

static bool has_room(struct sl_events *events)
{
  if (events->count < events->allocated)
    return true;
  struct simtlab_event *more = realloc(events->event, 2 * events->allocated * sizeof *more);
  if (more == NULL)
    return false;
  events->event = more;
  events->allocated *= 2;
  return true;
}

void sl_api_collect(struct simtlab_device *device, const struct sl_probe *probe)
{
  struct sl_events *events = &device->events;
  const struct simtlab_filter *filter = &events->filter;
  const unsigned kind = kind_of(probe);
  const unsigned warp = probe->ptx_warp != NULL ? probe->ptx_warp->index : probe->warp;
  if ((filter->kinds & kind) == 0 || (filter->one_warp && filter->warp != warp) || probe->pc < filter->first_pc ||
      (filter->last_pc != 0 && probe->pc > filter->last_pc))
    return;
  if (filter->every > 1 && events->selected++ % filter->every != 0)
    return;
  if (!has_room(events)) {
    events->lost = true;
    snprintf(device->stop, sizeof device->stop, "out of memory for events; run fewer cycles at a time");
    return;
  }
  events->event[events->count++] = event_of(probe, kind, warp);
}

/* Turns the collector on. The machine learns which events are wanted when it is made. */
static enum sl_status turn_on(struct simtlab_device *device, struct sl_error *err)
{
  if (device->used)
    return sl_fail(err, SL_USAGE,
                   "simtlab_device_collect: the device has a program, a module or a buffer already; call "
                   "it for the first time right after simtlab_device_create");
  struct simtlab_event *event = malloc(SL_EVENTS_FIRST * sizeof *event);
  if (event == NULL)
    return sl_no_memory(err, SL_EVENTS_FIRST * sizeof *event);
  struct sl_probes *probes = &device->options.probes;
  const struct sl_probes before = *probes;
  probes->wanted |= SL_PROBE_EXECUTED | SL_PROBE_ACCESSED;
  probes->payloads |= SL_PAYLOAD_ADDRESSES;
  const enum sl_status code = sl_api_open(device, err);
  if (code != SL_OK) {
    *probes = before;
    free(event);
    return code;
  }
  device->events = (struct sl_events){.event = event, .allocated = SL_EVENTS_FIRST};
  return SL_OK;
}

enum simtlab_status simtlab_device_collect(simtlab_device *device, const struct simtlab_filter *filter,
                                           struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(filter, error);
  struct sl_error e;
  const enum sl_status code = device->events.event == NULL ? turn_on(device, &e) : SL_OK;
  if (code != SL_OK)
    return sl_api_report(code, &e, error);
  struct sl_events *events = &device->events;
  events->filter = *filter;
  if (filter->kinds == 0)
    events->filter.kinds = SIMTLAB_ALL_EVENTS;
  events->count = 0;
  events->selected = 0;
  return sl_api_report(SL_OK, &e, error);
}

size_t simtlab_device_events(simtlab_device *device, const struct simtlab_event **events)
{
  if (device == NULL || events == NULL || device->running)
    return 0;
  const size_t count = device->events.count;
  *events = device->events.event;
  device->events.count = 0;
  return count;
}
