/* A RISC-V launch as the front end of the SM7 core (sm7_code.h). */
#ifndef SL_MACHINE_SM7_RV_FRONT_H
#define SL_MACHINE_SM7_RV_FRONT_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

struct sl_sm7_front sl_sm7_rv_front(struct sl_sm7_rv *rv);

/* Livelock detection for RISC-V warps on the SM7 core (base/livelock.h). */

/* The front end's `spins` (sm7_code.h); context is a struct sl_sm7_rv. */
bool sl_sm7_rv_spins(void *context, unsigned sm, unsigned slot, unsigned warp);

#endif
