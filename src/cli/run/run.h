/* Parts of simtlab run: launches of kernels, and checkpoints. */
#ifndef SL_CLI_RUN_RUN_H
#define SL_CLI_RUN_RUN_H

#include "base/error.h"
#include "base/types.h"
#include "cli/options.h"
#include "device/device.h"
#include "device/launch.h"

/* ---- launches ---------------------------------------------------------------------------------------------------- */

/* Kernels launched from the command line: simtlab run --launch, and --dump of their buffers. */

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

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* Checkpoints of a run: where it resumes, and which ones it saves. */

/* The command-line options. Cycles are counted as --max-cycles counts them. */
struct sl_checkpoint_options {
  const char *restore;    /* file to resume from; NULL: start at the beginning */
  struct sl_pair save_at; /* cycle or place (device/device_state.h), and file; NULL: none */
  uint64_t every, keep;   /* interval in cycles and number of checkpoints to keep; 0: none, two */
  const char *prefix;     /* prefix of their names; NULL: the program's name */
};

#define SL_CHECKPOINT_OPTIONS(o)                                                                                       \
  {0, "restore", SL_OPTION_TEXT, "FILE", "resume a checkpoint of this program and machine", &(o).restore},             \
      {0, "save-at", SL_OPTION_PAIR, "WHERE FILE", "save one at a cycle, or as --fast-forward", &(o).save_at},         \
      {0, "save-every", SL_OPTION_NUMBER, "N", "save one every N cycles: PREFIX-CYCLE.checkpoint", &(o).every},        \
      {0, "keep", SL_OPTION_NUMBER, "K", "keep only the last K of those [2]", &(o).keep},                              \
  {                                                                                                                    \
    0, "save-to", SL_OPTION_TEXT, "PREFIX", "prefix of their names [the program's name]", &(o).prefix                  \
  }

/* Whether any checkpoint option is given; checks that they are consistent. */
bool sl_wants_checkpoints(const struct sl_checkpoint_options *options);
enum sl_status sl_checkpoints_check(const struct sl_checkpoint_options *options, struct sl_error *err);
/* SL_USAGE: the options name a place, which launch scripts do not have. */
enum sl_status sl_checkpoints_of_launches(const struct sl_checkpoint_options *options, struct sl_error *err);

/* Determines which checkpoints are due, for any kind of run. */
struct sl_savings;
struct sl_saver {
  enum sl_status (*save)(void *context, const char *path, struct sl_error *err);
  void *context;
};

/* Opens at cycle `now`; also close after an error: the cycle of --save-at has passed. `program` names the checkpoints.
 */
enum sl_status sl_savings_open(struct sl_savings **savings, const struct sl_checkpoint_options *options,
                               const char *program, const struct sl_saver *saver, uint64_t now, struct sl_error *err);
void sl_savings_close(struct sl_savings *savings);

/* Next cycle at which a checkpoint is due (UINT64_MAX: none); saves the due ones; reports one that was never reached.
 */
uint64_t sl_savings_next(const struct sl_savings *savings);
enum sl_status sl_savings_due(struct sl_savings *savings, uint64_t now, struct sl_error *err);
enum sl_status sl_savings_ended(const struct sl_savings *savings, uint64_t now, struct sl_error *err);

/* Runs a device to its end and saves the requested checkpoints. The program is loaded and the checkpoint restored
 * before. */
enum sl_status sl_run_with_checkpoints(const struct sl_checkpoint_options *options, struct sl_device *device,
                                       const char *program, struct sl_error *err);

/* Parses kernel=NAME, launch=NUMBER or instructions=NUMBER for --fast-forward and --save-at. */

/* Returns false for any other text. Names are not copied. */
bool sl_choose_place(struct sl_place *place, const char *text);

#endif
