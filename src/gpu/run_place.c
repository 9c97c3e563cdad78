#include "gpu/run_place.h"

#include <string.h>

size_t sl_place_counter(const struct sl_machine *machine)
{
  size_t i = 0;
  while (machine->counters->counter[i].role != SL_COUNTER_WARP_INSTRUCTIONS)
    i++;
  return i;
}

bool sl_place_begins(const struct sl_device *device, const struct sl_place *place, uint64_t launches,
                     uint64_t instructions, uint32_t entry)
{
  if (place->by == SL_PLACE_LAUNCH)
    return launches == place->number;
  if (place->by == SL_PLACE_INSTRUCTIONS)
    return instructions >= place->number;
  const struct sl_location at = sl_program_locate(device->program, entry);
  return at.function != NULL && strcmp(at.function, place->kernel) == 0;
}

enum sl_status sl_place_check(const struct sl_device *device, const struct sl_place *place, const char *option,
                              struct sl_error *err)
{
  if (!device->soc.no_host || device->spans.watched || place->by == SL_PLACE_INSTRUCTIONS)
    return SL_OK;
  return sl_fail(err, SL_USAGE,
                 "%s: the whole program is one launch, so that no launch can be chosen. "
                 "Leave out %s",
                 device->name, option);
}

enum sl_status sl_device_pause_at(struct sl_device *device, const struct sl_place *place, struct sl_error *err)
{
  device->pause_place = *place;
  device->pauses = true;
  return sl_place_check(device, place, "--save-at", err);
}

bool sl_device_at_place(const struct sl_device *device)
{
  return !device->pauses;
}

static bool launch_under_way(const struct sl_device *device)
{
  return device->spans.watched ? device->spans.under_way : device->interface.kernel_running;
}

uint64_t sl_place_executed(const struct sl_device *device)
{
  const size_t index = sl_place_counter(device->machine);
  const uint64_t before = device->spans.watched ? device->spans.before[index] : 0;
  return launch_under_way(device) ? device->machine->view.counter(device->sm, index) - before : 0;
}

/* Instructions of ended launches. */
static uint64_t instructions_before(const struct sl_device *device)
{
  const size_t index = sl_place_counter(device->machine);
  uint64_t sum = device->result.skipped.counters[index];
  for (size_t i = 0; i + launch_under_way(device) < device->result.launch_count; i++)
    sum += device->launches[i].counters[index];
  return sum;
}

bool sl_place_pauses(struct sl_device *device, uint32_t entry)
{
  const uint64_t launches = device->result.launch_count + device->result.skipped_count;
  if (!device->pauses || !sl_place_begins(device, &device->pause_place, launches, instructions_before(device), entry))
    return false;
  device->pauses = false;
  return true;
}

uint64_t sl_place_left(const struct sl_device *device)
{
  if (!device->pauses || device->pause_place.by != SL_PLACE_INSTRUCTIONS || !launch_under_way(device))
    return UINT64_MAX;
  const uint64_t executed = instructions_before(device) + sl_place_executed(device);
  return executed < device->pause_place.number ? device->pause_place.number - executed : 0;
}

bool sl_place_reached(struct sl_device *device)
{
  if (sl_place_left(device) > 0 || device->machine->view.state(device->sm) != SL_SM_RUNNING)
    return false;
  device->pauses = false;
  return true;
}
