/* Packets and their rings in checkpoints. What a whole GPU shares is in struct sl_sm7_tape: its shape, and the program,
 * since pointers to its instructions become their numbers. */
#ifndef SL_MACHINE_SM7_PACKET_TAPE_H
#define SL_MACHINE_SM7_PACKET_TAPE_H

#include "base/state_tape.h"
#include "machine/sm7/memory/sm7_packet.h"
#include "machine/sm7/sm7_spec.h"

struct sl_sm7_tape {
  struct sl_tape bytes;
  const struct sl_sm7_spec *spec;
  unsigned sms, slices;
  const struct sl_sm7_instruction *code; /* of the kernel that is under way */
  uint32_t count;                        /* 0: none is */
};

void sl_sm7_packet_tape(struct sl_sm7_tape *tape, struct sl_sm7_packet *packet);
void sl_sm7_ring_tape(struct sl_sm7_tape *tape, struct sl_sm7_ring *ring);

/* `see` is told of the packets of a ring, in order, until it says false; returns what it said last. */
bool sl_sm7_ring_each(const struct sl_sm7_ring *ring, bool (*see)(void *context, const struct sl_sm7_packet *packet),
                      void *context);

#endif
