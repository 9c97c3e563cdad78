/* Checkpoints of the DRAM channels, L2 slices and crossbars of SM7 machines. They are restored into new ones. */
#ifndef SL_MACHINE_SM7_DRAM_ARCHIVE_H
#define SL_MACHINE_SM7_DRAM_ARCHIVE_H

#include "machine/sm7/memory/sm7_crossbar.h"
#include "machine/sm7/memory/sm7_dram.h"
#include "machine/sm7/memory/sm7_packet_archive.h"
#include "machine/sm7/memory/sm7_slice.h"

void sl_sm7_dram_archive(struct sl_sm7_archive *archive, struct sl_sm7_dram *dram);
void sl_sm7_slice_archive(struct sl_sm7_archive *archive, struct sl_sm7_slice *slice);

/* The routing function is needed to recompute which output requests which input. */
void sl_sm7_crossbar_archive(struct sl_sm7_archive *archive, struct sl_sm7_crossbar *crossbar, sl_sm7_route *route,
                             const void *context);

/* Calls `see` for each request packet that has left the input queues, until `see` returns false. */
bool sl_sm7_dram_each(const struct sl_sm7_dram *dram, bool (*see)(void *context, const struct sl_sm7_packet *packet),
                      void *context);

#endif
