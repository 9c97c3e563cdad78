#include "machine/sm7/sm7_engine.h"

#include <stdlib.h>

#include "base/livelock.h"
#include "machine/sm7/sm7_lower.h"
#include "machine/sm7/sm7_ptx.h"
#include "ptx/run/ptx_execute.h"

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
  engine->shared = engine->threads;
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
  e->shared = e->threads;
  e->broken = false;
  return SL_OK;
}

void sl_sm7_engine_close(struct sl_sm7_engine *engine)
{
  for (size_t i = 0; engine->kept && i < (size_t)engine->gpu->sms * SL_SM7_MAX_BLOCKS; i++)
    sl_ptx_block_free(&engine->kept[i]);
  free(engine->kept);
  sl_sm7_gpu_destroy(engine->gpu);
}

static void launch_archive(void *engine, struct sl_archive *archive)
{
  struct sl_sm7_engine *e = engine;
  SL_ARCHIVE(archive, e->before);
  sl_sm7_ptx_archive(archive, &e->program);
  if (!archive->bad)
    sl_sm7_gpu_archive(archive, e->gpu, true);
}

/* The next cycle to pause at, to check whether to continue. */
static uint64_t next_stop(const struct sl_sm7_engine *e, uint64_t limit)
{
  const uint64_t now = e->gpu->cycle, check = sl_livelock_next(now);
  uint64_t next = limit - now > ASK_EVERY ? now + ASK_EVERY : limit;
  next = check < next ? check : next;
  return e->reached - e->cycles < next ? e->reached - e->cycles : next;
}

static enum sl_status run_within_bounds(struct sl_sm7_engine *e, uint64_t until)
{
  const struct sl_ptx_bounds *b = &e->bounds;
  enum sl_status code = SL_PAUSED;
  const struct sl_ptx_under_way launch = {.archive = launch_archive, .launch = e};
  while (code == SL_PAUSED && e->gpu->cycle < until) {
    if (b->goes_on != NULL && !b->goes_on(b->context))
      return SL_STOPPED;
    if (e->reached <= e->cycles + e->gpu->cycle &&
        !b->reached(b->context, &launch, e->cycles + e->gpu->cycle, &e->reached))
      return SL_STOPPED;
    const uint64_t check = sl_livelock_next(e->gpu->cycle);
    code = sl_sm7_gpu_run(e->gpu, next_stop(e, until));
    if (code == SL_PAUSED && sl_probes_stopped(b->probes))
      return SL_STOPPED;
    if (code == SL_PAUSED && e->gpu->cycle == check && sl_sm7_ptx_is_livelocked(&e->program, e->gpu))
      code = SL_FAULT;
  }
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

static void tell_launch(const struct sl_sm7_engine *e, enum sl_probe_kind kind)
{
  const struct sl_ptx_event event = {.probes = e->bounds.probes, .cycle = e->gpu->cycle, .launch = e->bounds.launch};
  if (e->bounds.probes != NULL)
    sl_ptx_report_launch(&event, kind, e->program.launch);
}

/* The launch begins on the GPU, or is restored. */
static enum sl_status start(struct sl_sm7_engine *e, struct sl_error *err)
{
  const struct sl_sm7_front front = sl_sm7_ptx_front(&e->program);
  enum sl_status code = sl_sm7_gpu_launch(e->gpu, &front, &e->demand, err);
  if (code != SL_OK)
    return code;
  e->broken = e->launched = true;
  e->reached = e->bounds.reached != NULL ? 0 : UINT64_MAX;
  if (e->bounds.restores != NULL) {
    launch_archive(e, e->bounds.restores);
    code = sl_ptx_restored(e->bounds.restores, err);
  }
  if (code != SL_OK || e->bounds.probes == NULL)
    return code;
  e->observation = (struct sl_sm7_observation){.probes = e->bounds.probes,
                                               .launch = e->bounds.launch,
                                               .warps = e->gpu->spec.warps,
                                               .scale = 1,
                                               .entry = e->launch.kernel->begin};
  e->program.observation = &e->observation;
  tell_launch(e, SL_PROBE_LAUNCHED);
  return sl_sm7_gpu_observe(e->gpu, &e->observation, err);
}

/* Events come from one host thread. */
static enum sl_status choose_threads(struct sl_sm7_engine *e, struct sl_error *err)
{
  const unsigned threads = e->bounds.probes != NULL ? 1 : e->threads;
  if (threads == e->shared)
    return SL_OK;
  e->shared = threads;
  return sl_sm7_gpu_share(e->gpu, threads, err);
}

static enum sl_status make_program(struct sl_sm7_engine *e, struct sl_error *err)
{
  enum sl_status code = sl_sm7_ptx_open(&e->program, &e->launch, e->kept, e->gpu->sms, e->gpu->parts > 1, err);
  e->program.updates = e->gpu->spec.linear_ur;
  e->program.fragments = e->gpu->spec.shared_fragments;
  if (code == SL_OK && e->launch.linear != NULL)
    sl_sm7_linear_facts(e->program.code, &e->launch, e->gpu->spec.linear_add + e->gpu->spec.linear_id);
  if (code == SL_OK)
    e->program.lowered = sl_sm7_lower(&e->gpu->spec, e->launch.module, e->program.code, NULL);
  for (uint32_t pc = 0; code == SL_OK && pc < e->launch.module->code_count; pc++)
    sl_sm7_choose_unit(&e->gpu->spec, &e->program.code[pc]);
  if (code == SL_OK)
    code = sl_sm7_oracle_ask(&e->program.oracle, &e->gpu->spec, &e->launch, &e->bounds, err);
  return code;
}

enum sl_status sl_sm7_engine_begin(struct sl_sm7_engine *e, const struct sl_ptx_launch *original, struct sl_error *err)
{
  e->launch = *original;
  e->demand = sl_sm7_ptx_demand(&e->launch, e->registers ? e->registers : e->launch.regs_per_thread);
  e->program = (struct sl_sm7_ptx){0};
  e->linear = NULL;
  e->launched = false;
  e->before = sl_sm7_gpu_totals(e->gpu);
  enum sl_status code = renew(e, err);
  if (code == SL_OK)
    code = choose_threads(e, err);
  if (code != SL_OK)
    return code;
  e->before = sl_sm7_gpu_totals(e->gpu);
  code = sl_sm7_linear_choose(&e->gpu->spec, &e->launch, &e->demand, &e->linear, err);
  if (code == SL_OK)
    code = sl_sm7_linear_shadow(&e->gpu->spec, &e->launch, original, &e->bounds, err);
  if (code == SL_OK)
    code = make_program(e, err);
  return code == SL_OK ? start(e, err) : code;
}

enum sl_status sl_sm7_engine_go_on(struct sl_sm7_engine *e, uint64_t until, struct sl_error *err)
{
  const char *name = e->launch.kernel->name;
  const uint64_t limit = e->bounds.limit ? e->bounds.limit : UINT64_MAX;
  const enum sl_status code =
      sl_probes_stopped(e->bounds.probes) ? SL_STOPPED : run_within_bounds(e, until < limit ? until : limit);
  if (code == SL_OK) {
    e->broken = false;
    tell_launch(e, SL_PROBE_ENDED);
  }
  if (code == SL_FAULT)
    return sl_sm7_ptx_fault(&e->program, err);
  if (code == SL_STOPPED)
    return sl_fail(err, SL_STOPPED, "kernel %s was stopped", name);
  if (code == SL_PAUSED && e->gpu->cycle >= limit)
    return sl_fail(
        err, SL_LIMIT,
        "kernel %s has not ended after %llu cycles; allow more with --max-cycles, or in a host program with MAX_CYCLES",
        name, (unsigned long long)e->bounds.limit);
  return code == SL_INTERNAL ? sl_no_memory(err, sizeof(struct sl_sm7_load)) : code;
}

void sl_sm7_engine_end(struct sl_sm7_engine *e, struct sl_ptx_counts *counts)
{
  sl_sm7_gpu_observe_no_more(e->gpu);
  if (e->launched)
    count(e, counts);
  e->launched = false;
  sl_sm7_oracle_free(e->program.oracle);
  if (e->program.block != NULL)
    sl_sm7_ptx_close(&e->program);
  e->program = (struct sl_sm7_ptx){0};
  sl_ptx_linear_free(e->linear);
  e->linear = NULL;
}

bool sl_sm7_engine_waits(const struct sl_sm7_engine *e)
{
  const struct sl_ptx_module *m = e->launch.module;
  bool waits = false;
  for (uint32_t pc = 0; pc < m->code_count && !waits; pc++) {
    const struct sl_ptx_insn *in = &m->code[pc];
    const bool outside = in->space != SL_PTX_SHARED && (in->order & SL_PTX_IN_BLOCK) == 0;
    waits = outside && ((in->kind == SL_PTX_K_ATOMIC && in->dsts > 0) ||
                        (in->kind == SL_PTX_K_LOAD && (in->order & (SL_PTX_STRONG | SL_PTX_VOLATILE)) != 0));
  }
  return waits;
}

static bool visit(void *gpu, const struct sl_probe *p)
{
  const struct sl_ptx_effect *e = p->ptx_effect;
  if (e->space == SL_PTX_GLOBAL)
    sl_sm7_gpu_visit(gpu, &(struct sl_sm7_visit){.block = p->block->index,
                                                 .grid = p->block->grid,
                                                 .active = e->active,
                                                 .address = e->address,
                                                 .bytes = e->bytes,
                                                 .write = p->access != SL_PROBE_LOAD});
  return true;
}

struct sl_probes sl_sm7_engine_warms(struct sl_sm7_engine *e)
{
  return (struct sl_probes){.wanted = SL_PROBE_ACCESSED, .tell = visit, .context = e->gpu};
}

enum sl_status sl_sm7_engine_skip(struct sl_sm7_engine *e, uint64_t blocks, bool warms, struct sl_ptx_counts *counts,
                                  struct sl_error *err)
{
  struct sl_sm7_gpu *g = e->gpu;
  struct sl_probes probes = sl_sm7_engine_warms(e);
  struct sl_ptx_apart apart = {.at = NULL};
  bool *free_ones = NULL;
  const struct sl_ptx_bounds bounds = {.goes_on = e->bounds.goes_on,
                                       .context = e->bounds.context,
                                       .probes = warms ? &probes : NULL,
                                       .first = g->next_block,
                                       .end = g->next_block + blocks,
                                       .apart = &apart};
  struct sl_ptx_grid *grid = NULL;
  enum sl_status code = sl_sm7_find_free(&g->spec, e->launch.module, &free_ones, err);
  apart.at = free_ones;
  if (code == SL_OK)
    code = sl_ptx_grid_open(&grid, &e->launch, &bounds, counts, err);
  if (code == SL_OK)
    code = sl_ptx_grid_go_on(grid, UINT64_MAX, err);
  if (code == SL_FAULT) {
    e->program.sm[0].fault = sl_ptx_grid_fault(grid);
    e->program.sm[0].faulted = true;
  }
  sl_ptx_grid_close(grid);
  free(free_ones);
  counts->warp_insns -= apart.warp_insns;
  counts->thread_insns -= apart.thread_insns;
  g->next_block += blocks;
  return code;
}

static enum sl_status run(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                          struct sl_error *err)
{
  struct sl_sm7_engine *e = context;
  enum sl_status code = sl_sm7_engine_begin(e, launch, err);
  if (code == SL_OK)
    code = sl_sm7_engine_go_on(e, UINT64_MAX, err);
  sl_sm7_engine_end(e, counts);
  return code;
}

void sl_sm7_engine_copied(struct sl_sm7_engine *e, uint64_t address, uint64_t bytes)
{
  if (!e->launched && renew(e, &(struct sl_error){0}) == SL_OK) /* otherwise the next grid fails */
    sl_sm7_gpu_copy(e->gpu, address, bytes);
}

static void copied(void *context, uint64_t address, uint64_t bytes)
{
  sl_sm7_engine_copied(context, address, bytes);
}

void sl_sm7_engine_archive(struct sl_archive *t, struct sl_sm7_engine *e)
{
  SL_ARCHIVE(t, e->cycles);
  SL_ARCHIVE_NUMBER(t, e->broken, 1);
  if (!t->bad && !e->broken) /* else the next launch gets a new GPU */
    sl_sm7_gpu_archive(t, e->gpu, false);
}

/* The GPUs change places. */
void sl_sm7_engine_take(struct sl_sm7_engine *e, struct sl_sm7_engine *fresh)
{
  struct sl_sm7_gpu *gpu = e->gpu;
  e->gpu = fresh->gpu;
  e->shared = fresh->shared;
  e->cycles = fresh->cycles;
  e->broken = fresh->broken;
  fresh->gpu = gpu;
}

struct sl_ptx_engine sl_sm7_ptx_engine(struct sl_sm7_engine *engine)
{
  return (struct sl_ptx_engine){.run = run, .copied = copied, .context = engine};
}
