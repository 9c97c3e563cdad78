/* What a Vortex warp's instructions make its convergence scheme do (convergence/convergence.h), with its counts and
 * faults, and the watchdog that makes lanes change without an instruction.
 *
 * The watchdog counts the instructions of a warp that it schedules while lanes of it are parked, or without reaching a
 * greater pc. At `watchdog` of them the lanes change as by YIELD, before the next instruction. If no lane is parked,
 * the warp backs off. Source of the watchdog: Vortex, sim/simx/scheduler.cpp, commit fcbac91f. */
#ifndef SL_WARP_IPDOM_MARKS_H
#define SL_WARP_IPDOM_MARKS_H

#include "func/ipdom_warps.h"
#include "isa/probe.h"

/* Records a fault of the active lanes. */
enum sl_ipdom_effect sl_ipdom_fault_of(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                                       enum sl_fault_kind kind, uint32_t address);

/* The scheme does not support what the lanes do while the other lanes are where they are. */
enum sl_ipdom_effect sl_ipdom_unsupported(struct sl_ipdom_warps *w, unsigned warp, const struct sl_ipdom_execution *ex,
                                          const char *detail);

/* Returns true if an extension takes part in the warp's instructions. Its state is the warp's, not the lanes'. */
bool sl_ipdom_has_own_state(const struct sl_ipdom_warps *w, unsigned warp);

/* The scheme executes a mark. The warp's pc is behind the instruction. */
enum sl_ipdom_effect sl_ipdom_converge(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                       enum sl_mark_kind kind, sl_lanes lanes, sl_lanes others);
enum sl_ipdom_effect sl_ipdom_yield(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);
/* Lanes that others of the warp wait for. If every lane has its pc, they let the others run first and come back here;
 * otherwise nothing makes the others come, which is a fault. */
enum sl_ipdom_effect sl_ipdom_sync_lanes(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex);
enum sl_ipdom_effect sl_ipdom_lane_barrier(struct sl_ipdom_warps *w, unsigned warp, struct sl_ipdom_execution *ex,
                                           enum sl_mark_kind kind);

/* Whether the executed instruction has made other lanes run. */
static inline bool sl_ipdom_switched(const struct sl_ipdom_execution *ex)
{
  return ex->jumped && (ex->insn->op == SL_OP_YIELD || ex->insn->op == SL_OP_TMC);
}

/* The event of such an instruction, or of the watchdog at a pc. */
static inline struct sl_probe sl_ipdom_switch(const struct sl_ipdom_warps *w, unsigned warp, uint64_t id,
                                              uint64_t cycle, uint32_t pc)
{
  return (struct sl_probe){.kind = SL_PROBE_SWITCHED,
                           .id = id,
                           .cycle = cycle,
                           .pc = pc,
                           .warp = warp,
                           .active = w->warp[warp].mask,
                           .holder = w->warp[warp].pc};
}

/* Test builds, after an instruction of these lanes of a warp whose scheme yields: counts for each lane that can run the
 * warp's yields since its last instruction. With L lanes there are at most 2 L under `its`: each lane that can run
 * yields at most once until all of them have yielded, and a lane that has yielded waits for the rest of one such round
 * and for one more. Under `scs` there are at most L until a pending lane runs or is in the pool, and L in the pool.
 * Lanes at a barrier and between a split and its join wait for others, not for their turn. Returns NULL, or that a lane
 * has waited for longer. */
const char *sl_ipdom_waited(struct sl_ipdom_warps *w, unsigned warp, sl_lanes lanes, bool yields);

/* The same for an executed instruction. Returns its effect, or a fault. */
enum sl_ipdom_effect sl_ipdom_check_waiting(struct sl_ipdom_warps *w, unsigned warp,
                                            const struct sl_ipdom_execution *ex, enum sl_ipdom_effect effect);

/* The watchdog's part before the warp's next instruction is scheduled, with and without timing. Without timing it
 * counts only while lanes are parked, because nothing else changes a result. Returns true if the timed warp backs off.
 */
bool sl_ipdom_await_progress(struct sl_ipdom_warps *w, unsigned warp, bool timed);

#endif
