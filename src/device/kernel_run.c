#include "device/device_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/grow.h"
#include "device/engine/engine.h"
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

/* ---- records of launches --------------------------------------------------------------------------------------- */

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
