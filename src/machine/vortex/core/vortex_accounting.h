/* Stall accounting of a Vortex core: observer events of its stages, and the instruction that each cycle is charged to.
 * Called only for watched cores: an observer is attached, or performance counters attribute stalls to result units. */
#ifndef SL_MACHINE_VORTEX_ACCOUNTING_H
#define SL_MACHINE_VORTEX_ACCOUNTING_H

#include "machine/vortex/core/vortex_flight.h"

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
