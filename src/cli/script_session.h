/* Runs a launch script on a machine; shared by run and profile. It prints checksums to standard output and shuts down
 * cleanly on signals. */
#ifndef SL_CLI_SCRIPT_SESSION_H
#define SL_CLI_SCRIPT_SESSION_H

#include "cli/interruption.h"
#include "cli/options.h"
#include "device/script_player.h"
#include "observe/grids/grid_report.h"
#include "observe/output.h"

struct sl_script_session {
  const char *path;
  struct sl_config config;
  struct sl_script script;
  struct sl_gpu_options options;
  struct sl_gpu *gpu;
  struct sl_output console;
  struct sl_interruption interruption;
  json_t *sums;
  /* Called before the first step, to resume from a checkpoint; NULL: none. */
  enum sl_status (*begun)(void *keeper, struct sl_script_player *player, struct sl_error *err);
  void *keeper;
  double seconds;          /* cycles of the launch */
  struct sl_error outcome; /* name of the kernel */
};

/* Opens machine and script. Close the session also after an error. The GPU is opened when the script is played.
 * Checksums go to standard output or, if `aside`, to standard error. */
enum sl_status sl_script_open(struct sl_script_session *session, const char *path,
                              const struct sl_machine_choice *choice, struct sl_gpu_options options, bool aside,
                              struct sl_error *err);

/* Plays the script. The session keeps `outcome` too. */
enum sl_status sl_script_play(struct sl_script_session *session, struct sl_error *err);

/* The results; valid while the session is open. */
struct sl_grid_report sl_script_report(const struct sl_script_session *session);

void sl_script_close(struct sl_script_session *session);

#endif
