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
};

/* Fills in the public error, which may be NULL. */
enum simtlab_status sl_api_report(enum sl_status code, const struct sl_error *from, struct simtlab_error *to);

/* The public type is the library's own. */
static inline const struct sl_program *sl_api_program(const simtlab_program *program)
{
  return (const struct sl_program *)program;
}

#endif
