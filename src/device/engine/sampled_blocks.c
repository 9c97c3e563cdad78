#include "device/engine/sampled_launches.h"

#include "device/engine/block_sampling.h"
#include "device/engine/engine.h"
#include "machine/sm7/riscv/sm7_rv_flow.h"
#include "machine/sm7/sm7_turns.h"

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

static enum sl_status skip(void *context, uint64_t blocks, bool warms, struct sl_ptx_counts *counts,
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
                                         .skip = skip};
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
