/* Hardware loops (warp/extensions/hardware_loops.h) as an extension: at schedule, and after execution, which must not
 * leave a loop. */
#ifndef SL_WARP_LOOPS_EXTENSION_H
#define SL_WARP_LOOPS_EXTENSION_H

#include "warp/extensions/extension.h"

/* Its state is a struct sl_loops from the heap. */
extern const struct sl_extension_kind sl_loops_extension;

#endif
