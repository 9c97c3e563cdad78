/* Checkpoints of a launch script. Cycles are counted over all launches. Without timing the unit is warp instructions,
 * and a checkpoint is saved at the end of a block's time slice. */
#ifndef SL_CLI_SCRIPT_CHECKPOINTS_H
#define SL_CLI_SCRIPT_CHECKPOINTS_H

#include "cli/run/checkpoints.h"
#include "cli/script_session.h"
#include "device/script_checkpoint.h"

struct sl_script_checkpoints {
  const struct sl_checkpoint_options *options;
  struct sl_script_session *session;
  struct sl_script_moment moment;
  struct sl_script_restored restored;
  const struct sl_ptx_under_way *launch; /* set while a checkpoint is saved */
  struct sl_savings *savings;
  struct sl_error failure; /* error of saving; code SL_OK: none */
};

/* Call after a session is opened and before it is played. */
enum sl_status sl_script_checkpoints_open(struct sl_script_checkpoints *checkpoints, struct sl_script_session *session,
                                          const struct sl_checkpoint_options *options, struct sl_error *err);

/* Outcome of playing, combined with errors of saving. */
enum sl_status sl_script_checkpoints_outcome(const struct sl_script_checkpoints *checkpoints, enum sl_status code,
                                             struct sl_error *err);
void sl_script_checkpoints_close(struct sl_script_checkpoints *checkpoints);

#endif
