/* What the files of the public interface share: the public types' insides, and errors from one form to the other. */
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
  struct sl_config config; /* its own copy, to be made anew */
  struct sl_device_options options;
  bool loaded;     /* a program has been, to be run */
  bool running;    /* callbacks may be under way */
  bool released;   /* by one of them: it goes when the run has ended */
  char stop[1024]; /* why a callback ends the run; "": it does not */
};

/* Fills in the public error, which may be NULL. */
enum simtlab_status sl_api_report(enum sl_status code, const struct sl_error *from, struct simtlab_error *to);

/* An argument is NULL; a callback asks its own device for what it cannot do meanwhile. */
enum simtlab_status sl_api_null(const char *function, const char *argument, struct simtlab_error *error);
enum simtlab_status sl_api_running(const char *function, struct simtlab_error *error);

#define SL_API_NEEDS(argument, error)                                                                                  \
  if ((argument) == NULL)                                                                                              \
  return sl_api_null(__func__, #argument, error)
#define SL_API_BETWEEN_RUNS(device, error)                                                                             \
  SL_API_NEEDS(device, error);                                                                                         \
  if ((device)->running)                                                                                               \
  return sl_api_running(__func__, error)

/* Of a device that does not run. */
void sl_api_destroy(struct simtlab_device *device);

/* Around what runs the device: the status to return, with the reason of a callback that has ended the run. */
void sl_api_begin(struct simtlab_device *device);
enum simtlab_status sl_api_end(struct simtlab_device *device, enum sl_status code, const struct sl_error *from,
                               struct simtlab_error *error);

/* The public type is the library's own. */
static inline const struct sl_program *sl_api_program(const simtlab_program *program)
{
  return (const struct sl_program *)program;
}

#endif
