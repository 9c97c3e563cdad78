/* Checkpoints of an SM: its warps, blocks and schedulers, and the operations in flight (core/sm7_flight_archive.h).
 * They are restored into a new SM; if a kernel is running, it must have been launched there. */
#ifndef SL_MACHINE_SM7_SM_ARCHIVE_H
#define SL_MACHINE_SM7_SM_ARCHIVE_H

#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/memory/sm7_packet_archive.h"

void sl_sm7_sm_archive(struct sl_sm7_archive *archive, struct sl_sm7_sm *sm);

/* Validates a restored SM for a kernel with the given number of blocks, blocks dispatched, and cycle. */
bool sl_sm7_sm_valid(const struct sl_sm7_sm *sm, uint64_t next_block, uint64_t cycle);

/* Validates a restored SM between two kernels. */
bool sl_sm7_sm_at_rest(const struct sl_sm7_sm *sm);

#endif
