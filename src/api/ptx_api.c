/* The public interface: modules of PTX. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api_types.h"
#include "gpu/grids.h"
#include "gpu/totals.h"
#include "ptx/text/ptx_module.h"

/* Requires the module, and that none of its kernels runs. */
#define BETWEEN_KERNELS(ptx, error)                                                                                    \
  do {                                                                                                                 \
    SL_API_NEEDS(ptx, error);                                                                                          \
    if ((ptx)->launch != NULL)                                                                                         \
      return sl_api_running(__func__, error);                                                                          \
  } while (0)

struct simtlab_ptx {
  void (*commit)(void *context, const struct simtlab_ptx_commit *commit);
  void *context;
  struct sl_probes probes;            /* the observer of commits */
  const struct sl_ptx_launch *launch; /* current launch; NULL: none */
  bool stopped;
  char reason[sizeof((struct simtlab_error *)0)->text];
  struct sl_grids grids;
  struct sl_ptx_engine engine;
  struct sl_ptx_module *module;
  struct sl_ptx_memory memory;
};

static enum sl_status open_ptx(simtlab_ptx *p, const struct sl_config *config, const char *path,
                               const struct sl_grids_options *options, struct sl_error *err)
{
  enum sl_status code = sl_config_check(config, err);
  if (code == SL_OK)
    code = sl_grids_open(&p->grids, config, options, err);
  if (code != SL_OK)
    return code;
  const struct sl_ptx_options semantics = sl_grids_semantics(&p->grids);
  p->engine = sl_grids_engine(&p->grids);
  code = sl_ptx_load(&p->module, path, &semantics, err);
  return code == SL_OK ? sl_ptx_memory_init(&p->memory, p->module, err) : code;
}

static bool goes_on(void *context)
{
  const simtlab_ptx *ptx = context;
  return !ptx->stopped;
}

static bool executed(void *context, const struct sl_probe *p)
{
  const simtlab_ptx *ptx = context;
  struct simtlab_ptx_commit commit = {.cycle = p->cycle,
                                      .kernel = ptx->launch->kernel->name,
                                      .warp = p->block->warp,
                                      .active = (uint32_t)p->active,
                                      .line = p->line,
                                      .width = p->width,
                                      .address = p->wide_address};
  memcpy(commit.block, p->block->index, sizeof commit.block);
  if (!ptx->stopped && ptx->commit != NULL)
    ptx->commit(ptx->context, &commit);
  return !ptx->stopped;
}

void simtlab_ptx_listen(simtlab_ptx *ptx, void (*commit)(void *context, const struct simtlab_ptx_commit *commit),
                        void *context)
{
  if (ptx == NULL)
    return;
  ptx->commit = commit;
  ptx->context = context;
  ptx->probes = (struct sl_probes){.wanted = SL_PROBE_EXECUTED, .tell = executed, .context = ptx};
  ptx->grids.options.bounds.probes = commit != NULL ? &ptx->probes : NULL;
}

void simtlab_ptx_stop(simtlab_ptx *ptx, const char *reason)
{
  if (ptx == NULL || ptx->launch == NULL)
    return;
  ptx->stopped = true;
  snprintf(ptx->reason, sizeof ptx->reason, "%s", reason != NULL ? reason : "the run was stopped");
}

simtlab_ptx *simtlab_ptx_create(const simtlab_config *config, const char *path, bool fast, uint64_t max_cycles,
                                struct simtlab_error *error)
{
  struct sl_error e;
  if (config == NULL || path == NULL) {
    sl_api_null(__func__, config == NULL ? "config" : "path", error);
    return NULL;
  }
  simtlab_ptx *ptx = calloc(1, sizeof *ptx);
  const struct sl_grids_options options = {.fast = fast,
                                           .bounds = {.limit = max_cycles, .goes_on = goes_on, .context = ptx}};
  const enum sl_status code =
      ptx != NULL ? open_ptx(ptx, &config->config, path, &options, &e) : sl_no_memory(&e, sizeof *ptx);
  if (sl_api_report(code, &e, error) == SIMTLAB_OK)
    return ptx;
  simtlab_ptx_free(ptx);
  return NULL;
}

void simtlab_ptx_free(simtlab_ptx *ptx)
{
  if (ptx == NULL || ptx->launch != NULL)
    return;
  sl_grids_close(&ptx->grids);
  if (ptx->module != NULL) {
    sl_ptx_memory_free(&ptx->memory);
    sl_ptx_free(ptx->module);
  }
  free(ptx);
}

enum simtlab_status simtlab_ptx_alloc(simtlab_ptx *ptx, uint64_t size, uint64_t *address, struct simtlab_error *error)
{
  BETWEEN_KERNELS(ptx, error);
  SL_API_NEEDS(address, error);
  struct sl_error e;
  return sl_api_report(sl_ptx_memory_allocate(&ptx->memory, size, address, &e), &e, error);
}

bool simtlab_ptx_variable(const simtlab_ptx *ptx, const char *name, uint64_t *address, uint64_t *size)
{
  for (unsigned i = 0; ptx != NULL && name != NULL && i < ptx->module->variable_count; i++) {
    const struct sl_ptx_variable *v = &ptx->module->variables[i];
    if (v->space == SL_PTX_GLOBAL && strcmp(v->name, name) == 0) {
      if (address != NULL)
        *address = v->address;
      if (size != NULL)
        *size = v->bytes;
      return true;
    }
  }
  return false;
}

static enum sl_status find(const simtlab_ptx *ptx, uint64_t address, size_t size, uint8_t **at, struct sl_error *err)
{
  *at = sl_ptx_memory_at(&ptx->memory, address, size);
  return *at != NULL || size == 0 ? SL_OK
                                  : sl_fail(err, SL_USAGE,
                                            "%zu bytes at address 0x%llx are not all in global memory; copy to buffers "
                                            "or variables",
                                            size, (unsigned long long)address);
}

enum simtlab_status simtlab_ptx_write(simtlab_ptx *ptx, uint64_t address, const void *bytes, size_t size,
                                      struct simtlab_error *error)
{
  BETWEEN_KERNELS(ptx, error);
  if (size > 0)
    SL_API_NEEDS(bytes, error);
  struct sl_error e;
  uint8_t *at;
  const enum sl_status code = find(ptx, address, size, &at, &e);
  if (code == SL_OK && size > 0) {
    memcpy(at, bytes, size);
    ptx->engine.copied(ptx->engine.context, address, size);
  }
  return sl_api_report(code, &e, error);
}

enum simtlab_status simtlab_ptx_read(const simtlab_ptx *ptx, uint64_t address, void *bytes, size_t size,
                                     struct simtlab_error *error)
{
  BETWEEN_KERNELS(ptx, error);
  if (size > 0)
    SL_API_NEEDS(bytes, error);
  struct sl_error e;
  uint8_t *at;
  const enum sl_status code = find(ptx, address, size, &at, &e);
  if (code == SL_OK && size > 0)
    memcpy(bytes, at, size);
  return sl_api_report(code, &e, error);
}

static void extent(uint32_t to[3], const uint32_t from[3])
{
  for (unsigned i = 0; i < 3; i++)
    to[i] = i > 0 && from[i] == 0 ? 1 : from[i];
}

static enum sl_status check(const struct simtlab_ptx_launch *launch, const struct sl_ptx_launch *l,
                            struct sl_error *err)
{
  enum { WIDEST = 8 }; /* largest scalar, to which structs are padded */
  const uint32_t bytes = l->kernel->param_bytes;
  static const uint32_t most[] = {INT32_MAX, 65535, 65535, 1024, 1024, 64}; /* CUDA's limits */
  bool fits = launch->shared <= 96 * 1024;
  for (unsigned i = 0; i < 6; i++) {
    const uint32_t size = i < 3 ? l->grid[i] : l->block[i - 3];
    fits &= size >= 1 && size <= most[i];
  }
  if (launch->argument_bytes < bytes || launch->argument_bytes >= (size_t)bytes + WIDEST)
    return sl_fail(err, SL_USAGE, "kernel '%.100s' takes %u bytes of parameters, but %zu were given", l->kernel->name,
                   bytes, launch->argument_bytes);
  if (!fits || (uint64_t)l->block[0] * l->block[1] * l->block[2] > 1024)
    return sl_fail(err, SL_USAGE,
                   "kernel '%.100s' cannot be launched with this size; a block has 1 to 1024 threads and at "
                   "most 98304 bytes of shared memory",
                   l->kernel->name);
  return SL_OK;
}

static enum sl_status run(simtlab_ptx *ptx, const struct simtlab_ptx_launch *launch, struct sl_error *err)
{
  struct sl_ptx_launch l = {.module = ptx->module, .dynamic_shared = launch->shared, .memory = &ptx->memory};
  struct sl_ptx_counts counts = {0};
  extent(l.grid, launch->grid);
  extent(l.block, launch->block);
  enum sl_status code = sl_ptx_find_kernel(ptx->module, launch->kernel, l.block, &l.kernel, err);
  if (code == SL_OK)
    code = check(launch, &l, err);
  if (code != SL_OK)
    return code;
  l.regs_per_thread = launch->registers ? launch->registers : l.kernel->regs_per_thread;
  l.params = calloc(1, l.kernel->param_bytes + 1);
  if (l.params == NULL)
    return sl_no_memory(err, l.kernel->param_bytes);
  if (l.kernel->param_bytes > 0)
    memcpy(l.params, launch->arguments, l.kernel->param_bytes);
  ptx->launch = &l;
  ptx->probes.stopped = false;
  code = ptx->engine.run(ptx->engine.context, &l, &counts, err);
  free(l.params);
  ptx->launch = NULL;
  if (ptx->stopped)
    code = SL_STOPPED;
  ptx->stopped = false;
  return code;
}

enum simtlab_status simtlab_ptx_run(simtlab_ptx *ptx, const struct simtlab_ptx_launch *launch,
                                    struct simtlab_error *error)
{
  BETWEEN_KERNELS(ptx, error);
  SL_API_NEEDS(launch, error);
  if (launch->kernel == NULL)
    return sl_api_null(__func__, "launch->kernel", error);
  if (launch->argument_bytes > 0 && launch->arguments == NULL)
    return sl_api_null(__func__, "launch->arguments", error);
  struct sl_error e;
  const enum simtlab_status status = sl_api_report(run(ptx, launch, &e), &e, error);
  if (status == SIMTLAB_STOPPED && error != NULL)
    snprintf(error->text, sizeof error->text, "%s", ptx->reason);
  return status;
}

bool simtlab_ptx_counter(const simtlab_ptx *ptx, const char *name, uint64_t *value)
{
  size_t index;
  if (ptx == NULL || name == NULL || value == NULL)
    return false;
  if (!sl_counter_find(ptx->grids.config->machine, name, &index))
    return false;
  *value = sl_grids_total(&ptx->grids, index);
  return true;
}
