/* The run loop of a device: the host CPU in time slices, and the SM whenever the host waits for it. Limits and pauses
 * are checked between slices. */
#include <inttypes.h>

#include "gpu/fast_forward.h"
#include "gpu/fault_text.h"
#include "gpu/host_csr.h"
#include "gpu/kernel_run.h"
#include "gpu/launch_record.h"
#include "gpu/sampled_launches.h"

enum { HOST_SLICE = 1 << 22 /* host instructions between checks of the limits */ };

/* Handles a jump to itself. Programs of the published suite end in one after their own check; other programs stay there
 * when they give up. */
static enum sl_status end_in_loop(struct sl_device *device, struct sl_error *err)
{
  char where[300];
  device->ended = true;
  if (device->passed_line || device->failed_line)
    return SL_OK;
  sl_location_format(device->program, device->host.pc, where, sizeof where);
  return sl_fail(err, SL_LIMIT,
                 "%s, pc 0x%08" PRIx32 " in %s: the host program loops forever, by a jump to itself; a program ends "
                 "when main returns or calls exit",
                 device->name, device->host.pc, where);
}

static enum sl_status run_host(struct sl_device *device, struct sl_error *err)
{
  while (!device->ended) {
    uint64_t slice = sl_device_budget(device, HOST_SLICE);
    if (slice == 0)
      return sl_device_stop(device, err);
    const enum sl_host_stop stop = sl_host_run(&device->host, slice);
    enum sl_status code = sl_device_check_memory(device, err);
    if (code != SL_OK)
      return code;
    switch (stop) {
    case SL_HOST_BUDGET: code = sl_device_progress(device, err); break;
    case SL_HOST_CSR: code = sl_device_host_csr(device, err); break;
    case SL_HOST_RETURNED: device->ended = true; break;
    case SL_HOST_SPINS: code = end_in_loop(device, err); break;
    case SL_HOST_FAULTED: code = sl_device_fault(device, &device->host.fault, err); break;
    }
    if (code != SL_OK)
      return code;
  }
  return SL_OK;
}

/* Without a host CPU the program is a single launch of all warps at its entry. */
static enum sl_status run_alone(struct sl_device *device, struct sl_error *err)
{
  if (device->ended)
    return SL_OK;
  device->interface.kernel_started = true;
  device->interface.kernel_entry = device->soc.start != 0 ? device->soc.start : sl_program_entry(device->program);
  enum sl_status code = sl_device_run_kernel(device, err);
  if (code != SL_OK || device->ended)
    return code;
  device->ended = true;
  device->result.status = device->machine->view.succeeded(device->sm) ? device->exit_status : 1;
  return SL_OK;
}

enum sl_status sl_device_run_for(struct sl_device *device, uint64_t cycles, struct sl_error *err)
{
  if (device->program == NULL)
    return sl_fail(err, SL_USAGE, "%s: no program has been loaded", device->name);
  if (sl_device_check_memory(device, err) != SL_OK)
    return SL_INTERNAL;
  const double started = sl_device_seconds();
  device->pause_at = cycles > UINT64_MAX - sl_device_elapsed(device) ? UINT64_MAX : sl_device_elapsed(device) + cycles;
  enum sl_status code = device->soc.no_host ? run_alone(device, err) : run_host(device, err);
  device->result.host_seconds += sl_device_seconds() - started;
  device->result.host_instructions = device->host.instructions;
  if (code != SL_PAUSED && code != SL_STOPPED)
    sl_sampled_settle(device);
  if (device->failed_line && device->result.status == 0)
    device->result.status = 1;
  return code == SL_OK ? sl_forward_ended(device, err) : code;
}

enum sl_status sl_device_run(struct sl_device *device, struct sl_error *err)
{
  return sl_device_run_for(device, UINT64_MAX, err);
}
