/* The Simty machine (Collange, "Simty: a synthesizable general-purpose SIMT processor", RR-8944): SIMT on plain RV32I
 * binaries. */
#ifndef SL_MACHINE_SIMTY_H
#define SL_MACHINE_SIMTY_H

#include "machine/machine.h"

extern const struct sl_machine sl_simty;

#endif
