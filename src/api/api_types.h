/* Internals of the public types, and the conversion of errors, for the files of the public interface. */
#ifndef SL_API_API_TYPES_H
#define SL_API_API_TYPES_H

#include "gpu/device.h"
#include "simtlab/simtlab.h"

struct simtlab_config {
  struct sl_config config;
};

struct simtlab_device {
  struct sl_device *device;
  struct simtlab_callbacks callbacks;
  struct sl_config config; /* a copy, for resets */
  struct sl_device_options options;
  bool loaded;     /* a program to be run has been loaded */
  bool running;    /* callbacks may be active */
  bool released;   /* freed inside a callback: destroy it when the run has ended */
  char stop[1024]; /* reason of a callback's stop; "": none */
};

/* Fills in the public error, which may be NULL. */
enum simtlab_status sl_api_report(enum sl_status code, const struct sl_error *from, struct simtlab_error *to);

/* Report a NULL argument, and a call that is not allowed inside a callback of the same device. */
enum simtlab_status sl_api_null(const char *function, const char *argument, struct simtlab_error *error);
enum simtlab_status sl_api_running(const char *function, struct simtlab_error *error);

#define SL_API_NEEDS(argument, error)                                                                                  \
  if ((argument) == NULL)                                                                                              \
  return sl_api_null(__func__, #argument, error)
#define SL_API_BETWEEN_RUNS(device, error)                                                                             \
  SL_API_NEEDS(device, error);                                                                                         \
  if ((device)->running)                                                                                               \
  return sl_api_running(__func__, error)

/* Destroys a device that does not run. */
void sl_api_destroy(struct simtlab_device *device);

/* Enclose every run of the device. sl_api_end returns the status, with the reason of a callback that stopped the
 * run. */
void sl_api_begin(struct simtlab_device *device);
enum simtlab_status sl_api_end(struct simtlab_device *device, enum sl_status code, const struct sl_error *from,
                               struct simtlab_error *error);

/* The public type is an alias of the internal one. */
static inline const struct sl_program *sl_api_program(const simtlab_program *program)
{
  return (const struct sl_program *)program;
}

#endif
