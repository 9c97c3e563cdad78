/* Barriers of a block in PTX with their reductions, and groups of a warp that take turns.
 *
 * A warp arrives as a whole: under `stack` with the instruction of its running lanes, with groups that take turns
 * (convergence/simt_groups.h) when all its live lanes are at the barrier, each group at an instruction of its own. */
#ifndef SL_PTX_RUN_PTX_BARRIER_H
#define SL_PTX_RUN_PTX_BARRIER_H

#include "ptx/run/ptx_access.h"
#include "ptx/run/ptx_block.h"

/* The running lanes execute a barrier, or arrive at it. No lanes are active in the effect if others must come first.
 * False: the lanes of the warp wait at different barriers; see the fault. */
bool sl_ptx_barrier(struct sl_ptx_warp *w, const struct sl_ptx_insn *in, struct sl_ptx_effect *effect,
                    struct sl_ptx_fault *fault);

/* Lanes have ended: completes reductions that wait for no other warp. */
void sl_ptx_barrier_end(const struct sl_ptx_warp *w);

/* Whether lanes of a warp execute the instruction together. */
bool sl_ptx_turns_together(const struct sl_ptx_insn *in);

/* The running group is about to execute an instruction. False: it waits for other lanes, and the effect is empty. */
bool sl_ptx_turns_meet(struct sl_ptx_warp *w, uint64_t clock, struct sl_ptx_effect *effect);

/* The running group has executed an instruction. */
void sl_ptx_turns_count(struct sl_ptx_warp *w, const struct sl_ptx_effect *effect);

#endif
