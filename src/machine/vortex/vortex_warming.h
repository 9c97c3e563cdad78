/* Cache warming of a Vortex GPU during functional execution. Instructions update the caches with the lines that they
 * fetch and access, in the order of execution, as if each request were answered before the next. A request that would
 * have merged with an outstanding line hits that line. */
#ifndef SL_MACHINE_VORTEX_WARMING_H
#define SL_MACHINE_VORTEX_WARMING_H

#include "machine/vortex/vortex_gpu.h"

/* A core has executed an instruction. */
void sl_vortex_warm(struct sl_vortex_gpu *sm, unsigned core, const struct sl_ipdom_execution *ex);

#endif
