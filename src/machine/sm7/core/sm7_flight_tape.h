/* What is under way in an SM, in checkpoints: instructions between issue and write-back, loads, the load/store unit. It
 * is read into an SM that has just been made, for which the kernel has been launched if one is under way. */
#ifndef SL_MACHINE_SM7_FLIGHT_TAPE_H
#define SL_MACHINE_SM7_FLIGHT_TAPE_H

#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/memory/sm7_packet_tape.h"

void sl_sm7_flight_tape(struct sl_sm7_tape *tape, struct sl_sm7_sm *sm);

#endif
