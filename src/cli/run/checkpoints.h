/* Checkpoints of a run: where it begins, and which it leaves. */
#ifndef SL_CLI_CHECKPOINTS_H
#define SL_CLI_CHECKPOINTS_H

#include "cli/options.h"
#include "gpu/device.h"

/* As on the command line. Cycles are counted as --max-cycles counts them. */
struct sl_checkpoint_options {
  const char *restore;    /* the file to go on from; NULL: from the beginning */
  struct sl_pair save_at; /* cycle or place (gpu/run_place.h), and file; NULL: none */
  uint64_t every, keep;   /* one each so many cycles, the last ones of which stay; 0: none, two */
  const char *prefix;     /* of their names; NULL: the program's name */
};

#define SL_CHECKPOINT_OPTIONS(o)                                                                                       \
  {0, "restore", SL_OPTION_TEXT, "FILE", "go on from a checkpoint of the same program and machine", &(o).restore},     \
      {0, "save-at", SL_OPTION_PAIR, "WHERE FILE", "save one at a cycle, or as --fast-forward", &(o).save_at},         \
      {0, "save-every", SL_OPTION_NUMBER, "N", "save one every N cycles, as PREFIX-CYCLE.checkpoint", &(o).every},     \
      {0, "keep", SL_OPTION_NUMBER, "K", "of those keep the last K [2]", &(o).keep},                                   \
  {                                                                                                                    \
    0, "save-to", SL_OPTION_TEXT, "PREFIX", "how their names begin [the program's name]", &(o).prefix                  \
  }

/* Whether any is asked for, and whether they go together. */
bool sl_wants_checkpoints(const struct sl_checkpoint_options *options);
enum sl_status sl_checkpoints_check(const struct sl_checkpoint_options *options, struct sl_error *err);
/* SL_USAGE: what they name is in no launch description. */
enum sl_status sl_checkpoints_of_launches(const struct sl_checkpoint_options *options, struct sl_error *err);

/* Which checkpoints of a run are due, whatever it is a run of. */
struct sl_savings;
struct sl_saver {
  enum sl_status (*save)(void *context, const char *path, struct sl_error *err);
  void *context;
};

/* At cycle `now`, to be closed also when this failed: the cycle of --save-at is over. `program` names checkpoints. */
enum sl_status sl_savings_open(struct sl_savings **savings, const struct sl_checkpoint_options *options,
                               const char *program, const struct sl_saver *saver, uint64_t now, struct sl_error *err);
void sl_savings_close(struct sl_savings *savings);

/* The next cycle at which one is due, UINT64_MAX: none; saves those that are; complains of one that never was. */
uint64_t sl_savings_next(const struct sl_savings *savings);
enum sl_status sl_savings_due(struct sl_savings *savings, uint64_t now, struct sl_error *err);
enum sl_status sl_savings_ended(const struct sl_savings *savings, uint64_t now, struct sl_error *err);

/* Runs a device, into which the program has been loaded and the checkpoint restored, to its end; saves on the way what
 * the options ask for. */
enum sl_status sl_run_with_checkpoints(const struct sl_checkpoint_options *options, struct sl_device *device,
                                       const char *program, struct sl_error *err);

#endif
