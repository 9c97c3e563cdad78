/* The function of one instruction on a warp: registers, memory, masks, next address. Performed once, when the pipeline
 * says so; time never changes a value. */
#ifndef SL_WARP_IPDOM_EXECUTE_H
#define SL_WARP_IPDOM_EXECUTE_H

#include "warp/ipdom_execution.h"

/* Performs ex->insn. The warp's pc is where the next instruction was fetched from (behind ex->insn unless a hardware
 * loop says otherwise) and changes only when the instruction jumps or joins; its mask changes at once. Active warps,
 * barriers and spawning are the caller's. */
enum sl_ipdom_effect sl_ipdom_execute(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* Whether fetch of a warp waits for the instruction to execute: branches, jumps, warp control, traps, and accesses to
 * the CSRs that depend on what is under way (fflags, frm, fcsr). */
bool sl_stalls_fetch(const struct sl_insn *in);

#endif
