/* Channels of DRAM, slices of L2 and the crossbars of SM7 machines in checkpoints. They are read into ones that have
 * just been made. */
#ifndef SL_MACHINE_SM7_DRAM_TAPE_H
#define SL_MACHINE_SM7_DRAM_TAPE_H

#include "machine/sm7/memory/sm7_crossbar.h"
#include "machine/sm7/memory/sm7_dram.h"
#include "machine/sm7/memory/sm7_packet_tape.h"
#include "machine/sm7/memory/sm7_slice.h"

void sl_sm7_dram_tape(struct sl_sm7_tape *tape, struct sl_sm7_dram *dram);
void sl_sm7_slice_tape(struct sl_sm7_tape *tape, struct sl_sm7_slice *slice);

/* What routes packets tells which output asks which input, which is found anew. */
void sl_sm7_crossbar_tape(struct sl_sm7_tape *tape, struct sl_sm7_crossbar *crossbar, sl_sm7_route *route,
                          const void *context);

/* `see` is told of the packets of requests that have left the queues in front, until it says false. */
bool sl_sm7_dram_each(const struct sl_sm7_dram *dram, bool (*see)(void *context, const struct sl_sm7_packet *packet),
                      void *context);

#endif
