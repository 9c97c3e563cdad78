/* Which instruction each cycle of a Vortex core is charged to, in its ledger. Functions but create are for cores with
 * one, which is made for a profile, and for the performance counters that need it. */
#ifndef SL_MACHINE_VORTEX_PROFILE_H
#define SL_MACHINE_VORTEX_PROFILE_H

#include "machine/vortex/core/vortex_flight.h"

extern const struct sl_causes sl_vortex_causes;
unsigned sl_vortex_profiled(const void *spec);

enum sl_status sl_vortex_ledger_create(struct sl_vortex_pipeline *core, struct sl_profile *profile,
                                       struct sl_error *err);
void sl_vortex_ledger_start(struct sl_vortex_pipeline *core);
void sl_vortex_ledger_schedule(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op);
void sl_vortex_ledger_issue(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op);
void sl_vortex_ledger_line(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op);
void sl_vortex_ledger_local(struct sl_vortex_pipeline *core, const struct sl_vortex_op *op, unsigned passes);
void sl_vortex_ledger_cycle(struct sl_vortex_pipeline *core, enum sl_vortex_cause cause);

/* The run has ended in cycle `end`: so many cycles are to be accounted for. */
void sl_vortex_settle(struct sl_vortex_pipeline *core, uint64_t end);

#endif
