/* Performance counters as programs read them. */
#ifndef SL_MACHINE_VORTEX_PERFORMANCE_H
#define SL_MACHINE_VORTEX_PERFORMANCE_H

#include "machine/vortex/vortex_gpu.h"

/* For struct sl_ipdom_warps; context: a view. */
uint64_t sl_vortex_performance(const void *context, unsigned class, unsigned index);

#endif
