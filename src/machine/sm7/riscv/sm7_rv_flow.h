/* Control flow of RISC-V machine code: the reconvergence point of each branch.
 *
 * Basic blocks are those of the whole code. A call continues after itself; a function ends where it returns. The code
 * does not show the targets of a jump through a register. Such a jump counts as the end of the function, as a return
 * does, so lanes never reconverge too early. */
#ifndef SL_MACHINE_SM7_RV_FLOW_H
#define SL_MACHINE_SM7_RV_FLOW_H

#include "isa/code.h"
#include "isa/isa.h"
#include "machine/sm7/sm7_code.h"

#define SL_SM7_RV_NOWHERE UINT32_MAX

/* Command CSR of a thread. */
enum { SL_SM7_RV_CSR_COMMAND = 0x830 };
enum { SL_SM7_RV_BARRIER = 0, SL_SM7_RV_END = 1, SL_SM7_RV_SUCCESS = 2 }; /* as on SIMTight */

/* The command that an instruction gives, if the instruction itself encodes it. */
bool sl_sm7_rv_is_barrier(const struct sl_insn *insn);
bool sl_sm7_rv_is_end(const struct sl_insn *insn);

/* Sets reconvergence[i] to the number of the word at which lanes that diverge at word i reconverge; SL_SM7_RV_NOWHERE
 * if the function ends first. */
enum sl_status sl_sm7_rv_flow(const struct sl_code *code, uint32_t *reconvergence, struct sl_error *err);

/* Whether a thread that begins at word `entry` may read what other blocks write while they run: it uses results of
 * atomics, or fences, or calls functions through registers. Loads that only the program knows to be volatile are not
 * recognised. */
bool sl_sm7_rv_waits(const struct sl_code *code, uint32_t entry);

/* Properties of a RISC-V instruction that the SM core needs: its unit and class, and the registers it reads and
 * writes. */

struct sl_sm7_instruction sl_sm7_rv_facts(const struct sl_insn *insn);

#endif
