#include "gpu/fast_forward.h"

#include <inttypes.h>

#include "gpu/launch_record.h"

enum sl_status sl_forward_check(const struct sl_device *device, struct sl_error *err)
{
  const struct sl_device_options *o = &device->options;
  if (!o->forward.wanted)
    return SL_OK;
  if (sl_place_check(device, &o->forward.to, "--fast-forward", err) != SL_OK)
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
  return device->result.skipped.counters[sl_place_counter(device->machine)];
}

void sl_forward_begin(struct sl_device *device, uint32_t entry)
{
  if (device->options.forward.wanted && !device->result.reached)
    device->result.reached = sl_place_begins(device, &device->options.forward.to, device->result.skipped_count,
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
  return to->number - skipped_instructions(device) - sl_place_executed(device);
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
  if (sl_forward_left(device) > 0 || m->view.state(device->sm) != SL_SM_RUNNING)
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
