/* Kernels launched from the command line: simtlab run --launch, and --dump of their buffers. */
#ifndef SL_CLI_LAUNCHES_H
#define SL_CLI_LAUNCHES_H

#include "cli/options.h"
#include "cli/run/launch_text.h"
#include "gpu/launch.h"

/* A buffer by the name it was given, or that of the parameter it was the argument of. */
struct sl_named_buffer {
  char name[SL_LAUNCH_NAME];
  uint32_t address;
  uint64_t size;
};

struct sl_planned_launch {
  struct sl_launch_text text;
  uint8_t arguments[8 * SL_LAUNCH_ARGUMENTS]; /* as the kernel has them */
  struct sl_launch_order order;
};

struct sl_launches {
  struct sl_planned_launch *launch;
  size_t count;
  struct sl_named_buffer *buffer;
  size_t buffer_count;
};

/* Reads what is to be launched and dumped, makes the buffers, and checks all of it: nothing is simulated yet. Freed
 * also when this failed. */
enum sl_status sl_launches_plan(struct sl_launches *launches, const struct sl_list *texts, const struct sl_list *dumps,
                                struct sl_device *device, const struct sl_program *program, struct sl_error *err);

/* Launches in order, up to the first that fails. */
enum sl_status sl_launches_run(struct sl_launches *launches, struct sl_device *device, struct sl_error *err);

/* Writes buffers: NAME=FILE, where the FILE - is a listing of words on standard output. */
enum sl_status sl_launches_dump(const struct sl_launches *launches, const struct sl_list *dumps,
                                const struct sl_device *device, struct sl_error *err);

void sl_launches_free(struct sl_launches *launches);

#endif
