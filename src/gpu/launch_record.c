#include "gpu/launch_record.h"

#include <stdlib.h>
#include <time.h>

double sl_device_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Notifies the observer of an event of the last launch. */
static void tell(struct sl_device *device, enum sl_probe_kind kind, uint64_t cycle)
{
  const struct sl_launch *launch = &device->launches[device->result.launch_count - 1];
  sl_tell(&device->options.probes,
          &(struct sl_probe){.kind = kind, .cycle = cycle, .launch = (unsigned)launch->number, .pc = launch->entry});
}

struct sl_launch *sl_device_new_launch(struct sl_device *device, uint32_t entry)
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
  *launch = (struct sl_launch){.number = result->skipped_count + result->launch_count - 1,
                               .entry = entry,
                               .warps_per_block = device->interface.warps_per_block & (device->soc.warps - 1)};
  sl_tell(
      &device->options.probes,
      &(struct sl_probe){.kind = SL_PROBE_LAUNCHED, .launch = (unsigned)result->launch_count - 1, .pc = launch->entry});
  return launch;
}

void sl_device_tell_ended(struct sl_device *device)
{
  tell(device, SL_PROBE_ENDED, device->machine->view.elapsed(device->sm));
}
