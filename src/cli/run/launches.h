/* Kernels launched from the command line: simtlab run --launch, and --dump of their buffers. */
#ifndef SL_CLI_RUN_LAUNCHES_H
#define SL_CLI_RUN_LAUNCHES_H

#include "base/error.h"
#include "base/types.h"
#include "cli/options.h"
#include "device/launch.h"

/* Syntax of a launch on the command line:
 *
 *   LAUNCH = kernel=NAME|0xADDRESS , grid=SIZE , block=SIZE [, shared=BYTES] [, args=ARG:ARG:...]
 *   SIZE   = X[xY[xZ]]
 *   ARG    = NUMBER | [NAME=]BUFFER | NAME
 *   BUFFER = zero(BYTES) | iota(WORDS) | file(PATH)
 *
 * Commas and colons within parentheses belong to the path. */

enum { SL_LAUNCH_WORD = 1024, SL_LAUNCH_ARGUMENTS = 32, SL_LAUNCH_NAME = 48 };

enum sl_argument_kind {
  SL_ARGUMENT_INTEGER,
  SL_ARGUMENT_FLOAT,
  SL_ARGUMENT_ZERO,
  SL_ARGUMENT_IOTA,
  SL_ARGUMENT_FILE,
  SL_ARGUMENT_NAME
};

struct sl_argument {
  enum sl_argument_kind kind;
  bool hexadecimal;          /* an integer written as bits */
  uint64_t number;           /* the integer, two's complement; bytes or words of a buffer */
  double value;              /* the float */
  char name[SL_LAUNCH_NAME]; /* name of a buffer, or empty */
  char text[SL_LAUNCH_WORD]; /* as written; for a file, its path */
};

struct sl_launch_text {
  char kernel[SL_LAUNCH_WORD]; /* empty: `entry` */
  uint32_t entry, grid[3], block[3], shared;
  struct sl_argument argument[SL_LAUNCH_ARGUMENTS];
  size_t argument_count;
};

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
