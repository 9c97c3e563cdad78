/* Loads, stores and atomics of RISC-V threads on the SM7 core: by its address an access is to the shared memory of the
 * block, to the thread's stack (local memory), or to the memory that all share with the host. */
#ifndef SL_MACHINE_SM7_RV_ACCESS_H
#define SL_MACHINE_SM7_RV_ACCESS_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

/* Performs the instruction on the lanes of `active` and describes it in *effect; an access whose lanes are in several
 * spaces counts as one in that of its first lane. False: it cannot be made; see the fault. */
bool sl_sm7_rv_access(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *insn,
                      uint32_t active, struct sl_sm7_effect *effect);

#endif
