/* Functional execution of one instruction on a Vortex warp: registers, memory, masks and next pc. The pipeline calls it
 * once per instruction. Timing never changes a value. */
#ifndef SL_WARP_IPDOM_EXECUTE_H
#define SL_WARP_IPDOM_EXECUTE_H

#include "func/ipdom_warps.h"

/* Executes ex->insn. On entry the warp's pc is the address of the next fetched instruction: the one after ex->insn
 * unless a hardware loop jumps. Only a jump or JOIN changes it. The thread mask changes at once. The caller handles
 * warp exits, barriers and spawns. */
enum sl_ipdom_effect sl_ipdom_execute(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* Returns true if the warp's fetch waits until the instruction has executed: branches, jumps, warp control, traps, and
 * accesses to CSRs that depend on instructions in flight (fflags, frm, fcsr). */
bool sl_stalls_fetch(const struct sl_insn *in);

/* Warp-control instructions: their effect on a warp's thread mask and IPDOM stack.
 *
 * 2.x: SPLIT writes the stack depth to rd and pushes if the lanes disagree. The larger side runs first; on a tie, the
 * true side. JOIN with that depth does nothing if SPLIT pushed nothing. A predicate is bit 0 of its register.
 *
 * 1.x: SPLIT always pushes and JOIN always pops. The true side runs first. A predicate is true if its register is not
 * 0. PRED keeps the mask if no lane would remain.
 *
 * An operand that is one value per warp comes from the last active lane. Sources: published Verilog, commit b5f541b8
 * (2.x); the authors' simulator (1.x). */

/* Instructions of a core with extensions (func/extensions/extension.h): hooks at schedule, rename and execute. A core
 * without extensions calls none of these functions. */

/* Schedule. Sets *mask to the execution mask of the instruction at the warp's pc, and sets the warp's next pc. Returns
 * false if the instruction is illegal; see the fault. */
bool sl_ipdom_schedule(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, sl_lanes *mask,
                       struct sl_extended *extended);

/* Rename, in program order before execution. Sets extended->copy to the part of the instruction that remains to
 * execute. */
bool sl_ipdom_rename(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, uint32_t pc, sl_lanes active,
                     struct sl_extended *extended);

/* Executes the part of ex->insn that rename has left. An empty mask executes nothing. */
enum sl_ipdom_effect sl_ipdom_execute_extended(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* Timing of an instruction that an extension has replaced: whether it can issue, its issue, and its commit. */
bool sl_extensions_ready(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_extended *extended);
void sl_extensions_issue(const struct sl_ipdom_warps *w, unsigned warp, struct sl_extended *extended);
void sl_extensions_commit(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_extended *extended,
                          sl_lanes active);

/* An access to an extension's CSR is in its unit: see struct sl_extension_kind. */
bool sl_extensions_open(const struct sl_ipdom_warps *w, unsigned warp, unsigned csr, bool alone,
                        const struct sl_extended *extended);

#endif
