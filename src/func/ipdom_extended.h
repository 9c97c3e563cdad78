/* Instructions of a core with extensions (func/extensions/extension.h): hooks at schedule, rename and execute. A core
 * without extensions calls none of these functions. */
#ifndef SL_WARP_IPDOM_EXTENDED_H
#define SL_WARP_IPDOM_EXTENDED_H

#include "func/ipdom_execute.h"

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
