/* Checkpoints of GPUs for PTX between two launches: the past launches, memory, and with timing the caches and DRAM.
 *
 * The state is restored into a second memory and a second engine, which then take the place of the first ones. So a
 * refused checkpoint changes nothing. */
#include <stdlib.h>
#include <xxhash.h>

#include "device/checkpoint.h"
#include "device/device_state.h"
#include "device/gpu_kind.h"
#include "machine/sm7/sm7_engine.h"

/* All that changes. */
struct state {
  struct sl_gpu gpu; /* a copy: its records and totals */
  struct sl_ptx_memory *memory;
  struct sl_sm7_engine *engine; /* NULL: without timing */
};

static struct state state_of(struct sl_gpu *gpu)
{
  return (struct state){.gpu = *gpu, .memory = sl_gpu_ptx_memory(gpu), .engine = sl_gpu_ptx_timed(gpu)};
}

static void walk(struct sl_archive *t, struct state *s)
{
  sl_gpu_past_archive(t, &s->gpu);
  if (!t->bad)
    sl_ptx_memory_archive(t, s->memory);
  if (!t->bad && s->engine != NULL)
    sl_sm7_engine_archive(t, s->engine);
}

/* The modules in their order. */
static uint64_t hash_of(const struct sl_gpu *gpu)
{
  uint64_t hash = 0;
  for (const struct sl_gpu_module *m = gpu->modules; m != NULL; m = m->next)
    hash = XXH3_64bits_withSeed(&m->hash, sizeof m->hash, hash + 1);
  return hash;
}

static struct sl_checkpoint_header header_of(const struct sl_gpu *gpu)
{
  return (struct sl_checkpoint_header){.kind = SL_CHECKPOINT_PTX,
                                       .device_bytes = sizeof *gpu,
                                       .configuration = sl_configuration_hash(gpu->config),
                                       .program = hash_of(gpu),
                                       .launches = gpu->launches,
                                       .fast = gpu->options.fast};
}

/* Rejects states that a checkpoint cannot hold. */
static enum sl_status check_whole(struct sl_gpu *gpu, struct sl_error *err)
{
  const char *name = gpu->config->name;
  if (gpu->busy)
    return sl_fail(err, SL_USAGE,
                   "%s: a kernel is still running, and a checkpoint is between two launches; wait for "
                   "its end, or abandon it",
                   name);
  if (gpu->sampler != NULL || gpu->kind->sampled(gpu) != NULL)
    return sl_fail(err, SL_USAGE, "%s: runs with sampled timing have no checkpoints; time all of them", name);
  if (gpu->options.engine != NULL || gpu->options.services != NULL || sl_gpu_ptx_memory(gpu)->texture_count > 0)
    return sl_fail(err, SL_USAGE, "%s: host programs of CUDA and OpenCL, and textures, have no checkpoints", name);
  return SL_OK;
}

static enum sl_status fill(struct sl_gpu *gpu, struct sl_checkpoint *checkpoint, struct sl_error *err)
{
  struct state s = state_of(gpu);
  struct sl_archive t = {.to = NULL};
  const enum sl_status code = check_whole(gpu, err);
  if (code != SL_OK)
    return code;
  walk(&t, &s);
  checkpoint->header = header_of(gpu);
  if (sl_checkpoint_put(checkpoint, NULL, t.at) == NULL)
    return sl_no_memory(err, t.at);
  walk(&(struct sl_archive){.to = checkpoint->bytes}, &s);
  return SL_OK;
}

/* Writes a checkpoint to a file, or without a path to new memory. */
static enum sl_status save(struct sl_gpu *gpu, const char *path, void **bytes, size_t *size, struct sl_error *err)
{
  struct sl_checkpoint checkpoint = {.bytes = NULL};
  enum sl_status code = fill(gpu, &checkpoint, err);
  if (code == SL_OK)
    code =
        path != NULL ? sl_checkpoint_write(&checkpoint, path, err) : sl_checkpoint_pack(&checkpoint, bytes, size, err);
  sl_checkpoint_free(&checkpoint);
  return code;
}

/* A memory with the modules, and an engine; close them in any case. */
static enum sl_status open_fresh(struct sl_gpu *gpu, struct sl_ptx_memory *memory, struct sl_sm7_engine *engine,
                                 struct sl_error *err)
{
  const struct sl_sm7_engine *own = sl_gpu_ptx_timed(gpu);
  enum sl_status code = sl_ptx_memory_init(memory, NULL, err);
  memory->checked = gpu->options.checked;
  for (const struct sl_gpu_module *m = gpu->modules; m != NULL && code == SL_OK; m = m->next)
    code = sl_ptx_memory_add(memory, m->ptx, err);
  return code == SL_OK && own != NULL ? sl_sm7_engine_open(engine, gpu->config->spec, own->threads, err) : code;
}

/* What has been restored changes places with what was. */
static void take(struct sl_gpu *gpu, struct state *fresh)
{
  const struct state own = state_of(gpu);
  const struct sl_ptx_memory before = *own.memory;
  *own.memory = *fresh->memory;
  *fresh->memory = before;
  if (own.engine != NULL)
    sl_sm7_engine_take(own.engine, fresh->engine);
  *gpu = fresh->gpu;
  fresh->gpu.record = own.gpu.record;
}

static enum sl_status apply(struct sl_gpu *gpu, const struct sl_checkpoint *from, const char *name,
                            struct sl_error *err)
{
  const struct sl_checkpoint_header own = header_of(gpu);
  struct sl_archive t = {.from = from->bytes, .size = from->size};
  struct sl_ptx_memory memory = {.checked = false};
  struct sl_sm7_engine engine = {.gpu = NULL};
  struct state fresh = {.gpu = *gpu, .memory = &memory, .engine = sl_gpu_ptx_timed(gpu) != NULL ? &engine : NULL};
  fresh.gpu.record = NULL;
  const char *wrong = sl_checkpoint_mismatch(&from->header, &own);
  enum sl_status code = wrong == NULL ? open_fresh(gpu, &memory, &engine, err) : SL_OK;
  if (wrong == NULL && code == SL_OK) {
    walk(&t, &fresh);
    wrong = t.bad || t.at != from->size ? "it is damaged" : NULL;
    code = t.no_memory ? sl_no_memory(err, from->size) : SL_OK;
  }
  if (code == SL_OK)
    code = wrong == NULL ? SL_OK : sl_fail(err, SL_USAGE, "%.500s: the checkpoint cannot be used: %s", name, wrong);
  if (code == SL_OK)
    take(gpu, &fresh);
  free(fresh.gpu.record);
  sl_ptx_memory_free(&memory);
  if (engine.gpu != NULL)
    sl_sm7_engine_close(&engine);
  return code;
}

/* Reads a checkpoint from a file, or without a path from memory. */
static enum sl_status restore(struct sl_gpu *gpu, const char *path, const void *bytes, size_t size,
                              struct sl_error *err)
{
  const size_t most = (size_t)36 << 30; /* memory is at most 32 GiB */
  struct sl_checkpoint checkpoint = {.bytes = NULL};
  enum sl_status code = check_whole(gpu, err);
  if (code == SL_OK)
    code = path != NULL ? sl_checkpoint_read(&checkpoint, path, most, err)
                        : sl_checkpoint_unpack(&checkpoint, bytes, size, err);
  if (code == SL_OK)
    code = apply(gpu, &checkpoint, path != NULL ? path : "the checkpoint in memory", err);
  sl_checkpoint_free(&checkpoint);
  return code;
}

/* ---- both kinds of GPUs ------------------------------------------------------------------------------------------ */

enum sl_status sl_gpu_save(struct sl_gpu *gpu, const char *path, struct sl_error *err)
{
  const struct sl_device *device = sl_gpu_device(gpu);
  return device != NULL ? sl_device_save(device, path, err) : save(gpu, path, NULL, NULL, err);
}

enum sl_status sl_gpu_save_bytes(struct sl_gpu *gpu, void **bytes, size_t *size, struct sl_error *err)
{
  const struct sl_device *device = sl_gpu_device(gpu);
  *bytes = NULL;
  return device != NULL ? sl_device_save_bytes(device, bytes, size, err) : save(gpu, NULL, bytes, size, err);
}

enum sl_status sl_gpu_restore(struct sl_gpu *gpu, const char *path, struct sl_error *err)
{
  struct sl_device *device = sl_gpu_device(gpu);
  return device != NULL ? sl_device_restore(device, path, err) : restore(gpu, path, NULL, 0, err);
}

enum sl_status sl_gpu_restore_bytes(struct sl_gpu *gpu, const void *bytes, size_t size, struct sl_error *err)
{
  struct sl_device *device = sl_gpu_device(gpu);
  return device != NULL ? sl_device_restore_bytes(device, bytes, size, err) : restore(gpu, NULL, bytes, size, err);
}
