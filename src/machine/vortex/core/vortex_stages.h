/* The functions of a Vortex core's stages and units, each group in the file of its name. */
#ifndef SL_MACHINE_VORTEX_CORE_VORTEX_STAGES_H
#define SL_MACHINE_VORTEX_CORE_VORTEX_STAGES_H

#include "machine/vortex/core/vortex_flight.h"

/* ---- vortex_pipeline.c ------------------------------------------------------------------------------------------- */

/* A Vortex core from schedule to commit: layout of its queues, and its start. */

enum sl_status sl_vortex_pipeline_init(struct sl_vortex_pipeline *core, const struct sl_vortex_spec *spec,
                                       struct sl_ipdom_warps *warps, struct sl_error *err);
void sl_vortex_pipeline_free(struct sl_vortex_pipeline *core);

/* Assigns each queue its range of entries, which follows from the keys; returns the number of entries. */
uint32_t sl_vortex_lay_out(struct sl_vortex_pipeline *core);

/* Called after warps have been started. */
void sl_vortex_pipeline_start(struct sl_vortex_pipeline *core);

/* Checkpoints: vortex_state.c. Kinds of items in flight (sl_archive_give), of a socket, then numbers of
 * instructions of a core, of a warp, a slice or all. Kind 0: lines of a cache. */
enum {
  SL_GIVEN_LINE = 1,
  SL_GIVEN_TAG,
  SL_GIVEN_PORT,
  SL_GIVEN_FETCH,
  SL_GIVEN_IN_FLIGHT,
  SL_GIVEN_TOTAL,
  SL_GIVEN_RESULTS,
  SL_GIVEN_WAITING,
  SL_GIVEN_FPU_TAGS
};

/* Recomputes the derived fields of an instruction: vortex_census.c. */
void sl_vortex_derive_op(const struct sl_vortex_pipeline *core, uint32_t op);

/* Evaluates all stages in the next cycle, because another component may have changed their inputs. */
void sl_vortex_look_at_all(struct sl_vortex_pipeline *core);

/* ---- vortex_regroup.c -------------------------------------------------------------------------------------------- */

/* The unit of independent thread scheduling that selects the lanes of a warp after an event: a branch, an instruction
 * that changes which lanes run, or the warp's start.
 *
 * Timing contract: without the unit the warp could be scheduled in cycle C. The unit serves one event per cycle; an
 * event can be served from C on, and the warp is schedulable its.service cycles after that. Events wait in a FIFO per
 * class; classes take turns, from the one after the last served. A start is served like the others, lowest warp first.
 *
 * Source: Vortex, branch for thread splits, hw/rtl/core/VX_scheduler.sv, commit fcbac91f. */

/* The warp's instruction has been scheduled: whether fetch waits for an event of it. */
void sl_vortex_await_regroup(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op);

/* The schedule stage's part. Takes the warps whose events arrive in this cycle out of the woken ones, and serves an
 * event. */
sl_warps sl_vortex_regroup(struct sl_vortex_pipeline *core, sl_warps woken);

/* These warps begin. */
void sl_vortex_regroup_start(struct sl_vortex_pipeline *core, sl_warps warps);

/* ---- vortex_watchdog.c ------------------------------------------------------------------------------------------- */

/* The timed part of the watchdog of parked lanes (func/ipdom_execute.h): back-off; and the cycles in which a warp is
 * absent because its lanes change.
 *
 * Timing contract: the watchdog acts when a warp is chosen, before its instruction is read, and takes no time. A warp
 * that backs off executes the chosen instruction. Then it lets scs.backoff cycles pass in which it could be scheduled,
 * and is chosen in the last of them.
 *
 * Source: Vortex, sim/simx/scheduler.cpp, commit fcbac91f. */

/* The warp has been chosen. Its pc and lanes may change. */
void sl_vortex_watch_progress(struct sl_vortex_pipeline *core, unsigned warp);

/* Takes the warps that back off out of the woken ones, and wakes them later. */
sl_warps sl_vortex_back_off(struct sl_vortex_pipeline *core, sl_warps woken);

/* From a cycle to before another the warp cannot be scheduled because its lanes change, or because it backs off. */
void sl_vortex_absent(struct sl_vortex_pipeline *core, unsigned warp, uint64_t from, uint64_t to);

/* The warps that are absent in this cycle. */
sl_warps sl_vortex_absent_warps(const struct sl_vortex_pipeline *core);

/* ---- vortex_lsu.c ------------------------------------------------------------------------------------------------ */

/* The load-store unit of a Vortex core: slots for outstanding loads, the coalescing unit that combines lanes into line
 * requests, and banked local memory. Keys give the delays between stages. */

void sl_vortex_lsu(struct sl_vortex_pipeline *core);

/* Sets up the next line requests. Call it after the data cache has taken the previous ones. */
void sl_vortex_coalesce(struct sl_vortex_pipeline *core);

/* Delivers a line of a load; it reaches the LSU `delay` cycles later. */
void sl_vortex_line_answered(struct sl_vortex_pipeline *core, uint16_t op, uint64_t delay);

/* ---- vortex_ports.c ---------------------------------------------------------------------------------------------- */

/* Line requests of a Vortex core's extensions, at the ports of the data cache and of local memory.
 *
 * Timing contract: a line granted in cycle c waits at its port for its bank from c on. On a hit, the answer of the data
 * cache or of local memory reaches the extension streams.latency after the grant. While the LSU has a line to send,
 * port 0 belongs to the LSU. */

/* Takes returned lines and grants the next requests. The socket takes the lines that wait at the ports. */
void sl_vortex_ports(struct sl_vortex_pipeline *core);

/* Allocates a number for a read in the cache; -1: all are in use. */
int sl_vortex_port_number(struct sl_vortex_pipeline *core, const struct sl_vortex_port_line *line);

/* Handles an answer of the cache. */
void sl_vortex_port_answered(struct sl_vortex_pipeline *core, uint32_t number);

/* No extension request is outstanding. */
bool sl_vortex_ports_idle(const struct sl_vortex_pipeline *core);

/* ---- vortex_accounting.c ----------------------------------------------------------------------------------------- */

/* Stall accounting of a Vortex core: observer events of its stages, and the instruction that each cycle is charged to.
 * Called only for watched cores: an observer is attached, or performance counters attribute stalls to result units. */

extern const struct sl_stall_reasons sl_vortex_stall_reasons;
extern const struct sl_stages sl_vortex_stages;
unsigned sl_vortex_profiled(const void *spec);

/* Event kinds that need a watched core; the core reports the other kinds in any case. */
#define SL_VORTEX_WATCHED (~(unsigned)(SL_PROBE_LAUNCHED | SL_PROBE_EXECUTION))

void sl_vortex_account_start(struct sl_vortex_pipeline *core);

/* Assigns the next id to an instruction. No other core assigns it. */
void sl_vortex_account_id(struct sl_vortex_pipeline *core, struct sl_vortex_op *op);

void sl_vortex_account_schedule(struct sl_vortex_pipeline *core, struct sl_vortex_op *op);
void sl_vortex_account_issue(struct sl_vortex_pipeline *core, uint16_t op);
void sl_vortex_account_line(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op);
void sl_vortex_account_local(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op, unsigned passes);
void sl_vortex_account_commit(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op);

/* LSU events: the next access was accepted or not; a load or a flush has its last answer; and, at the end of a cycle,
 * the accesses that wait to be accepted. */
void sl_vortex_account_taken(struct sl_vortex_pipeline *core, struct sl_vortex_op *op, bool taken);
void sl_vortex_account_answered(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op);
void sl_vortex_account_queue(struct sl_vortex_pipeline *core);
void sl_vortex_account_cycle(struct sl_vortex_pipeline *core, enum sl_vortex_stall_reason cause);

/* Warps arrive at a barrier or leave it; reports the last scheduled instruction of each. */
void sl_vortex_account_barrier(struct sl_vortex_pipeline *core, enum sl_probe_kind kind, sl_warps warps);

/* Ends the accounting of a run at cycle `end`. Valid for any core. */
void sl_vortex_settle(struct sl_vortex_pipeline *core, uint64_t end);

#endif
