/* The run loop of a device: the host CPU, and the SM whenever the host waits for it, in slices between which limits,
 * pauses and the progress function have their say. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "gpu/device_state.h"
#include "gpu/fault_text.h"

enum {
  HOST_SLICE = 1 << 22, /* host instructions between looks at the limits */
  SM_SLICE = 1 << 20    /* SM cycles between calls of the progress function */
};

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t spent(const struct sl_device *device)
{
  return device->host.instructions + device->sm_cycles;
}

/* How much of a slice may be spent before the limit the user set, or the pause. */
static uint64_t budget(const struct sl_device *device, uint64_t slice)
{
  const uint64_t limit = device->options.max_cycles, now = spent(device);
  uint64_t end = device->pause_at;
  if (limit != 0 && limit < end)
    end = limit;
  const uint64_t left = end > now ? end - now : 0;
  return left < slice ? left : slice;
}

/* The budget is used up: at the pause the caller asked for, or at the limit. */
static enum sl_code stop(struct sl_device *device, struct sl_error *err)
{
  if (device->options.max_cycles == 0 || spent(device) < device->options.max_cycles)
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
  const double elapsed = seconds() - started;
  launch->host_seconds += elapsed;
  device->result.sm_host_seconds += elapsed;
}

/* Simulates the kernel for one slice. */
static enum sl_code run_slice(struct sl_device *device, enum sl_sm_state *state, struct sl_error *err)
{
  const struct sl_machine *machine = device->machine;
  const uint64_t slice = budget(device, SM_SLICE), before = machine->view.elapsed(device->sm);
  if (slice == 0)
    return stop(device, err);
  *state = machine->life.run(device->sm, slice, device->options.fast);
  device->sm_cycles += machine->view.elapsed(device->sm) - before;
  if (*state == SL_SM_FAULTED)
    return sl_device_fault(device, machine->view.fault(device->sm), err);
  if (device->memory.exhausted)
    return sl_fail(err, SL_INTERNAL, "out of memory for the simulated machine's memory");
  if (device->options.progress && !device->options.progress(device->options.progress_context, device->sm_cycles))
    return sl_fail(err, SL_LIMIT, "%s: the run was stopped", device->name);
  return SL_OK;
}

enum sl_code sl_device_run_kernel(struct sl_device *device, struct sl_error *err)
{
  struct sl_host_interface *i = &device->interface;
  if (!i->kernel_running) {
    if (new_launch(device) == NULL)
      return sl_no_memory(err, sizeof(struct sl_launch));
    device->machine->life.start(device->sm, i->kernel_entry, i->closure, i->warps_per_block);
    i->kernel_running = true;
  }
  struct sl_launch *launch = &device->launches[device->result.launch_count - 1];
  const double started = seconds();
  enum sl_code code = SL_OK;
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

static enum sl_code run_host(struct sl_device *device, struct sl_error *err)
{
  while (!device->ended) {
    uint64_t slice = budget(device, HOST_SLICE);
    if (slice == 0)
      return stop(device, err);
    enum sl_code code = SL_OK;
    switch (sl_host_run(&device->host, slice)) {
    case SL_HOST_BUDGET: break;
    case SL_HOST_CSR: code = sl_device_host_csr(device, err); break;
    case SL_HOST_RETURNED:
    case SL_HOST_SPINS: device->ended = true; break;
    case SL_HOST_FAULTED: code = sl_device_fault(device, &device->host.fault, err); break;
    }
    if (code != SL_OK)
      return code;
  }
  return SL_OK;
}

/* Without a host CPU the program is a single launch, of all warps at its entry. */
static enum sl_code run_alone(struct sl_device *device, struct sl_error *err)
{
  if (device->ended)
    return SL_OK;
  device->interface.kernel_started = true;
  device->interface.kernel_entry = sl_program_entry(device->program);
  enum sl_code code = sl_device_run_kernel(device, err);
  if (code != SL_OK || device->ended)
    return code;
  device->ended = true;
  device->result.status = device->launches[device->result.launch_count - 1].succeeded ? device->exit_status : 1;
  return SL_OK;
}

enum sl_code sl_device_run_for(struct sl_device *device, uint64_t cycles, struct sl_error *err)
{
  if (device->program == NULL)
    return sl_fail(err, SL_USAGE, "%s: no program has been loaded", device->name);
  const double started = seconds();
  device->pause_at = cycles > UINT64_MAX - spent(device) ? UINT64_MAX : spent(device) + cycles;
  enum sl_code code = device->soc.no_host ? run_alone(device, err) : run_host(device, err);
  device->result.host_seconds += seconds() - started;
  device->result.host_instructions = device->host.instructions;
  if (device->failed_line && device->result.status == 0)
    device->result.status = 1;
  return code;
}

enum sl_code sl_device_run(struct sl_device *device, struct sl_error *err)
{
  return sl_device_run_for(device, UINT64_MAX, err);
}
