/* Control flow of RISC-V machine code: where the lanes of a warp that disagree on a branch meet again.
 *
 * Basic blocks are those of all the code at once; a call goes on behind itself, and the function ends where it returns.
 * A jump to an address in a register has ways that the code does not show: it counts as the end of the function, as a
 * return does, so that lanes never meet too early. */
#ifndef SL_MACHINE_SM7_RV_FLOW_H
#define SL_MACHINE_SM7_RV_FLOW_H

#include "isa/code.h"

#define SL_SM7_RV_NOWHERE UINT32_MAX

/* CSRs of a thread that tell the hardware what to do. */
enum { SL_SM7_RV_CSR_COMMAND = 0x830 };
enum { SL_SM7_RV_BARRIER = 0, SL_SM7_RV_END = 1, SL_SM7_RV_SUCCESS = 2 }; /* as on SIMTight */

/* What an instruction tells the hardware, where that is in the instruction itself. */
bool sl_sm7_rv_is_barrier(const struct sl_insn *insn);
bool sl_sm7_rv_is_end(const struct sl_insn *insn);

/* reconvergence[i] becomes the number of the word at which lanes that disagree at word i meet, SL_SM7_RV_NOWHERE where
 * the function ends before they do. */
enum sl_status sl_sm7_rv_flow(const struct sl_code *code, uint32_t *reconvergence, struct sl_error *err);

#endif
