#include "host/host_observers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debug/debug.h"
#include "debug/ptx/ptx_stub.h"
#include "debug/remote.h"
#include "device/gpu_kind.h"
#include "observe/trace/trace.h"

struct sl_host_gdb {
  struct sl_ptx_stub *stub; /* NULL: gdb has not connected, or has not been waited for */
  struct sl_debug *debug;   /* the same of machine code */
  bool killed;              /* by gdb, in a launch of machine code */
  struct sl_probes probes;
  struct sl_gpu_debugger debugger;
  int listener, connection;
  uint64_t port;
  bool tried; /* a launch has begun */
  bool fast;
  const struct sl_host_device *device;
  char path[SL_HOST_PATH];            /* of the latest module */
  const struct sl_gpu_module *module; /* of the latest launch */
  const struct sl_gpu_module *known;  /* the last one that gdb has symbols of */
  struct sl_trace_order order;        /* of the traces of `monitor trace`, one after the other */
  struct sl_trace trace;
  char program[SL_HOST_TEXT];
};

static void say(const struct sl_host_device *device, const char *sentence)
{
  if (device->options.say != NULL)
    device->options.say(device->options.context, sentence);
}

static bool hear(void *context, const struct sl_probe *probe)
{
  const struct sl_host_gdb *g = context;
  if (g->debug != NULL)
    return sl_debug_hear(g->debug, probe);
  const struct sl_probes *to = g->stub != NULL ? sl_ptx_stub_probes(g->stub) : NULL;
  return to == NULL || to->tell(to->context, probe);
}

static enum sl_status check_options(const struct sl_host_device *device, struct sl_error *err)
{
  const struct sl_host_options *o = &device->options;
  const char *other = o->check != 0           ? "CHECK"
                      : o->profile[0] != '\0' ? "PROFILE"
                      : o->trace[0] != '\0'   ? "TRACE"
                      : o->sample[0] != '\0'  ? "SAMPLE"
                                              : NULL;
  return other == NULL ? SL_OK
                       : sl_fail(err, SL_USAGE, "gdb needs the observer of the launches: leave GDB or %s out", other);
}

enum sl_status sl_host_gdb_open(struct sl_host_device *device, struct sl_error *err)
{
  if (device->options.gdb[0] == '\0')
    return SL_OK;
  struct sl_host_gdb *g = device->gdb = calloc(1, sizeof *g);
  if (g == NULL)
    return sl_no_memory(err, sizeof *g);
  g->device = device;
  g->listener = g->connection = -1;
  g->port = device->options.gdb_port;
  g->probes =
      (struct sl_probes){.wanted = SL_PROBE_LAUNCHED | SL_PROBE_BEGUN | SL_PROBE_EXECUTED, .tell = hear, .context = g};
  enum sl_status code = check_options(device, err);
  if (code == SL_OK)
    code = sl_host_make_folder(device->options.gdb, "gdb's symbols", err);
  return code == SL_OK ? sl_debug_listen(&g->port, &g->listener, err) : code;
}

/* ---- launches ---------------------------------------------------------------------------------------------------- */

/* Hears what the stub wants in this run of the launch. */
static void observe(struct sl_host_gdb *g)
{
  const struct sl_probes *wanted = sl_ptx_stub_probes(g->stub);
  g->probes.wanted = wanted->wanted;
  g->probes.payloads = wanted->payloads;
  g->probes.stopped = false;
}

static void begins(void *context)
{
  struct sl_host_gdb *g = context;
  if (g->stub == NULL)
    return;
  sl_ptx_stub_launch(g->stub);
  observe(g);
}

static bool again(void *context, enum sl_status code, const struct sl_error *err)
{
  struct sl_host_gdb *g = context;
  if (g->stub == NULL || !sl_ptx_stub_again(g->stub, code, code == SL_OK ? "" : err->text))
    return false;
  observe(g);
  return true;
}

/* The file of a module. */
static const char *file_of(const struct sl_gpu_module *module)
{
  return module != NULL ? module->name : "";
}

/* A launch of machine code has been started: gdb goes through it, and then the GPU does. */
static void started(void *context)
{
  struct sl_host_gdb *g = context;
  struct sl_error err;
  const struct sl_replay_order run = {.config = &g->device->config,
                                      .program = g->module != NULL ? g->module->program : NULL,
                                      .options = {.fast = g->fast},
                                      .device = sl_gpu_device(g->device->gpu)};
  if (g->debug == NULL || run.program == NULL)
    return;
  if (sl_debug_launch(g->debug, &run, file_of(g->module), &err) != SL_OK)
    say(g->device, err.text);
  g->killed = g->debug->killed;
}

static bool reached(void *context, const struct sl_ptx_under_way *launch, uint64_t now, uint64_t *next)
{
  const struct sl_host_device *device = context;
  *next = UINT64_MAX;
  return device->gdb->stub == NULL || sl_ptx_stub_reached(device->gdb->stub, launch, now, next);
}

static bool is_kept(const struct sl_host_device *device)
{
  const struct sl_machine_ptx *ptx = device->config.machine->ptx;
  return ptx != NULL && ptx->resumes(device->config.spec);
}

void sl_host_gdb_options(struct sl_host_device *device, struct sl_gpu_options *options)
{
  struct sl_host_gdb *g = device->gdb;
  if (g == NULL)
    return;
  g->debugger = (struct sl_gpu_debugger){
      .begins = begins, .started = options->machine_code ? started : NULL, .again = again, .context = g};
  if (options->machine_code)
    g->probes.wanted = sl_replay_wanted();
  g->fast = options->fast;
  options->debugger = &g->debugger;
  options->bounds.probes = &g->probes;
  options->bounds.reached = is_kept(device) ? reached : NULL;
  options->bounds.context = device;
}

/* In debug information the source has the name of SL_HOST_SOURCE without its folder. gdb's copy of the code has a name
 * of this length instead, and the source has a file of that name: "k" and the module's number. */
static enum sl_status name_source(const struct sl_host_device *device, const struct sl_host_code *code,
                                  const char *path, struct sl_error *err)
{
  static const char *const from = &SL_HOST_SOURCE[2];
  char own[sizeof SL_HOST_SOURCE - 2], file[SL_HOST_PATH];
  if (code->source == NULL)
    return SL_OK;
  snprintf(own, sizeof own, "k%04u.cl", device->modules % 10000);
  snprintf(file, sizeof file, "%.1000s/%s", device->options.gdb, own);
  enum sl_status status = sl_host_write_file(file, code->source, strlen(code->source), err);
  char *copy = status == SL_OK ? malloc(code->length + 1) : NULL;
  if (copy == NULL)
    return status == SL_OK ? sl_no_memory(err, code->length) : status;
  memcpy(copy, code->text, code->length);
  for (size_t i = 0; i + sizeof own <= code->length; i++)
    if (memcmp(copy + i, from, sizeof own) == 0)
      memcpy(copy + i, own, sizeof own);
  status = sl_host_write_file(path, copy, code->length, err);
  free(copy);
  return status;
}

const char *sl_host_gdb_name(struct sl_host_device *device, const char *name, const struct sl_host_code *code)
{
  struct sl_host_gdb *g = device->gdb;
  char source[SL_HOST_PATH];
  struct sl_error err;
  if (g == NULL)
    return name;
  if (sl_host_module_write(device, device->options.gdb, code, g->path, source, &err) == SL_OK &&
      (device->facts.ptx || name_source(device, code, g->path, &err) == SL_OK))
    return g->path;
  say(device, err.text);
  return name;
}

/* ---- traces ------------------------------------------------------------------------------------------------------ */

static const struct sl_ptx_module *traced_module(void *context)
{
  return ((struct sl_host_gdb *)context)->module->ptx;
}

/* The trace of a part of a launch. */
static enum sl_status open_trace(void *context, const char *path, struct sl_probes *probes, struct sl_error *err)
{
  struct sl_host_gdb *g = context;
  g->order.module = g->module->name;
  g->order.format = sl_trace_format_of(NULL, path);
  if (g->order.format == NULL)
    g->order.format = sl_trace_format_of(sl_trace_formats[0], NULL);
  enum sl_status code = sl_commit_choose(&g->order.choice, NULL, NULL, err);
  if (code == SL_OK)
    code = sl_trace_open(&g->trace, &g->order, path, err);
  if (code == SL_OK)
    *probes = sl_trace_probes(&g->trace);
  return code;
}

static enum sl_status close_trace(void *context, uint64_t *instructions, struct sl_error *err)
{
  struct sl_host_gdb *g = context;
  const enum sl_status code = sl_trace_close(&g->trace, err);
  *instructions = g->trace.rows;
  return code;
}

/* ---- the connection ---------------------------------------------------------------------------------------------- */

static void services_archive(void *services, struct sl_archive *archive)
{
  sl_host_services_archive(services, archive);
}

/* Writes the symbols of a module, and `all`: of those after it. A module that the runtime has compiled has its source
 * beside its PTX (sl_host_module_write). */
static enum sl_status write_symbols(const struct sl_gpu_module *first, bool all, const char *path, struct sl_error *err)
{
  size_t count = 0;
  for (const struct sl_gpu_module *m = first; m != NULL; m = m->next)
    count++;
  struct sl_ptx_symbols *of = calloc(count, sizeof *of);
  char(*file)[SL_HOST_PATH] = calloc(count, sizeof *file);
  enum sl_status code = of != NULL && file != NULL ? SL_OK : sl_no_memory(err, count * sizeof *file);
  count = 0;
  for (const struct sl_gpu_module *m = first; m != NULL && code == SL_OK && (all || count == 0); m = m->next) {
    snprintf(file[count], sizeof *file, "%.*s.cl", (int)strlen(m->name) - 4, m->name);
    of[count] = (struct sl_ptx_symbols){.module = m->ptx, .name = SL_HOST_SOURCE, .file = file[count]};
    count++;
  }
  if (code == SL_OK)
    code = sl_ptx_symbols_write(of, count, path, err);
  free(of);
  free(file);
  return code;
}

/* Traces are told what a machine is created for. */
static enum sl_status refuse_trace(void *context, const char *path, struct sl_probes *probes, struct sl_error *err)
{
  (void)context, (void)path, (void)probes;
  return sl_fail(err, SL_USAGE, "a launch of machine code is not traced in gdb; simtlab trace traces the program");
}

/* Waits for gdb, whose symbols are the module's file. */
static enum sl_status connect_code(struct sl_host_device *device, const struct sl_gpu_module *module,
                                   struct sl_error *err)
{
  struct sl_host_gdb *g = device->gdb;
  char sentence[SL_HOST_PATH + 100];
  snprintf(sentence, sizeof sentence,
           "waiting for gdb: gdb-multiarch -d %.400s -ex 'target remote :%" PRIu64 "' %.400s", device->options.gdb,
           g->port, file_of(module));
  say(device, sentence);
  const enum sl_status code = sl_debug_accept(g->listener, &g->connection, err);
  g->listener = -1;
  const struct sl_debug_order order = {
      .path = "", .in = g->connection, .out = g->connection, .tracer = {refuse_trace, close_trace, g}};
  return code == SL_OK ? sl_debug_open(&g->debug, &order, err) : code;
}

/* Writes the symbols of the modules and waits for gdb. */
static enum sl_status connect_gdb(struct sl_host_device *device, struct sl_error *err)
{
  struct sl_host_gdb *g = device->gdb;
  char path[SL_HOST_PATH], sentence[SL_HOST_PATH + 100];
  snprintf(path, sizeof path, "%.1000s/kernels.sym", device->options.gdb);
  enum sl_status code = write_symbols(device->gpu->modules, true, path, err);
  if (code != SL_OK)
    return code;
  snprintf(sentence, sizeof sentence, "waiting for gdb: gdb-multiarch -ex 'target remote :%" PRIu64 "' %s", g->port,
           path);
  say(device, sentence);
  code = sl_debug_accept(g->listener, &g->connection, err);
  g->listener = -1;
  const struct sl_ptx_rewind rewind = {
      .gpu = device->gpu, .beside = services_archive, .context = &device->services, .kept = is_kept(device)};
  const struct sl_debug_tracer tracer = {open_trace, close_trace, g};
  sl_host_program_name(g->program, sizeof g->program);
  g->order = (struct sl_trace_order){.machine = device->config.machine,
                                     .soc = device->config.machine->soc(device->config.spec),
                                     .ptx = traced_module,
                                     .context = g,
                                     .title = g->program,
                                     .origin = "simtlab " SL_VERSION};
  if (code == SL_OK)
    code = sl_ptx_stub_open(&g->stub, g->connection, g->connection, sl_gpu_fast(device->gpu), &tracer, &rewind, err);
  for (const struct sl_gpu_module *m = device->gpu->modules; m != NULL && code == SL_OK; m = m->next) {
    sl_ptx_stub_module(g->stub, m->ptx);
    g->known = m;
  }
  return code;
}

/* Modules that have been loaded since: each gets a file of symbols beside that of its PTX. */
static void tell_modules(struct sl_host_device *device)
{
  struct sl_host_gdb *g = device->gdb;
  char path[SL_HOST_PATH];
  struct sl_error err;
  for (const struct sl_gpu_module *m = g->known->next; m != NULL; m = m->next) {
    snprintf(path, sizeof path, "%.1000s.sym", m->name);
    g->known = m;
    if (write_symbols(m, false, path, &err) != SL_OK) {
      say(device, err.text);
      continue;
    }
    char *whole = realpath(path, NULL);
    sl_ptx_stub_library(g->stub, m->ptx, whole != NULL ? whole : path);
    free(whole);
  }
}

void sl_host_gdb_begin(struct sl_host_device *device, const struct sl_gpu_module *module)
{
  struct sl_host_gdb *g = device->gdb;
  struct sl_error err;
  if (g != NULL)
    g->module = module;
  if (g != NULL && g->stub != NULL)
    tell_modules(device);
  if (g == NULL || g->tried)
    return;
  g->tried = true;
  const enum sl_status code =
      module == NULL || module->ptx == NULL ? connect_code(device, module, &err) : connect_gdb(device, &err);
  if (code != SL_OK)
    say(device, err.text);
}

void sl_host_gdb_end(struct sl_host_device *device, const struct sl_error *outcome)
{
  if (device->gdb != NULL && device->gdb->killed && device->options.kill != NULL)
    device->options.kill(device->options.context);
  if (device->gdb == NULL || device->gdb->stub == NULL)
    return;
  sl_ptx_stub_launch_end(device->gdb->stub, outcome->code, outcome->text);
  if (sl_ptx_stub_killed(device->gdb->stub) && device->options.kill != NULL)
    device->options.kill(device->options.context);
}

void sl_host_gdb_close(struct sl_host_device *device)
{
  struct sl_host_gdb *g = device->gdb;
  if (g == NULL)
    return;
  if (g->stub != NULL)
    sl_ptx_stub_exit(g->stub, device->exit_status);
  sl_ptx_stub_close(g->stub);
  sl_debug_close(g->debug, device->exit_status);
  if (g->connection >= 0)
    close(g->connection);
  if (g->listener >= 0)
    close(g->listener);
  free(g);
  device->gdb = NULL;
}
