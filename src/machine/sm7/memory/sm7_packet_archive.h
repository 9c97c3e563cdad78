/* Checkpoints of packets and their rings. struct sl_sm7_archive holds what the whole GPU shares: its configuration and
 * the program. Pointers to instructions are stored as instruction numbers. */
#ifndef SL_MACHINE_SM7_PACKET_ARCHIVE_H
#define SL_MACHINE_SM7_PACKET_ARCHIVE_H

#include "base/state_archive.h"
#include "machine/sm7/memory/sm7_packet.h"
#include "machine/sm7/sm7_spec.h"

struct sl_sm7_archive {
  struct sl_archive bytes;
  const struct sl_sm7_spec *spec;
  unsigned sms, slices;
  const struct sl_sm7_instruction *code; /* of the running kernel */
  uint32_t count;                        /* 0: no kernel is running */
};

void sl_sm7_packet_archive(struct sl_sm7_archive *archive, struct sl_sm7_packet *packet);
void sl_sm7_ring_archive(struct sl_sm7_archive *archive, struct sl_sm7_ring *ring);

/* Calls `see` for each packet of a ring, in order, until it returns false; returns its last result. */
bool sl_sm7_ring_each(const struct sl_sm7_ring *ring, bool (*see)(void *context, const struct sl_sm7_packet *packet),
                      void *context);

#endif
