/* Checkpoints of the operations in flight in an SM: instructions between issue and write-back, loads, and the
 * load/store unit. They are restored into a new SM; if a kernel is running, it must have been launched there. */
#ifndef SL_MACHINE_SM7_FLIGHT_ARCHIVE_H
#define SL_MACHINE_SM7_FLIGHT_ARCHIVE_H

#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/memory/sm7_packet_archive.h"

void sl_sm7_flight_archive(struct sl_sm7_archive *archive, struct sl_sm7_sm *sm);

#endif
