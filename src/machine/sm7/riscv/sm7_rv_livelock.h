/* Livelock detection for RISC-V warps on the SM7 core (base/livelock.h). */
#ifndef SL_MACHINE_SM7_RV_LIVELOCK_H
#define SL_MACHINE_SM7_RV_LIVELOCK_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

/* The front end's `spins` (sm7_code.h); context is a struct sl_sm7_rv. */
bool sl_sm7_rv_spins(void *context, unsigned sm, unsigned slot, unsigned warp);

#endif
