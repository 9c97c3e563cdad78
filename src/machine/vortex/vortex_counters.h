/* Counters of a Vortex GPU. */
#ifndef SL_MACHINE_VORTEX_COUNTERS_H
#define SL_MACHINE_VORTEX_COUNTERS_H

#include "machine/vortex/vortex_gpu.h"

extern const struct sl_counters sl_vortex_counters;
extern const struct sl_energy_source sl_vortex_energy[];
uint64_t sl_vortex_counter(const struct sl_sm *sm, size_t index);

#endif
