/* Hardware loops and streaming lanes where instructions pass through them: at schedule and around execution. Without
 * either (warps->loops, warps->streams NULL) nothing of this is called.
 *
 * What the two extensions call illegal becomes a fault of the instruction, so that it is told with its source line. */
#ifndef SL_WARP_EXTENSIONS_H
#define SL_WARP_EXTENSIONS_H

#include "warp/hardware_loops.h"
#include "warp/ipdom_execute.h"
#include "warp/streams.h"

/* Schedule: the mask that the instruction at the warp's pc executes with, into *mask, and where the warp goes on, into
 * its state. *ends: a loop ends here, so that the instruction must not transfer control. False: illegal, see the
 * fault. */
bool sl_ipdom_schedule_loops(struct sl_ipdom_warps *w, unsigned warp, const struct sl_insn *insn, sl_lanes *mask,
                             bool *ends);

/* Before execution, in program order: what of the instruction are streams is replaced in *copy. */
bool sl_ipdom_rename_streams(struct sl_ipdom_warps *w, unsigned warp, uint32_t pc, sl_lanes active,
                             struct sl_insn *copy, struct sl_stream_use *use);

/* Executes what rename has left (ex->insn) of the instruction `original`, which loops must allow, and stores its
 * result if that is a stream. An empty mask executes nothing. */
enum sl_ipdom_effect sl_ipdom_execute_extended(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                               const struct sl_insn *original, bool ends,
                                               const struct sl_stream_use *use);

/* WSPAWN, if it can happen (sl_gang_spawn): the warps that begin do so with lane 0. Returns the warps that go on. */
sl_warps sl_ipdom_begin_spawned(struct sl_ipdom_warps *w);

/* A warp is switched off. */
void sl_ipdom_end(struct sl_ipdom_warps *w, unsigned warp);

/* An access to a CSR of the extensions: see warp/ipdom_csr.h. */
bool sl_ipdom_extension_csr(const struct sl_ipdom_warps *w, unsigned csr);
bool sl_ipdom_extension_access(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex);

#endif
