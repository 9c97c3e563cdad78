/* Execution of RISC-V instructions on the SM7 core, one instruction of one warp at a time. isa/rv32.def defines the
 * instructions. */
#ifndef SL_MACHINE_SM7_RV_EXECUTE_H
#define SL_MACHINE_SM7_RV_EXECUTE_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

/* The front end's `issue` (sm7_code.h); context is a struct sl_sm7_rv. */
bool sl_sm7_rv_issue(void *context, unsigned sm, unsigned slot, unsigned warp, uint64_t cycle,
                     struct sl_sm7_effect *effect);

/* The front end's `report_begun`. */
void sl_sm7_rv_report_begun(void *context, unsigned sm, unsigned slot, uint64_t cycle);

#endif
