#include "device/engine/sampled_launches.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "device/device_state.h"
#include "device/engine/block_sampling.h"

enum {
  RULE_OF_THREE = 3,
  LAUNCHES_TIMED = 16, /* number per kernel, before the automatic plan skips launches */
  SWITCHES = 2 /* per launch: operations in flight at the end of its first stratum and at the start of its last */
};

enum sl_status sl_sampled_check(const struct sl_device *device, struct sl_error *err)
{
  const struct sl_device_options *o = &device->options;
  const struct sl_machine *m = device->machine;
  if (!o->sampling.wanted)
    return SL_OK;
  if (m->sampling.drain == NULL && !m->sampling.launches)
    return sl_fail(err, SL_USAGE, "%s: launches on %s cannot be timed in part yet. Leave out --sample", device->name,
                   m->name);
  if (m->sampling.drain == NULL && o->sampling.plan.measured != 0)
    return sl_fail(err, SL_USAGE,
                   "%s: on %s programs are sampled by launches and blocks; use --sample auto or auto,SEED",
                   device->name, m->name);
  if (device->unsampled != NULL)
    return sl_fail(err, SL_USAGE, "%s: %s, or leave out --sample", device->name, device->unsampled);
  if (o->fast || o->forward.wanted || o->probes.wanted != 0)
    return sl_fail(err, SL_USAGE,
                   "%s: instructions that --sample skips have no timing and notify no observers; leave out %s",
                   device->name,
                   o->fast             ? "--fast"
                   : o->forward.wanted ? "--fast-forward"
                                       : "traces and profiles");
  return SL_OK;
}

/* ---- whole launches ---------------------------------------------------------------------------------------------- */

bool sl_sampled_by_launches(const struct sl_device *device)
{
  return device->machine->sampling.drain == NULL;
}

static enum sl_status begin_whole(struct sl_device *device, const struct sl_launch *launch, struct sl_error *err)
{
  char entry[16];
  snprintf(entry, sizeof entry, "0x%08" PRIx32, launch->entry);
  const struct sl_launch_key key = {.kernel = entry, .block = {launch->warps_per_block, 1, 1}};
  if (device->launch_sampler == NULL &&
      sl_launch_sampler_open(&device->launch_sampler, device->machine->counters, SL_LAUNCHES_FIRST,
                             device->options.sampling.plan.seed, err) != SL_OK)
    return err->code;
  device->untimed = !sl_launch_sampler_begin(device->launch_sampler, &key);
  return device->block_sampler != NULL ? SL_OK
                                       : sl_block_sampler_open(&device->block_sampler, &device->options.sampling,
                                                               &(struct sl_ptx_bounds){.limit = 0}, err);
}

static void end_whole(struct sl_device *device, struct sl_launch *launch)
{
  const struct sl_counters *counters = device->machine->counters;
  uint64_t instructions = 0;
  if (device->sm->state == SL_SM_RUNNING) /* it pauses */
    return;
  for (size_t i = 0; i < counters->count; i++)
    instructions += counters->counter[i].role == SL_COUNTER_WARP_INSTRUCTIONS ? launch->counters[i] : 0;
  sl_launch_sampler_end(device->launch_sampler, instructions,
                        device->sm->state == SL_SM_DONE ? launch->counters : NULL);
  launch->untimed = device->untimed;
  if (!device->untimed)
    return;
  device->result.sampled.progress += instructions;
  launch->estimated = instructions;
}

static void settle_whole(struct sl_device *device)
{
  struct sl_sampled *sampled = &device->result.sampled;
  const uint64_t untimed = sampled->progress;
  double timed[SL_MAX_COUNTERS] = {0};
  sampled->settled = true;
  if (device->block_sampler == NULL)
    return;
  *sampled = device->block_sampler->total;
  sampled->settled = true;
  sampled->progress += untimed;
  sl_launch_sampler_settle(device->launch_sampler);
  for (size_t i = 0; i < device->result.launch_count; i++) {
    struct sl_launch *launch = &device->launches[i];
    for (size_t c = 0; c < device->machine->counters->count; c++)
      timed[c] += (double)launch->counters[c];
    sl_launch_sampler_predict(device->launch_sampler, i, launch->counters);
  }
  for (size_t c = 0; c < device->machine->counters->count; c++) {
    const struct sl_launch_sum sum = sl_launch_sampler_sum(device->launch_sampler, c);
    sampled->bar[c] = sl_block_sampler_bar(&device->block_sampler->total, c, &sum, timed[c]);
  }
  sampled->untimed_launches = sl_launch_sampler_untimed(device->launch_sampler);
}

/* ---- parts of launches ------------------------------------------------------------------------------------------- */

static struct sl_sampled_kernel *kernel_of(struct sl_device *device, const struct sl_launch *launch)
{
  for (size_t i = 0; i < device->sampled_kernel_count; i++) {
    struct sl_sampled_kernel *k = &device->sampled_kernels[i];
    if (k->entry == launch->entry && k->warps_per_block == launch->warps_per_block)
      return k;
  }
  return NULL;
}

static struct sl_launch *latest(struct sl_device *device)
{
  return &device->launches[device->result.launch_count - 1];
}

static struct sl_sampled_kernel *add_kernel(struct sl_device *device, const struct sl_launch *launch)
{
  const size_t count = device->sampled_kernel_count;
  if (!SL_GROW(device->sampled_kernels, count))
    return NULL;
  struct sl_sampled_kernel *kernel = &device->sampled_kernels[device->sampled_kernel_count++];
  *kernel = (struct sl_sampled_kernel){.entry = launch->entry, .warps_per_block = launch->warps_per_block};
  return kernel;
}

/* Whether the kernel's next launch is completely untimed. Of many similar launches, the automatic plan times fewer and
 * fewer, at random distances. */
static bool whole(struct sl_sampler *s, struct sl_sampled_kernel *kernel)
{
  const uint64_t number = kernel->launches++;
  if (!s->automatic || number < LAUNCHES_TIMED || number < kernel->next)
    return s->automatic && number >= LAUNCHES_TIMED;
  kernel->next = number + 1 + sl_sampler_draw(s, 2 * (number / LAUNCHES_TIMED));
  return false;
}

static enum sl_status open_sampler(struct sl_device *device, struct sl_error *err)
{
  const struct sl_soc *soc = &device->soc;
  return device->sampler.issued != NULL
             ? SL_OK
             : sl_sampler_open(&device->sampler, &device->options.sampling.plan, device->machine,
                               soc->warps * (soc->cores > 0 ? soc->cores : 1), soc->lanes, err);
}

enum sl_status sl_sampled_outside(struct sl_device *device, struct sl_error *err)
{
  const enum sl_status code = open_sampler(device, err);
  if (code == SL_OK)
    sl_sampler_outside(&device->sampler);
  return code;
}

enum sl_status sl_sampled_begin(struct sl_device *device, struct sl_error *err)
{
  const struct sl_launch *launch = latest(device);
  if (sl_sampled_by_launches(device))
    return begin_whole(device, launch, err);
  struct sl_sampled_kernel *kernel = kernel_of(device, launch);
  if (kernel == NULL && (kernel = add_kernel(device, launch)) == NULL)
    return sl_no_memory(err, sizeof *kernel);
  if (open_sampler(device, err) != SL_OK)
    return err->code;
  const bool untimed = whole(&device->sampler, kernel);
  sl_sampler_begin(&device->sampler, device->sm, kernel->instructions, kernel->latest, untimed, &kernel->sums);
  return SL_OK;
}

/* Whether the counter stays exact: the untimed mode counts it as well, or it is a level. Every machine counts each
 * thread instruction once. */
static bool stays(const struct sl_machine *machine, size_t counter)
{
  const enum sl_counter_role role = machine->counters->counter[counter].role;
  return role == machine->sampling.progress || role == SL_COUNTER_THREAD_INSTRUCTIONS || role == SL_COUNTER_GREATEST;
}

void sl_sampled_end(struct sl_device *device, struct sl_launch *launch)
{
  if (sl_sampled_by_launches(device)) {
    end_whole(device, launch);
    return;
  }
  struct sl_sampler *s = &device->sampler;
  const struct sl_machine *m = device->machine;
  struct sl_sampled_kernel *kernel = kernel_of(device, launch);
  struct sl_counter_values strata;
  const uint64_t progress = sl_sampler_progress(s, device->sm);
  const bool exact = sl_sampler_end(s, device->sm, &strata), untimed = s->phase == SL_SAMPLING_WHOLE;
  launch->estimated = exact ? 0 : progress - strata.of[s->progress];
  launch->untimed = untimed;
  for (size_t i = 0; i < m->counters->count; i++)
    if (!stays(m, i))
      launch->counters[i] = strata.of[i];
  launch->stratum_rate = exact || untimed ? 0 : (double)strata.of[s->cycles] / (double)strata.of[s->progress];
  kernel->latest = progress;
  kernel->window = (double)(s->plan.measured * s->unit);
  kernel->instructions += progress / s->unit;
  *(untimed ? &kernel->whole : &kernel->estimated) += launch->estimated;
  if (s->drains > 0 && !untimed)
    kernel->switching += (s->begun_untimed + (exact ? 0 : SWITCHES)) * (double)s->drained / (double)s->drains;
  if (!exact && !untimed) {
    kernel->first_cycles += (double)(strata.of[s->cycles] - s->tail_cycles);
    kernel->first_progress += (double)(strata.of[s->progress] - s->tail_progress);
  }
  kernel->tail_cycles += (double)s->tail_cycles;
  kernel->tail_progress += (double)s->tail_progress;
  device->result.sampled.progress += progress;
  device->result.sampled.timed += progress - s->skipped;
  device->result.sampled.untimed_launches += untimed;
  device->result.sampled.untimed_begins += s->begun_untimed && !untimed;
}

/* The rate of a launch's untimed part. Without a window of its kernel, the launch is assumed to continue at its initial
 * rate; the error of that is unknown. */
static double rate_of(const struct sl_device *device, const struct sl_sampled_kernel *kernel,
                      const struct sl_launch *launch, size_t counter)
{
  const struct sl_window_sums *sums = launch->untimed ? &kernel->launch_sums : &kernel->sums;
  if (sums->windows > 0)
    return sl_window_sums_ratio(sums, counter).value;
  return counter == device->sampler.cycles ? launch->stratum_rate : 0;
}

static void settle_launch(struct sl_device *device, struct sl_launch *launch)
{
  struct sl_sampled_kernel *kernel = kernel_of(device, launch);
  const struct sl_counters *counters = device->machine->counters;
  struct sl_counter_values all = {0};
  if (kernel == NULL)
    return;
  for (size_t i = 0; i < counters->count; i++) {
    if (launch->estimated > 0 && !stays(device->machine, i)) {
      const double rest = (double)launch->estimated * rate_of(device, kernel, launch, i);
      launch->counters[i] = (uint64_t)llround(fmax(0, (double)(int64_t)launch->counters[i] + rest));
    }
    all.of[i] = launch->counters[i];
  }
  const struct sl_counter_values none = {0};
  if (!launch->untimed)
    sl_window_sums_add(&kernel->launch_sums, (double)all.of[device->sampler.progress], &none, &none, &all,
                       counters->count, device->sampler.progress);
}

/* Difference between the cycles of some progress and their estimate. */
static double unlike(double cycles, double progress, double rate)
{
  return fabs(cycles - rate * progress);
}

/* Estimates the cycles of phases that no window met. With n windows, these are at most 3 of n intervals, at 95 % (the
 * rule of three). They are assumed to differ from the rest as much as the start or the end of launches, of which a
 * window sees at least its own length. */
static double unseen(const struct sl_sampled_kernel *k, double rate)
{
  const double least = k->window, begun = k->first_progress, ended = k->tail_progress;
  const double begin = begun > 0 ? unlike(k->first_cycles, begun, rate) / fmax(begun, least) : 0;
  const double end = ended > 0 ? unlike(k->tail_cycles, ended, rate) / fmax(ended, least) : 0;
  return k->sums.windows > 0 ? RULE_OF_THREE / (double)k->sums.windows * (double)k->estimated * fmax(begin, end) : 0;
}

/* Adds a kernel's squared sampling error of a counter, and its other possible errors. */
static void add_bar(const struct sl_sampler *s, const struct sl_sampled_kernel *kernel, size_t counter, double *squares,
                    double *bias)
{
  if (kernel->estimated > 0) {
    const double rest = (double)kernel->estimated;
    const struct sl_ratio ratio = sl_window_sums_ratio(&kernel->sums, counter);
    *squares += rest * rest * ratio.chance * ratio.chance;
    *bias += rest * ratio.bias;
    if (counter == s->cycles)
      *bias += unlike(kernel->tail_cycles, kernel->tail_progress, ratio.value) + unseen(kernel, ratio.value);
  }
  if (counter == s->cycles)
    *bias += kernel->switching;
  if (kernel->whole > 0) {
    const double rest = (double)kernel->whole;
    const struct sl_ratio ratio = sl_window_sums_ratio(&kernel->launch_sums, counter);
    *squares += rest * rest * ratio.chance * ratio.chance;
  }
}

static void count_kernel(struct sl_sampled *sampled, const struct sl_sampled_kernel *kernel, size_t cycles)
{
  if (kernel->estimated == 0 && kernel->whole == 0)
    return;
  const struct sl_ratio ratio = sl_window_sums_ratio(&kernel->sums, cycles);
  sampled->windows += kernel->sums.windows;
  sampled->drifting += fabs(ratio.drift) > ratio.drift_chance;
  sampled->kernels++;
}

/* Computes the confidence intervals. Kernels are independent, so sampling errors add as squares; biases add
 * linearly. */
static void settle_bars(struct sl_device *device)
{
  struct sl_sampled *sampled = &device->result.sampled;
  const struct sl_sampler *s = &device->sampler;
  for (size_t i = 0; i < device->machine->counters->count; i++) {
    double squares = 0, bias = 0;
    for (size_t k = 0; k < device->sampled_kernel_count && !stays(device->machine, i); k++)
      add_bar(s, &device->sampled_kernels[k], i, &squares, &bias);
    sampled->bar[i] = sqrt(squares) + bias;
  }
  for (size_t k = 0; k < device->sampled_kernel_count; k++)
    count_kernel(sampled, &device->sampled_kernels[k], s->cycles);
}

/* Launches that were timed in part come first: the untimed ones use their rates. */
void sl_sampled_settle(struct sl_device *device)
{
  if (!device->options.sampling.wanted || device->result.sampled.settled)
    return;
  if (sl_sampled_by_launches(device)) {
    settle_whole(device);
    return;
  }
  device->result.sampled.settled = true;
  for (unsigned untimed = 0; untimed < 2; untimed++)
    for (size_t i = 0; i < device->result.launch_count; i++)
      if (device->launches[i].untimed == untimed)
        settle_launch(device, &device->launches[i]);
  settle_bars(device);
}

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
