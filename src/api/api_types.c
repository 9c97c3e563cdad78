#include "api/api_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The codes are equal. The public error is a separate type so that the internal one can change. */
enum simtlab_status sl_api_report(enum sl_status code, const struct sl_error *from, struct simtlab_error *to)
{
  const enum simtlab_status status = (enum simtlab_status)code;
  if (to == NULL)
    return status;
  to->status = status;
  if (code == SL_OK || code == SL_PAUSED || code == SL_STOPPED)
    to->text[0] = '\0';
  else
    snprintf(to->text, sizeof to->text, "%s", from->text);
  return status;
}

enum simtlab_status sl_api_null(const char *function, const char *argument, struct simtlab_error *error)
{
  struct sl_error e;
  return sl_api_report(sl_fail(&e, SL_USAGE, "%s: %s is NULL", function, argument), &e, error);
}

enum simtlab_status sl_api_running(const char *function, struct simtlab_error *error)
{
  struct sl_error e;
  return sl_api_report(
      sl_fail(&e, SL_USAGE, "%s: called inside a callback of the device; call it after the run has returned", function),
      &e, error);
}

enum simtlab_status sl_api_ptx(const char *function, struct simtlab_error *error)
{
  struct sl_error e;
  return sl_api_report(
      sl_fail(&e, SL_USAGE, "%s: the device executes PTX and has no host program; create one without ptx", function),
      &e, error);
}

enum sl_status sl_api_open(struct simtlab_device *d, struct sl_error *err)
{
  const struct sl_device_options *o = &d->options;
  struct sl_gpu_options options = {.fast = o->fast,
                                   .threads = o->threads < UINT16_MAX ? (unsigned)o->threads : UINT16_MAX,
                                   .progress = o->progress,
                                   .context = d,
                                   .machine_code = !d->ptx,
                                   .hosted = o,
                                   .forgets = !d->ptx};
  struct sl_gpu *gpu = NULL;
  if (d->ptx) {
    options.limit = o->max_cycles;
    options.bounds.probes = o->probes.wanted != 0 ? &d->options.probes : NULL;
  }
  const enum sl_status code = sl_gpu_open(&gpu, &d->config, &options, err);
  if (code != SL_OK) {
    sl_gpu_close(gpu);
    return code;
  }
  sl_gpu_close(d->gpu);
  d->gpu = gpu;
  d->device = sl_gpu_device(gpu);
  memset(d->forgotten, 0, sizeof d->forgotten);
  return SL_OK;
}

void sl_api_destroy(struct simtlab_device *device)
{
  sl_gpu_close(device->gpu);
  if (device->config.spec != NULL)
    sl_config_close(&device->config);
  free(device->events.event);
  free(device);
}

void sl_api_begin(struct simtlab_device *device)
{
  device->running = true;
  device->events.lost = false;
  device->stop[0] = '\0';
}

enum simtlab_status sl_api_end(struct simtlab_device *device, enum sl_status code, const struct sl_error *from,
                               struct simtlab_error *error)
{
  enum simtlab_status status = sl_api_report(code, from, error);
  device->running = false;
  if (device->stop[0] != '\0' && code != SL_OK) {
    status = device->events.lost ? SIMTLAB_INTERNAL : SIMTLAB_STOPPED;
    if (error != NULL) {
      error->status = status;
      snprintf(error->text, sizeof error->text, "%s", device->stop);
    }
  }
  if (device->released)
    sl_api_destroy(device);
  return status;
}
