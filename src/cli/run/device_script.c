#include "cli/run/device_script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "program/kernels.h"

struct player {
  const struct sl_ptx_script *script;
  struct sl_device *device;
  const struct sl_program *program;
  const struct sl_device_script_observer *observer;
  uint32_t *address; /* addresses of buffers, by step */
};

static enum sl_status make_buffer(struct player *p, unsigned index, struct sl_error *err)
{
  const struct sl_ptx_step *step = &p->script->steps[index];
  uint8_t *bytes = calloc(1, step->bytes + 1);
  if (bytes == NULL)
    return sl_no_memory(err, step->bytes);
  enum sl_status code = sl_ptx_fill(&step->fill, bytes, step->bytes, err);
  if (code == SL_OK)
    code = sl_device_alloc(p->device, step->bytes > 0 ? step->bytes : 1, &p->address[index], err);
  if (code == SL_OK)
    sl_device_write(p->device, p->address[index], bytes, step->bytes);
  free(bytes);
  return code;
}

/* Current contents of a buffer; the caller frees it. NULL: out of memory. */
static uint8_t *contents(const struct player *p, uint32_t buffer)
{
  const uint64_t size = p->script->steps[buffer].bytes;
  uint8_t *bytes = malloc(size + 1);
  if (bytes != NULL)
    sl_device_read(p->device, p->address[buffer], bytes, size);
  return bytes;
}

/* Lays the arguments out like a C struct of the parameters; returns its size. */
static enum sl_status put_arguments(const struct player *p, const struct sl_ptx_step *step,
                                    uint8_t bytes[8 * SL_PTX_ARGUMENTS], size_t *size, struct sl_error *err)
{
  struct sl_parameter parameter[SL_PTX_ARGUMENTS];
  struct sl_kernel kernel;
  size_t widest = 1;
  *size = 0;
  if (!sl_program_find_kernel(p->program, step->name, &kernel))
    return sl_fail(err, SL_USAGE, "%.200s has no kernel '%.100s'", sl_program_name(p->program), step->name);
  if (step->argument_count > 0 && step->arguments[step->argument_count - 1].parameter + 1 != step->argument_count)
    return sl_fail(err, SL_USAGE, "kernel '%.100s' is in machine code: its launches take no structs in braces",
                   step->name);
  const size_t count = sl_kernel_parameters(&kernel, parameter, SL_PTX_ARGUMENTS);
  if (count != step->argument_count)
    return sl_fail(err, SL_USAGE, "kernel '%.100s' has %zu parameters, but the launch has %u arguments", step->name,
                   count, step->argument_count);
  for (unsigned i = 0; i < step->argument_count; i++) {
    const struct sl_ptx_argument *a = &step->arguments[i];
    const bool buffer = a->type == SL_PTX_NO_TYPE;
    const uint64_t bits = buffer ? p->address[a->buffer] + a->bits : a->bits;
    const size_t width = buffer ? sizeof(uint32_t) : sl_ptx_type_bytes(a->type);
    if (parameter[i].size != 0 && parameter[i].size != width)
      return sl_fail(err, SL_USAGE, "parameter %.100s has %u bytes, and the argument in column %u has %zu",
                     parameter[i].name, parameter[i].size, a->column, width);
    *size = (*size + width - 1) / width * width;
    memcpy(bytes + *size, &bits, width);
    *size += width;
    widest = width > widest ? width : widest;
  }
  *size = (*size + widest - 1) / widest * widest;
  return SL_OK;
}

static enum sl_status launch(const struct player *p, const struct sl_ptx_step *step, struct sl_error *err)
{
  uint8_t arguments[8 * SL_PTX_ARGUMENTS] = {0};
  struct sl_launch_order order = {
      .program = p->program, .kernel = step->name, .shared = (uint32_t)step->bytes, .arguments = arguments};
  memcpy(order.grid, step->grid, sizeof order.grid);
  memcpy(order.block, step->block, sizeof order.block);
  enum sl_status code = put_arguments(p, step, arguments, &order.argument_bytes, err);
  if (code == SL_OK)
    code = sl_device_start_kernel(p->device, &order, err);
  return code == SL_OK ? sl_device_wait(p->device, err) : code;
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

/* Statements that read a buffer, or change all of it. */
static enum sl_status handle(const struct player *p, const struct sl_ptx_step *step, struct sl_error *err)
{
  const uint64_t size = p->script->steps[step->buffer].bytes;
  uint8_t *bytes = contents(p, step->buffer);
  enum sl_status code = SL_OK;
  if (bytes == NULL)
    return sl_no_memory(err, size);
  const uint64_t sum = sl_ptx_sum(bytes, size);
  if (step->kind == SL_PTX_STEP_MEMSET) {
    memset(bytes, (int)(step->value & UINT8_MAX), size);
    sl_device_write(p->device, p->address[step->buffer], bytes, size);
  } else if (step->kind == SL_PTX_STEP_DUMP) {
    code = write_file(step->path, bytes, size, err);
  } else if (step->kind == SL_PTX_STEP_SUM) {
    p->observer->summed(p->observer->context, step->name, sum);
  } else if (sum != step->value) {
    code = sl_fail(err, SL_CHECK_FAILED, "the sum of %.100s is %016" PRIx64 ", not %016" PRIx64 " as expected",
                   step->name, sum, step->value);
  }
  free(bytes);
  return code;
}

static enum sl_status perform(struct player *p, unsigned index, struct sl_error *err)
{
  const struct sl_ptx_step *step = &p->script->steps[index];
  switch (step->kind) {
  case SL_PTX_STEP_BUFFER: return make_buffer(p, index, err);
  case SL_PTX_STEP_LAUNCH: return launch(p, step, err);
  case SL_PTX_STEP_TEXTURE: return sl_fail(err, SL_USAGE, "kernels in machine code have no textures");
  default: return handle(p, step, err);
  }
}

enum sl_status sl_device_script_play(const struct sl_ptx_script *script, struct sl_device *device,
                                     const struct sl_program *program, const struct sl_device_script_observer *observer,
                                     struct sl_error *err)
{
  struct player p = {.script = script, .device = device, .program = program, .observer = observer};
  enum sl_status code = SL_OK;
  p.address = calloc(script->step_count + (size_t)1, sizeof *p.address);
  if (p.address == NULL)
    return sl_no_memory(err, script->step_count * sizeof *p.address);
  for (unsigned i = 0; i < script->step_count && code == SL_OK; i++) {
    code = perform(&p, i, err);
    if (code != SL_OK && code < SL_INTERRUPTED)
      sl_error_prefix(err, "%.300s:%u: ", script->path, script->steps[i].line);
  }
  free(p.address);
  return code;
}
