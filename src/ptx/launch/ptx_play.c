#include "ptx/launch/ptx_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "ptx/text/ptx_module.h"

struct sl_ptx_play {
  const struct sl_ptx_script *script;
  const struct sl_ptx_engine *engine;
  const struct sl_ptx_observer *observer;
  struct sl_ptx_module *module;
  struct sl_ptx_memory memory;
  uint64_t *addresses; /* of the buffers, by step */
  unsigned step;       /* the current step */
};

static enum sl_status fail_at(const struct sl_ptx_play *p, const struct sl_ptx_step *step, enum sl_status code,
                              struct sl_error *err)
{
  sl_error_prefix(err, "%.300s:%u: ", p->script->path, step->line);
  return code;
}

static uint8_t *contents(const struct sl_ptx_play *p, uint32_t step)
{
  return sl_ptx_memory_at(&p->memory, p->addresses[step], p->script->steps[step].bytes);
}

static enum sl_status make_buffer(struct sl_ptx_play *p, unsigned index, struct sl_error *err)
{
  const struct sl_ptx_step *step = &p->script->steps[index];
  enum sl_status code = sl_ptx_memory_allocate(&p->memory, step->bytes, &p->addresses[index], err);
  if (code == SL_OK && step->bytes > 0)
    code = sl_ptx_fill(&step->fill, contents(p, index), step->bytes, err);
  if (code == SL_OK && step->fill.kind != SL_PTX_FILL_ZERO && p->engine->copied != NULL)
    p->engine->copied(p->engine->context, p->addresses[index], step->bytes);
  return code;
}

/* Members have the layout of C: each at a multiple of its size, and the struct's size is a multiple of the widest
 * member's. `at`: the end of the members so far. */
static enum sl_status put_member(const struct sl_ptx_param *param, const struct sl_ptx_argument *a, uint64_t bits,
                                 unsigned bytes, bool last, uint32_t *at, unsigned *widest, uint8_t *params,
                                 struct sl_error *err)
{
  *widest = bytes > *widest ? bytes : *widest;
  *at = (*at + bytes - 1) / bytes * bytes;
  if (*at + bytes <= param->bytes)
    memcpy(params + param->offset + *at, &bits, bytes);
  *at += bytes;
  const uint32_t size = (*at + *widest - 1) / *widest * *widest;
  if (*at > param->bytes || (last && size != param->bytes))
    return sl_fail(err, SL_USAGE,
                   "parameter %.100s has %u bytes, but the struct up to column %u has %u; name each member, in order",
                   param->name, param->bytes, a->column, last ? size : *at);
  return SL_OK;
}

static unsigned argument_bytes(const struct sl_ptx_argument *a)
{
  return a->type == SL_PTX_NO_TYPE ? 8 : sl_ptx_type_bytes(a->type);
}

/* A launch may list the members of structs without braces. Each parameter then takes arguments while they fit into it
 * and enough are left for the other parameters. */
static void gather_members(const struct sl_ptx_function *kernel, struct sl_ptx_argument *arguments, unsigned count)
{
  unsigned parameter = 0;
  uint32_t at = 0;
  for (unsigned i = 0; i < count; i++) {
    const uint32_t bytes = argument_bytes(&arguments[i]);
    const uint32_t end = (at + bytes - 1) / bytes * bytes + bytes;
    const bool fits = end <= kernel->params[parameter].bytes && count - i >= kernel->param_count - parameter;
    if (i > 0 && !fits && parameter + 1 < kernel->param_count) {
      parameter++;
      at = bytes;
    } else {
      at = end;
    }
    arguments[i].parameter = parameter;
    arguments[i].member = true;
  }
}

static enum sl_status put_each(const struct sl_ptx_play *p, const struct sl_ptx_function *kernel,
                               const struct sl_ptx_argument *arguments, unsigned count, uint8_t *params,
                               struct sl_error *err)
{
  uint32_t at = 0;
  unsigned widest = 1;
  for (unsigned i = 0; i < count; i++) {
    const struct sl_ptx_argument *a = &arguments[i];
    const uint64_t bits = a->type == SL_PTX_NO_TYPE ? p->addresses[a->buffer] + a->bits : a->bits;
    const unsigned bytes = argument_bytes(a);
    const struct sl_ptx_param *param = &kernel->params[a->parameter];
    if (a->member) {
      const bool first = i == 0 || a[-1].parameter != a->parameter,
                 last = i + 1 == count || a[1].parameter != a->parameter;
      at = first ? 0 : at;
      widest = first ? 1 : widest;
      const enum sl_status code = put_member(param, a, bits, bytes, last, &at, &widest, params, err);
      if (code != SL_OK)
        return code;
      continue;
    }
    if (bytes != param->bytes)
      return sl_fail(err, SL_USAGE, "parameter %.100s has %u bytes, but the argument in column %u has %u%s",
                     param->name, param->bytes, a->column, bytes,
                     param->bytes > 8 ? "; write the members of a struct in braces: {u32:1 f32:2}" : "");
    memcpy(params + param->offset, &bits, bytes);
  }
  return SL_OK;
}

static enum sl_status put_arguments(const struct sl_ptx_play *p, const struct sl_ptx_step *step,
                                    const struct sl_ptx_function *kernel, uint8_t *params, struct sl_error *err)
{
  const unsigned count = step->argument_count;
  const bool braces = count != step->parameter_count;
  if (step->parameter_count == kernel->param_count)
    return put_each(p, kernel, step->arguments, count, params, err);
  if (braces || count < kernel->param_count || kernel->param_count == 0)
    return sl_fail(err, SL_USAGE, "kernel '%.100s' has %u parameters, but the launch has %u arguments", kernel->name,
                   kernel->param_count, step->parameter_count);
  struct sl_ptx_argument *arguments = calloc(count, sizeof *arguments);
  if (arguments == NULL)
    return sl_no_memory(err, count * sizeof *arguments);
  memcpy(arguments, step->arguments, count * sizeof *arguments);
  gather_members(kernel, arguments, count);
  const enum sl_status code = put_each(p, kernel, arguments, count, params, err);
  free(arguments);
  return code;
}

enum sl_status sl_ptx_find_kernel(const struct sl_ptx_module *module, const char *name, const uint32_t block[3],
                                  const struct sl_ptx_function **kernel, struct sl_error *err)
{
  const struct sl_ptx_function *k = *kernel = sl_ptx_entry(module, name);
  if (k == NULL)
    return sl_fail(err, SL_USAGE, "%.200s has no kernel '%.100s'", module->path, name);
  for (uint32_t pc = k->begin; pc < k->end; pc++)
    if (module->code[pc].kind == SL_PTX_K_LINEAR)
      return sl_fail(err, SL_USAGE,
                     "kernel '%.100s' needs linear registers: launch the original kernel; a machine with r2d2=on then "
                     "runs this variant",
                     k->name);
  if (k->block[0] > 0 && memcmp(k->block, block, sizeof k->block) != 0)
    return sl_fail(err, SL_USAGE,
                   "kernel '%.100s' requires blocks of %u x %u x %u threads (.reqntid), but the launch has %u x %u x "
                   "%u: launch it with the required size",
                   k->name, k->block[0], k->block[1], k->block[2], block[0], block[1], block[2]);
  if (k->max_threads > 0 && (uint64_t)block[0] * block[1] * block[2] > k->max_threads)
    return sl_fail(err, SL_USAGE, "kernel '%.100s' allows at most %u threads per block", k->name, k->max_threads);
  return SL_OK;
}

static enum sl_status launch(struct sl_ptx_play *p, const struct sl_ptx_step *step, struct sl_error *err)
{
  const struct sl_ptx_function *kernel;
  struct sl_ptx_counts counts = {0};
  const enum sl_status found = sl_ptx_find_kernel(p->module, step->name, step->block, &kernel, err);
  if (found != SL_OK)
    return found;
  uint8_t *params = calloc(1, kernel->param_bytes + 1);
  if (params == NULL)
    return sl_no_memory(err, kernel->param_bytes);
  struct sl_ptx_launch l = {.module = p->module,
                            .kernel = kernel,
                            .dynamic_shared = (uint32_t)step->bytes,
                            .regs_per_thread = step->regs ? step->regs : kernel->regs_per_thread,
                            .params = params,
                            .memory = &p->memory};
  memcpy(l.grid, step->grid, sizeof l.grid);
  memcpy(l.block, step->block, sizeof l.block);
  enum sl_status code = put_arguments(p, step, kernel, params, err);
  if (code == SL_OK)
    code = p->engine->run(p->engine->context, &l, &counts, err);
  if (code == SL_OK && p->observer->launched != NULL)
    p->observer->launched(p->observer->context, &l, &counts);
  free(params);
  return code;
}

static enum sl_status bind(struct sl_ptx_play *p, const struct sl_ptx_step *step, struct sl_error *err)
{
  struct sl_ptx_texture t = step->texture;
  t.address += p->addresses[step->buffer];
  for (unsigned i = 0; i < p->module->variable_count; i++)
    if (p->module->variables[i].texture && strcmp(p->module->variables[i].name, step->name) == 0)
      return sl_ptx_memory_bind(&p->memory, p->module->variables[i].address, &t, err);
  return sl_fail(err, SL_USAGE, "%.200s has no .texref variable '%.100s'", p->module->path, step->name);
}

static enum sl_status dump(const struct sl_ptx_play *p, const struct sl_ptx_step *step, struct sl_error *err)
{
  const uint64_t bytes = p->script->steps[step->buffer].bytes;
  struct sl_whole_file whole;
  const enum sl_status code = sl_whole_file_open(&whole, step->path, err);
  if (code != SL_OK)
    return code;
  if (bytes > 0)
    fwrite(contents(p, step->buffer), 1, bytes, whole.file); /* closing the file reports a failure */
  return sl_whole_file_close(&whole, false, err);
}

static enum sl_status sum(const struct sl_ptx_play *p, const struct sl_ptx_step *step, struct sl_error *err)
{
  const uint64_t bytes = p->script->steps[step->buffer].bytes;
  const uint64_t is = sl_ptx_sum(contents(p, step->buffer), bytes);
  if (step->kind == SL_PTX_STEP_SUM && p->observer->summed != NULL)
    p->observer->summed(p->observer->context, step->name, is);
  if (step->kind == SL_PTX_STEP_EXPECT && is != step->value)
    return sl_fail(err, SL_CHECK_FAILED, "the sum of %.100s is %016llx, not %016llx as expected", step->name,
                   (unsigned long long)is, (unsigned long long)step->value);
  return SL_OK;
}

static enum sl_status perform(struct sl_ptx_play *p, unsigned index, struct sl_error *err)
{
  const struct sl_ptx_step *step = &p->script->steps[index];
  switch (step->kind) {
  case SL_PTX_STEP_BUFFER: return make_buffer(p, index, err);
  case SL_PTX_STEP_LAUNCH: return launch(p, step, err);
  case SL_PTX_STEP_TEXTURE: return bind(p, step, err);
  case SL_PTX_STEP_DUMP: return dump(p, step, err);
  case SL_PTX_STEP_MEMSET:
    if (p->script->steps[step->buffer].bytes > 0)
      memset(contents(p, step->buffer), (int)(step->value & 255), p->script->steps[step->buffer].bytes);
    return SL_OK;
  case SL_PTX_STEP_SUM:
  case SL_PTX_STEP_EXPECT: return sum(p, step, err);
  }
  return SL_OK;
}

/* Repeats the steps before a checkpoint, except those on memory contents. Buffers and textures get the same
 * addresses. */
static bool repeat(struct sl_ptx_play *p, unsigned steps)
{
  struct sl_error err;
  enum sl_status code = SL_OK;
  for (unsigned i = 0; i < steps && code == SL_OK; i++)
    if (p->script->steps[i].kind == SL_PTX_STEP_BUFFER)
      code = sl_ptx_memory_allocate(&p->memory, p->script->steps[i].bytes, &p->addresses[i], &err);
    else if (p->script->steps[i].kind == SL_PTX_STEP_TEXTURE)
      code = bind(p, &p->script->steps[i], &err);
  return code == SL_OK;
}

void sl_ptx_play_archive(struct sl_archive *archive, struct sl_ptx_play *p)
{
  if (!sl_archive_expect(archive, p->script->step_count > 0))
    return;
  p->step = sl_archive_number(archive, p->step, p->script->step_count - 1);
  if (!sl_archive_expect(archive, p->script->steps[p->step].kind == SL_PTX_STEP_LAUNCH))
    return;
  if (sl_archive_reads(archive) && !repeat(p, p->step)) {
    sl_archive_memory(archive, NULL);
    return;
  }
  uint64_t bytes = p->memory.heap.bytes;
  SL_ARCHIVE(archive, bytes);
  if (!sl_archive_expect(archive, bytes == p->memory.heap.bytes))
    return;
  sl_archive_bytes(archive, p->memory.heap.data, p->memory.heap.bytes);
  sl_archive_bytes(archive, p->memory.statics.data, p->memory.statics.bytes);
}

enum sl_status sl_ptx_play(const struct sl_ptx_script *script, const struct sl_ptx_options *options,
                           const struct sl_ptx_engine *engine, const struct sl_ptx_observer *observer,
                           struct sl_error *err)
{
  struct sl_ptx_play p = {.script = script, .engine = engine, .observer = observer};
  if (script->elf)
    return sl_fail(err, SL_USAGE, "%.300s: its kernels are in machine code (elf), which only simtlab run supports",
                   script->path);
  enum sl_status code = sl_ptx_load(&p.module, script->module, options, err);
  if (code != SL_OK)
    return code;
  p.addresses = calloc(script->step_count + 1, sizeof *p.addresses);
  code = p.addresses != NULL ? sl_ptx_memory_init(&p.memory, p.module, err)
                             : sl_no_memory(err, script->step_count * sizeof *p.addresses);
  if (code == SL_OK)
    code = observer->begun != NULL ? observer->begun(observer->context, &p, err) : SL_OK;
  for (; p.step < script->step_count && code == SL_OK; p.step++) {
    code = perform(&p, p.step, err);
    if (code != SL_OK)
      code = fail_at(&p, &script->steps[p.step], code, err);
  }
  sl_ptx_memory_free(&p.memory);
  free(p.addresses);
  sl_ptx_free(p.module);
  return code;
}

static enum sl_status run_fast(void *context, const struct sl_ptx_launch *launch, struct sl_ptx_counts *counts,
                               struct sl_error *err)
{
  return sl_ptx_grid_run(launch, context, counts, err);
}

struct sl_ptx_engine sl_ptx_fast_engine(struct sl_ptx_bounds *bounds)
{
  return (struct sl_ptx_engine){.run = run_fast, .context = bounds};
}
