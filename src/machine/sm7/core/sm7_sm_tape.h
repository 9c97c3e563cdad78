/* An SM in checkpoints: its warps, blocks and schedulers, and what is under way (core/sm7_flight_tape.h). It is read
 * into one that has just been made, for which the kernel has been launched if one is under way. */
#ifndef SL_MACHINE_SM7_SM_TAPE_H
#define SL_MACHINE_SM7_SM_TAPE_H

#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/memory/sm7_packet_tape.h"

void sl_sm7_sm_tape(struct sl_sm7_tape *tape, struct sl_sm7_sm *sm);

/* Whether the SM that has been read can be in a kernel of so many blocks, of which so many have been given, in this
 * cycle. */
bool sl_sm7_sm_sound(const struct sl_sm7_sm *sm, uint64_t next_block, uint64_t cycle);

/* Whether the SM that has been read can be between two kernels. */
bool sl_sm7_sm_at_rest(const struct sl_sm7_sm *sm);

#endif
