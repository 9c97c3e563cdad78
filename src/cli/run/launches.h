/* Kernels launched from the command line: simtlab run --launch, and --dump of their buffers. */
#ifndef SL_CLI_LAUNCHES_H
#define SL_CLI_LAUNCHES_H

#include "cli/options.h"
#include "cli/run/launch_text.h"
#include "gpu/launch.h"

/* Finds a buffer by its own name, or by the name of the parameter that it is the argument of. */
struct sl_named_buffer {
  char name[SL_LAUNCH_NAME];
  uint32_t address;
  uint64_t size;
};

struct sl_planned_launch {
  struct sl_launch_text text;
  uint8_t arguments[8 * SL_LAUNCH_ARGUMENTS]; /* in the kernel's layout */
  struct sl_launch_order order;
};

struct sl_launches {
  struct sl_planned_launch *launch;
  size_t count;
  struct sl_named_buffer *buffer;
  size_t buffer_count;
};

/* Parses the launches and dumps, creates the buffers, and checks everything before simulation. Free it also after an
 * error. */
enum sl_status sl_launches_plan(struct sl_launches *launches, const struct sl_list *texts, const struct sl_list *dumps,
                                struct sl_device *device, const struct sl_program *program, struct sl_error *err);

/* Launches the kernels in order and stops at the first error. */
enum sl_status sl_launches_run(struct sl_launches *launches, struct sl_device *device, struct sl_error *err);

/* Writes the buffers: NAME=FILE; the file - lists words on standard output. */
enum sl_status sl_launches_dump(const struct sl_launches *launches, const struct sl_list *dumps,
                                const struct sl_device *device, struct sl_error *err);

void sl_launches_free(struct sl_launches *launches);

#endif
