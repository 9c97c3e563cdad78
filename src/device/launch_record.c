#include "device/device_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/grow.h"

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
  if (!SL_GROW(device->launches, result->launch_count))
    return NULL;
  result->launches = device->launches;
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

/* Index of the machine's counter of warp instructions. */
static size_t place_counter(const struct sl_machine *machine)
{
  size_t i = 0;
  while (machine->counters->counter[i].role != SL_COUNTER_WARP_INSTRUCTIONS)
    i++;
  return i;
}

/* Whether a launch that starts now is at the place or beyond it; `launches` and `instructions` are those before it. */
static bool place_begins(const struct sl_device *device, const struct sl_place *place, uint64_t launches,
                         uint64_t instructions, uint32_t entry)
{
  if (place->by == SL_PLACE_LAUNCH)
    return launches == place->number;
  if (place->by == SL_PLACE_INSTRUCTIONS)
    return instructions >= place->number;
  const struct sl_location at = sl_program_locate(device->program, entry);
  return at.function != NULL && strcmp(at.function, place->kernel) == 0;
}

/* SL_USAGE: the whole program is one launch. */
static enum sl_status place_check(const struct sl_device *device, const struct sl_place *place, const char *option,
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
  return place_check(device, place, "--save-at", err);
}

bool sl_device_at_place(const struct sl_device *device)
{
  return !device->pauses;
}

static bool launch_under_way(const struct sl_device *device)
{
  return device->spans.watched ? device->spans.under_way : device->interface.kernel_running;
}

/* Instructions of the current launch; 0 outside of launches. */
static uint64_t place_executed(const struct sl_device *device)
{
  const size_t index = place_counter(device->machine);
  const uint64_t before = device->spans.watched ? device->spans.before[index] : 0;
  return launch_under_way(device) ? device->machine->view.counter(device->sm, index) - before : 0;
}

/* Instructions of ended launches. */
static uint64_t instructions_before(const struct sl_device *device)
{
  const size_t index = place_counter(device->machine);
  uint64_t sum = device->result.skipped.counters[index];
  for (size_t i = 0; i + launch_under_way(device) < device->result.launch_count; i++)
    sum += device->launches[i].counters[index];
  return sum;
}

bool sl_place_pauses(struct sl_device *device, uint32_t entry)
{
  const uint64_t launches = device->result.launch_count + device->result.skipped_count;
  if (!device->pauses || !place_begins(device, &device->pause_place, launches, instructions_before(device), entry))
    return false;
  device->pauses = false;
  return true;
}

uint64_t sl_place_left(const struct sl_device *device)
{
  if (!device->pauses || device->pause_place.by != SL_PLACE_INSTRUCTIONS || !launch_under_way(device))
    return UINT64_MAX;
  const uint64_t executed = instructions_before(device) + place_executed(device);
  return executed < device->pause_place.number ? device->pause_place.number - executed : 0;
}

bool sl_place_reached(struct sl_device *device)
{
  if (sl_place_left(device) > 0 || device->sm->state != SL_SM_RUNNING)
    return false;
  device->pauses = false;
  return true;
}

enum sl_status sl_forward_check(const struct sl_device *device, struct sl_error *err)
{
  const struct sl_device_options *o = &device->options;
  if (!o->forward.wanted)
    return SL_OK;
  if (place_check(device, &o->forward.to, "--fast-forward", err) != SL_OK)
    return err->code;
  if (o->fast || o->probes.wanted != 0)
    return sl_fail(err, SL_USAGE, "%s: skipped instructions have no timing and notify no observers; leave out %s",
                   device->name, o->fast ? "--fast, which skips all timing" : "traces and profiles");
  const struct sl_machine *m = device->machine;
  if (o->forward.to.by != SL_PLACE_INSTRUCTIONS && !device->spans.watched)
    return SL_OK;
  const char *refused =
      m->sampling.drain == NULL ? "on this machine timing can only begin with a launch" : device->unsampled;
  if (refused != NULL)
    return sl_fail(err, SL_USAGE, "%s: %s, or %s", device->name, refused,
                   device->spans.watched ? "leave out --fast-forward"
                                         : "choose a kernel or a launch with --fast-forward");
  return SL_OK;
}

static uint64_t skipped_instructions(const struct sl_device *device)
{
  return device->result.skipped.counters[place_counter(device->machine)];
}

void sl_forward_begin(struct sl_device *device, uint32_t entry)
{
  if (device->options.forward.wanted && !device->result.reached)
    device->result.reached = place_begins(device, &device->options.forward.to, device->result.skipped_count,
                                          skipped_instructions(device), entry);
  device->skips = device->options.forward.wanted && !device->result.reached;
}

void sl_forward_outside(struct sl_device *device)
{
  device->skips = device->options.forward.wanted && !device->result.reached;
}

static bool in_launch(const struct sl_device *device)
{
  return !device->spans.watched || device->spans.under_way;
}

uint64_t sl_forward_left(const struct sl_device *device)
{
  const struct sl_place *to = &device->options.forward.to;
  if (!device->skips || to->by != SL_PLACE_INSTRUCTIONS || !in_launch(device))
    return UINT64_MAX;
  return to->number - skipped_instructions(device) - place_executed(device);
}

/* Adds the current launch's executed part to the skipped sums. */
static void take_begun(struct sl_device *device)
{
  const struct sl_machine *m = device->machine;
  struct sl_result *result = &device->result;
  uint64_t *before = device->spans.watched ? device->spans.before : NULL;
  for (size_t i = 0; i < m->counters->count; i++) {
    const uint64_t now = m->view.counter(device->sm, i);
    result->skipped.counters[i] += now - (before != NULL ? before[i] : 0);
    if (before != NULL)
      before[i] = now;
    else
      device->begun.counters[i] = now;
  }
  const double seconds = sl_device_seconds(), spent = seconds - device->spans.since;
  result->skipped.host_seconds += spent;
  if (before != NULL)
    device->spans.since = seconds;
  else
    device->begun.host_seconds = spent;
}

void sl_forward_look(struct sl_device *device)
{
  struct sl_result *result = &device->result;
  const struct sl_machine *m = device->machine;
  if (sl_forward_left(device) > 0 || device->sm->state != SL_SM_RUNNING)
    return;
  take_begun(device);
  result->skipped_begin = result->reached = true;
  device->skips = false;
  m->life.set_timing(device->sm, true);
}

void sl_forward_settle(struct sl_device *device, struct sl_launch *launch)
{
  const struct sl_counters *counters = device->machine->counters;
  for (size_t i = 0; i < counters->count; i++)
    if (counters->counter[i].role != SL_COUNTER_GREATEST)
      launch->counters[i] -= device->begun.counters[i];
  launch->host_seconds -= device->begun.host_seconds;
  device->begun.host_seconds = 0;
}

void sl_forward_take(struct sl_device *device)
{
  struct sl_result *result = &device->result;
  const struct sl_launch *launch = &device->launches[--result->launch_count];
  for (size_t i = 0; i < device->machine->counters->count; i++)
    result->skipped.counters[i] += launch->counters[i];
  result->skipped.host_seconds += launch->host_seconds;
  result->skipped_count++;
}

enum sl_status sl_forward_ended(const struct sl_device *device, struct sl_error *err)
{
  const struct sl_fast_forward *f = &device->options.forward;
  const size_t skipped = device->result.skipped_count;
  const uint64_t instructions = skipped_instructions(device);
  if (!f->wanted || device->result.reached)
    return SL_OK;
  const char *launches = skipped == 1 ? "launch" : "launches";
  if (f->to.by == SL_PLACE_INSTRUCTIONS)
    return sl_fail(err, SL_USAGE,
                   "--fast-forward instructions=%" PRIu64 ": the program ended after %" PRIu64
                   " instructions of warps in %zu %s, so nothing was timed",
                   f->to.number, instructions, skipped, launches);
  return f->to.by == SL_PLACE_KERNEL
             ? sl_fail(err, SL_USAGE,
                       "--fast-forward kernel=%.100s: the program ended after %zu %s, none of that kernel, so nothing "
                       "was timed; --fast lists its kernels",
                       f->to.kernel, skipped, launches)
             : sl_fail(err, SL_USAGE,
                       "--fast-forward launch=%" PRIu64 ": the program ended after %zu %s, which are numbered from 0 "
                       "on, so nothing was timed",
                       f->to.number, skipped, launches);
}
