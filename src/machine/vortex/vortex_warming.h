/* What instructions leave in the caches of a Vortex GPU, for stretches that are executed without timing: the lines that
 * they fetch and access, in the order of execution, as if each request were answered before the next. Requests that
 * would have merged while their line is under way find it there. */
#ifndef SL_MACHINE_VORTEX_WARMING_H
#define SL_MACHINE_VORTEX_WARMING_H

#include "machine/vortex/vortex_gpu.h"

/* An instruction of a core has been executed. */
void sl_vortex_warm(struct sl_vortex_gpu *sm, unsigned core, const struct sl_ipdom_execution *ex);

#endif
