/* What listeners are told of the stages of a Vortex core, and which instruction each of its cycles is charged to. To be
 * called only for cores that are watched: by someone who listens, or by the performance counters that tell whose
 * results are waited for. */
#ifndef SL_MACHINE_VORTEX_LEDGER_H
#define SL_MACHINE_VORTEX_LEDGER_H

#include "machine/vortex/core/vortex_flight.h"

extern const struct sl_causes sl_vortex_causes;
unsigned sl_vortex_profiled(const void *spec);

/* Kinds for which a core has to be watched; of the others it tells anyway. */
#define SL_VORTEX_WATCHED (~(unsigned)(SL_PROBE_LAUNCHED | SL_PROBE_EXECUTED | SL_PROBE_ACCESSED))

void sl_vortex_ledger_start(struct sl_vortex_pipeline *core);
void sl_vortex_ledger_schedule(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op);
void sl_vortex_ledger_issue(struct sl_vortex_pipeline *core, uint16_t op);
void sl_vortex_ledger_line(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op);
void sl_vortex_ledger_local(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op, unsigned passes);
void sl_vortex_ledger_commit(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op);

/* Of the LSU: it has taken the access that came next, or not; a load or a flush has its last answer; and, at the end of
 * a cycle, accesses that wait to be taken. */
void sl_vortex_ledger_taken(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op, bool taken);
void sl_vortex_ledger_answered(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op);
void sl_vortex_ledger_queue(struct sl_vortex_pipeline *core);
void sl_vortex_ledger_cycle(struct sl_vortex_pipeline *core, enum sl_vortex_cause cause);

/* Warps have come to a barrier, or leave it: the last instruction that was scheduled of each. */
void sl_vortex_ledger_barrier(struct sl_vortex_pipeline *core, enum sl_probe_kind kind, sl_warps warps);

/* The run has ended in cycle `end`: so many cycles are to be accounted for. Of any core. */
void sl_vortex_settle(struct sl_vortex_pipeline *core, uint64_t end);

#endif
