/* A launch description on a machine, with its sums on standard output and signals that end it in order: what run and
 * profile share. */
#ifndef SL_CLI_SCRIPT_SESSION_H
#define SL_CLI_SCRIPT_SESSION_H

#include "cli/interruption.h"
#include "cli/options.h"
#include "gpu/grids.h"
#include "observe/grids/grid_report.h"
#include "observe/output.h"
#include "ptx/launch/ptx_script.h"

struct sl_script_session {
  const char *path;
  struct sl_config config;
  struct sl_ptx_script script;
  struct sl_grids grids;
  struct sl_output console;
  struct sl_interruption interruption;
  json_t *sums;
  /* Told before the first step, for those who go on from a checkpoint; NULL: nobody. */
  enum sl_status (*begun)(void *keeper, struct sl_ptx_play *play, struct sl_error *err);
  void *keeper;
  double seconds;          /* that it took */
  struct sl_error outcome; /* of it */
};

/* Opens machine and description; the bounds of the options are of limit only. To be closed also when this failed. Sums
 * are printed to standard output or, aside, to standard error. */
enum sl_status sl_script_open(struct sl_script_session *session, const char *path,
                              const struct sl_machine_choice *choice, struct sl_grids_options options, bool aside,
                              struct sl_error *err);

/* Performs it. `outcome` is also in the session. */
enum sl_status sl_script_play(struct sl_script_session *session, struct sl_error *err);

/* What it came to, for as long as the session is open. */
struct sl_grid_report sl_script_report(const struct sl_script_session *session);

void sl_script_close(struct sl_script_session *session);

#endif
