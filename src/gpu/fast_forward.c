#include "gpu/fast_forward.h"

#include <inttypes.h>
#include <string.h>

enum sl_status sl_forward_check(const struct sl_device *device, struct sl_error *err)
{
  const struct sl_device_options *o = &device->options;
  if (!o->forward.wanted)
    return SL_OK;
  if (device->soc.no_host)
    return sl_fail(err, SL_USAGE,
                   "%s: only where a host program launches kernels can the first of them be skipped; here the whole "
                   "program is one launch. Leave out --fast-forward",
                   device->name);
  if (o->fast || o->probes.wanted != 0)
    return sl_fail(err, SL_USAGE, "%s: what is skipped has neither timing nor listeners; leave out %s", device->name,
                   o->fast ? "--fast, with which all is skipped" : "traces and profiles");
  return SL_OK;
}

static bool chosen(const struct sl_device *device, uint32_t entry)
{
  const struct sl_fast_forward *f = &device->options.forward;
  if (f->kernel == NULL)
    return device->result.skipped_count == f->launch;
  const struct sl_location at = sl_program_locate(device->program, entry);
  return at.function != NULL && strcmp(at.function, f->kernel) == 0;
}

void sl_forward_begin(struct sl_device *device, uint32_t entry)
{
  if (device->options.forward.wanted && !device->result.reached)
    device->result.reached = chosen(device, entry);
  device->skips = device->options.forward.wanted && !device->result.reached;
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
  if (!f->wanted || device->result.reached)
    return SL_OK;
  const char *launches = skipped == 1 ? "launch" : "launches";
  return f->kernel != NULL
             ? sl_fail(err, SL_USAGE,
                       "--fast-forward kernel=%.100s: the program ended after %zu %s, none of that kernel, so nothing "
                       "was timed; --fast lists its kernels",
                       f->kernel, skipped, launches)
             : sl_fail(err, SL_USAGE,
                       "--fast-forward launch=%" PRIu64 ": the program ended after %zu %s, which are numbered from 0 "
                       "on, so nothing was timed",
                       f->launch, skipped, launches);
}
