/* An SM in checkpoints: the table of its fields, and the operations in flight. It is restored into a new SM; if a
 * kernel is running, it must have been launched there. Pointers to instructions are items of the kernel's code. */
#ifndef SL_MACHINE_SM7_SM_STATE_H
#define SL_MACHINE_SM7_SM_STATE_H

#include "base/state_archive.h"
#include "machine/sm7/core/sm7_sm.h"

const struct sl_schema *sl_sm7_counts_schema(void);
const struct sl_schema *sl_sm7_sm_schema(void);

/* Validates a restored SM for a kernel with the given number of blocks, blocks dispatched, and cycle. */
bool sl_sm7_sm_valid(const struct sl_sm7_sm *sm, uint64_t next_block, uint64_t cycle);

/* Validates a restored SM between two kernels. */
bool sl_sm7_sm_at_rest(const struct sl_sm7_sm *sm);

#endif
