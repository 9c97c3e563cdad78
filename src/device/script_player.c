#include "device/script.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/keys.h"
#include "base/whole_file.h"
#include "device/device_state.h"
#include "device/gpu_kind.h"
#include "program/program.h"

enum { MACHINE_ARGUMENTS = 8 * 32 }; /* bytes of the arguments of a kernel that the program does not describe */

struct sl_script_player {
  const struct sl_script *script;
  const struct sl_script_observer *observer;
  struct sl_gpu *gpu;
  struct sl_gpu_module **modules, *module; /* all; of the launches */
  unsigned pointer;                        /* bytes */
  uint64_t *addresses;                     /* of the buffers, by step */
  unsigned step;                           /* the current step */
};

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

static enum sl_status allocate(struct sl_script_player *p, unsigned index, struct sl_error *err)
{
  const uint64_t bytes = p->script->steps[index].bytes, address = p->script->steps[index].address;
  if (address != 0) {
    p->addresses[index] = address;
    return sl_gpu_place(p->gpu, address, bytes, err);
  }
  return sl_gpu_alloc(p->gpu, bytes > 0 || p->pointer == 8 ? bytes : 1, &p->addresses[index], err);
}

/* Fills memory. The rest of it, after a file's contents, stays zero. */
static enum sl_status fill_memory(struct sl_script_player *p, const struct sl_script_fill *fill,
                                  enum sl_gpu_space space, uint64_t address, uint64_t size, struct sl_error *err)
{
  uint8_t *bytes = calloc(1, size + 1);
  if (bytes == NULL)
    return sl_no_memory(err, size);
  enum sl_status code = sl_script_fill(fill, bytes, size, err);
  if (code == SL_OK)
    code = sl_gpu_write(p->gpu, space, address, bytes, size, err);
  free(bytes);
  return code;
}

static enum sl_status set_variable(struct sl_script_player *p, const struct sl_script_step *step, struct sl_error *err)
{
  struct sl_gpu_symbol symbol;
  const struct sl_gpu_module *module = p->modules[step->buffer];
  if (!sl_gpu_symbol(module, step->name, &symbol) || symbol.texture)
    return sl_fail(err, SL_USAGE, "%.200s has no variable '%.100s'", sl_gpu_module_name(module), step->name);
  return fill_memory(p, &step->fill, symbol.space, symbol.address, symbol.bytes, err);
}

static enum sl_status make_buffer(struct sl_script_player *p, unsigned index, struct sl_error *err)
{
  const struct sl_script_step *step = &p->script->steps[index];
  enum sl_status code = allocate(p, index, err);
  if (code != SL_OK || step->fill.kind == SL_SCRIPT_FILL_ZERO || step->bytes == 0)
    return code;
  return fill_memory(p, &step->fill, SL_GPU_GLOBAL, p->addresses[index], step->bytes, err);
}

static enum sl_status write_file(const char *path, const uint8_t *bytes, uint64_t size, struct sl_error *err)
{
  struct sl_whole_file whole;
  const enum sl_status code = sl_whole_file_open(&whole, path, err);
  if (code != SL_OK)
    return code;
  if (size > 0)
    fwrite(bytes, 1, size, whole.file); /* closing reports a failure */
  return sl_whole_file_close(&whole, false, err);
}

static enum sl_status check_sum(const struct sl_script_player *p, const struct sl_script_step *step, uint64_t sum,
                                struct sl_error *err)
{
  if (step->kind == SL_SCRIPT_STEP_EXPECT && sum != step->value)
    return sl_fail(err, SL_CHECK_FAILED, "the sum of %.100s is %016" PRIx64 ", not %016" PRIx64 " as expected",
                   step->name, sum, step->value);
  if (step->kind == SL_SCRIPT_STEP_SUM && p->observer->summed != NULL)
    p->observer->summed(p->observer->context, step->name, sum);
  return SL_OK;
}

/* Statements that read a buffer. */
static enum sl_status read_buffer(const struct sl_script_player *p, const struct sl_script_step *step,
                                  struct sl_error *err)
{
  const uint64_t size = p->script->steps[step->buffer].bytes;
  uint8_t *bytes = malloc(size + 1);
  if (bytes == NULL)
    return sl_no_memory(err, size);
  enum sl_status code = sl_gpu_read(p->gpu, SL_GPU_GLOBAL, p->addresses[step->buffer], bytes, size, err);
  if (code == SL_OK && step->kind == SL_SCRIPT_STEP_DUMP)
    code = write_file(step->path, bytes, size, err);
  else if (code == SL_OK)
    code = check_sum(p, step, sl_script_sum(bytes, size), err);
  free(bytes);
  return code;
}

static enum sl_status set_buffer(const struct sl_script_player *p, const struct sl_script_step *step,
                                 struct sl_error *err)
{
  const uint8_t byte = (uint8_t)step->value;
  return sl_gpu_fill(p->gpu, p->addresses[step->buffer], &byte, 1, p->script->steps[step->buffer].bytes, err);
}

/* A texture without a variable: its name is @HANDLE. Handles before it that are free are taken. */
static enum sl_status make_texture(const struct sl_script_player *p, const struct sl_script_step *step,
                                   const struct sl_ptx_texture *t, struct sl_error *err)
{
  enum { MOST = 1 << 16 };
  const char *digits = step->name + 1;
  uint64_t wanted = 0, handle = 0;
  if (!sl_take_digits(&digits, &wanted) || *digits != '\0' || wanted == 0 || wanted > MOST)
    return sl_fail(err, SL_USAGE, "'%.100s' is no handle of a texture: @1 to @%d", step->name, MOST);
  enum sl_status code = SL_OK;
  while (handle < wanted && code == SL_OK)
    code = sl_gpu_texture_create(p->gpu, t, &handle, err);
  if (code == SL_OK && handle != wanted)
    code = sl_fail(err, SL_USAGE, "the handle %.100s is not free: name handles in ascending order", step->name);
  return code;
}

static enum sl_status bind(const struct sl_script_player *p, const struct sl_script_step *step, struct sl_error *err)
{
  struct sl_ptx_texture t = step->texture;
  t.address += p->addresses[step->buffer];
  if (step->name[0] == '@')
    return make_texture(p, step, &t, err);
  return sl_gpu_bind_texture(p->gpu, p->module, step->name, &t, err);
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

/* The layout of the arguments so far. */
struct layout {
  const struct sl_gpu_kernel *kernel;
  uint8_t *bytes;
  size_t room, size; /* size: of the arguments, without a description of the kernel */
  uint32_t member;   /* end of the members of the current struct */
  unsigned widest, widest_member;
};

static unsigned argument_bytes(const struct sl_script_player *p, const struct sl_script_argument *a)
{
  if (a->packed != NULL)
    return a->size;
  return a->type == SL_PTX_NO_TYPE ? p->pointer : sl_ptx_type_bytes(a->type);
}

/* Members have the layout of C: each at a multiple of its size, and the struct's size is a multiple of the widest
 * member's. */
static enum sl_status put_member(struct layout *l, const struct sl_script_argument *a, const void *from, unsigned bytes,
                                 bool last, struct sl_error *err)
{
  const struct sl_gpu_parameter *parameter = &l->kernel->parameter[a->parameter];
  l->widest_member = bytes > l->widest_member ? bytes : l->widest_member;
  l->member = (l->member + bytes - 1) / bytes * bytes;
  if (l->member + bytes <= parameter->bytes)
    memcpy(l->bytes + parameter->offset + l->member, from, bytes);
  l->member += bytes;
  const uint32_t size = (l->member + l->widest_member - 1) / l->widest_member * l->widest_member;
  if (l->member > parameter->bytes || (last && size != parameter->bytes))
    return sl_fail(err, SL_USAGE,
                   "parameter %.100s has %u bytes, but the struct up to column %u has %u; name each member, in order",
                   parameter->name, parameter->bytes, a->column, last ? size : l->member);
  return SL_OK;
}

static enum sl_status put_argument(struct layout *l, const struct sl_script_argument *a, const void *from,
                                   unsigned bytes, struct sl_error *err)
{
  const struct sl_gpu_parameter *parameter = &l->kernel->parameter[a->parameter];
  if (parameter->bytes != 0 && bytes != parameter->bytes)
    return sl_fail(err, SL_USAGE, "parameter %.100s has %u bytes, but the argument in column %u has %u%s",
                   parameter->name, parameter->bytes, a->column, bytes,
                   parameter->bytes > 8 ? "; write the members of a struct in braces: {u32:1 f32:2}" : "");
  l->widest = bytes > l->widest ? bytes : l->widest;
  l->size = (l->size + bytes - 1) / bytes * bytes;
  const size_t at = l->kernel->described ? parameter->offset : l->size;
  if (at + bytes > l->room)
    return sl_fail(err, SL_USAGE, "kernel '%.100s' has more arguments than %zu bytes", l->kernel->name, l->room);
  memcpy(l->bytes + at, from, bytes);
  l->size += bytes;
  return SL_OK;
}

static enum sl_status put_all(const struct sl_script_player *p, const struct sl_script_argument *arguments,
                              unsigned count, struct layout *l, struct sl_error *err)
{
  enum sl_status code = SL_OK;
  for (unsigned i = 0; i < count && code == SL_OK; i++) {
    const struct sl_script_argument *a = &arguments[i];
    const uint64_t bits = a->type == SL_PTX_NO_TYPE ? p->addresses[a->buffer] + a->bits : a->bits;
    const void *from = a->packed != NULL ? (const void *)a->packed : &bits;
    const unsigned bytes = argument_bytes(p, a);
    if (a->member && (i == 0 || a[-1].parameter != a->parameter)) {
      l->member = 0;
      l->widest_member = 1;
    }
    code = a->member ? put_member(l, a, from, bytes, i + 1 == count || a[1].parameter != a->parameter, err)
                     : put_argument(l, a, from, bytes, err);
  }
  return code;
}

/* A launch may list the members of structs without braces. Each parameter then takes arguments while they fit into it
 * and enough are left for the other parameters. */
static void gather_members(const struct sl_script_player *p, const struct sl_gpu_kernel *kernel,
                           struct sl_script_argument *arguments, unsigned count)
{
  unsigned parameter = 0;
  uint32_t at = 0;
  for (unsigned i = 0; i < count; i++) {
    const uint32_t bytes = argument_bytes(p, &arguments[i]);
    const uint32_t end = (at + bytes - 1) / bytes * bytes + bytes;
    const bool fits = end <= kernel->parameter[parameter].bytes && count - i >= kernel->parameter_count - parameter;
    if (i > 0 && !fits && parameter + 1 < kernel->parameter_count) {
      parameter++;
      at = bytes;
    } else {
      at = end;
    }
    arguments[i].parameter = parameter;
    arguments[i].member = true;
  }
}

/* Whether the launch has all arguments of a kernel that the program does not describe, as bytes. */
static bool is_whole(const struct sl_script_step *step, const struct sl_gpu_kernel *kernel)
{
  return !kernel->described && step->argument_count == 1 && step->arguments[0].packed != NULL;
}

static enum sl_status put_arguments(const struct sl_script_player *p, const struct sl_script_step *step,
                                    struct layout *l, struct sl_error *err)
{
  const struct sl_gpu_kernel *kernel = l->kernel;
  const unsigned count = step->argument_count;
  const bool braces = count != step->parameter_count;
  if (is_whole(step, kernel)) {
    memcpy(l->bytes, step->arguments[0].packed, step->arguments[0].size);
    l->size = step->arguments[0].size;
    return SL_OK;
  }
  if (braces && p->pointer == 4)
    return sl_fail(err, SL_USAGE, "kernel '%.100s' is in machine code: its launches take no structs in braces",
                   step->name);
  if (step->parameter_count == kernel->parameter_count && kernel->parameter_count <= SL_GPU_PARAMETERS)
    return put_all(p, step->arguments, count, l, err);
  if (braces || count < kernel->parameter_count || kernel->parameter_count == 0 || p->pointer == 4)
    return sl_fail(err, SL_USAGE, "kernel '%.100s' has %u parameters, but the launch has %u arguments", step->name,
                   kernel->parameter_count, step->parameter_count);
  struct sl_script_argument *arguments = calloc(count, sizeof *arguments);
  if (arguments == NULL)
    return sl_no_memory(err, count * sizeof *arguments);
  memcpy(arguments, step->arguments, count * sizeof *arguments);
  gather_members(p, kernel, arguments, count);
  const enum sl_status code = put_all(p, arguments, count, l, err);
  free(arguments);
  return code;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static enum sl_status launch_with(const struct sl_script_player *p, const struct sl_script_step *step,
                                  struct layout *layout, struct sl_error *err)
{
  struct sl_gpu_launch launch = {.module = p->module,
                                 .kernel = step->name,
                                 .shared = (uint32_t)step->bytes,
                                 .registers = step->regs,
                                 .arguments = layout->bytes};
  memcpy(launch.grid, step->grid, sizeof launch.grid);
  memcpy(launch.block, step->block, sizeof launch.block);
  const enum sl_status code = put_arguments(p, step, layout, err);
  launch.argument_bytes = layout->kernel->described
                              ? layout->kernel->parameter_bytes
                              : (layout->size + layout->widest - 1) / layout->widest * layout->widest;
  return code == SL_OK ? sl_gpu_run(p->gpu, &launch, err) : code;
}

static enum sl_status launch(const struct sl_script_player *p, const struct sl_script_step *step, struct sl_error *err)
{
  struct sl_gpu_kernel *kernel = malloc(sizeof *kernel);
  if (kernel == NULL)
    return sl_no_memory(err, sizeof *kernel);
  struct layout layout = {.kernel = kernel, .widest = 1};
  enum sl_status code = SL_OK;
  if (!sl_gpu_kernel(p->module, step->name, kernel) ||
      (p->pointer == 4 && kernel->parameter_count == 0 && !kernel->described && !is_whole(step, kernel)))
    code = sl_fail(err, SL_USAGE, "%.200s has no kernel '%.100s'", sl_gpu_module_name(p->module), step->name);
  layout.room = kernel->described        ? kernel->parameter_bytes
                : is_whole(step, kernel) ? step->arguments[0].size
                                         : MACHINE_ARGUMENTS;
  layout.bytes = calloc(1, layout.room + 1);
  if (code == SL_OK)
    code = layout.bytes != NULL ? launch_with(p, step, &layout, err) : sl_no_memory(err, layout.room);
  free(layout.bytes);
  free(kernel);
  return code;
}

static enum sl_status perform(struct sl_script_player *p, unsigned index, struct sl_error *err)
{
  const struct sl_script_step *step = &p->script->steps[index];
  switch (step->kind) {
  case SL_SCRIPT_STEP_BUFFER: return make_buffer(p, index, err);
  case SL_SCRIPT_STEP_VARIABLE: return set_variable(p, step, err);
  case SL_SCRIPT_STEP_LAUNCH: return launch(p, step, err);
  case SL_SCRIPT_STEP_TEXTURE: return bind(p, step, err);
  case SL_SCRIPT_STEP_MEMSET: return set_buffer(p, step, err);
  case SL_SCRIPT_STEP_DUMP:
  case SL_SCRIPT_STEP_SUM:
  case SL_SCRIPT_STEP_EXPECT: return read_buffer(p, step, err);
  }
  return SL_OK;
}

/* Loads the modules in order; `given`: that of the launches, if it is loaded already. */
static enum sl_status load_modules(struct sl_script_player *p, struct sl_gpu_module *given, struct sl_error *err)
{
  const struct sl_script *script = p->script;
  enum sl_status code = SL_OK;
  for (unsigned i = 0; i < script->module_count && code == SL_OK; i++)
    if (i == script->main && given != NULL)
      p->modules[i] = given;
    else
      code = sl_gpu_load(p->gpu, script->modules[i], &p->modules[i], err);
  p->module = p->modules[script->main];
  return code;
}

enum sl_status sl_script_perform(const struct sl_script *script, struct sl_gpu *gpu, struct sl_gpu_module *module,
                                 const struct sl_script_observer *observer, struct sl_error *err)
{
  struct sl_script_player p = {.script = script,
                               .gpu = gpu,
                               .module = module,
                               .observer = observer,
                               .pointer = sl_gpu_facts(gpu).address_bits / 8};
  enum sl_status code = SL_OK;
  if (script->elf && p.pointer == 8)
    return sl_fail(err, SL_USAGE, "%.300s: its kernels are in machine code (elf), which only simtlab run supports",
                   script->path);
  p.addresses = calloc(script->step_count + (size_t)1, sizeof *p.addresses);
  p.modules = calloc(script->module_count + (size_t)1, sizeof *p.modules);
  if (p.addresses == NULL || p.modules == NULL)
    code = sl_no_memory(err, script->step_count * sizeof *p.addresses);
  if (code == SL_OK)
    code = load_modules(&p, module, err);
  if (code == SL_OK && observer->begun != NULL)
    code = observer->begun(observer->context, &p, err);
  for (; p.step < script->step_count && code == SL_OK; p.step++) {
    code = perform(&p, p.step, err);
    if (code != SL_OK && code < SL_INTERRUPTED)
      sl_error_prefix(err, "%.300s:%u: ", script->path, script->steps[p.step].line);
  }
  free(p.addresses);
  free(p.modules);
  sl_gpu_settle(gpu);
  return code;
}

enum sl_status sl_script_analyse(const char *path, const struct sl_ptx_engine *engine, struct sl_error *err)
{
  const struct sl_gpu_options options = {.fast = true, .engine = engine};
  const struct sl_script_observer none = {.context = NULL};
  struct sl_config config;
  struct sl_script script;
  struct sl_gpu *gpu = NULL;
  enum sl_status code = sl_script_load(&script, path, err);
  if (code != SL_OK)
    return code;
  code = sl_config_open(&config, "sm7", err);
  if (code == SL_OK) {
    code = sl_gpu_open(&gpu, &config, &options, err);
    if (code == SL_OK)
      code = sl_script_perform(&script, gpu, NULL, &none, err);
    sl_gpu_close(gpu);
    sl_config_close(&config);
  }
  sl_script_free(&script);
  return code;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* Repeats the steps before a checkpoint, except those on memory contents. Buffers and textures get the same
 * addresses. */
static bool repeat(struct sl_script_player *p, unsigned steps)
{
  struct sl_error err;
  enum sl_status code = SL_OK;
  for (unsigned i = 0; i < steps && code == SL_OK; i++)
    if (p->script->steps[i].kind == SL_SCRIPT_STEP_BUFFER)
      code = allocate(p, i, &err);
    else if (p->script->steps[i].kind == SL_SCRIPT_STEP_VARIABLE) /* checkpoints do not have constants */
      code = set_variable(p, &p->script->steps[i], &err);
    else if (p->script->steps[i].kind == SL_SCRIPT_STEP_TEXTURE)
      code = bind(p, &p->script->steps[i], &err);
  return code == SL_OK;
}

/* Checkpoints a script of PTX during a launch: the step number and all of memory. It is restored into a script that has
 * just begun. The script then continues with that launch, at the request of the engine. */
static void script_player_archive(struct sl_archive *archive, struct sl_script_player *p)
{
  if (!sl_archive_expect(archive, p->script->step_count > 0))
    return;
  SL_ARCHIVE_NUMBER(archive, p->step, p->script->step_count - 1);
  if (!sl_archive_expect(archive, p->script->steps[p->step].kind == SL_SCRIPT_STEP_LAUNCH) ||
      !sl_archive_memory(archive, !sl_archive_reads(archive) || repeat(p, p->step)))
    return;
  struct sl_ptx_memory *memory = sl_gpu_ptx_memory(p->gpu);
  uint64_t bytes = memory->heap.bytes;
  SL_ARCHIVE(archive, bytes);
  if (!sl_archive_expect(archive, bytes == memory->heap.bytes))
    return;
  sl_archive_bytes(archive, memory->heap.data, memory->heap.bytes);
  sl_archive_bytes(archive, memory->statics.data, memory->statics.bytes);
}

static enum sl_status hash_file(const char *path, uint64_t *hash, struct sl_error *err)
{
  char *bytes;
  size_t size;
  const enum sl_status code = sl_file_bytes_read(path, &bytes, &size, err);
  if (code != SL_OK)
    return code;
  *hash = XXH3_64bits_withSeed(bytes, size, *hash);
  free(bytes);
  return SL_OK;
}

enum sl_status sl_script_hash(const struct sl_script *script, uint32_t registers, uint64_t *program,
                              struct sl_error *err)
{
  *program = registers;
  enum sl_status code = hash_file(script->path, program, err);
  for (unsigned i = 0; i < script->module_count && code == SL_OK; i++)
    code = hash_file(script->modules[i], program, err);
  return code;
}

static struct sl_checkpoint_header header_of(const struct sl_script_moment *m)
{
  return (struct sl_checkpoint_header){.kind = SL_CHECKPOINT_SCRIPT,
                                       .device_bytes = sizeof(struct sl_device),
                                       .configuration = sl_configuration_hash(sl_gpu_config(m->gpu)),
                                       .program = m->program,
                                       .launches = sl_gpu_record_count(m->gpu),
                                       .fast = sl_gpu_fast(m->gpu)};
}

static void beside_launch(struct sl_archive *t, struct sl_script_moment *m)
{
  void *text = m->text;
  const size_t length = sl_archive_number(t, sl_archive_reads(t) ? 0 : (uint32_t)strlen(m->text), UINT32_MAX - 1);
  const bool good = sl_archive_block(t, &text, length);
  m->text = text;
  if (good)
    sl_gpu_records_archive(t, m->gpu, sl_gpu_ptx_cycles(m->gpu));
  if (!t->bad)
    script_player_archive(t, m->player);
}

static size_t write_archive(const struct sl_script_moment *moment, const struct sl_ptx_under_way *launch,
                            uint8_t *bytes)
{
  struct sl_script_moment m = *moment;
  struct sl_archive t = {.to = bytes};
  beside_launch(&t, &m);
  launch->archive(launch->launch, &t);
  return t.at;
}

enum sl_status sl_script_save(const struct sl_script_moment *m, const struct sl_ptx_under_way *launch, const char *path,
                              struct sl_error *err)
{
  struct sl_checkpoint file = {.header = header_of(m)};
  const size_t size = write_archive(m, launch, NULL);
  if (sl_checkpoint_put(&file, NULL, size) == NULL)
    return sl_no_memory(err, size);
  write_archive(m, launch, file.bytes);
  file.header.sm_bytes = size;
  const enum sl_status code = sl_checkpoint_write(&file, path, err);
  sl_checkpoint_free(&file);
  return code;
}

enum sl_status sl_script_save_bytes(const struct sl_script_moment *m, const struct sl_ptx_under_way *launch,
                                    void **bytes, size_t *size, struct sl_error *err)
{
  *size = write_archive(m, launch, NULL);
  *bytes = malloc(*size + 1);
  if (*bytes == NULL)
    return sl_no_memory(err, *size);
  write_archive(m, launch, *bytes);
  return SL_OK;
}

enum sl_status sl_script_restore_bytes(struct sl_script_restored *r, struct sl_script_moment *m, const void *bytes,
                                       size_t size, struct sl_error *err)
{
  *r = (struct sl_script_restored){.archive = {.from = bytes, .size = size, .trusted = true}};
  beside_launch(&r->archive, m);
  if (r->archive.no_memory)
    return sl_no_memory(err, size);
  sl_gpu_ptx_resume_from(m->gpu, &r->archive);
  return r->archive.bad ? sl_fail(err, SL_INTERNAL, "a checkpoint in memory is damaged") : SL_OK;
}

enum sl_status sl_script_restore(struct sl_script_restored *r, struct sl_script_moment *m, const char *path,
                                 struct sl_error *err)
{
  const size_t most = (size_t)36 << 30; /* memory is at most 32 GiB */
  *r = (struct sl_script_restored){.archive.bad = true};
  const enum sl_status code = sl_checkpoint_read(&r->file, path, most, err);
  if (code != SL_OK)
    return code;
  const struct sl_checkpoint_header own = header_of(m);
  const char *wrong = sl_checkpoint_mismatch(&r->file.header, &own);
  r->archive = (struct sl_archive){.from = r->file.bytes, .size = r->file.size};
  if (wrong == NULL) {
    beside_launch(&r->archive, m);
    wrong = r->archive.bad ? "it is damaged" : NULL;
  }
  if (r->archive.no_memory)
    return sl_no_memory(err, r->archive.size);
  sl_gpu_ptx_resume_from(m->gpu, &r->archive);
  return wrong == NULL ? SL_OK : sl_fail(err, SL_USAGE, "%.500s: the checkpoint cannot be used: %s", path, wrong);
}

void sl_script_restored_free(struct sl_script_restored *r)
{
  sl_checkpoint_free(&r->file);
}
