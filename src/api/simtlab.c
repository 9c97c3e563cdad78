/* The public interface over the library's own types. */
#include "simtlab/simtlab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/api_types.h"
#include "compiler/cc/compile.h"

/* The public interface: compiling. */

enum { PATH_MOST = 4096 };

static enum sl_status find_runtime(const struct simtlab_compile *compile, char path[PATH_MOST], struct sl_error *err)
{
  const char *home = getenv("SIMTLAB_HOME");
  int n = compile->runtime != NULL ? snprintf(path, PATH_MOST, "%s", compile->runtime)
          : home != NULL           ? snprintf(path, PATH_MOST, "%s/runtime", home)
                                   : -1;
  if (n < 0 || n >= PATH_MOST)
    return sl_fail(err, SL_USAGE, "the runtime library's folder is unknown: set `runtime` or SIMTLAB_HOME");
  return SL_OK;
}

static size_t count(const char *const *list)
{
  size_t n = 0;
  while (list != NULL && list[n] != NULL)
    n++;
  return n;
}

/* Lists the files, then the linker's arguments; the caller frees the list. */
static struct sl_input *make_inputs(const struct simtlab_compile *compile, size_t *number, struct sl_error *err)
{
  const size_t files = count(compile->files), links = count(compile->link_flags);
  struct sl_input *inputs = calloc(files + links + 1, sizeof *inputs);
  *number = files + links;
  if (inputs == NULL)
    sl_no_memory(err, (files + links + 1) * sizeof *inputs);
  for (size_t i = 0; inputs != NULL && i < *number; i++)
    inputs[i] = i < files ? (struct sl_input){.word = compile->files[i]}
                          : (struct sl_input){.word = compile->link_flags[i - files], .of_linker = true};
  return inputs;
}

/* Formats the options as command-line words, so that one parser reads both. */
static enum sl_status read_code(const struct simtlab_compile *compile, struct sl_wide_options *code,
                                struct sl_error *err)
{
  char registers[16], banks[16];
  snprintf(registers, sizeof registers, "%u", compile->registers);
  snprintf(banks, sizeof banks, "%u", compile->banks);
  const struct sl_wide_words words = {.allocation = compile->allocation,
                                      .registers = compile->registers != 0 ? registers : NULL,
                                      .banks = compile->banks != 0 ? banks : NULL,
                                      .map = compile->bank_map,
                                      .saved = compile->saved_registers};
  const char *given = sl_wide_words_given(&words);
  if (given != NULL && !compile->vortex64)
    return sl_fail(err, SL_USAGE, "%s applies only to programs of 64-bit words: set vortex64", given);
  return sl_wide_options_read(code, &words, err);
}

enum simtlab_status simtlab_compile(const struct simtlab_compile *compile, char **log, struct simtlab_error *error)
{
  SL_API_NEEDS(compile, error);
  if (compile->files == NULL)
    return sl_api_null(__func__, "compile->files", error);
  if (compile->output == NULL)
    return sl_api_null(__func__, "compile->output", error);
  struct sl_error e;
  struct sl_log said = {0};
  char runtime[PATH_MOST];
  struct sl_tools tools = {.log = &said};
  struct sl_compile_order order = {.output = compile->output,
                                   .runtime = runtime,
                                   .flags = compile->flags,
                                   .vortex = compile->vortex || compile->vortex64,
                                   .wide = compile->vortex64,
                                   .fp = compile->fp || compile->vortex64,
                                   .rv32e = compile->rv32e,
                                   .clang = compile->clang,
                                   .no_marks = compile->no_marks,
                                   .auto_marks = compile->auto_marks,
                                   .marks_tool = compile->marks_tool,
                                   .cfm = compile->cfm,
                                   .dmsl = compile->dmsl};
  struct sl_input *inputs = make_inputs(compile, &order.input_count, &e);
  order.inputs = inputs;
  enum sl_status code = inputs != NULL ? find_runtime(compile, runtime, &e) : SL_INTERNAL;
  if (code == SL_OK)
    code = read_code(compile, &order.code, &e);
  if (code == SL_OK)
    code = sl_compile(&order, &tools, &e);
  free(inputs);
  if (log != NULL) {
    sl_log_add(&said, "", 0);
    *log = said.text;
  } else
    sl_log_free(&said);
  return sl_api_report(code, &e, error);
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

const char *simtlab_version(void)
{
  return TEXT(SIMTLAB_VERSION_MAJOR) "." TEXT(SIMTLAB_VERSION_MINOR) "." TEXT(SIMTLAB_VERSION_PATCH);
}

static void *no_memory(size_t bytes, struct simtlab_error *error)
{
  struct sl_error e;
  sl_api_report(sl_no_memory(&e, bytes), &e, error);
  return NULL;
}

/* ---- configurations ---------------------------------------------------------------------------------------------- */

const char *simtlab_machine_name(size_t index)
{
  return index < sl_preset_count() ? sl_preset_name(index) : NULL;
}

simtlab_config *simtlab_config_open(const char *name_or_file, struct simtlab_error *error)
{
  if (name_or_file == NULL) {
    sl_api_null(__func__, "name_or_file", error);
    return NULL;
  }
  struct sl_error e;
  simtlab_config *config = calloc(1, sizeof *config);
  if (config == NULL)
    return no_memory(sizeof *config, error);
  if (sl_api_report(sl_config_open(&config->config, name_or_file, &e), &e, error) == SIMTLAB_OK)
    return config;
  free(config);
  return NULL;
}

enum simtlab_status simtlab_config_set(simtlab_config *config, const char *assignment, struct simtlab_error *error)
{
  SL_API_NEEDS(config, error);
  SL_API_NEEDS(assignment, error);
  struct sl_error e;
  return sl_api_report(sl_config_set(&config->config, assignment, &e), &e, error);
}

void simtlab_config_free(simtlab_config *config)
{
  if (config != NULL)
    sl_config_close(&config->config);
  free(config);
}

/* ---- programs: the public type is an alias of the internal one
 * ---------------------------------------------------- */

static simtlab_program *to_public(struct sl_program *program)
{
  return (simtlab_program *)program;
}

simtlab_program *simtlab_program_load(const char *path, struct simtlab_error *error)
{
  if (path == NULL) {
    sl_api_null(__func__, "path", error);
    return NULL;
  }
  struct sl_error e;
  struct sl_program *program = NULL;
  return sl_api_report(sl_program_load(path, &program, &e), &e, error) == SIMTLAB_OK ? to_public(program) : NULL;
}

simtlab_program *simtlab_program_parse(const char *name, const void *bytes, size_t size, struct simtlab_error *error)
{
  if (name == NULL) {
    sl_api_null(__func__, "name", error);
    return NULL;
  }
  if (bytes == NULL) {
    sl_api_null(__func__, "bytes", error);
    return NULL;
  }
  struct sl_error e;
  struct sl_program *program = NULL;
  return sl_api_report(sl_program_parse(name, bytes, size, &program, &e), &e, error) == SIMTLAB_OK ? to_public(program)
                                                                                                   : NULL;
}

void simtlab_program_free(simtlab_program *program)
{
  sl_program_free((struct sl_program *)program);
}

bool simtlab_program_symbol(const simtlab_program *program, const char *name, uint32_t *address)
{
  if (program == NULL || name == NULL || address == NULL)
    return false;
  return sl_program_symbol(sl_api_program(program), name, address);
}

size_t simtlab_program_locate(const simtlab_program *program, uint64_t address, char *text, size_t size)
{
  if (program == NULL || text == NULL)
    return 0;
  if (address <= UINT32_MAX)
    sl_location_format(sl_api_program(program), (uint32_t)address, text, size);
  else
    snprintf(text, size, "0x%" PRIx64, address);
  return size > 0 ? strlen(text) : 0;
}

/* ---- callbacks --------------------------------------------------------------------------------------------------- */

/* Whether a run goes on after a callback. */
static bool goes_on(const struct simtlab_device *device)
{
  return device->stop[0] == '\0' && !device->released;
}

static int console_get(void *context)
{
  const struct simtlab_device *device = context;
  return device->callbacks.console_get(device->callbacks.context);
}

static int console_put(void *context, uint8_t byte)
{
  const struct simtlab_device *device = context;
  const int done = device->callbacks.console_put(device->callbacks.context, byte);
  return goes_on(device) ? done : -1;
}

/* The launch and the warp as the interface numbers them: PTX has no number over all cores. */
static unsigned warp_of(const struct sl_probe *p)
{
  return p->ptx_warp != NULL ? p->ptx_warp->index : p->warp;
}

static void on_commit(const struct simtlab_device *device, const struct sl_probe *c)
{
  struct simtlab_commit commit = {
      .cycle = c->cycle,
      .launch = c->launch,
      .warp = warp_of(c),
      .active = c->active,
      .pc = c->pc,
      .word = c->insn != NULL ? (uint32_t)c->insn->word : 0,
      .rd = c->values ? c->insn->rd : -1,
      .values = c->values,
      .lanes = c->lanes,
      .line = c->line,
  };
  if (c->ptx_warp != NULL) {
    commit.kernel = c->ptx_warp->block->launch->kernel->name;
    memcpy(commit.block, c->ptx_warp->block->index, sizeof commit.block);
  }
  device->callbacks.commit(device->callbacks.context, &commit);
}

static void on_access(const struct simtlab_device *device, const struct sl_probe *a)
{
  const struct simtlab_access access = {
      .cycle = a->cycle,
      .launch = a->launch,
      .warp = warp_of(a),
      .active = a->active,
      .pc = a->pc,
      .kind = a->access == SL_PROBE_LOAD    ? SIMTLAB_LOAD
              : a->access == SL_PROBE_STORE ? SIMTLAB_STORE
                                            : SIMTLAB_ATOMIC,
      .width = a->width,
      .address = a->wide_address,
      .lanes = a->lanes,
  };
  device->callbacks.access(device->callbacks.context, &access);
}

static bool on_probe(void *context, const struct sl_probe *probe)
{
  struct simtlab_device *device = context;
  if (device->events.event != NULL)
    sl_api_collect(device, probe);
  if (probe->kind == SL_PROBE_EXECUTED && device->callbacks.commit != NULL)
    on_commit(device, probe);
  else if (probe->kind == SL_PROBE_ACCESSED && device->callbacks.access != NULL)
    on_access(device, probe);
  return goes_on(device);
}

static bool on_progress(void *context, uint64_t cycles)
{
  (void)cycles;
  return goes_on(context);
}

/* ---- devices ----------------------------------------------------------------------------------------------------- */

/* Copies a configuration. */
static enum sl_status copy_config(const struct sl_config *from, struct sl_config *to, struct sl_error *err)
{
  *to = *from;
  to->spec = malloc(from->machine->spec_size);
  if (to->spec == NULL)
    return sl_no_memory(err, from->machine->spec_size);
  memcpy(to->spec, from->spec, from->machine->spec_size);
  return SL_OK;
}

static struct sl_device_options own_options(simtlab_device *device, const struct simtlab_options *options)
{
  struct sl_device_options own = {.console.context = device,
                                  .probes = {.tell = on_probe, .context = device},
                                  .progress = on_progress,
                                  .progress_context = device};
  if (options == NULL)
    return own;
  device->callbacks = options->callbacks;
  own.console.get = options->callbacks.console_get ? console_get : NULL;
  own.console.put = options->callbacks.console_put ? console_put : NULL;
  own.probes.wanted = (options->callbacks.commit ? (unsigned)SL_PROBE_EXECUTED : 0) |
                      (options->callbacks.access ? (unsigned)SL_PROBE_ACCESSED : 0);
  own.probes.payloads = options->callbacks.access ? SL_PAYLOAD_ADDRESSES : 0;
  own.fast = options->fast;
  own.max_cycles = options->max_cycles;
  own.threads = options->threads;
  own.whole_program = options->whole_program;
  own.region = options->region;
  device->ptx = options->ptx;
  return own;
}

simtlab_device *simtlab_device_create(const simtlab_config *config, const struct simtlab_options *options,
                                      struct simtlab_error *error)
{
  if (config == NULL) {
    sl_api_null(__func__, "config", error);
    return NULL;
  }
  simtlab_device *device = calloc(1, sizeof *device);
  if (device == NULL)
    return no_memory(sizeof *device, error);
  device->options = own_options(device, options);
  struct sl_error e;
  enum sl_status code = sl_config_check(&config->config, &e);
  if (code == SL_OK)
    code = copy_config(&config->config, &device->config, &e);
  if (code == SL_OK)
    code = sl_api_open(device, &e);
  if (sl_api_report(code, &e, error) == SIMTLAB_OK)
    return device;
  simtlab_device_free(device);
  return NULL;
}

void simtlab_device_free(simtlab_device *device)
{
  if (device == NULL)
    return;
  device->released = true;
  if (!device->running)
    sl_api_destroy(device);
}

void simtlab_device_stop(simtlab_device *device, const char *reason)
{
  if (device != NULL && device->running)
    snprintf(device->stop, sizeof device->stop, "%s",
             reason != NULL && reason[0] != '\0' ? reason : "stopped by a callback");
}

enum simtlab_status simtlab_device_load(simtlab_device *device, const simtlab_program *program, int argc,
                                        const char *const *argv, struct simtlab_error *error)
{
  struct sl_error e;
  SL_API_HOSTED(device, error);
  SL_API_NEEDS(program, error);
  if (argc < 0 || (argc > 0 && argv == NULL))
    return sl_api_null(__func__, "argv", error);
  for (int i = 0; i < argc; i++)
    SL_API_NEEDS(argv[i], error);
  enum sl_status code = device->loaded ? sl_api_open(device, &e) : SL_OK; /* a reset */
  device->loaded = device->used = true;
  if (code == SL_OK)
    code = sl_device_load(device->device, sl_api_program(program), argc, argv, &e);
  return sl_api_report(code, &e, error);
}

enum simtlab_status simtlab_device_run(simtlab_device *device, struct simtlab_error *error)
{
  return simtlab_device_run_for(device, UINT64_MAX, error);
}

enum simtlab_status simtlab_device_run_for(simtlab_device *device, uint64_t cycles, struct simtlab_error *error)
{
  struct sl_error e;
  SL_API_HOSTED(device, error);
  sl_api_begin(device);
  const enum sl_status code = sl_device_run_for(device->device, cycles, &e);
  return sl_api_end(device, code, &e, error);
}

int simtlab_device_exit_status(const simtlab_device *device)
{
  if (device == NULL || device->device == NULL)
    return 0;
  return sl_device_result(device->device)->status;
}

bool simtlab_device_warning(const simtlab_device *device, char *text, size_t size)
{
  if (device == NULL || device->device == NULL || text == NULL)
    return false;
  return sl_device_warning(device->device, text, size);
}

static bool inside(const simtlab_device *device, unsigned warp, unsigned lane)
{
  return device != NULL && device->device != NULL && warp < simtlab_device_warps(device) &&
         lane < simtlab_device_lanes(device);
}

uint32_t simtlab_device_register(const simtlab_device *device, unsigned warp, unsigned lane, unsigned reg)
{
  if (!inside(device, warp, lane) || reg > 31)
    return 0;
  return sl_device_machine(device->device)->view.read_register(sl_device_sm(device->device), warp, lane, reg);
}

bool simtlab_device_registers(const simtlab_device *device, unsigned warp, unsigned reg, uint32_t *values)
{
  if (values == NULL || !inside(device, warp, 0) || reg > 31)
    return false;
  for (unsigned lane = 0; lane < simtlab_device_lanes(device); lane++)
    values[lane] = simtlab_device_register(device, warp, lane, reg);
  return true;
}

uint32_t simtlab_device_pc(const simtlab_device *device, unsigned warp, unsigned lane)
{
  if (!inside(device, warp, lane))
    return 0;
  return sl_device_machine(device->device)->view.read_pc(sl_device_sm(device->device), warp, lane);
}

static enum simtlab_status no_thread(unsigned warp, unsigned lane, unsigned reg, struct simtlab_error *error)
{
  struct sl_error e;
  return sl_api_report(sl_fail(&e, SL_USAGE, "no thread %u of warp %u, or no register %u", lane, warp, reg), &e, error);
}

static enum simtlab_status was_set(bool set, unsigned warp, struct simtlab_error *error)
{
  struct sl_error e;
  const enum sl_status code =
      set ? SL_OK
          : sl_fail(&e, SL_USAGE, "warp %u has an instruction in flight: run the device for a cycle and try again",
                    warp);
  return sl_api_report(code, &e, error);
}

enum simtlab_status simtlab_device_set_register(simtlab_device *device, unsigned warp, unsigned lane, unsigned reg,
                                                uint32_t value, struct simtlab_error *error)
{
  SL_API_HOSTED(device, error);
  if (!inside(device, warp, lane) || reg > 31)
    return no_thread(warp, lane, reg, error);
  return was_set(sl_device_set_register(device->device, warp, lane, reg, value), warp, error);
}

enum simtlab_status simtlab_device_set_pc(simtlab_device *device, unsigned warp, unsigned lane, uint32_t pc,
                                          struct simtlab_error *error)
{
  SL_API_HOSTED(device, error);
  struct sl_error e;
  if (!inside(device, warp, lane))
    return no_thread(warp, lane, 0, error);
  if (pc % 4 != 0)
    return sl_api_report(sl_fail(&e, SL_USAGE, "pc 0x%08x is not a multiple of 4", pc), &e, error);
  return was_set(sl_device_set_pc(device->device, warp, lane, pc), warp, error);
}

uint32_t simtlab_device_host_register(const simtlab_device *device, unsigned reg)
{
  if (device == NULL || device->device == NULL)
    return 0;
  return sl_device_host_register(device->device, reg);
}

uint32_t simtlab_device_host_pc(const simtlab_device *device)
{
  if (device == NULL || device->device == NULL)
    return 0;
  return sl_device_host_pc(device->device);
}

uint64_t simtlab_device_memory_hash(const simtlab_device *device)
{
  if (device == NULL || device->device == NULL)
    return 0;
  return sl_device_memory_hash(device->device);
}

enum simtlab_status simtlab_device_save(const simtlab_device *device, const char *path, struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(path, error);
  struct sl_error e;
  return sl_api_report(sl_gpu_save(device->gpu, path, &e), &e, error);
}

enum simtlab_status simtlab_device_restore(simtlab_device *device, const char *path, struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(path, error);
  struct sl_error e;
  const enum sl_status code = sl_gpu_restore(device->gpu, path, &e);
  device->used |= code == SL_OK;
  return sl_api_report(code, &e, error);
}

enum simtlab_status simtlab_device_save_memory(const simtlab_device *device, void **bytes, size_t *size,
                                               struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(bytes, error);
  SL_API_NEEDS(size, error);
  struct sl_error e;
  return sl_api_report(sl_gpu_save_bytes(device->gpu, bytes, size, &e), &e, error);
}

enum simtlab_status simtlab_device_restore_memory(simtlab_device *device, const void *bytes, size_t size,
                                                  struct simtlab_error *error)
{
  SL_API_BETWEEN_RUNS(device, error);
  SL_API_NEEDS(bytes, error);
  struct sl_error e;
  const enum sl_status code = sl_gpu_restore_bytes(device->gpu, bytes, size, &e);
  device->used |= code == SL_OK;
  return sl_api_report(code, &e, error);
}
