/* Checkpoints of a run: where it resumes, and which ones it saves. */
#ifndef SL_CLI_RUN_CHECKPOINTS_H
#define SL_CLI_RUN_CHECKPOINTS_H

#include "cli/options.h"
#include "device/device.h"

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
