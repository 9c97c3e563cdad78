/* Functional execution of one instruction on a Vortex warp: registers, memory, masks and next pc. The pipeline calls it
 * once per instruction. Timing never changes a value. */
#ifndef SL_WARP_IPDOM_EXECUTE_H
#define SL_WARP_IPDOM_EXECUTE_H

#include "func/ipdom_execution.h"

/* Executes ex->insn. On entry the warp's pc is the address of the next fetched instruction: the one after ex->insn
 * unless a hardware loop jumps. Only a jump or JOIN changes it. The thread mask changes at once. The caller handles
 * warp exits, barriers and spawns. */
enum sl_ipdom_effect sl_ipdom_execute(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* Returns true if the warp's fetch waits until the instruction has executed: branches, jumps, warp control, traps, and
 * accesses to CSRs that depend on instructions in flight (fflags, frm, fcsr). */
bool sl_stalls_fetch(const struct sl_insn *in);

#endif
