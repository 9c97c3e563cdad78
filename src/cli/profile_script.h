/* simtlab profile X.launch: issue-slot profile of PTX kernels. */
#ifndef SL_CLI_PROFILE_SCRIPT_H
#define SL_CLI_PROFILE_SCRIPT_H

#include "cli/options.h"

struct sl_profile_script {
  const struct sl_machine_choice *choice;
  const char *json; /* NULL: none */
  uint64_t limit;   /* in cycles per launch; 0: none */
  size_t lines, instructions;
  bool quiet;
};

enum sl_status sl_profile_script(const char *path, const struct sl_profile_script *options, struct sl_error *err);

#endif
