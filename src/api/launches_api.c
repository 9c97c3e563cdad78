/* The public interface: launches without a host program. */
#include <string.h>

#include "api/api_types.h"
#include "gpu/launch.h"

enum simtlab_status simtlab_device_add(simtlab_device *device, const simtlab_program *program,
                                       struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(program, error);
  struct sl_error e;
  return sl_api_report(sl_device_add(device->device, sl_api_program(program), &e), &e, error);
}

enum simtlab_status simtlab_device_alloc(simtlab_device *device, uint64_t size, uint32_t *address,
                                         struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(address, error);
  struct sl_error e;
  return sl_api_report(sl_device_alloc(device->device, size, address, &e), &e, error);
}

enum simtlab_status simtlab_device_release(simtlab_device *device, uint32_t address, struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  struct sl_error e;
  return sl_api_report(sl_device_release(device->device, address, &e), &e, error);
}

enum simtlab_status simtlab_device_start(simtlab_device *device, const struct simtlab_launch *launch,
                                         struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(launch, error);
  if (launch->argument_bytes > 0)
    SL_API_NEEDS(launch->arguments, error);
  struct sl_error e;
  struct sl_launch_order order = {.program = sl_api_program(launch->program),
                                  .kernel = launch->kernel,
                                  .entry = launch->entry,
                                  .shared = launch->shared,
                                  .arguments = launch->arguments,
                                  .argument_bytes = launch->argument_bytes};
  memcpy(order.grid, launch->grid, sizeof order.grid);
  memcpy(order.block, launch->block, sizeof order.block);
  return sl_api_report(sl_device_start_kernel(device->device, &order, &e), &e, error);
}

enum simtlab_status simtlab_device_start_entry(simtlab_device *device, uint32_t entry, uint32_t argument,
                                               unsigned warps_per_block, struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
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
  const enum sl_status code = sl_device_wait_for(device->device, cycles, &e);
  return sl_api_end(device, code, &e, error);
}

void simtlab_device_abandon(simtlab_device *device)
{
  if (device == NULL || device->running)
    return;
  sl_device_abandon(device->device);
}

static enum simtlab_fault_kind kind_of(enum sl_fault_kind kind)
{
  switch (kind) {
  case SL_FAULT_UNKNOWN_INSTRUCTION:
  case SL_FAULT_OVERWRITTEN:
  case SL_FAULT_EXTENSION: return SIMTLAB_FAULT_INSTRUCTION;
  case SL_FAULT_FETCH:
  case SL_FAULT_JUMP: return SIMTLAB_FAULT_JUMP;
  case SL_FAULT_ADDRESS:
  case SL_FAULT_OUTSIDE: return SIMTLAB_FAULT_ADDRESS;
  case SL_FAULT_STACK: return SIMTLAB_FAULT_STACK;
  case SL_FAULT_MISALIGNED: return SIMTLAB_FAULT_MISALIGNED;
  case SL_FAULT_ATOMIC: return SIMTLAB_FAULT_ATOMIC;
  case SL_FAULT_NEST_OVERFLOW:
  case SL_FAULT_NEST_UNDERFLOW:
  case SL_FAULT_DIVERGED_COMMAND:
  case SL_FAULT_IPDOM_OVERFLOW:
  case SL_FAULT_IPDOM_UNDERFLOW:
  case SL_FAULT_JOIN_TOKEN:
  case SL_FAULT_DIVERGENT_BRANCH: return SIMTLAB_FAULT_CONVERGENCE;
  case SL_FAULT_CSR: return SIMTLAB_FAULT_CSR;
  case SL_FAULT_SYSTEM: return SIMTLAB_FAULT_SYSTEM;
  case SL_FAULT_DEADLOCK:
  case SL_FAULT_WARPS_WAIT: return SIMTLAB_FAULT_DEADLOCK;
  case SL_FAULT_LIVELOCK: return SIMTLAB_FAULT_LIVELOCK;
  default: return SIMTLAB_FAULT_OTHER;
  }
}

bool simtlab_device_last_fault(const simtlab_device *device, struct simtlab_fault *fault)
{
  if (device == NULL || fault == NULL)
    return false;
  const struct sl_fault own = sl_device_last_fault(device->device);
  if (own.kind == SL_FAULT_NONE)
    return false;
  *fault = (struct simtlab_fault){.kind = kind_of(own.kind),
                                  .warp = own.warp < 0 ? 0 : (unsigned)own.warp,
                                  .lanes = own.lanes,
                                  .pc = own.pc,
                                  .address = own.address};
  sl_device_last_kernel(device->device, fault->kernel, sizeof fault->kernel);
  return true;
}
