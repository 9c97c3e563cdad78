#include "host/host_observers.h"

#include <stdlib.h>

#include "device/gpu_kind.h"
#include "observe/check/check.h"
#include "observe/report.h"

enum { ALL = 2 /* CHECK=2: also leaks, which many correct programs have */ };

struct sl_host_check {
  struct sl_check *check;
  struct sl_probes own, *profile, both;
  struct sl_ptx_services services;
};

static bool hear(void *context, const struct sl_probe *probe)
{
  const struct sl_host_check *c = context;
  if ((c->own.wanted & probe->kind) != 0)
    c->own.tell(c->own.context, probe);
  if (c->profile != NULL && (c->profile->wanted & probe->kind) != 0)
    c->profile->tell(c->profile->context, probe);
  return true;
}

/* Performs a call of a kernel. A block of the kernels' heap is new when malloc returns it, whoever had it before. */
static void serve(void *context, struct sl_ptx_service_call *call)
{
  struct sl_host_device *device = context;
  device->services.services.call(device->services.services.context, call);
  for (uint32_t rest = call->service == SL_PTX_SERVICE_MALLOC ? call->lanes : 0; rest != 0; rest &= rest - 1) {
    const unsigned lane = sl_lowest(rest);
    if (call->result[lane] != 0)
      sl_check_forget_block(device->check->check, call->result[lane], call->argument[0][lane]);
  }
}

const struct sl_ptx_services *sl_host_check_services(struct sl_host_device *device)
{
  if (device->check == NULL)
    return &device->services.services;
  device->check->services = (struct sl_ptx_services){device, serve};
  return &device->check->services;
}

static void say(void *context, const char *sentence)
{
  const struct sl_host_device *device = context;
  if (device->options.say != NULL)
    device->options.say(device->options.context, sentence);
}

enum sl_status sl_host_check_open(struct sl_host_device *device, struct sl_error *err)
{
  const struct sl_host_options *o = &device->options;
  const bool tells_unwritten = o->check_no_uninitialised == 0;
  const struct sl_check_options options = {.uninitialised = tells_unwritten,
                                           .no_uninitialised = !tells_unwritten,
                                           .checkable = o->check_checkable != 0,
                                           .gap = device->config.machine->ptx == NULL ? SL_GPU_CHECKED_GAP : 0,
                                           .equal_stores = o->check_equal != 0,
                                           .strict_barriers = o->check_barriers != 0,
                                           .leaks = o->check >= ALL,
                                           .suppress = o->check_suppress[0] != '\0' ? o->check_suppress : NULL};
  if (o->check == 0)
    return SL_OK;
  struct sl_host_check *c = device->check = calloc(1, sizeof *c);
  if (c == NULL)
    return sl_no_memory(err, sizeof *c);
  const enum sl_status code = sl_check_open(&c->check, &options, err);
  if (code == SL_OK)
    sl_check_begin_schedule(c->check, o->check_schedule);
  if (code == SL_OK)
    c->own = sl_check_probes(c->check);
  if (device->config.machine->ptx == NULL) { /* those of any program */
    c->own.wanted |= SL_PROBE_ACCESSED | SL_PROBE_FENCED | SL_PROBE_EXECUTED;
    c->own.payloads |= SL_PAYLOAD_ADDRESSES;
  }
  return code;
}

void sl_host_check_begin(struct sl_host_device *device, const struct sl_gpu_module *module)
{
  struct sl_host_check *c = device->check;
  if (c == NULL || module == NULL || module->program == NULL)
    return;
  const struct sl_soc soc = device->config.machine->soc(device->config.spec);
  sl_check_program(c->check, module->program, &soc);
  sl_check_own_barriers(c->check, device->own_barriers);
  c->own = sl_check_probes(c->check);
}

struct sl_probes *sl_host_check_probes(struct sl_host_device *device)
{
  struct sl_host_check *c = device->check;
  struct sl_probes *profile = device->profile != NULL ? sl_host_profile_probes(device->profile) : NULL;
  if (c == NULL)
    return profile;
  c->profile = profile;
  c->both = (struct sl_probes){.wanted = c->own.wanted | (profile != NULL ? profile->wanted : 0),
                               .payloads = c->own.payloads | (profile != NULL ? profile->payloads : 0),
                               .no_values = c->own.no_values && profile == NULL,
                               .guards = c->own.guards,
                               .unnumbered = c->own.unnumbered && profile == NULL,
                               .tell = hear,
                               .context = c};
  return &c->both;
}

static void begin_command(void *context, const struct sl_command *command, const struct sl_command_order *order)
{
  const struct sl_host_device *device = context;
  const enum sl_command_kind kind = command->kind;
  const struct sl_check_queued told = {.launch = kind == SL_COMMAND_LAUNCH,
                                       .reads = kind == SL_COMMAND_READ || kind == SL_COMMAND_COPY,
                                       .writes = kind == SL_COMMAND_WRITE || kind == SL_COMMAND_FILL ||
                                                 kind == SL_COMMAND_COPY,
                                       .from = command->from,
                                       .to = command->to,
                                       .bytes = command->size,
                                       .queue = order->queue,
                                       .number = order->number,
                                       .seen = order->seen,
                                       .host = order->host};
  sl_check_queued(device->check->check, &told);
}

void sl_host_check_order(struct sl_host_device *device)
{
  if (device->check != NULL)
    sl_timeline_observe(device->timeline, begin_command, device);
}

void sl_host_check_end(struct sl_host_device *device, enum sl_status code)
{
  struct sl_host_check *c = device->check;
  if (c == NULL)
    return;
  const struct sl_gpu_fault fault = sl_gpu_last_fault(device->gpu);
  if (code == SL_FAULT)
    sl_check_fault(c->check, &fault);
  sl_check_say(c->check, say, device);
}

bool sl_host_check_refused(struct sl_host_device *device, const char *what)
{
  if (device->check == NULL || device->check->check == NULL)
    return false;
  sl_check_refused(device->check->check, what);
  sl_check_say(device->check->check, say, device);
  return true;
}

static void write_file(const struct sl_host_device *device)
{
  struct sl_error err;
  if (device->options.check_json[0] == '\0')
    return;
  if (sl_json_save(sl_check_json(device->check->check, "host program"), device->options.check_json, &err) != SL_OK)
    say((void *)(uintptr_t)device, err.text);
}

void sl_host_check_close(struct sl_host_device *device)
{
  struct sl_host_check *c = device->check;
  if (c == NULL)
    return;
  if (c->check != NULL) {
    sl_check_end(c->check);
    sl_check_say(c->check, say, device);
    device->findings += sl_check_count(c->check);
    write_file(device);
  }
  if (device->timeline != NULL)
    sl_timeline_observe(device->timeline, NULL, NULL);
  sl_check_close(c->check);
  free(c);
}
