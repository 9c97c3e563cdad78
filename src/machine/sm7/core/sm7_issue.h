/* Warp schedulers and issue. Each scheduler examines its warps in its order and issues the first that can issue. A warp
 * whose fetched PC differs from the PC on top of its stack is flushed, and the scheduler examines the next one.
 * Instructions execute functionally at issue. */
#ifndef SL_MACHINE_SM7_ISSUE_H
#define SL_MACHINE_SM7_ISSUE_H

#include "machine/sm7/core/sm7_sm.h"

void sl_sm7_issue(struct sl_sm7_sm *sm, uint64_t cycle);

/* Whether some warp might issue in the next cycle. */
bool sl_sm7_issues(const struct sl_sm7_sm *sm);

/* Registers a new warp with the schedulers that order warps by age. */
void sl_sm7_note_age(struct sl_sm7_sm *sm, unsigned warp);

#endif
