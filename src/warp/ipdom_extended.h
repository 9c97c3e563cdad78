/* Instructions of a core with extensions (warp/extensions/extension.h): schedule, rename, and execution around which
 * they are asked. Without extensions nothing of this is called. */
#ifndef SL_WARP_IPDOM_EXTENDED_H
#define SL_WARP_IPDOM_EXTENDED_H

#include "warp/ipdom_execute.h"

/* Schedule: the mask that the instruction at the warp's pc executes with, into *mask, and where the warp goes on, into
 * its state. False: illegal, see the fault. */
bool sl_ipdom_schedule(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, sl_lanes *mask,
                       struct sl_extended *extended);

/* Before execution, in program order: extended->copy becomes what of the instruction is left to execute. */
bool sl_ipdom_rename(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, uint32_t pc, sl_lanes active,
                     struct sl_extended *extended);

/* Executes what rename has left of ex->insn. An empty mask executes nothing. */
enum sl_ipdom_effect sl_ipdom_execute_extended(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);

/* In time, of an instruction that extensions have replaced: whether it can issue; it issues; its result has come. */
bool sl_extensions_ready(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_extended *extended);
void sl_extensions_issue(const struct sl_ipdom_warps *w, unsigned warp, struct sl_extended *extended);
void sl_extensions_commit(const struct sl_ipdom_warps *w, unsigned warp, const struct sl_extended *extended,
                          sl_lanes active);

/* An access to a CSR of theirs is in its unit: see struct sl_extension_kind. */
bool sl_extensions_open(const struct sl_ipdom_warps *w, unsigned warp, unsigned csr, bool alone,
                        const struct sl_extended *extended);

#endif
