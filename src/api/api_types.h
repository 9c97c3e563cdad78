/* Internals of the public types, and the conversion of errors, for the files of the public interface. */
#ifndef SL_API_API_TYPES_H
#define SL_API_API_TYPES_H

#include "device/gpu.h"
#include "simtlab/simtlab.h"

struct simtlab_config {
  struct sl_config config;
};

/* Events that the device collects. */
struct sl_events {
  struct simtlab_filter filter;
  struct simtlab_event *event; /* NULL: it collects none */
  size_t count, allocated;
  uint64_t selected; /* that the filter has selected, before `every` */
  bool lost;         /* memory ran out during this run */
};

struct simtlab_device {
  struct sl_gpu *gpu;
  struct sl_device *device; /* of the GPU, for host programs; NULL: it executes PTX */
  struct simtlab_callbacks callbacks;
  struct sl_config config; /* a copy, for resets */
  struct sl_device_options options;
  bool ptx;
  uint64_t forgotten[SL_MAX_COUNTERS]; /* totals of forgotten launches of machine code */
  struct sl_events events;
  bool used;       /* it has had a program, a module or a buffer */
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

/* Report that a device executes PTX. */
enum simtlab_status sl_api_ptx(const char *function, struct simtlab_error *error);
#define SL_API_HOSTED(device, error)                                                                                   \
  SL_API_BETWEEN_RUNS(device, error);                                                                                  \
  if ((device)->device == NULL)                                                                                        \
  return sl_api_ptx(__func__, error)

/* Opens the GPU. */
enum sl_status sl_api_open(struct simtlab_device *device, struct sl_error *err);

/* Collects an event that the filter selects. */
void sl_api_collect(struct simtlab_device *device, const struct sl_probe *probe);

/* Destroys a device that does not run. */
void sl_api_destroy(struct simtlab_device *device);

/* Enclose every run of the device. sl_api_end returns the status, with the reason of a callback that stopped the
 * run. */
void sl_api_begin(struct simtlab_device *device);
enum simtlab_status sl_api_end(struct simtlab_device *device, enum sl_status code, const struct sl_error *from,
                               struct simtlab_error *error);

/* The public types are aliases of the internal ones. */
static inline const struct sl_program *sl_api_program(const simtlab_program *program)
{
  return (const struct sl_program *)program;
}
static inline struct sl_gpu_module *sl_api_module(const simtlab_module *module)
{
  return (struct sl_gpu_module *)module;
}

#endif
