/* GPUs for PTX: the memory of ptx/run/ptx_memory.h, the timed engine of the machine sm7, and execution without timing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "device/engine/block_sampling.h"
#include "device/gpu_kind.h"
#include "machine/sm7/sm7_engine.h"
#include "machine/sm7/sm7_gpu.h"
#include "machine/sm7/sm7_lower.h"
#include "machine/sm7/sm7_ptx.h"
#include "ptx/ptx.h"
#include "ptx/run/ptx_grid.h"

/* Limits of a launch on compute capability 7.0. Source: CUDA C Programming Guide, "Compute Capabilities". */
/* The current launch. */
struct ptx_launch {
  struct sl_ptx_launch launch;
  struct sl_ptx_counts counts;
  uint64_t before; /* cycles of the engine at its begin */
  /* without timing: */
  struct sl_ptx_launch chosen; /* with linear registers, if the keys select them */
  struct sl_ptx_linear *linear;
  struct sl_ptx_grid *grid;
  struct sl_ptx_spared spared;
  struct sl_ptx_apart apart; /* next to timed launches: what they count apart */
  bool *free_ones;           /* of it */
  struct sl_ptx_fault fault;
};

struct ptx_gpu {
  struct sl_ptx_memory memory;
  struct sl_sm7_engine engine;      /* with timing */
  struct sl_block_sampler *sampler; /* NULL: whole launches are timed */
  struct sl_ptx_bounds bounds;
  struct sl_probes warms; /* of launches without timing between timed ones */
  struct sl_archive *restores;
  struct ptx_launch now;
  uint64_t code, functions; /* instructions and functions of all modules */
};

static struct ptx_gpu *state_of(const struct sl_gpu *gpu)
{
  return gpu->state;
}

static const struct sl_sm7_spec *spec_of(const struct sl_gpu *gpu)
{
  return gpu->config->spec;
}

/* ---- callbacks of a launch --------------------------------------------------------------------------------------- */

static uint64_t elapsed(const struct sl_gpu *gpu)
{
  const struct ptx_gpu *s = state_of(gpu);
  return gpu->options.fast || gpu->options.engine != NULL
             ? s->now.counts.warp_insns
             : s->engine.cycles + s->engine.gpu->cycle * s->engine.launched - s->now.before;
}

static bool goes_on(void *context)
{
  struct sl_gpu *g = context;
  return g->options.progress == NULL || g->options.progress(g->options.context, sl_gpu_elapsed(g));
}

static bool reached(void *context, const struct sl_ptx_under_way *launch, uint64_t now, uint64_t *next)
{
  const struct sl_gpu *g = context;
  return g->options.bounds.reached(g->options.bounds.context, launch, now, next);
}

static struct sl_ptx_bounds bounds_of(struct sl_gpu *g)
{
  const struct sl_ptx_bounds *own = &g->options.bounds;
  return (struct sl_ptx_bounds){.limit = g->options.limit,
                                .goes_on = goes_on,
                                .reached = own->reached != NULL ? reached : NULL,
                                .probes = own->probes,
                                .order = own->order,
                                .launch = (unsigned)g->launches - 1,
                                .before = g->elapsed,
                                .context = g};
}

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static enum sl_status ptx_open(struct sl_gpu *g, struct sl_error *err)
{
  struct ptx_gpu *s = g->state = calloc(1, sizeof *s);
  if (s == NULL)
    return sl_no_memory(err, sizeof *s);
  const enum sl_status code = sl_ptx_memory_init(&s->memory, NULL, err);
  s->memory.checked = g->options.checked;
  if (code != SL_OK || g->options.fast || g->options.engine != NULL)
    return code;
  const enum sl_status opened =
      sl_sm7_engine_open(&s->engine, g->config->spec, g->options.threads > 0 ? g->options.threads : 1, err);
  s->engine.registers = g->options.registers;
  return opened == SL_OK ? sl_block_sampler_open(&s->sampler, &g->options.sampling, &g->options.bounds, err) : opened;
}

static void ptx_close(struct sl_gpu *g)
{
  struct ptx_gpu *s = state_of(g);
  if (s == NULL)
    return;
  if (s->engine.gpu != NULL)
    sl_sm7_engine_close(&s->engine);
  sl_ptx_memory_free(&s->memory);
  free(s->sampler);
  free(s);
}

static struct sl_gpu_facts ptx_facts(const struct sl_gpu *g)
{
  return sl_gpu_ptx_facts(g, &state_of(g)->memory.buffers);
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

static enum sl_status ptx_load(struct sl_gpu *g, struct sl_gpu_module *module, const void *bytes, size_t size,
                               struct sl_error *err)
{
  struct ptx_gpu *s = state_of(g);
  struct sl_ptx_options options = sl_ptx_memory_options(&s->memory, spec_of(g)->fma == SL_SM7_UNFUSED);
  if (module->program != NULL)
    return sl_fail(err, SL_USAGE, "%.300s: it is a RISC-V program, but %s executes PTX here; choose machine code",
                   module->name, g->config->name);
  options.gaps = g->options.checked;
  sl_sm7_lower_text(spec_of(g), &options);
  options.code = s->code;
  options.functions = s->functions;
  module->hash = XXH3_64bits(bytes, size);
  enum sl_status code = sl_ptx_parse(&module->ptx, bytes, size, module->name, &options, err);
  if (code == SL_OK)
    code = sl_ptx_memory_add(&s->memory, module->ptx, err);
  if (code == SL_OK)
    s->code += module->ptx->code_count, s->functions += module->ptx->function_count;
  return code;
}

static void ptx_unload(struct sl_gpu_module *module)
{
  if (module->ptx != NULL)
    sl_ptx_free(module->ptx);
}

static bool ptx_kernel(const struct sl_gpu_module *module, const char *name, struct sl_gpu_kernel *kernel)
{
  const struct sl_ptx_function *f = sl_ptx_entry(module->ptx, name);
  if (f == NULL)
    return false;
  kernel->name = f->name;
  kernel->parameter_count = f->param_count;
  for (unsigned i = 0; i < f->param_count && i < SL_GPU_PARAMETERS; i++) {
    struct sl_gpu_parameter *p = &kernel->parameter[i];
    snprintf(p->name, sizeof p->name, "%.*s", (int)sizeof p->name - 1, f->params[i].name);
    p->offset = f->params[i].offset;
    p->bytes = f->params[i].bytes;
  }
  kernel->parameter_bytes = f->param_bytes;
  kernel->described = true;
  kernel->shared_bytes = f->shared_bytes - f->shared_gaps;
  kernel->local_bytes = f->local_bytes;
  kernel->registers = f->regs_per_thread;
  kernel->max_threads = f->max_threads > 0 && f->max_threads < SL_GPU_PTX_THREADS ? f->max_threads : SL_GPU_PTX_THREADS;
  memcpy(kernel->block, f->block, sizeof kernel->block);
  return true;
}

static const struct sl_ptx_variable *find_variable(const struct sl_gpu_module *module, const char *name)
{
  for (unsigned i = 0; i < module->ptx->variable_count; i++)
    if (strcmp(module->ptx->variables[i].name, name) == 0)
      return &module->ptx->variables[i];
  return NULL;
}

static bool ptx_symbol(const struct sl_gpu_module *module, const char *name, struct sl_gpu_symbol *symbol)
{
  const struct sl_ptx_variable *v = find_variable(module, name);
  if (v == NULL)
    return false;
  *symbol = (struct sl_gpu_symbol){.space = v->space == SL_PTX_CONST ? SL_GPU_CONSTANT : SL_GPU_GLOBAL,
                                   .address = v->address,
                                   .bytes = v->bytes,
                                   .texture = v->texture};
  return true;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* Notifies the observer of a buffer, between launches. */
static void tell_buffer(const struct sl_gpu *g, enum sl_probe_kind kind, uint64_t address, uint64_t bytes)
{
  const struct sl_probe probe = {.kind = kind, .launch = (unsigned)g->launches, .buffer = address, .bytes = bytes};
  if (g->options.bounds.probes != NULL)
    sl_tell(g->options.bounds.probes, &probe);
}

static enum sl_status ptx_alloc(struct sl_gpu *g, uint64_t bytes, uint64_t *address, struct sl_error *err)
{
  const enum sl_status code = sl_ptx_memory_allocate(&state_of(g)->memory, bytes, address, err);
  if (code == SL_OK)
    tell_buffer(g, SL_PROBE_ALLOCATED, *address, bytes);
  return code;
}

static enum sl_status ptx_place(struct sl_gpu *gpu, uint64_t address, uint64_t bytes, struct sl_error *err)
{
  const enum sl_status code = sl_ptx_memory_place(&state_of(gpu)->memory, address, bytes, err);
  if (code == SL_OK)
    tell_buffer(gpu, SL_PROBE_ALLOCATED, address, bytes);
  return code;
}

static enum sl_status ptx_release(struct sl_gpu *g, uint64_t address, struct sl_error *err)
{
  const struct sl_range *range = sl_allocator_buffer(&state_of(g)->memory.buffers, address);
  const uint64_t bytes = range != NULL ? range->end - range->first : 0;
  const enum sl_status code = sl_ptx_memory_release(&state_of(g)->memory, address, err);
  if (code == SL_OK)
    tell_buffer(g, SL_PROBE_FREED, address, bytes);
  return code;
}

static const struct sl_range *ptx_buffer(const struct sl_gpu *g, uint64_t address)
{
  return sl_allocator_nearest(&state_of(g)->memory.buffers, address);
}

static const struct sl_allocator *ptx_buffers(const struct sl_gpu *g)
{
  return &state_of(g)->memory.buffers;
}

static uint8_t *contents(const struct sl_gpu *g, enum sl_gpu_space space, uint64_t address, uint64_t size)
{
  const struct sl_ptx_memory *m = &state_of(g)->memory;
  if (space == SL_GPU_GLOBAL)
    return sl_ptx_memory_at(m, address, size);
  return address < m->constants.bytes && size <= m->constants.bytes - address ? m->constants.data + address : NULL;
}

/* A buffer's memory extends to a multiple of 256 bytes. */
static bool ptx_mapped(const struct sl_gpu *g, enum sl_gpu_space space, uint64_t address, uint64_t size)
{
  return contents(g, space, address, size) != NULL;
}

static void ptx_write(struct sl_gpu *g, enum sl_gpu_space space, uint64_t address, const void *bytes, size_t size,
                      bool from_host)
{
  struct ptx_gpu *s = state_of(g);
  memcpy(contents(g, space, address, size), bytes, size);
  if (space == SL_GPU_GLOBAL)
    tell_buffer(g, SL_PROBE_WRITTEN, address, size);
  if (space != SL_GPU_GLOBAL || !from_host)
    return;
  if (g->options.engine != NULL && g->options.engine->copied != NULL)
    g->options.engine->copied(g->options.engine->context, address, size);
  else if (s->engine.gpu != NULL)
    sl_sm7_engine_copied(&s->engine, address, size);
}

static void ptx_read(const struct sl_gpu *g, enum sl_gpu_space space, uint64_t address, void *bytes, size_t size)
{
  memcpy(bytes, contents(g, space, address, size), size);
}

static const uint8_t *ptx_map(struct sl_gpu *g, uint64_t address, size_t *size)
{
  return contents(g, SL_GPU_GLOBAL, address, *size);
}

static enum sl_status ptx_bind(struct sl_gpu *g, const struct sl_gpu_module *module, const char *name,
                               const struct sl_ptx_texture *texture, struct sl_error *err)
{
  const struct sl_ptx_variable *v = find_variable(module, name);
  if (v == NULL || !v->texture)
    return sl_fail(err, SL_USAGE, "%.200s has no .texref variable '%.100s'", module->name, name);
  return sl_ptx_memory_bind(&state_of(g)->memory, v->address, texture, err);
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

static const struct sl_gpu_module *module_of(const struct sl_gpu *g, const struct sl_gpu_launch *launch)
{
  if (launch->module != NULL)
    return launch->module;
  for (const struct sl_gpu_module *m = g->modules; m != NULL; m = m->next)
    if (sl_ptx_entry(m->ptx, launch->kernel) != NULL)
      return m;
  return g->modules;
}

static enum sl_status ptx_check(const struct sl_gpu *g, const struct sl_gpu_launch *launch, struct sl_error *err)
{
  enum { WIDEST = 8 }; /* largest scalar, to which structs are padded */
  static const uint32_t most[] = {SL_GPU_PTX_X,       SL_GPU_PTX_YZ,      SL_GPU_PTX_YZ,
                                  SL_GPU_PTX_THREADS, SL_GPU_PTX_THREADS, SL_GPU_PTX_BLOCK_Z};
  const struct sl_gpu_module *module = module_of(g, launch);
  if (module == NULL)
    return sl_fail(err, SL_USAGE, "%s: no module has been loaded", g->config->name);
  const struct sl_ptx_function *k = sl_ptx_entry(module->ptx, launch->kernel);
  if (k == NULL)
    return sl_fail(err, SL_USAGE, "%.200s has no kernel '%.100s'", module->name, launch->kernel);
  const enum sl_status code = sl_gpu_check_ptx_kernel(module->ptx, k, launch->block, err);
  if (code != SL_OK)
    return code;
  bool fits = launch->shared <= SL_GPU_PTX_SHARED;
  for (unsigned i = 0; i < 6; i++) {
    const uint32_t size = i < 3 ? launch->grid[i] : launch->block[i - 3];
    fits &= size >= 1 && size <= most[i];
  }
  if (launch->argument_bytes < k->param_bytes || launch->argument_bytes >= (size_t)k->param_bytes + WIDEST)
    return sl_fail(err, SL_USAGE, "kernel '%.100s' takes %u bytes of parameters, but %zu were given", k->name,
                   k->param_bytes, launch->argument_bytes);
  if (!fits || (uint64_t)launch->block[0] * launch->block[1] * launch->block[2] > SL_GPU_PTX_THREADS)
    return sl_fail(err, SL_USAGE,
                   "kernel '%.100s' cannot be launched with this size; a block has 1 to 1024 threads and at "
                   "most 98304 bytes of shared memory",
                   k->name);
  return SL_OK;
}

static enum sl_status make_launch(struct sl_gpu *g, const struct sl_gpu_launch *launch, struct sl_error *err)
{
  struct ptx_gpu *s = state_of(g);
  const struct sl_ptx_module *module = module_of(g, launch)->ptx;
  const struct sl_ptx_function *kernel = sl_ptx_entry(module, launch->kernel);
  const bool turns = g->options.checked && g->options.fast && sl_sm7_may_take_turns(spec_of(g), module->target);
  s->now = (struct ptx_launch){
      .launch = {.module = module,
                 .kernel = kernel,
                 .dynamic_shared = launch->shared,
                 .regs_per_thread = launch->registers ? launch->registers : kernel->regs_per_thread,
                 .memory = &s->memory,
                 .scheme = turns ? (uint32_t)SL_CONVERGENCE_SIMT_ITS : (uint32_t)sl_sm7_scheme(spec_of(g)),
                 .period = turns ? (uint32_t)SL_SM7_FAIRNESS : sl_sm7_period(spec_of(g)),
                 .services = g->options.services},
      .before = s->engine.cycles};
  memcpy(s->now.launch.grid, launch->grid, sizeof s->now.launch.grid);
  memcpy(s->now.launch.block, launch->block, sizeof s->now.launch.block);
  s->now.launch.params = calloc(1, kernel->param_bytes + (size_t)4);
  if (s->now.launch.params == NULL)
    return sl_no_memory(err, kernel->param_bytes);
  if (kernel->param_bytes > 0)
    memcpy(s->now.launch.params, launch->arguments, kernel->param_bytes);
  return SL_OK;
}

static enum sl_status begin_fast(struct sl_gpu *g, struct sl_error *err)
{
  struct ptx_gpu *s = state_of(g);
  struct ptx_launch *now = &s->now;
  const struct sl_sm7_spec *spec = spec_of(g);
  struct sl_sm7_demand demand =
      sl_sm7_ptx_demand(&now->launch, g->options.registers ? g->options.registers : now->launch.regs_per_thread);
  now->chosen = now->launch;
  if (g->warms && s->engine.gpu != NULL) {
    s->warms = sl_sm7_engine_warms(&s->engine);
    s->bounds.probes = &s->warms;
  }
  enum sl_status code = g->sampler != NULL ? sl_sm7_find_free(spec, now->launch.module, &now->free_ones, err) : SL_OK;
  now->apart.at = now->free_ones;
  s->bounds.apart = &now->apart;
  if (code == SL_OK)
    code = sl_sm7_linear_choose(spec, &now->chosen, &demand, &now->linear, err);
  if (code == SL_OK)
    code = sl_sm7_linear_shadow(spec, &now->chosen, &now->launch, &s->bounds, err);
  if (code == SL_OK && spec->oracle == SL_PTX_NO_ORACLE)
    code = sl_ptx_grid_open(&now->grid, &now->chosen, &s->bounds, &now->counts, err);
  return code;
}

static enum sl_status advance_fast(struct sl_gpu *g, uint64_t cycles, struct sl_error *err)
{
  struct ptx_gpu *s = state_of(g);
  struct ptx_launch *now = &s->now;
  if (now->grid == NULL) /* the oracle runs a grid at once */
    return sl_sm7_oracle_count(spec_of(g), &now->chosen, &s->bounds, &now->counts, &now->spared, err);
  const uint64_t executed_so_far = now->counts.warp_insns;
  if (g->options.threads > 1 && executed_so_far == 0 && cycles == UINT64_MAX &&
      sl_ptx_parallel_allowed(&now->chosen, &s->bounds)) {
    sl_ptx_grid_close(now->grid);
    now->grid = NULL;
    return sl_ptx_parallel_run(&now->chosen, &s->bounds, g->options.threads, &now->counts, &now->fault, err);
  }
  return sl_ptx_grid_go_on(now->grid, cycles > UINT64_MAX - executed_so_far ? UINT64_MAX : executed_so_far + cycles,
                           err);
}

static void count(const struct sl_gpu *g, struct sl_gpu_record *r)
{
  struct ptx_gpu *s = state_of(g);
  const struct ptx_launch *now = &s->now;
  struct sl_sm7_totals totals = {.sm = {.warp_instructions = now->counts.warp_insns,
                                        .thread_instructions = now->counts.thread_insns,
                                        .blocks = now->counts.blocks,
                                        .passed = now->spared.warp_insns,
                                        .passed_lanes = now->spared.thread_insns,
                                        .scalar = now->spared.scalar}};
  struct sl_sm7_totals before = {.activations = 0};
  const bool timed = s->engine.gpu != NULL && !g->options.fast;
  if (timed) {
    totals = sl_sm7_gpu_totals(s->engine.gpu);
    before = s->engine.before;
  }
  const uint64_t cycles = timed ? s->engine.cycles : 0, first = timed ? now->before : 0;
  for (size_t i = 0; i < sl_sm7_counters.count; i++)
    r->launch.counters[i] = sl_sm7_counter(&totals, cycles, i) - sl_sm7_counter(&before, first, i);
  r->warp_instructions = now->counts.warp_insns;
}

/* Timed launches count instructions without a slot as eliminated. */
static void take_apart(struct ptx_launch *now)
{
  now->counts.warp_insns -= now->apart.warp_insns;
  now->counts.thread_insns -= now->apart.thread_insns;
  now->spared.warp_insns += now->apart.warp_insns;
  now->spared.thread_insns += now->apart.thread_insns;
  free(now->free_ones);
  now->apart = (struct sl_ptx_apart){.at = NULL};
  now->free_ones = NULL;
}

static void end_sampled(struct ptx_gpu *s, struct sl_gpu_record *r)
{
  sl_block_sampler_end(s->sampler, &r->launch, &s->now.counts);
  s->sampler->source.gpu = NULL;
  r->warp_instructions = s->now.counts.warp_insns;
}

/* Ends the launch, or abandons it. */
static void finish(struct sl_gpu *g, struct sl_gpu_record *r)
{
  struct ptx_gpu *s = state_of(g);
  if (s->engine.gpu != NULL && !g->options.fast)
    sl_sm7_engine_end(&s->engine, &s->now.counts);
  if (s->now.grid != NULL)
    s->now.fault = sl_ptx_grid_fault(s->now.grid);
  sl_ptx_grid_close(s->now.grid);
  s->now.grid = NULL;
  sl_ptx_linear_free(s->now.linear);
  s->now.linear = NULL;
  take_apart(&s->now);
  count(g, r);
  if (s->sampler != NULL && s->sampler->source.gpu != NULL && !g->options.fast)
    end_sampled(s, r);
  free(s->now.launch.params);
  s->now.launch.params = NULL;
}

static enum sl_status ptx_begin(struct sl_gpu *g, const struct sl_gpu_launch *launch, struct sl_gpu_record *record,
                                struct sl_error *err)
{
  struct ptx_gpu *s = state_of(g);
  enum sl_status code = make_launch(g, launch, err);
  if (code != SL_OK)
    return code;
  sl_gpu_describe_ptx(g, &s->now.launch, record);
  s->bounds = bounds_of(g);
  s->bounds.restores = s->restores;
  s->restores = NULL;
  s->engine.bounds = s->bounds;
  if (g->options.engine == NULL)
    code = g->options.fast ? begin_fast(g, err) : sl_sm7_engine_begin(&s->engine, &s->now.launch, err);
  if (code == SL_OK && s->sampler != NULL && !g->options.fast)
    sl_block_sampler_begin_ptx(s->sampler, &s->engine);
  if (code != SL_OK)
    finish(g, record);
  return code;
}

static enum sl_status ptx_advance(struct sl_gpu *g, uint64_t cycles, struct sl_gpu_record *record, struct sl_error *err)
{
  struct ptx_gpu *s = state_of(g);
  const struct sl_ptx_engine *engine = g->options.engine;
  enum sl_status code;
  if (s->bounds.probes != NULL)
    s->bounds.probes->stopped = false;
  if (engine != NULL) {
    code = engine->run(engine->context, &s->now.launch, &s->now.counts, err);
  } else if (g->options.fast) {
    code = advance_fast(g, cycles, err);
  } else {
    const uint64_t now = s->engine.gpu->cycle, until = cycles > UINT64_MAX - now ? UINT64_MAX : now + cycles;
    code = s->sampler != NULL ? sl_block_sampler_go_on(s->sampler, until, err)
                              : sl_sm7_engine_go_on(&s->engine, until, err);
    if (code == SL_FAULT)
      s->now.fault = sl_sm7_ptx_fault_of(&s->engine.program);
  }
  if (code != SL_PAUSED && !(code == SL_STOPPED && sl_probes_stopped(s->bounds.probes)))
    finish(g, record);
  return code;
}

static bool ptx_under_way(const struct sl_gpu *g)
{
  return state_of(g)->now.launch.params != NULL;
}

static void ptx_abandon(struct sl_gpu *g, struct sl_gpu_record *record)
{
  finish(g, record);
}

static const struct sl_sampled *ptx_sampled(const struct sl_gpu *g)
{
  const struct sl_block_sampler *sampler = state_of(g)->sampler;
  return sampler != NULL ? &sampler->total : NULL;
}

static void ptx_fault(const struct sl_gpu *g, struct sl_gpu_fault *f)
{
  sl_gpu_describe_ptx_fault(&state_of(g)->now.launch, &state_of(g)->now.fault, f);
}

/* ---- other functions on GPUs for PTX ----------------------------------------------------------------------------- */

void sl_gpu_ptx_resume_from(struct sl_gpu *gpu, struct sl_archive *archive)
{
  state_of(gpu)->restores = archive;
}

struct sl_ptx_memory *sl_gpu_ptx_memory(struct sl_gpu *gpu)
{
  return &state_of(gpu)->memory;
}

uint64_t *sl_gpu_ptx_cycles(struct sl_gpu *gpu)
{
  return &state_of(gpu)->engine.cycles;
}

struct sl_sm7_engine *sl_gpu_ptx_timed(struct sl_gpu *gpu)
{
  return state_of(gpu)->engine.gpu != NULL ? &state_of(gpu)->engine : NULL;
}

void sl_gpu_ptx_rewind(struct sl_gpu *gpu, uint64_t cycles)
{
  struct ptx_gpu *s = state_of(gpu);
  if (ptx_under_way(gpu)) /* what it has counted is taken back */
    finish(gpu, &gpu->record[gpu->count - 1]);
  s->engine.cycles = cycles;
  s->engine.broken = true;
}

const struct sl_sm7_engine *sl_gpu_ptx_engine(const struct sl_gpu *gpu)
{
  return &state_of(gpu)->engine;
}

const struct sl_ptx_grid *sl_gpu_ptx_grid(const struct sl_gpu *gpu)
{
  return state_of(gpu)->now.grid;
}

const struct sl_gpu_kind sl_gpu_ptx = {
    .open = ptx_open,
    .close = ptx_close,
    .facts = ptx_facts,
    .load = ptx_load,
    .unload = ptx_unload,
    .kernel = ptx_kernel,
    .symbol = ptx_symbol,
    .alloc = ptx_alloc,
    .place = ptx_place,
    .release = ptx_release,
    .buffer = ptx_buffer,
    .buffers = ptx_buffers,
    .mapped = ptx_mapped,
    .write = ptx_write,
    .read = ptx_read,
    .map = ptx_map,
    .bind_texture = ptx_bind,
    .check = ptx_check,
    .begin = ptx_begin,
    .advance = ptx_advance,
    .under_way = ptx_under_way,
    .abandon = ptx_abandon,
    .fault = ptx_fault,
    .elapsed = elapsed,
    .sampled = ptx_sampled,
};
