#include "host/host_observers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "device/gpu_kind.h"
#include "observe/trace/trace.h"

/* A module of the device, as the trace gets it when it is first launched. */
struct traced {
  const struct sl_gpu_module *module;
  struct sl_trace_module code;
  bool added;
  uint32_t number; /* in the trace */
};

struct sl_host_trace {
  struct sl_trace_order order;
  char program[SL_HOST_TEXT];
  struct sl_trace trace;
  struct sl_probes probes, to;
  bool opened, failed;
  bool current; /* the launch is traced */
  struct traced *module;
  size_t count;
  uint32_t number; /* of the latest launch's module */
};

static void warn(const struct sl_host_device *device, const char *sentence)
{
  if (device->options.warn != NULL)
    device->options.warn(device->options.context, sentence);
}

static bool hear(void *context, const struct sl_probe *probe)
{
  const struct sl_host_trace *t = context;
  return !t->current || t->to.tell(t->to.context, probe);
}

/* Options that need the device's observer, or leave out what a trace shows. */
static enum sl_status check_options(const struct sl_host_options *o, struct sl_error *err)
{
  const char *other = o->check != 0                                         ? "CHECK"
                      : o->profile[0] != '\0'                               ? "PROFILE"
                      : o->sample[0] != '\0'                                ? "SAMPLE"
                      : o->timed[0] == '\0' && strcmp(o->mode, "fast") == 0 ? "MODE=fast"
                                                                            : NULL;
  return other == NULL ? SL_OK
                       : sl_fail(err, SL_USAGE,
                                 "a trace needs timed launches and no other observer: leave TRACE or %s out", other);
}

static enum sl_status choose_format(struct sl_host_trace *t, const struct sl_host_options *o, struct sl_error *err)
{
  const char *name = o->trace_format[0] != '\0' ? o->trace_format : NULL;
  char path[SL_HOST_TEXT];
  snprintf(path, sizeof path, "%s", o->trace);
  for (char *dot = strrchr(path, '.'); dot != NULL && dot[strspn(dot + 1, "0123456789") + 1] == '\0';
       dot = strrchr(path, '.'))
    *dot = '\0'; /* the number of a further device is behind the name */
  t->order.format = sl_trace_format_of(name, path);
  if (t->order.format == NULL && name != NULL)
    return sl_fail(err, SL_USAGE, "TRACE_FORMAT '%.80s' is no format of traces: simtlab trace --help lists them", name);
  if (t->order.format == NULL)
    t->order.format = sl_trace_format_of(sl_trace_formats[0], NULL);
  return SL_OK;
}

enum sl_status sl_host_trace_open(struct sl_host_device *device, struct sl_error *err)
{
  const struct sl_host_options *o = &device->options;
  if (o->trace[0] == '\0')
    return SL_OK;
  struct sl_host_trace *t = device->trace = calloc(1, sizeof *t);
  if (t == NULL)
    return sl_no_memory(err, sizeof *t);
  const struct sl_machine *machine = device->config.machine;
  sl_host_program_name(t->program, sizeof t->program);
  t->order = (struct sl_trace_order){.machine = machine,
                                     .soc = machine->soc(device->config.spec),
                                     .machine_code = machine->ptx == NULL,
                                     .title = t->program,
                                     .origin = "simtlab " SL_VERSION,
                                     .kernel = o->trace_kernel[0] != '\0' ? o->trace_kernel : NULL,
                                     .sample = o->trace_sample};
  enum sl_status code = check_options(o, err);
  if (code == SL_OK)
    code = choose_format(t, o, err);
  if (code == SL_OK)
    code = sl_commit_choose(&t->order.choice, o->trace_cycles[0] != '\0' ? o->trace_cycles : NULL,
                            o->trace_warps[0] != '\0' ? o->trace_warps : NULL, err);
  if (code != SL_OK)
    return code;
  t->probes = (struct sl_probes){.tell = hear, .context = t};
  sl_trace_wants(&t->order, &t->probes);
  return SL_OK;
}

struct sl_probes *sl_host_trace_probes(struct sl_host_device *device)
{
  return device->trace != NULL ? &device->trace->probes : NULL;
}

void sl_host_trace_module(struct sl_host_device *device, const struct sl_gpu_module *module,
                          const struct sl_host_code *code)
{
  struct sl_host_trace *t = device->trace;
  struct sl_error err = {.code = SL_OK};
  if (t == NULL || !SL_GROW(t->module, t->count))
    return;
  struct traced *m = &t->module[t->count++];
  *m = (struct traced){.module = module, .code = {.program = module->program, .ptx = module->ptx}};
  if (module->ptx != NULL) {
    m->code.path = strdup(module->name);
    sl_source_copy(&m->code.text, code->text, strnlen(code->text, code->length), &err);
  }
  if (code->source != NULL) {
    m->code.source_name = strdup(SL_HOST_SOURCE);
    sl_source_copy(&m->code.source, code->source, strlen(code->source), &err);
  }
}

static struct traced *find(const struct sl_host_trace *t, const struct sl_gpu_module *module)
{
  for (size_t i = 0; i < t->count; i++)
    if (t->module[i].module == module)
      return &t->module[i];
  return NULL;
}

/* Opens the file, and makes the launch's module the current one. */
static enum sl_status prepare(struct sl_host_device *device, struct traced *m, struct sl_error *err)
{
  struct sl_host_trace *t = device->trace;
  enum sl_status code = SL_OK;
  if (!t->opened) {
    code = sl_trace_open(&t->trace, &t->order, device->options.trace, err);
    t->opened = code == SL_OK;
    if (t->opened)
      t->to = sl_trace_probes(&t->trace);
  }
  if (code == SL_OK && !m->added) {
    code = sl_trace_add(&t->trace, &m->code, &m->number, err);
    m->added = code == SL_OK;
  }
  if (code == SL_OK && m->number != t->number)
    sl_trace_choose(&t->trace, m->number);
  t->number = m->number;
  return code;
}

void sl_host_trace_begin(struct sl_host_device *device, const struct sl_gpu_module *module, bool timed)
{
  struct sl_host_trace *t = device->trace;
  struct sl_error err = {.code = SL_OK};
  struct traced *m = t != NULL && timed && !t->failed ? find(t, module) : NULL;
  if (t == NULL)
    return;
  t->current = m != NULL && prepare(device, m, &err) == SL_OK;
  t->probes.records = t->current ? t->to.records : NULL;
  if (err.code != SL_OK) {
    t->failed = true;
    warn(device, err.text);
  }
}

void sl_host_trace_close(struct sl_host_device *device)
{
  struct sl_host_trace *t = device->trace;
  struct sl_error err = {.code = SL_OK};
  char sentence[SL_HOST_TEXT + 160];
  if (t == NULL)
    return;
  const uint64_t rows = t->opened && sl_trace_close(&t->trace, &err) == SL_OK ? t->trace.rows : 0;
  const char *kernel = t->opened && err.code == SL_OK && t->trace.traced == 0 ? t->order.kernel : NULL;
  if (err.code != SL_OK)
    warn(device, err.text);
  else if (kernel != NULL) {
    snprintf(sentence, sizeof sentence, "no launch is of kernel '%.80s'", kernel);
    warn(device, sentence);
  } else if (t->opened && device->options.log > 0) {
    snprintf(sentence, sizeof sentence, "trace of %" PRIu64 " instructions in %s", rows, device->options.trace);
    warn(device, sentence);
  }
  for (size_t i = 0; i < t->count; i++)
    if (!t->module[i].added)
      sl_trace_module_free(&t->module[i].code);
  free(t->module);
  free(t);
}
