#include "device/engine/block_sampling.h"

#include <math.h>
#include <stdlib.h>

#include "base/shuffle.h"
#include "device/engine/engine.h"
#include "device/engine/sampled_launches.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"
#include "machine/sm7/sm7_engine.h"
#include "machine/sm7/sm7_gpu.h"

enum {
  FIRST_ROUNDS = 2,
  WARM_ROUNDS = 2,
  REST_ROUNDS = WARM_ROUNDS + 3, /* after a skip: warm-up, window, and end; blocks end together, up to a round late */
  /* fractions of the blocks that have begun */
  SKIPPED_PART = 3,
  WINDOW_PART = 128, /* beyond a round */
  STEP_LEAST = 64,
  STEP_MOST = 4096,
  LOOKS = 128, /* per round, about */
  L2_FILLS = 2
};

static size_t counter_of(enum sl_counter_role role)
{
  size_t i = 0;
  while (sl_sm7_counters.counter[i].role != role)
    i++;
  return i;
}

static void note(const struct sl_block_sampler *s, struct sl_counter_values *values)
{
  const struct sl_sm7_totals totals = sl_sm7_gpu_totals(s->source.gpu);
  for (size_t i = 0; i < sl_sm7_counters.count; i++)
    values->of[i] = sl_sm7_counter(&totals, s->source.gpu->cycle, i);
}

/* Executed warp instructions of the launch, given the GPU's counters. */
static uint64_t executed(const struct sl_block_sampler *s, const struct sl_counter_values *now)
{
  const size_t i = counter_of(SL_COUNTER_WARP_INSTRUCTIONS);
  return now->of[i] - s->start.of[i] + s->skipped.warp_insns;
}

enum sl_status sl_block_sampler_open(struct sl_block_sampler **sampler, const struct sl_sampling_choice *choice,
                                     const struct sl_ptx_bounds *bounds, struct sl_error *err)
{
  const char *other = bounds->probes != NULL    ? "traces, profiles and checks"
                      : bounds->reached != NULL ? "checkpoints"
                                                : NULL;
  *sampler = NULL;
  if (!choice->wanted)
    return SL_OK;
  if (choice->plan.measured != 0)
    return sl_fail(err, SL_USAGE, "kernels in PTX are sampled by blocks; use --sample auto or auto,SEED");
  if (other != NULL)
    return sl_fail(err, SL_USAGE, "blocks that are not in the sample have no timing; leave out %s", other);
  *sampler = malloc(sizeof **sampler);
  if (*sampler == NULL)
    return sl_no_memory(err, sizeof **sampler);
  **sampler = (struct sl_block_sampler){.random = choice->plan.seed};
  return SL_OK;
}

/* Blocks of the current launch. */
struct progress {
  uint64_t all, begun, ended;
  uint64_t resident; /* that the GPU holds at a time */
};

static struct progress progress_of(const struct sl_block_sampler *s)
{
  const struct sl_sm7_gpu *g = s->source.gpu;
  return (struct progress){.all = g->blocks,
                           .begun = g->next_block,
                           .ended = g->next_block - g->running,
                           .resident = (uint64_t)g->occupancy.resident * g->sms};
}

void sl_block_sampler_begin(struct sl_block_sampler *s, const struct sl_block_source *source)
{
  s->source = *source;
  const struct progress blocks = progress_of(s);
  s->skipped = (struct sl_ptx_counts){.blocks = 0};
  s->sums = (struct sl_window_sums){.windows = 0};
  s->weight = 0;
  s->round = blocks.resident;
  s->phase = blocks.all >= SL_BLOCK_ROUNDS * s->round && !source->together ? SL_BLOCKS_FIRST : SL_BLOCKS_EXACT;
  s->goal = FIRST_ROUNDS * s->round;
  s->step = STEP_LEAST;
  s->drains = s->phase == SL_BLOCKS_FIRST && source->waits(source->context);
  note(s, &s->start);
}

static bool engine_waits(const void *engine)
{
  return sl_sm7_engine_waits(engine);
}

static enum sl_status engine_goes_on(void *engine, uint64_t until, struct sl_error *err)
{
  return sl_sm7_engine_go_on(engine, until, err);
}

static enum sl_status engine_skips(void *engine, uint64_t blocks, bool warms, struct sl_ptx_counts *counts,
                                   struct sl_error *err)
{
  return sl_sm7_engine_skip(engine, blocks, warms, counts, err);
}

void sl_block_sampler_begin_ptx(struct sl_block_sampler *s, struct sl_sm7_engine *engine)
{
  const struct sl_block_source source = {.gpu = engine->gpu,
                                         .before = &engine->before,
                                         .together = engine->bounds.probes != NULL,
                                         .context = engine,
                                         .waits = engine_waits,
                                         .go_on = engine_goes_on,
                                         .skip = engine_skips};
  sl_block_sampler_begin(s, &source);
}

static uint64_t within(uint64_t least, uint64_t value, uint64_t most)
{
  return value < least ? least : value > most ? most : value;
}

/* Blocks to skip: between half and 3/2 of the plan. 0: too few would be left for a window and the last round. A window
 * is a round or longer, because blocks of a round mostly begin and end together, so that shorter windows would see a
 * part of their way. */
static uint64_t draw(struct sl_block_sampler *s, const struct progress *blocks)
{
  const uint64_t planned = blocks->begun / SKIPPED_PART, rest = blocks->all / WINDOW_PART + REST_ROUNDS * s->round;
  const uint64_t skip = planned / 2 + sl_mixed(s->random++) % (planned + 1);
  return blocks->begun + s->round / 2 + rest > blocks->all ? 0 : within(1, skip, blocks->all - rest - blocks->begun);
}

/* The last of `count` blocks whose accesses fill L2 several times, by the accesses of those that were timed. */
static uint64_t warming(const struct sl_block_sampler *s, uint64_t count)
{
  const struct sl_sm7_spec *spec = &s->source.gpu->spec;
  const uint64_t sectors = (uint64_t)s->source.gpu->slices * spec->l2_sets * spec->l2_ways * SL_SM7_LINE_SECTORS;
  const struct sl_sm7_totals before = *s->source.before, now = sl_sm7_gpu_totals(s->source.gpu);
  const uint64_t accesses = now.l2_accesses - before.l2_accesses, blocks = now.sm.blocks - before.sm.blocks;
  const uint64_t enough = accesses > 0 ? L2_FILLS * sectors * blocks / accesses + 1 : 0;
  return enough < count ? enough : count;
}

static enum sl_status execute(struct sl_block_sampler *s, uint64_t count, struct sl_error *err)
{
  const uint64_t last = warming(s, count);
  enum sl_status code = SL_OK;
  if (count > last)
    code = s->source.skip(s->source.context, count - last, false, &s->skipped, err);
  return code == SL_OK && last > 0 ? s->source.skip(s->source.context, last, true, &s->skipped, err) : code;
}

/* Executes the next blocks without timing; at the end of the grid the rest is timed. */
static enum sl_status skip(struct sl_block_sampler *s, struct sl_error *err)
{
  const struct progress blocks = progress_of(s);
  const uint64_t count = draw(s, &blocks);
  s->source.gpu->hold = false;
  s->phase = count > 0 ? SL_BLOCKS_WARM : SL_BLOCKS_EXACT;
  s->goal = blocks.ended + count + WARM_ROUNDS * s->round;
  return count > 0 ? execute(s, count, err) : SL_OK;
}

static enum sl_status drain(struct sl_block_sampler *s, struct sl_error *err)
{
  if (!s->drains)
    return skip(s, err);
  s->phase = SL_BLOCKS_DRAIN;
  s->goal = progress_of(s).begun;
  s->source.gpu->hold = true;
  return SL_OK;
}

static enum sl_status end_first(struct sl_block_sampler *s, struct sl_error *err)
{
  note(s, &s->exact);
  s->end = s->exact;
  s->first = s->mark = executed(s, &s->exact);
  s->step = within(STEP_LEAST, s->source.gpu->cycle / (FIRST_ROUNDS * LOOKS), STEP_MOST);
  return drain(s, err);
}

/* The weight of the latest window is complete. */
static void add_window(struct sl_block_sampler *s)
{
  if (s->weight > 0)
    sl_window_sums_add(&s->sums, s->weight, &s->begin, &s->middle, &s->end, sl_sm7_counters.count,
                       counter_of(SL_COUNTER_WARP_INSTRUCTIONS));
  s->weight = 0;
}

static void enter(struct sl_block_sampler *s, enum sl_block_phase phase, struct sl_counter_values *values)
{
  note(s, values);
  s->phase = phase;
  const struct progress blocks = progress_of(s);
  s->goal = blocks.ended + (s->round + blocks.begun / WINDOW_PART) / 2 + 1;
}

/* Each of two windows stands for half of what is between them. */
static void begin_window(struct sl_block_sampler *s)
{
  struct sl_counter_values now;
  note(s, &now);
  const double between = (double)(executed(s, &now) - s->mark);
  const bool first = s->weight == 0;
  s->weight += first ? 0 : between / 2;
  add_window(s);
  s->weight = first ? between : between / 2;
  enter(s, SL_BLOCKS_EARLY, &s->begin);
}

static enum sl_status end_window(struct sl_block_sampler *s, struct sl_error *err)
{
  const size_t instructions = counter_of(SL_COUNTER_WARP_INSTRUCTIONS);
  note(s, &s->end);
  s->mark = executed(s, &s->end);
  s->weight += (double)(s->end.of[instructions] - s->begin.of[instructions]);
  return drain(s, err);
}

static enum sl_status next_phase(struct sl_block_sampler *s, struct sl_error *err)
{
  switch (s->phase) {
  case SL_BLOCKS_FIRST: return end_first(s, err);
  case SL_BLOCKS_DRAIN: return skip(s, err);
  case SL_BLOCKS_WARM: begin_window(s); return SL_OK;
  case SL_BLOCKS_EARLY: enter(s, SL_BLOCKS_LATE, &s->middle); return SL_OK;
  case SL_BLOCKS_LATE: return end_window(s, err);
  case SL_BLOCKS_EXACT: break;
  }
  return SL_OK;
}

enum sl_status sl_block_sampler_go_on(struct sl_block_sampler *s, uint64_t until, struct sl_error *err)
{
  enum sl_status code = SL_PAUSED;
  while (code == SL_PAUSED && s->phase != SL_BLOCKS_EXACT && s->source.gpu->cycle < until) {
    const uint64_t now = s->source.gpu->cycle, step = until - now < s->step ? until - now : s->step;
    code = s->source.go_on(s->source.context, now + step, err);
    if (code == SL_PAUSED && progress_of(s).ended >= s->goal) {
      const enum sl_status next = next_phase(s, err);
      code = next == SL_OK ? SL_PAUSED : next;
    }
  }
  return code == SL_PAUSED && s->source.gpu->cycle < until ? s->source.go_on(s->source.context, until, err) : code;
}

/* At the launch's end. If that comes before the latest window has ended, the windows before it stand for the rest. */
static void close_windows(struct sl_block_sampler *s)
{
  if (s->phase != SL_BLOCKS_EARLY && s->phase != SL_BLOCKS_LATE)
    add_window(s);
  if (s->phase == SL_BLOCKS_EXACT || s->skipped.blocks == 0)
    return;
  note(s, &s->end);
  s->mark = executed(s, &s->end);
}

/* Replaces a counter of the launch, of which `rest` warp instructions are estimated. */
static void estimate(struct sl_block_sampler *s, struct sl_launch *launch, size_t counter, double rest)
{
  const struct sl_ratio ratio = sl_window_sums_ratio(&s->sums, counter);
  const uint64_t between = s->end.of[counter] - s->exact.of[counter];
  launch->counters[counter] = launch->counters[counter] - between + (uint64_t)llround(ratio.value * rest);
  s->squares[counter] += rest * ratio.chance * rest * ratio.chance;
  s->biases[counter] += rest * ratio.bias;
}

static void estimate_all(struct sl_block_sampler *s, struct sl_launch *launch)
{
  const struct sl_sm7_totals skipped = {.sm = {.warp_instructions = s->skipped.warp_insns,
                                               .thread_instructions = s->skipped.thread_insns,
                                               .blocks = s->skipped.blocks}};
  for (size_t i = 0; i < sl_sm7_counters.count; i++) {
    const uint64_t also = sl_sm7_counter(&skipped, 0, i); /* the untimed mode counts it as well: it stays exact */
    if (also > 0)
      launch->counters[i] += also;
    else if (s->sums.windows > 0)
      estimate(s, launch, i, (double)(s->mark - s->first));
    s->total.bar[i] = sqrt(s->squares[i]) + s->biases[i];
  }
}

void sl_block_sampler_end(struct sl_block_sampler *s, struct sl_launch *launch, struct sl_ptx_counts *counts)
{
  struct sl_sampled *total = &s->total;
  close_windows(s);
  const uint64_t timed = launch->counters[counter_of(SL_COUNTER_WARP_INSTRUCTIONS)];
  const struct sl_ratio ratio = sl_window_sums_ratio(&s->sums, counter_of(SL_COUNTER_CYCLES));
  counts->warp_insns += s->skipped.warp_insns;
  counts->thread_insns += s->skipped.thread_insns;
  counts->blocks += s->skipped.blocks;
  total->settled = true;
  total->progress += timed + s->skipped.warp_insns;
  total->timed += timed;
  if (s->skipped.blocks == 0)
    return;
  estimate_all(s, launch);
  launch->estimated = s->mark - s->first;
  total->windows += s->sums.windows;
  total->drifting += fabs(ratio.drift) > ratio.drift_chance;
  total->kernels++;
}

double sl_block_sampler_bar(const struct sl_sampled *total, size_t counter, const struct sl_launch_sum *launches,
                            double timed)
{
  const double within = total->bar[counter];
  return hypot(launches->bar, within > 0 && timed > 0 ? within * launches->value / timed : within);
}

/* ---- RISC-V on sm7 --------------------------------------------------------------------------------------------- */

enum { SPAN = 1 << 24 /* instructions without timing between calls of the progress function */ };

static struct sl_sm7_device *sm7_of(const struct sl_device *device)
{
  return sl_sm7_device_of(device->sm);
}

static bool waits(const void *context)
{
  const struct sl_sm7_rv *rv = &sm7_of(context)->rv;
  return sl_sm7_rv_waits(&rv->code, sl_code_index(&rv->code, rv->entry));
}

/* What a run of the SM means to the sampler. The device reports the fault. */
static enum sl_status status_of(const struct sl_device *device, struct sl_error *err)
{
  switch (device->sm->state) {
  case SL_SM_DONE: return SL_OK;
  case SL_SM_FAULTED: return sl_fail(err, SL_FAULT, "%s: the kernel has a fault", device->name);
  default: return SL_PAUSED;
  }
}

static enum sl_status go_on(void *context, uint64_t until, struct sl_error *err)
{
  const struct sl_device *device = context;
  sl_engine_run(&sl_engine_timed, device->sm, until - sm7_of(device)->gpu->cycle);
  return status_of(device, err);
}

/* Whether the run goes on. If not, the device asks again and ends it. */
static bool goes_on(const struct sl_device *device)
{
  const struct sl_device_options *o = &device->options;
  return o->progress == NULL || o->progress(o->progress_context, device->sm_cycles);
}

static enum sl_status skip_blocks(void *context, uint64_t blocks, bool warms, struct sl_ptx_counts *counts,
                                  struct sl_error *err)
{
  const struct sl_device *device = context;
  struct sl_sm7_device *sm7 = sm7_of(device);
  if (!sl_sm7_turns_skip(sm7, blocks, warms))
    return sl_no_memory(err, sizeof *sm7->rv.warp);
  while (sl_engine_run(&sl_engine_stepwise, device->sm, SPAN) == SL_SM_RUNNING)
    if (!goes_on(device))
      return sl_fail(err, SL_LIMIT, "%s: the run was stopped", device->name);
  const enum sl_status code = status_of(device, err);
  if (code != SL_OK)
    return code;
  counts->warp_insns += sm7->steps.sm.warp_instructions;
  counts->thread_insns += sm7->steps.sm.thread_instructions;
  counts->blocks += sm7->steps.sm.blocks;
  sl_sm7_turns_resume(sm7);
  device->sm->state = SL_SM_RUNNING;
  return SL_OK;
}

/* The GPU begins the launch in its first cycle. With linear registers, blocks read registers that the SM has. */
static enum sl_sm_state begin(struct sl_device *device)
{
  const struct sl_machine_life *life = &device->machine->life;
  const struct sl_sm7_device *sm7 = sm7_of(device);
  life->set_timing(device->sm, true);
  life->run_cycles(device->sm, 0);
  const struct sl_block_source source = {.gpu = sm7->gpu,
                                         .before = &sm7->before,
                                         .together = sm7->rv.linear.chosen != NULL,
                                         .context = device,
                                         .waits = waits,
                                         .go_on = go_on,
                                         .skip = skip_blocks};
  if (device->sm->state == SL_SM_RUNNING)
    sl_block_sampler_begin(device->block_sampler, &source);
  return device->sm->state;
}

enum sl_sm_state sl_sampled_blocks_run(struct sl_device *device, uint64_t cycles)
{
  struct sl_block_sampler *s = device->block_sampler;
  if (s->source.gpu == NULL && begin(device) != SL_SM_RUNNING)
    return device->sm->state;
  const uint64_t before = s->source.gpu->cycle;
  struct sl_error err;
  const enum sl_status code = sl_block_sampler_go_on(s, before + cycles, &err);
  device->sm_cycles += s->source.gpu->cycle - before;
  if (code == SL_INTERNAL)
    device->memory.exhausted = true;
  return device->sm->state;
}

void sl_sampled_blocks_end(struct sl_device *device, struct sl_launch *launch)
{
  struct sl_block_sampler *s = device->block_sampler;
  struct sl_ptx_counts counts = {.blocks = 0};
  if (s == NULL || s->source.gpu == NULL || device->sm->state != SL_SM_DONE)
    return;
  sl_block_sampler_end(s, launch, &counts);
  s->source.gpu = NULL;
}

void sl_sampled_blocks_forget(struct sl_device *device)
{
  if (device->block_sampler != NULL)
    device->block_sampler->source.gpu = NULL;
}
