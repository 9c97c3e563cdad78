#include "gpu/launch_record.h"

#include <stdlib.h>
#include <string.h>
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

uint64_t sl_counter_total(const struct sl_machine *machine, size_t counter, const struct sl_launch *launches,
                          size_t count)
{
  const bool level = machine->counters->counter[counter].role == SL_COUNTER_GREATEST;
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++) {
    const uint64_t value = launches[i].counters[counter];
    if (!level)
      total += value;
    else if (value > total)
      total = value;
  }
  return total;
}

bool sl_counter_find(const struct sl_machine *machine, const char *name, size_t *index)
{
  for (size_t i = 0; i < machine->counters->count; i++)
    if (strcmp(machine->counters->counter[i].name, name) == 0) {
      *index = i;
      return true;
    }
  return false;
}
