/* The option --sample: the plan of sampled timing. */
#ifndef SL_CLI_RUN_SAMPLING_OPTION_H
#define SL_CLI_RUN_SAMPLING_OPTION_H

#include "gpu/device.h"

/* Parses the option; SL_USAGE describes its syntax. */
enum sl_status sl_choose_sampling(struct sl_sampling_choice *choice, const char *text, struct sl_error *err);

#endif
