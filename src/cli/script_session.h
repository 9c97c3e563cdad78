/* Runs a launch script on a machine; shared by run and profile. It prints checksums to standard output and shuts down
 * cleanly on signals. */
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
  /* Called before the first step, to resume from a checkpoint; NULL: none. */
  enum sl_status (*begun)(void *keeper, struct sl_ptx_play *play, struct sl_error *err);
  void *keeper;
  double seconds;          /* cycles of the launch */
  struct sl_error outcome; /* name of the kernel */
};

/* Opens machine and script. Only `limit` of the options bounds the run. Close the session also after an error.
 * Checksums go to standard output or, if `aside`, to standard error. */
enum sl_status sl_script_open(struct sl_script_session *session, const char *path,
                              const struct sl_machine_choice *choice, struct sl_grids_options options, bool aside,
                              struct sl_error *err);

/* Plays the script. The session keeps `outcome` too. */
enum sl_status sl_script_play(struct sl_script_session *session, struct sl_error *err);

/* The results; valid while the session is open. */
struct sl_grid_report sl_script_report(const struct sl_script_session *session);

void sl_script_close(struct sl_script_session *session);

#endif
