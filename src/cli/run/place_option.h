/* Parses kernel=NAME, launch=NUMBER or instructions=NUMBER for --fast-forward and --save-at. */
#ifndef SL_CLI_RUN_PLACE_OPTION_H
#define SL_CLI_RUN_PLACE_OPTION_H

#include "gpu/device.h"

/* Returns false for any other text. Names are not copied. */
bool sl_choose_place(struct sl_place *place, const char *text);

#endif
