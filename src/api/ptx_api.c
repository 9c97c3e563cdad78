/* The public interface: devices for PTX by the names of version 0.1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api_types.h"
#include "gpu/launch_record.h"

struct simtlab_ptx {
  void (*commit)(void *context, const struct simtlab_ptx_commit *commit);
  void *context;
  struct sl_probes probes;
  struct sl_gpu *gpu;
  struct sl_gpu_module *module;
  bool running, stopped;
  char reason[sizeof((struct simtlab_error *)0)->text];
};

/* Requires the module, and that none of its kernels runs. */
#define BETWEEN_KERNELS(ptx, error)                                                                                    \
  do {                                                                                                                 \
    SL_API_NEEDS(ptx, error);                                                                                          \
    if ((ptx)->running)                                                                                                \
      return sl_api_running(__func__, error);                                                                          \
  } while (0)

static bool tell(void *context, const struct sl_probe *p)
{
  const simtlab_ptx *ptx = context;
  const struct sl_ptx_effect *effect = p->ptx_effect;
  const bool accesses =
      effect->insn->unit == SL_PTX_MEM && effect->insn->kind != SL_PTX_K_MEMBAR && effect->active != 0;
  struct simtlab_ptx_commit commit = {.cycle = p->cycle,
                                      .kernel = p->ptx_warp->block->launch->kernel->name,
                                      .warp = p->ptx_warp->index,
                                      .active = effect->active,
                                      .line = p->line,
                                      .width = accesses ? effect->bytes : 0,
                                      .address = accesses ? effect->address : NULL};
  memcpy(commit.block, p->ptx_warp->block->index, sizeof commit.block);
  if (!ptx->stopped)
    ptx->commit(ptx->context, &commit);
  return !ptx->stopped;
}

void simtlab_ptx_listen(simtlab_ptx *ptx, void (*commit)(void *context, const struct simtlab_ptx_commit *commit),
                        void *context)
{
  if (ptx == NULL || ptx->running)
    return;
  ptx->commit = commit;
  ptx->context = context;
  ptx->probes = (struct sl_probes){.wanted = SL_PROBE_EXECUTED, .tell = tell, .context = ptx};
  sl_gpu_observe(ptx->gpu, commit != NULL ? &ptx->probes : NULL);
}

void simtlab_ptx_stop(simtlab_ptx *ptx, const char *reason)
{
  if (ptx == NULL || !ptx->running)
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
  const struct sl_gpu_options options = {.fast = fast, .limit = max_cycles, .forgets = true};
  simtlab_ptx *ptx = calloc(1, sizeof *ptx);
  enum sl_status code = ptx != NULL ? sl_config_check(&config->config, &e) : sl_no_memory(&e, sizeof *ptx);
  if (code == SL_OK)
    code = sl_gpu_open(&ptx->gpu, &config->config, &options, &e);
  if (code == SL_OK)
    code = sl_gpu_load(ptx->gpu, path, &ptx->module, &e);
  if (sl_api_report(code, &e, error) == SIMTLAB_OK)
    return ptx;
  simtlab_ptx_free(ptx);
  return NULL;
}

void simtlab_ptx_free(simtlab_ptx *ptx)
{
  if (ptx == NULL || ptx->running)
    return;
  sl_gpu_close(ptx->gpu);
  free(ptx);
}

enum simtlab_status simtlab_ptx_alloc(simtlab_ptx *ptx, uint64_t size, uint64_t *address, struct simtlab_error *error)
{
  BETWEEN_KERNELS(ptx, error);
  SL_API_NEEDS(address, error);
  struct sl_error e;
  return sl_api_report(sl_gpu_alloc(ptx->gpu, size, address, &e), &e, error);
}

bool simtlab_ptx_variable(const simtlab_ptx *ptx, const char *name, uint64_t *address, uint64_t *size)
{
  struct sl_gpu_symbol symbol;
  if (ptx == NULL || name == NULL || !sl_gpu_symbol(ptx->module, name, &symbol) || symbol.space != SL_GPU_GLOBAL)
    return false;
  if (address != NULL)
    *address = symbol.address;
  if (size != NULL)
    *size = symbol.bytes;
  return true;
}

enum simtlab_status simtlab_ptx_write(simtlab_ptx *ptx, uint64_t address, const void *bytes, size_t size,
                                      struct simtlab_error *error)
{
  BETWEEN_KERNELS(ptx, error);
  if (size > 0)
    SL_API_NEEDS(bytes, error);
  struct sl_error e;
  return sl_api_report(sl_gpu_write(ptx->gpu, SL_GPU_GLOBAL, address, bytes, size, &e), &e, error);
}

enum simtlab_status simtlab_ptx_read(const simtlab_ptx *ptx, uint64_t address, void *bytes, size_t size,
                                     struct simtlab_error *error)
{
  BETWEEN_KERNELS(ptx, error);
  if (size > 0)
    SL_API_NEEDS(bytes, error);
  struct sl_error e;
  return sl_api_report(sl_gpu_read(ptx->gpu, SL_GPU_GLOBAL, address, bytes, size, &e), &e, error);
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
  struct sl_gpu_launch own = {.kernel = launch->kernel,
                              .shared = launch->shared,
                              .registers = launch->registers,
                              .arguments = launch->arguments,
                              .argument_bytes = launch->argument_bytes};
  memcpy(own.grid, launch->grid, sizeof own.grid);
  memcpy(own.block, launch->block, sizeof own.block);
  struct sl_error e;
  ptx->running = true;
  const enum sl_status code = sl_gpu_run(ptx->gpu, &own, &e);
  sl_gpu_abandon(ptx->gpu); /* after a stop */
  const enum simtlab_status status = sl_api_report(ptx->stopped ? SL_STOPPED : code, &e, error);
  ptx->running = ptx->stopped = false;
  if (status == SIMTLAB_STOPPED && error != NULL)
    snprintf(error->text, sizeof error->text, "%s", ptx->reason);
  return status;
}

bool simtlab_ptx_counter(const simtlab_ptx *ptx, const char *name, uint64_t *value)
{
  size_t index;
  if (ptx == NULL || name == NULL || value == NULL || !sl_counter_find(sl_gpu_config(ptx->gpu)->machine, name, &index))
    return false;
  *value = sl_gpu_total(ptx->gpu, index);
  return true;
}
