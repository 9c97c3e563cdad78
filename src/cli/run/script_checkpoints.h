/* Checkpoints of a launch description that is run. Cycles are counted over all its launches; without timing they are
 * instructions of warps, and a checkpoint is saved when those of a block have had their turns. */
#ifndef SL_CLI_SCRIPT_CHECKPOINTS_H
#define SL_CLI_SCRIPT_CHECKPOINTS_H

#include "cli/run/checkpoints.h"
#include "cli/script_session.h"
#include "gpu/grids_checkpoint.h"

struct sl_script_checkpoints {
  const struct sl_checkpoint_options *options;
  struct sl_script_session *session;
  struct sl_grids_moment moment;
  struct sl_grids_restored restored;
  const struct sl_ptx_under_way *launch; /* while one is saved */
  struct sl_savings *savings;
  struct sl_error failure; /* of saving; code SL_OK: none */
};

/* For a session that has been opened and not played. */
enum sl_status sl_script_checkpoints_open(struct sl_script_checkpoints *checkpoints, struct sl_script_session *session,
                                          const struct sl_checkpoint_options *options, struct sl_error *err);

/* What playing it has come to, with what saving has. */
enum sl_status sl_script_checkpoints_outcome(const struct sl_script_checkpoints *checkpoints, enum sl_status code,
                                             struct sl_error *err);
void sl_script_checkpoints_close(struct sl_script_checkpoints *checkpoints);

#endif
