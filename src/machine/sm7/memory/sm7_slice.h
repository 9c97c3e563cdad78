/* A slice of L2: packets of the crossbar pass a fixed delay, then an input queue, then the cache; answers leave through
 * an output queue. What textures ask for
 * does not pass the delay. A read for a whole line is a read for each of its sectors from here on. For lines of two
 * sectors both are for the first one's address, though they mark a sector each: the reference does so, and with it the
 * second reaches DRAM again when it is asked for later. In one cycle, in this order: a packet of the crossbar enters
 * the delay; an answered miss goes to the output; a reply of DRAM fills; a miss goes to DRAM; a lookup; a delayed
 * packet enters the input queue. */
#ifndef SL_MACHINE_SM7_SLICE_H
#define SL_MACHINE_SM7_SLICE_H

#include "machine/sm7/memory/sm7_cache.h"

struct sl_sm7_slice {
  const struct sl_sm7_spec *spec;
  struct sl_sm7_cache cache;
  struct sl_sm7_ring delay, input, output, to_dram, from_dram;
  uint64_t copied; /* sectors by the host: each is a step of the time that the order of use goes by */
};

enum sl_status sl_sm7_slice_init(struct sl_sm7_slice *s, const struct sl_sm7_spec *spec, struct sl_error *err);
void sl_sm7_slice_free(struct sl_sm7_slice *s);

/* Whether it takes a packet of the crossbar in this cycle. */
bool sl_sm7_slice_has_room(const struct sl_sm7_slice *s);
void sl_sm7_slice_take(struct sl_sm7_slice *s, const struct sl_sm7_packet *p, uint64_t cycle);

/* The slice's cycle; `now` counts over launches. True: the next cycle may matter too, whatever is still delayed. */
bool sl_sm7_slice_cycle(struct sl_sm7_slice *s, uint64_t cycle, uint64_t now);

/* The host has copied a sector to or from the device. */
void sl_sm7_slice_warm(struct sl_sm7_slice *s, uint64_t address, uint64_t now);

#endif
