/* The option --sample: what launches are timed in part by. */
#ifndef SL_CLI_RUN_SAMPLING_OPTION_H
#define SL_CLI_RUN_SAMPLING_OPTION_H

#include "gpu/device.h"

/* Reads the text of the option; SL_USAGE tells what it takes. */
enum sl_status sl_choose_sampling(struct sl_sampling_choice *choice, const char *text, struct sl_error *err);

#endif
