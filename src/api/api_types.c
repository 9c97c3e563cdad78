#include "api/api_types.h"

#include <stdio.h>
#include <stdlib.h>

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

void sl_api_destroy(struct simtlab_device *device)
{
  if (device->device != NULL)
    sl_device_destroy(device->device);
  if (device->config.spec != NULL)
    sl_config_close(&device->config);
  free(device);
}

void sl_api_begin(struct simtlab_device *device)
{
  device->running = true;
  device->stop[0] = '\0';
}

enum simtlab_status sl_api_end(struct simtlab_device *device, enum sl_status code, const struct sl_error *from,
                               struct simtlab_error *error)
{
  enum simtlab_status status = sl_api_report(code, from, error);
  device->running = false;
  if (device->stop[0] != '\0' && code != SL_OK) {
    status = SIMTLAB_STOPPED;
    if (error != NULL) {
      error->status = status;
      snprintf(error->text, sizeof error->text, "%s", device->stop);
    }
  }
  if (device->released)
    sl_api_destroy(device);
  return status;
}
