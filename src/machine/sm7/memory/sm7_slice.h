/* A slice of L2. Packets of the crossbar pass a fixed delay, then an input queue, then the cache; answers leave through
 * an output queue. Texture requests bypass the delay.
 *
 * A read of a whole line is split here into a read of each sector. For lines of two sectors both reads use the first
 * sector's address, but each marks its own sector. The reference does so: a later request for the second sector
 * therefore reads DRAM again.
 *
 * Order within a cycle: a packet of the crossbar enters the delay; an answered miss goes to the output; a DRAM reply
 * fills; a miss goes to DRAM; a lookup; a delayed packet enters the input queue. */
#ifndef SL_MACHINE_SM7_SLICE_H
#define SL_MACHINE_SM7_SLICE_H

#include "machine/sm7/memory/sm7_cache.h"
#include "machine/sm7/sm7_spec.h"

/* Address mapping: slice and set of L2, bank and row of DRAM. Consecutive blocks of 256 bytes go to the partitions of
 * the 24 channels in turn. The remaining bits are hashed by polynomials over GF(2) to spread strides. The rules are
 * those of GPGPU-Sim's TITANV configuration. */

struct sl_sm7_place {
  uint8_t slice, bank;
  uint16_t row;
};

struct sl_sm7_place sl_sm7_place(const struct sl_sm7_spec *spec, uint64_t address);
uint32_t sl_sm7_l2_set(const struct sl_sm7_spec *spec, uint64_t address);

struct sl_sm7_slice {
  const struct sl_sm7_spec *spec;
  struct sl_sm7_cache cache;
  struct sl_sm7_ring delay, input, output, to_dram, from_dram;
  uint64_t blocked; /* the first input, as the cache tells; 0: it was not blocked. Derived */
  uint64_t copied;  /* sectors copied by the host; each advances the time of the replacement order */
};

enum sl_status sl_sm7_slice_init(struct sl_sm7_slice *s, const struct sl_sm7_spec *spec, struct sl_error *err);
void sl_sm7_slice_free(struct sl_sm7_slice *s);

/* Whether it accepts a packet of the crossbar in this cycle. */
bool sl_sm7_slice_has_room(const struct sl_sm7_slice *s);
void sl_sm7_slice_take(struct sl_sm7_slice *s, const struct sl_sm7_packet *p, uint64_t cycle);

/* Simulates a cycle; `now` counts over launches. True: the next cycle must be simulated too, apart from delayed
 * packets. */
bool sl_sm7_slice_cycle(struct sl_sm7_slice *s, uint64_t cycle, uint64_t now);

/* The host has copied sectors of one line to or from the device, the first at `address`. */
void sl_sm7_slice_warm(struct sl_sm7_slice *s, uint64_t address, unsigned sectors, uint64_t now);

/* Without timing, a sector is read or written after all accesses so far. Whether it was there, or outstanding. */
bool sl_sm7_slice_visit(struct sl_sm7_slice *s, uint64_t address, bool write, uint64_t now);

#endif
