/* The machine `sm7`: a Volta-class GPU as GPGPU-Sim's configuration SM7_TITANV describes it. It runs PTX grids
 * (machine/sm7/sm7_engine.h), and RISC-V programs like the machines with a host CPU. */
#ifndef SL_MACHINE_SM7_H
#define SL_MACHINE_SM7_H

#include "machine/machine.h"
#include "machine/sm7/sm7_gpu.h"

extern const struct sl_counters sl_sm7_counters;
extern const struct sl_energy_source sl_sm7_energy[];
extern const struct sl_stall_reasons sl_sm7_stall_reasons;
extern const struct sl_stages sl_sm7_stages; /* enum sl_sm7_stage (core/sm7_events.h) */

/* Counter number `index` of the list, summed over all launches. */
uint64_t sl_sm7_counter(const struct sl_sm7_totals *t, uint64_t cycles, size_t index);

#endif
