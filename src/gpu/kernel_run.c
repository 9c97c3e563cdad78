#include "gpu/kernel_run.h"
#include "engine/engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "gpu/fault_text.h"

enum { SM_SLICE = 1 << 20 /* SM cycles between calls of the progress function */ };

double sl_device_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

uint64_t sl_device_spent(const struct sl_device *device)
{
  return device->host.instructions + device->sm_cycles;
}

uint64_t sl_device_budget(const struct sl_device *device, uint64_t slice)
{
  const uint64_t limit = device->options.max_cycles, now = sl_device_spent(device);
  uint64_t end = device->pause_at;
  if (limit != 0 && limit < end)
    end = limit;
  const uint64_t left = end > now ? end - now : 0;
  return left < slice ? left : slice;
}

enum sl_status sl_device_stop(struct sl_device *device, struct sl_error *err)
{
  if (device->options.max_cycles == 0 || sl_device_spent(device) < device->options.max_cycles)
    return SL_PAUSED;
  char where[600];
  const struct sl_fault_place at = sl_device_place(device);
  if (device->interface.kernel_started)
    sl_warps_format(device->machine, device->sm, &at, where, sizeof where);
  else
    sl_location_format(device->program, device->host.pc, where, sizeof where);
  return sl_fail(
      err, SL_LIMIT,
      "%s: the limit of %" PRIu64 " cycles was reached and the %s still runs: %s. Raise --max-cycles if it should",
      device->name, device->options.max_cycles, device->interface.kernel_started ? "kernel" : "host program", where);
}

/* The launch being simulated, appended to the result. */
static struct sl_launch *new_launch(struct sl_device *device)
{
  struct sl_result *result = &device->result;
  if (result->launch_count == device->launch_capacity) {
    size_t capacity = device->launch_capacity ? 2 * device->launch_capacity : 16;
    struct sl_launch *grown = realloc(device->launches, capacity * sizeof *grown);
    if (grown == NULL)
      return NULL;
    device->launches = grown;
    device->launch_capacity = capacity;
    result->launches = grown;
  }
  struct sl_launch *launch = &device->launches[result->launch_count++];
  *launch = (struct sl_launch){.entry = device->interface.kernel_entry,
                               .warps_per_block = device->interface.warps_per_block & (device->soc.warps - 1)};
  return launch;
}

static void record_launch(struct sl_device *device, struct sl_launch *launch, double started)
{
  const struct sl_machine *machine = device->machine;
  for (size_t i = 0; i < machine->counters->count; i++)
    launch->counters[i] = machine->view.counter(device->sm, i);
  launch->succeeded = machine->view.succeeded(device->sm);
  const double elapsed = sl_device_seconds() - started;
  launch->host_seconds += elapsed;
  device->result.sm_host_seconds += elapsed;
}

/* Starts the kernel. SL_STOPPED: the listener will look at its beginning. */
static enum sl_status start(struct sl_device *device, struct sl_error *err)
{
  struct sl_host_interface *i = &device->interface;
  if (new_launch(device) == NULL)
    return sl_no_memory(err, sizeof(struct sl_launch));
  device->machine->life.start(device->sm, i->kernel_entry, i->closure, i->warps_per_block);
  i->kernel_running = true;
  const unsigned launch = (unsigned)device->result.launch_count - 1;
  sl_tell(&device->options.probes,
          &(struct sl_probe){.kind = SL_PROBE_LAUNCHED, .launch = launch, .pc = i->kernel_entry});
  return device->options.probes.stopped ? SL_STOPPED : SL_OK;
}

/* Simulates the kernel for one slice. */
static enum sl_status run_slice(struct sl_device *device, enum sl_sm_state *state, struct sl_error *err)
{
  const struct sl_machine *machine = device->machine;
  const uint64_t slice = sl_device_budget(device, SM_SLICE), before = machine->view.elapsed(device->sm);
  if (slice == 0)
    return sl_device_stop(device, err);
  *state = sl_engine_run(sl_engine_of(device->options.fast), device->sm, slice);
  device->sm_cycles += machine->view.elapsed(device->sm) - before;
  if (*state == SL_SM_FAULTED)
    return sl_device_fault(device, machine->view.fault(device->sm), err);
  if (device->memory.exhausted)
    return sl_fail(err, SL_INTERNAL, "out of memory for the simulated machine's memory");
  if (device->options.progress && !device->options.progress(device->options.progress_context, device->sm_cycles))
    return sl_fail(err, SL_LIMIT, "%s: the run was stopped", device->name);
  return *state == SL_SM_STOPPED ? SL_STOPPED : SL_OK;
}

enum sl_status sl_device_run_kernel(struct sl_device *device, struct sl_error *err)
{
  struct sl_host_interface *i = &device->interface;
  device->options.probes.stopped = false;
  const enum sl_status begun = i->kernel_running ? SL_OK : start(device, err);
  if (begun != SL_OK)
    return begun;
  struct sl_launch *launch = &device->launches[device->result.launch_count - 1];
  const double started = sl_device_seconds();
  enum sl_status code = SL_OK;
  enum sl_sm_state state = SL_SM_RUNNING;
  while (state == SL_SM_RUNNING && code == SL_OK && !device->ended)
    code = run_slice(device, &state, err);
  record_launch(device, launch, started);
  launch->finished = state == SL_SM_DONE;
  if (code != SL_OK)
    return code;
  i->kernel_started = i->kernel_running = false;
  i->answer[(i->first_answer + i->answer_count++) % SL_ANSWERS_MAX] = !launch->succeeded;
  return SL_OK;
}
