/* The machine `sm7`: a GPU of Volta's shape as GPGPU-Sim's configuration SM7_TITANV describes it. It runs grids of PTX
 * (machine/sm7/sm7_engine.h), and RISC-V programs as the machines with a host CPU do. */
#ifndef SL_MACHINE_SM7_H
#define SL_MACHINE_SM7_H

#include "machine/machine.h"
#include "machine/sm7/sm7_gpu.h"

extern const struct sl_machine sl_sm7;
extern const struct sl_counters sl_sm7_counters;
extern const struct sl_energy_source sl_sm7_energy[];
extern const struct sl_causes sl_sm7_causes;

/* Counter number `index` of the list, of all launches so far. */
uint64_t sl_sm7_counter(const struct sl_sm7_totals *t, uint64_t cycles, size_t index);

#endif
