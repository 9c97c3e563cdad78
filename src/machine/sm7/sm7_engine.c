#include "machine/sm7/sm7_engine.h"

#include <stdlib.h>

#include "base/livelock.h"
#include "machine/sm7/sm7_gpu_archive.h"
#include "machine/sm7/sm7_linear.h"
#include "machine/sm7/sm7_oracle.h"
#include "machine/sm7/sm7_ptx.h"
#include "machine/sm7/sm7_ptx_archive.h"

enum { ASK_EVERY = 4096 /* cycles */ };

static enum sl_status make_gpu(struct sl_sm7_gpu **gpu, const struct sl_sm7_spec *spec, unsigned threads,
                               struct sl_error *err)
{
  enum sl_status status = sl_sm7_gpu_create(gpu, spec, err);
  if (status != SL_OK)
    return status;
  status = sl_sm7_gpu_share(*gpu, threads, err);
  if (status != SL_OK) {
    sl_sm7_gpu_destroy(*gpu);
    *gpu = NULL;
  }
  return status;
}

enum sl_status sl_sm7_engine_open(struct sl_sm7_engine *engine, const struct sl_sm7_spec *spec, unsigned threads,
                                  struct sl_error *err)
{
  /* Eliminated instructions execute at once, which would race with SMs that are simulated in parallel. */
  *engine = (struct sl_sm7_engine){.threads = spec->oracle ? 1 : threads};
  const enum sl_status status = make_gpu(&engine->gpu, spec, engine->threads, err);
  if (status != SL_OK)
    return status;
  engine->kept = calloc((size_t)engine->gpu->sms * SL_SM7_MAX_BLOCKS, sizeof *engine->kept);
  return engine->kept ? SL_OK : sl_no_memory(err, engine->gpu->sms * SL_SM7_MAX_BLOCKS * sizeof *engine->kept);
}

/* After a grid that did not end, a new GPU replaces the one in the middle of it. */
static enum sl_status renew(struct sl_sm7_engine *e, struct sl_error *err)
{
  struct sl_sm7_gpu *fresh = NULL;
  if (!e->broken)
    return SL_OK;
  const enum sl_status status = make_gpu(&fresh, &e->gpu->spec, e->threads, err);
  if (status != SL_OK)
    return status;
  sl_sm7_gpu_destroy(e->gpu);
  e->gpu = fresh;
  e->broken = false;
  return SL_OK;
}

void sl_sm7_engine_close(struct sl_sm7_engine *engine)
{
  for (size_t i = 0; engine->kept && i < (size_t)engine->gpu->sms * SL_SM7_MAX_BLOCKS; i++)
    sl_ptx_block_free(&engine->kept[i]);
  free(engine->kept);
  sl_sm7_gpu_destroy(engine->gpu);
  free(engine->slots);
}

static void launch_archive(void *engine, struct sl_archive *archive)
{
  struct sl_sm7_engine *e = engine;
  SL_ARCHIVE(archive, e->before);
  sl_sm7_ptx_archive(archive, e->program);
  if (!archive->bad)
    sl_sm7_gpu_archive(archive, e->gpu, true);
}

/* The next cycle to pause at, to check whether to continue. */
static uint64_t next_stop(const struct sl_sm7_engine *e, uint64_t limit, uint64_t reached)
{
  const uint64_t now = e->gpu->cycle, check = (now / SL_LIVELOCK_PERIOD + 1) * SL_LIVELOCK_PERIOD;
  uint64_t next = limit - now > ASK_EVERY ? now + ASK_EVERY : limit;
  next = check < next ? check : next;
  return reached - e->cycles < next ? reached - e->cycles : next;
}

static enum sl_status run_within_bounds(struct sl_sm7_engine *e)
{
  const struct sl_ptx_bounds *b = &e->bounds;
  const uint64_t limit = b->limit ? b->limit : UINT64_MAX;
  enum sl_status code = SL_PAUSED;
  uint64_t reached = b->reached != NULL ? 0 : UINT64_MAX;
  const struct sl_ptx_under_way launch = {.archive = launch_archive, .launch = e};
  while (code == SL_PAUSED && e->gpu->cycle < limit) {
    if (b->goes_on != NULL && !b->goes_on(b->context))
      return SL_STOPPED;
    if (reached <= e->cycles + e->gpu->cycle && !b->reached(b->context, &launch, e->cycles + e->gpu->cycle, &reached))
      return SL_STOPPED;
    code = sl_sm7_gpu_run(e->gpu, next_stop(e, limit, reached));
    if (code == SL_PAUSED && e->gpu->cycle % SL_LIVELOCK_PERIOD == 0 && sl_sm7_ptx_is_livelocked(e->program, e->gpu))
      code = SL_FAULT;
  }
  return code;
}

static void add_slots(struct sl_sm7_slots *sum, const struct sl_sm7_slots *more)
{
  sum->thread_instructions += more->thread_instructions;
  for (unsigned c = 0; c < SL_SM7_STALL_REASONS; c++)
    sum->cause[c] += more->cause[c];
}

/* Runs, and adds to the slots by instruction. */
static enum sl_status run_watched(struct sl_sm7_engine *e, const struct sl_sm7_front *front)
{
  const size_t rows = (size_t)front->count + 1;
  struct sl_sm7_slots *slots = calloc(e->gpu->sms * rows, sizeof *slots);
  if (e->slots == NULL) {
    e->slots = calloc(rows, sizeof *e->slots);
    e->instructions = front->count;
  }
  if (slots == NULL || e->slots == NULL) {
    free(slots);
    return SL_INTERNAL;
  }
  sl_sm7_gpu_watch(e->gpu, slots, front->count);
  const enum sl_status code = run_within_bounds(e);
  sl_sm7_gpu_watch(e->gpu, NULL, 0);
  for (size_t i = 0; i < e->gpu->sms * rows; i++)
    add_slots(&e->slots[i % rows], &slots[i]);
  free(slots);
  return code;
}

static void count(struct sl_sm7_engine *e, struct sl_ptx_counts *counts)
{
  const struct sl_sm7_totals *before = &e->before;
  const struct sl_sm7_totals after = sl_sm7_gpu_totals(e->gpu);
  counts->warp_insns += after.sm.warp_instructions - before->sm.warp_instructions;
  counts->thread_insns += after.sm.thread_instructions - before->sm.thread_instructions;
  counts->blocks += after.sm.blocks - before->sm.blocks;
  counts->cycles += e->gpu->cycle;
  e->cycles += e->gpu->cycle;
}

static enum sl_status simulate(struct sl_sm7_engine *e, struct sl_sm7_ptx *program, const struct sl_sm7_demand *demand,
                               struct sl_ptx_counts *counts, struct sl_error *err)
{
  const struct sl_sm7_front front = sl_sm7_ptx_front(program);
  enum sl_status code = sl_sm7_gpu_launch(e->gpu, &front, demand, err);
  if (code != SL_OK)
    return code;
  e->program = program;
  e->broken = true;
  if (e->bounds.restores != NULL) {
    launch_archive(e, e->bounds.restores);
    code = sl_ptx_restored(e->bounds.restores, err);
  }
  if (code != SL_OK)
    return code;
  code = e->watches ? run_watched(e, &front) : run_within_bounds(e);
  e->program = NULL;
  e->broken = code != SL_OK;
  count(e, counts);
  if (code == SL_FAULT)
    return sl_sm7_ptx_fault(program, err);
  if (code == SL_STOPPED)
    return sl_fail(err, SL_STOPPED, "kernel %s was stopped", program->launch->kernel->name);
  if (code == SL_PAUSED)
    return sl_fail(err, SL_LIMIT, "kernel %s has not ended after %llu cycles; allow more with --max-cycles",
                   program->launch->kernel->name, (unsigned long long)e->bounds.limit);
  return code == SL_INTERNAL ? sl_no_memory(err, sizeof(struct sl_sm7_load)) : code;
}

static enum sl_status run(void *context, const struct sl_ptx_launch *original, struct sl_ptx_counts *counts,
                          struct sl_error *err)
{
  struct sl_sm7_engine *e = context;
  struct sl_ptx_launch launch = *original;
  struct sl_sm7_demand demand = sl_sm7_ptx_demand(&launch, e->registers ? e->registers : launch.regs_per_thread);
  struct sl_sm7_ptx program;
  struct sl_ptx_linear *linear;
  e->before = sl_sm7_gpu_totals(e->gpu);
  enum sl_status code = renew(e, err);
  if (code != SL_OK)
    return code;
  e->before = sl_sm7_gpu_totals(e->gpu);
  code = sl_sm7_linear_choose(&e->gpu->spec, &launch, &demand, &linear, err);
  if (code == SL_OK)
    code = sl_sm7_linear_shadow(&e->gpu->spec, &launch, original, &e->bounds, err);
  if (code == SL_OK) {
    code = sl_sm7_ptx_open(&program, &launch, e->kept, e->gpu->sms, e->gpu->parts > 1, err);
    program.bounds = &e->bounds;
    program.updates = e->gpu->spec.linear_ur;
    if (code == SL_OK && launch.linear != NULL)
      sl_sm7_linear_facts(program.code, &launch, e->gpu->spec.linear_add + e->gpu->spec.linear_id);
    if (code == SL_OK)
      code = sl_sm7_oracle_ask(&program.oracle, &e->gpu->spec, &launch, &e->bounds, err);
    if (code == SL_OK)
      code = simulate(e, &program, &demand, counts, err);
    sl_sm7_oracle_free(program.oracle);
    sl_sm7_ptx_close(&program);
  }
  sl_ptx_linear_free(linear);
  return code;
}

static void copied(void *context, uint64_t address, uint64_t bytes)
{
  struct sl_sm7_engine *e = context;
  if (renew(e, &(struct sl_error){0}) == SL_OK) /* otherwise the next grid fails */
    sl_sm7_gpu_copy(e->gpu, address, bytes);
}

struct sl_ptx_engine sl_sm7_ptx_engine(struct sl_sm7_engine *engine)
{
  return (struct sl_ptx_engine){.run = run, .copied = copied, .context = engine};
}
