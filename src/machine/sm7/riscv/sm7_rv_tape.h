/* RISC-V threads on the SM7 core in checkpoints: code, launch, and the warps and blocks that are resident. */
#ifndef SL_MACHINE_SM7_RV_TAPE_H
#define SL_MACHINE_SM7_RV_TAPE_H

#include "base/state_tape.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"

/* `resident`: by SM the warps that are, a bit each. It is read into one that has just been made for the same machine;
 * `launched`: of it, a kernel has been. */
void sl_sm7_rv_tape(struct sl_tape *tape, struct sl_sm7_rv *rv, uint64_t *resident, bool launched);

#endif
