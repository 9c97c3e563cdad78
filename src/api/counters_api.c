/* The public interface: facts of a device, and counters of its launches. */
#include "api/api_types.h"
#include "gpu/launch_record.h"

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
  if (device->device == NULL) {
    *value = sl_gpu_total(device->gpu, counter);
    return true;
  }
  const struct sl_result *result = sl_device_result(device->device);
  *value = sl_counter_total(machine_of(device), counter, result->launches, result->launch_count);
  return true;
}

uint64_t simtlab_device_picoseconds(const simtlab_device *device, size_t launch)
{
  const struct sl_launch *own = device != NULL ? launch_of(device, launch) : NULL;
  return own != NULL ? sl_gpu_picoseconds(device->gpu, own) : 0;
}
