/* Loads, stores and atomics of RISC-V threads on the SM7 core. The address selects the block's shared memory, the
 * thread's stack (local memory), or the global memory, which all threads and the host share. */
#ifndef SL_MACHINE_SM7_RV_ACCESS_H
#define SL_MACHINE_SM7_RV_ACCESS_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

/* Performs the instruction on the lanes of `active` and describes it in *effect. An access whose lanes are in several
 * spaces counts as one in the space of its first lane. False: the access is invalid; see the fault. */
bool sl_sm7_rv_access(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *insn,
                      uint32_t active, struct sl_sm7_effect *effect);

/* The bytes at an address of shared or global memory; NULL: there are none. */
uint8_t *sl_sm7_rv_shared_or_global(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t address);

#endif
