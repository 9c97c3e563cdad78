/* The function of one instruction on the active lanes of a warp.
 *
 * Both the cycle-level pipelines and the functional mode call sl_path_execute(): an instruction means one thing,
 * whatever its timing. Registers and memory take effect when it is called. Of lanes that store to one DRAM address the
 * lowest wins, as the leader does in the coalescing unit; the scratchpad serves conflicting lanes in the order of its
 * banks. */
#ifndef SL_WARP_PATH_EXECUTE_H
#define SL_WARP_PATH_EXECUTE_H

#include "mem/request.h"
#include "warp/path_warps.h"

/* Executes ex->insn on ex->active of a warp, whose active path is `path`, and moves that path on. Memory kinds fill in
 * *request. */
enum sl_effect sl_path_execute(struct sl_path_warps *t, unsigned warp, unsigned path, struct sl_execution *ex,
                               struct sl_request *request);

#endif
