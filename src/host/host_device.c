#include "host/host_device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/keys.h"
#include "compiler/linear/linear_rewrite.h"
#include "device/gpu_kind.h"
#include "host/host_observers.h"
#include "program/program.h"

static enum sl_status set_keys(struct sl_config *config, const struct sl_host_options *options, struct sl_error *err)
{
  char assignment[SL_HOST_TEXT];
  enum sl_status code = options->r2d2 ? sl_config_set(config, "r2d2=on", err) : SL_OK;
  for (const char *at = options->set; *at != '\0' && code == SL_OK;) {
    const size_t length = strcspn(at, ",");
    snprintf(assignment, sizeof assignment, "%.*s", (int)length, at);
    if (length > 0)
      code = sl_config_set(config, assignment, err);
    at += length + (at[length] == ',');
  }
  return code == SL_OK ? sl_config_check(config, err) : code;
}

/* ---- registers per thread ---------------------------------------------------------------------------------------- */

/* Takes a line "KERNEL NUMBER"; '#' begins a comment. */
static enum sl_status take_registers(struct sl_host_device *device, char *line, unsigned number, struct sl_error *err)
{
  enum { MOST = 255 };
  uint64_t value = 0;
  char *rest = NULL;
  line[strcspn(line, "#")] = '\0';
  const char *kernel = strtok_r(line, " \t\r", &rest), *count = strtok_r(NULL, " \t\r", &rest);
  if (kernel == NULL)
    return SL_OK;
  if (count == NULL || strtok_r(NULL, " \t\r", &rest) != NULL || !sl_take_digits(&count, &value) || *count != '\0' ||
      value == 0 || value > MOST)
    return sl_fail(err, SL_USAGE, "%.300s:%u: a line has a kernel and its registers per thread, 1 to %d",
                   device->options.regs, number, MOST);
  struct sl_host_registers *grown =
      realloc(device->registers, (device->register_count + 1) * sizeof *device->registers);
  if (grown == NULL)
    return sl_no_memory(err, (device->register_count + 1) * sizeof *grown);
  device->registers = grown;
  grown[device->register_count] = (struct sl_host_registers){.kernel = strdup(kernel), .registers = (uint32_t)value};
  return grown[device->register_count++].kernel != NULL ? SL_OK : sl_no_memory(err, strlen(kernel));
}

static enum sl_status read_registers(struct sl_host_device *device, struct sl_error *err)
{
  char *text, *rest;
  size_t size;
  unsigned number = 0;
  if (device->options.regs[0] == '\0')
    return SL_OK;
  enum sl_status code = sl_file_bytes_read(device->options.regs, &text, &size, err);
  if (code != SL_OK)
    return code;
  char *all = malloc(size + 1);
  if (all == NULL)
    code = sl_no_memory(err, size);
  else
    snprintf(all, size + 1, "%.*s", (int)size, text);
  for (char *at = all; at != NULL && code == SL_OK; at = rest) {
    rest = strchr(at, '\n');
    if (rest != NULL)
      *rest++ = '\0';
    code = take_registers(device, at, ++number, err);
  }
  free(all);
  free(text);
  return code;
}

static uint32_t registers_of(const struct sl_host_device *device, const char *kernel)
{
  for (size_t i = 0; i < device->register_count; i++)
    if (kernel != NULL && strcmp(device->registers[i].kernel, kernel) == 0)
      return device->registers[i].registers;
  return 0;
}

/* ---- life cycle -------------------------------------------------------------------------------------------------- */

static enum sl_status open_energy(struct sl_host_device *device, struct sl_error *err)
{
  if (device->options.energy[0] == '\0')
    return SL_OK;
  device->energy = calloc(1, sizeof *device->energy);
  return device->energy != NULL ? sl_energy_set_open(device->energy, device->options.energy, err)
                                : sl_no_memory(err, sizeof *device->energy);
}

static enum sl_status open_gpu(struct sl_host_device *device, struct sl_error *err)
{
  const struct sl_host_options *o = &device->options;
  struct sl_probes *trace = sl_host_trace_probes(device);
  struct sl_gpu_options options = {
      .fast = strcmp(o->mode, "fast") == 0 && o->timed[0] == '\0',
      .threads = o->threads < UINT16_MAX ? (unsigned)o->threads : UINT16_MAX,
      .limit = o->max_cycles,
      .checked = o->check != 0,
      .machine_code = device->config.machine->ptx == NULL,
      .services = sl_host_check_services(device),
      .sampling = device->sampling,
      .first_launches = device->first_launches,
      .bounds = {.probes = trace != NULL ? trace : sl_host_check_probes(device),
                 .order = o->check != 0 ? o->check_schedule : 0},
  };
  sl_host_gdb_options(device, &options);
  enum sl_status code = sl_gpu_open(&device->gpu, &device->config, &options, err);
  if (code == SL_OK)
    code = sl_timeline_open(&device->timeline, device->gpu, &sl_timeline_defaults, err);
  if (code == SL_OK)
    device->facts = sl_gpu_facts(device->gpu);
  return code;
}

enum sl_status sl_host_open(struct sl_host_device *device, const struct sl_host_options *options, const char *machine,
                            size_t print_room, struct sl_error *err)
{
  *device = (struct sl_host_device){.options = *options, .findings = device->findings};
  sl_host_services_init(&device->services, print_room);
  enum sl_status code = sl_config_open(&device->config, options->machine[0] != '\0' ? options->machine : machine, err);
  if (code == SL_OK)
    code = set_keys(&device->config, options, err);
  if (code == SL_OK)
    code = read_registers(device, err);
  if (code == SL_OK)
    code = open_energy(device, err);
  if (code == SL_OK)
    code = sl_host_sample_open(device, err);
  if (code == SL_OK)
    code = sl_host_profile_open(device, err);
  if (code == SL_OK)
    code = sl_host_check_open(device, err);
  if (code == SL_OK)
    code = sl_host_trace_open(device, err);
  if (code == SL_OK)
    code = sl_host_gdb_open(device, err);
  if (code == SL_OK)
    code = open_gpu(device, err);
  if (code == SL_OK)
    code = sl_host_recorder_open(device, err);
  return code == SL_OK ? sl_host_stats_open(device, err) : code;
}

void sl_host_close(struct sl_host_device *device)
{
  sl_host_gdb_close(device);
  sl_host_stats_close(device);
  sl_host_profile_close(device);
  sl_host_recorder_close(device);
  sl_host_check_close(device);
  sl_host_trace_close(device);
  sl_timeline_close(device->timeline);
  sl_gpu_close(device->gpu);
  sl_config_close(&device->config);
  sl_host_services_free(&device->services);
  for (size_t i = 0; i < device->register_count; i++)
    free(device->registers[i].kernel);
  free(device->registers);
  free(device->energy);
  *device = (struct sl_host_device){.options.check_exit = device->options.check_exit, .findings = device->findings};
}

enum sl_status sl_host_make_heap(struct sl_host_device *device, uint64_t bytes, struct sl_error *err)
{
  uint64_t address;
  if (device->services.class_at != NULL || bytes == 0)
    return SL_OK;
  const enum sl_status code = sl_gpu_alloc(device->gpu, bytes, &address, err);
  return code == SL_OK ? sl_host_services_heap(&device->services, address, bytes, err) : code;
}

/* Prints what the launch has printed. */
static void print_text(struct sl_host_device *device)
{
  struct sl_host_services *s = &device->services;
  char sentence[160];
  if (device->print != NULL && s->used > 0)
    device->print(s->text, s->used);
  if (device->print != NULL && s->dropped > 0) {
    const int n = snprintf(sentence, sizeof sentence,
                           "simtlab: %" PRIu64 " calls of printf are not shown: a launch prints at most %zu bytes\n",
                           s->dropped, s->room);
    device->print(sentence, (size_t)n);
  }
  s->used = 0;
  s->dropped = 0;
}

/* ---- modules ----------------------------------------------------------------------------------------------------- */

static enum sl_status load(struct sl_host_device *device, const char *name, const struct sl_host_code *code,
                           struct sl_gpu_module **module, struct sl_error *err)
{
  const enum sl_status status =
      sl_gpu_load_bytes(device->gpu, sl_host_gdb_name(device, name, code), code->text, code->length, module, err);
  if (status != SL_OK)
    return status;
  sl_host_record_module(device, code);
  sl_host_profile_module(device, *module, code);
  sl_host_trace_module(device, *module, code);
  device->modules++;
  return SL_OK;
}

enum sl_status sl_host_load(struct sl_host_device *device, const char *name, const struct sl_host_code *code,
                            struct sl_gpu_module **module, struct sl_error *err)
{
  struct sl_linear_module linear = {.text = NULL};
  *module = NULL;
  if (!device->options.r2d2)
    return load(device, name, code, module, err);
  enum sl_status status = sl_linear_module_rewrite(&linear, name, code->text, code->length, err);
  const struct sl_host_code rewritten = {linear.text, linear.length, code->source};
  if (status == SL_OK)
    status = load(device, name, &rewritten, module, err);
  free(linear.text);
  return status;
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

/* What follows a launch that has ended with this error. */
static void ended(struct sl_host_device *device, const struct sl_gpu_launch *launch, const struct sl_queue *queue,
                  bool timed, const struct sl_error *outcome)
{
  const double estimated = timed || !sl_host_samples(device) ? -1 : sl_gpu_predicted(device->gpu);
  print_text(device);
  device->kernel_picoseconds += sl_gpu_last_picoseconds(device->gpu);
  if (device->stats != NULL)
    sl_host_stats_launch(device, launch, queue, timed, estimated, outcome);
  sl_host_check_end(device, outcome->code);
  sl_host_record_end(device, outcome->code);
  sl_host_profile_end(device, launch, outcome->code);
  sl_gpu_forget(device->gpu);
}

/* The first module with a kernel; NULL: none. */
static const struct sl_gpu_module *module_with(const struct sl_gpu *gpu, const char *kernel)
{
  const struct sl_gpu_module *m = gpu->modules;
  while (m != NULL && sl_ptx_entry(m->ptx, kernel) == NULL)
    m = m->next;
  return m;
}

enum sl_status sl_host_launch(struct sl_host_device *device, struct sl_queue *queue, const struct sl_gpu_launch *asked,
                              struct sl_event *const *waits, size_t wait_count, struct sl_event **event,
                              struct sl_error *err)
{
  struct sl_gpu_launch launch = *asked;
  const struct sl_command command = {
      .kind = SL_COMMAND_LAUNCH, .launch = &launch, .waits = waits, .wait_count = wait_count};
  struct sl_event *own = NULL;
  struct sl_error outcome = {.code = SL_OK};
  if (launch.module == NULL && device->facts.ptx)
    launch.module = module_with(device->gpu, launch.kernel);
  const uint32_t registers = registers_of(device, launch.kernel);
  if (registers > 0)
    launch.registers = registers;
  const bool timed = sl_host_samples(device) ? sl_gpu_choose(device->gpu, &launch)
                                             : sl_host_is_timed(&device->options, device->launches);
  if (device->options.timed[0] != '\0')
    sl_gpu_choose_fast(device->gpu, !timed);
  sl_host_record_begin(device, &launch, timed);
  sl_host_profile_begin(device, launch.module, timed);
  sl_host_check_begin(device, launch.module);
  sl_host_trace_begin(device, launch.module, timed);
  sl_host_gdb_begin(device, launch.module);
  enum sl_status code = sl_queue_add(queue, &command, &own, err);
  if (code != SL_OK)
    return code;
  device->launches++;
  device->timed += timed;
  if (sl_event_times(own).status != SL_OK)
    sl_event_error(own, &outcome);
  sl_host_gdb_end(device, &outcome);
  print_text(device);
  ended(device, &launch, queue, timed, &outcome);
  if (outcome.code != SL_OK && err != NULL)
    *err = outcome;
  if (event != NULL)
    *event = own;
  else
    sl_event_release(own);
  return outcome.code;
}
