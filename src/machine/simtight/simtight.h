/* The SIMTight machine (Naylor et al., "Advanced Dynamic Scalarisation for RISC-V GPGPUs"), with a plain or compressed
 * register file. */
#ifndef SL_MACHINE_SIMTIGHT_H
#define SL_MACHINE_SIMTIGHT_H

#include "machine/machine.h"

extern const struct sl_machine sl_simtight;

#endif
