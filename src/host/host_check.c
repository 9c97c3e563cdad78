#include "host/host_check.h"

#include <stdlib.h>

#include "host/host_profile.h"
#include "observe/check/check.h"
#include "observe/report.h"

enum { ALL = 2 /* CHECK=2: also what many correct programs do */ };

struct sl_host_check {
  struct sl_check *check;
  struct sl_probes own, *profile, both;
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

static void say(void *context, const char *sentence)
{
  const struct sl_host_device *device = context;
  if (device->options.say != NULL)
    device->options.say(device->options.context, sentence);
}

enum sl_status sl_host_check_open(struct sl_host_device *device, struct sl_error *err)
{
  const struct sl_host_options *o = &device->options;
  const struct sl_check_options options = {.uninitialised = o->check >= ALL,
                                           .leaks = o->check >= ALL,
                                           .suppress = o->check_suppress[0] != '\0' ? o->check_suppress : NULL};
  if (o->check == 0)
    return SL_OK;
  struct sl_host_check *c = device->check = calloc(1, sizeof *c);
  if (c == NULL)
    return sl_no_memory(err, sizeof *c);
  const enum sl_status code = sl_check_open(&c->check, &options, err);
  if (code == SL_OK)
    c->own = sl_check_probes(c->check);
  return code;
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
                               .tell = hear,
                               .context = c};
  return &c->both;
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
  sl_check_close(c->check);
  free(c);
}
