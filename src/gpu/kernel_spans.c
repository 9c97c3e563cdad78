#include "gpu/kernel_spans.h"

#include "gpu/fast_forward.h"
#include "gpu/launch_record.h"
#include "gpu/run_place.h"
#include "gpu/sampled_launches.h"

/* Symbols of simtlab's runtime for Vortex: the start and end of a launch, and the words that hold the kernel's
 * address. */
static const char begins_symbol[] = "vortex_kernel_begins", ended_symbol[] = "vortex_kernel_ended",
                  call_symbol[] = "vortex_call", rounds_symbol[] = "vortex_in_rounds";

static enum sl_status choose(const struct sl_device *device, const struct sl_program *program,
                             struct sl_kernel_tracker *watch, struct sl_error *err)
{
  const char *function = device->options.region;
  if (device->options.whole_program)
    return SL_OK;
  if (function != NULL) {
    watch->rule = SL_KERNEL_FUNCTION;
    if (sl_program_symbol(program, function, &watch->begin))
      return SL_OK;
    return sl_fail(err, SL_USAGE, "%.200s: it has no function %s to count. Name one of its symbol table",
                   sl_program_name(program), function);
  }
  if (sl_program_symbol(program, begins_symbol, &watch->begin) && sl_program_symbol(program, ended_symbol, &watch->end))
    watch->rule = SL_KERNEL_PLACES;
  else
    watch->rule = SL_KERNEL_SPAWNS;
  return SL_OK;
}

enum sl_status sl_spans_watch(struct sl_device *device, const struct sl_program *program, struct sl_error *err)
{
  struct sl_kernel_tracker watch = {.rule = SL_KERNEL_UNWATCHED};
  if (device->machine->life.watch_kernels == NULL) {
    if (device->options.region == NULL)
      return SL_OK;
    return sl_fail(err, SL_USAGE, "%s: only programs that launch their kernels themselves have regions; %s",
                   device->name, device->soc.no_host ? "this one runs whole programs" : "here every launch is counted");
  }
  const enum sl_status code = choose(device, program, &watch, err);
  if (code != SL_OK)
    return code;
  device->spans.watched = device->machine->life.watch_kernels(device->sm, &watch);
  device->call = 0;
  if (watch.rule == SL_KERNEL_PLACES && !sl_program_symbol(program, call_symbol, &device->call))
    device->call = 0;
  if (device->call == 0 || !sl_program_symbol(program, rounds_symbol, &device->call_in_rounds))
    device->call_in_rounds = 0;
  return SL_OK;
}

void sl_spans_update(struct sl_device *device)
{
  struct sl_spans *spans = &device->spans;
  const struct sl_counters *counters = device->machine->counters;
  if (!spans->under_way)
    return;
  struct sl_launch *launch = &device->launches[device->result.launch_count - 1];
  for (size_t i = 0; i < counters->count; i++) {
    const uint64_t now = device->machine->view.counter(device->sm, i);
    launch->counters[i] = counters->counter[i].role == SL_COUNTER_GREATEST ? now : now - spans->before[i];
  }
  const double seconds = sl_device_seconds();
  launch->host_seconds += seconds - spans->since;
  spans->since = seconds;
}

/* Returns true if the machine must stop, because timing or observation starts here. */
static bool begin(struct sl_device *device, uint32_t entry)
{
  struct sl_spans *spans = &device->spans;
  if (device->call != 0)
    entry = sl_memory_load(&device->memory, device->call, 4);
  const uint32_t in_rounds =
      device->call_in_rounds != 0 ? (uint32_t)sl_memory_load(&device->memory, device->call_in_rounds, 4) : 0;
  if (in_rounds != 0)
    entry = in_rounds;
  const bool skips = device->skips, pauses = sl_place_pauses(device, entry);
  if (skips)
    sl_forward_begin(device, entry);
  if (sl_device_new_launch(device, entry) == NULL) {
    device->memory.exhausted = true;
    return true;
  }
  spans->under_way = true;
  spans->since = sl_device_seconds();
  for (size_t i = 0; i < device->machine->counters->count; i++)
    spans->before[i] = device->machine->view.counter(device->sm, i);
  struct sl_error err;
  if (device->options.sampling.wanted && sl_sampled_begin(device, &err) != SL_OK)
    device->memory.exhausted = true;
  return skips || pauses || device->pauses || device->options.sampling.wanted;
}

static void finish(struct sl_device *device, bool finished)
{
  if (!device->spans.under_way)
    return;
  struct sl_launch *launch = &device->launches[device->result.launch_count - 1];
  sl_spans_update(device);
  if (device->options.sampling.wanted) {
    sl_sampled_end(device, launch);
    sl_sampler_outside(&device->sampler);
  }
  device->spans.under_way = false;
  launch->finished = launch->succeeded = finished;
  if (finished)
    sl_device_tell_ended(device);
  if (device->skips)
    sl_forward_take(device);
}

void sl_spans_end(struct sl_device *device)
{
  finish(device, false);
}

bool sl_spans_kernel(void *context, bool begins, uint32_t entry)
{
  struct sl_device *device = context;
  if (begins)
    return begin(device, entry);
  finish(device, true);
  return device->options.sampling.wanted;
}
