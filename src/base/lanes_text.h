/* Sets of lanes as text. */
#ifndef SL_BASE_LANES_TEXT_H
#define SL_BASE_LANES_TEXT_H

#include <stddef.h>

#include "base/types.h"

enum { SL_LANES_TEXT = 200 /* bytes for any set */ };

/* "0-3,8" */
void sl_lanes_format(sl_lanes lanes, char *text, size_t size);

#endif
