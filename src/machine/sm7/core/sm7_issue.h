/* Warp schedulers and issue: each scheduler looks at its warps in its order and issues the first that can. A warp whose
 * fetched PC is not that on top of its stack is flushed, and the next one is looked at. Instructions are executed
 * functionally here. */
#ifndef SL_MACHINE_SM7_ISSUE_H
#define SL_MACHINE_SM7_ISSUE_H

#include "machine/sm7/core/sm7_sm.h"

void sl_sm7_issue(struct sl_sm7_sm *sm, uint64_t cycle);

/* Whether some warp might issue in the next cycle. */
bool sl_sm7_issues(const struct sl_sm7_sm *sm);

/* A warp has come to be: what schedulers that go by age must know. */
void sl_sm7_note_age(struct sl_sm7_sm *sm, unsigned warp);

#endif
