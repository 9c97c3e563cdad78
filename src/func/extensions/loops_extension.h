/* Hardware loops (func/extensions/hardware_loops.h) as a core extension. It acts at schedule and, after execution,
 * checks that the instruction has not left a loop. */
#ifndef SL_WARP_LOOPS_EXTENSION_H
#define SL_WARP_LOOPS_EXTENSION_H

#include "func/extensions/extension.h"

/* The state is a struct sl_loops on the heap. */
extern const struct sl_extension_kind sl_loops_extension;

#endif
