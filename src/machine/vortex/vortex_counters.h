/* Counters of a Vortex GPU. */
#ifndef SL_MACHINE_VORTEX_COUNTERS_H
#define SL_MACHINE_VORTEX_COUNTERS_H

#include "machine/vortex/vortex_gpu.h"

extern const struct sl_counters sl_vortex_counters;
uint64_t sl_vortex_counter(const struct sl_sm *sm, size_t index);

#endif
