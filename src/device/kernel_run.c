#include "device/device_state.h"
#include "device/engine/engine.h"

#include <inttypes.h>

#include "device/engine/sampled_launches.h"
#include "device/fault_text.h"

enum { SM_SLICE = 1 << 20 /* SM cycles between calls of the progress function */ };

uint64_t sl_device_elapsed(const struct sl_device *device)
{
  return device->host.instructions + device->sm_cycles;
}

uint64_t sl_device_budget(const struct sl_device *device, uint64_t slice)
{
  const uint64_t limit = device->options.max_cycles, now = sl_device_elapsed(device);
  uint64_t end = device->pause_at;
  if (limit != 0 && limit < end)
    end = limit;
  const uint64_t left = end > now ? end - now : 0;
  return left < slice ? left : slice;
}

static bool at_limit(const struct sl_device *device)
{
  return device->options.max_cycles != 0 && sl_device_elapsed(device) >= device->options.max_cycles;
}

enum sl_status sl_device_stop(struct sl_device *device, struct sl_error *err)
{
  if (!at_limit(device))
    return SL_PAUSED;
  char where[600], waiting[600] = "";
  const struct sl_fault_place at = sl_device_place(device);
  if (device->interface.kernel_started) {
    sl_warps_format(device->machine, device->sm, &at, where, sizeof where);
    sl_diverged_format(device->machine, device->sm, &at, waiting, sizeof waiting);
  } else {
    sl_location_format(device->program, device->host.pc, where, sizeof where);
  }
  return sl_fail(err, SL_LIMIT,
                 "%s: the limit of %" PRIu64
                 " cycles was reached and the %s still runs: %s%s. Raise --max-cycles if it should",
                 device->name, device->options.max_cycles, device->interface.kernel_started ? "kernel" : "host program",
                 where, waiting);
}

/* Records the whole run of the SM as a launch. */
static void record_launch(struct sl_device *device, double elapsed, bool finished)
{
  const struct sl_machine *machine = device->machine;
  struct sl_launch *launch = &device->launches[device->result.launch_count - 1];
  for (size_t i = 0; i < machine->counters->count; i++)
    launch->counters[i] = machine->view.counter(device->sm, i);
  sl_sampled_blocks_end(device, launch);
  if (device->options.sampling.wanted)
    sl_sampled_end(device, launch);
  sl_forward_settle(device, launch);
  launch->succeeded = machine->view.succeeded(device->sm);
  launch->finished = finished;
  launch->host_seconds += elapsed;
  if (finished)
    sl_device_tell_ended(device);
}

/* Starts the kernel. SL_STOPPED: the observer stops at its start. SL_PAUSED: it has not started yet. */
static enum sl_status start(struct sl_device *device, struct sl_error *err)
{
  struct sl_host_interface *i = &device->interface;
  if (!device->spans.watched && sl_place_pauses(device, i->kernel_entry))
    return SL_PAUSED;
  if (!device->spans.watched && sl_device_new_launch(device, i->kernel_entry) == NULL)
    return sl_no_memory(err, sizeof(struct sl_launch));
  device->spans.under_way = false;
  if (device->spans.watched)
    sl_forward_outside(device);
  else
    sl_forward_begin(device, i->kernel_entry);
  device->begun = (struct sl_launch){0};
  sl_sampled_blocks_forget(device);
  device->machine->life.start(device->sm, i->kernel_entry, i->closure, i->warps_per_block);
  i->kernel_running = true;
  if (device->options.sampling.wanted &&
      (device->spans.watched ? sl_sampled_outside(device, err) : sl_sampled_begin(device, err)) != SL_OK)
    return err->code;
  return device->options.probes.stopped ? SL_STOPPED : SL_OK;
}

enum sl_status sl_device_progress(const struct sl_device *device, struct sl_error *err)
{
  if (device->options.progress == NULL || device->options.progress(device->options.progress_context, device->sm_cycles))
    return SL_OK;
  return sl_fail(err, SL_LIMIT, "%s: the run was stopped", device->name);
}

enum sl_status sl_device_check_memory(const struct sl_device *device, struct sl_error *err)
{
  if (!device->memory.exhausted)
    return SL_OK;
  return sl_fail(err, SL_INTERNAL, "%s: out of memory for the simulated machine's memory", device->name);
}

/* Advances the SM by a slice. With sampling, untimed instructions count as cycles. */
static enum sl_sm_state advance(struct sl_device *device, uint64_t slice)
{
  const struct sl_machine *machine = device->machine;
  if (device->options.sampling.wanted && !sl_sampled_by_launches(device))
    return sl_sampler_run(&device->sampler, device->sm, slice, &device->sm_cycles);
  const struct sl_engine *engine = sl_engine_of(device->options.fast || device->skips || device->untimed);
  if (device->block_sampler != NULL && engine->timing)
    return sl_sampled_blocks_run(device, slice);
  machine->life.set_timing(device->sm, engine->timing);
  const uint64_t before = machine->view.elapsed(device->sm);
  const enum sl_sm_state state = sl_engine_run(engine, device->sm, slice);
  device->sm_cycles += machine->view.elapsed(device->sm) - before;
  if (state != SL_SM_STOPPED || device->options.probes.stopped)
    return state;
  device->sm->state = SL_SM_RUNNING; /* it has stopped at the start or end of a launch */
  return SL_SM_RUNNING;
}

/* The slice is empty. At the limit, a loop that nothing can end is told as such. */
static enum sl_status stop_kernel(struct sl_device *device, enum sl_sm_state *state, struct sl_error *err)
{
  const struct sl_machine *machine = device->machine;
  if (at_limit(device) && !device->options.sampling.wanted && machine->life.check_livelock != NULL)
    machine->life.check_livelock(device->sm);
  *state = device->sm->state;
  return *state == SL_SM_FAULTED ? sl_device_fault(device, machine->view.fault(device->sm), err)
                                 : sl_device_stop(device, err);
}

/* Simulates one slice of the kernel. */
static enum sl_status run_slice(struct sl_device *device, enum sl_sm_state *state, struct sl_error *err)
{
  const struct sl_machine *machine = device->machine;
  uint64_t left = sl_forward_left(device);
  left = sl_place_left(device) < left ? sl_place_left(device) : left;
  const uint64_t slice = sl_device_budget(device, left < SM_SLICE ? left : SM_SLICE);
  if (slice == 0)
    return stop_kernel(device, state, err);
  const bool pauses = device->pauses;
  *state = advance(device, slice);
  sl_forward_look(device);
  if (sl_device_check_memory(device, err) != SL_OK)
    return err->code;
  if (*state == SL_SM_FAULTED)
    return sl_device_fault(device, machine->view.fault(device->sm), err);
  if (sl_place_reached(device) || (pauses && !device->pauses))
    return SL_PAUSED;
  return *state == SL_SM_STOPPED ? SL_STOPPED : sl_device_progress(device, err);
}

enum sl_status sl_device_run_kernel(struct sl_device *device, struct sl_error *err)
{
  struct sl_host_interface *i = &device->interface;
  device->options.probes.stopped = false;
  const enum sl_status begun = i->kernel_running ? SL_OK : start(device, err);
  if (begun != SL_OK)
    return begun;
  const double started = device->spans.since = sl_device_seconds();
  enum sl_status code = SL_OK;
  enum sl_sm_state state = SL_SM_RUNNING;
  while (state == SL_SM_RUNNING && code == SL_OK && !device->ended)
    code = run_slice(device, &state, err);
  const double elapsed = sl_device_seconds() - started;
  device->result.sm_host_seconds += elapsed;
  if (device->spans.watched && (code == SL_PAUSED || code == SL_STOPPED))
    sl_spans_update(device);
  else if (device->spans.watched)
    sl_spans_end(device);
  else
    record_launch(device, elapsed, state == SL_SM_DONE);
  if (device->skips && !device->spans.watched && code != SL_PAUSED && code != SL_STOPPED)
    sl_forward_take(device);
  if (code != SL_OK)
    return code;
  i->kernel_started = i->kernel_running = false;
  i->answer[(i->first_answer + i->answer_count++) % SL_ANSWERS_MAX] = !device->machine->view.succeeded(device->sm);
  return SL_OK;
}
