/* kernel=NAME, launch=NUMBER or instructions=NUMBER, of --fast-forward and --save-at. */
#ifndef SL_CLI_RUN_PLACE_OPTION_H
#define SL_CLI_RUN_PLACE_OPTION_H

#include "gpu/device.h"

/* False: the text is none of these. Names are not copied. */
bool sl_choose_place(struct sl_place *place, const char *text);

#endif
