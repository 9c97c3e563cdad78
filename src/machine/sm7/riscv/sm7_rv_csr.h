/* CSRs of RISC-V threads on the SM7 core: thread identity, time, floating point, and console words. */
#ifndef SL_MACHINE_SM7_RV_CSR_H
#define SL_MACHINE_SM7_RV_CSR_H

#include "machine/sm7/riscv/sm7_rv_warps.h"

/* First of the read-only CSRs: x, y and z of the thread in its block, of the block in the grid, of the block size and
 * of the grid size; then SM, lane, and warp in its block. */
enum { SL_SM7_RV_CSR_PLACE = 0xcc0 };

/* The launch block's address. */
enum { SL_SM7_RV_CSR_LAUNCH = 0x831 };

enum { SL_SM7_RV_CSR_PRINT_WORD = 0x800 }; /* simulation only: a write prints the word */

/* The value that the instruction writes, in a lane. */
uint32_t sl_sm7_rv_csr_operand(const struct sl_insn *insn, const uint32_t *x, unsigned lane);

/* False: there is no such CSR. */
bool sl_sm7_rv_csr(struct sl_sm7_rv *rv, const struct sl_sm7_rv_place *at, const struct sl_insn *insn, uint32_t active);

#endif
