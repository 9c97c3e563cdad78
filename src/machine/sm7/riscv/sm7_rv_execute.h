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

/* Loads, stores and atomics of RISC-V threads on the SM7 core. The address selects the block's shared memory, the
 * thread's stack (local memory), or the global memory, which all threads and the host share. */

/* The bytes at an address of shared or global memory; NULL: there are none. */
uint8_t *sl_sm7_rv_shared_or_global(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, uint32_t address);

/* CSRs of RISC-V threads on the SM7 core: thread identity, time, floating point, and console words. */

/* First of the read-only CSRs: x, y and z of the thread in its block, of the block in the grid, of the block size and
 * of the grid size; then SM, lane, and warp in its block. */
enum { SL_SM7_RV_CSR_PLACE = 0xcc0 };

/* The launch block's address. */
enum { SL_SM7_RV_CSR_LAUNCH = 0x831 };

enum { SL_SM7_RV_CSR_PRINT_WORD = 0x800 }; /* simulation only: a write prints the word */

#endif
