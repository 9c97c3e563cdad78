/* The banked SRAM scratchpad of SIMTight: request queue, bank arbitration, pipeline and answers. This header has
 * the order of the banks; timing/memory/events/scratchpad_events.h simulates it by events, and
 * tests/oracles/stepped_scratchpad.h cycle by cycle.
 *
 * Bank = word address modulo banks. In each cycle `banks` streams offer one lane each: stream s offers the lowest
 * pending lane of s, s + banks, s + 2 banks... In each bank the lowest-numbered stream wins. All winners leave
 * together. A load of one address by all lanes is one access. Timing from stage 4 of the coalescing unit in cycle d:
 * first group in d+2 (two-entry shift queue), then one group per cycle, +1 crossbar, +1 read, +1 write or atomic
 * operation, +1 response crossbar, +1 accumulate, +1 respond, into a one-entry shift queue. If an answer cannot be
 * delivered and the next has arrived, all stages stall.
 *
 * Source: SIMTight paper, section III-A, scratchpad memory; constants from the published RTL. */
#ifndef SL_MEM_SCRATCHPAD_H
#define SL_MEM_SCRATCHPAD_H

#include "base/queues.h"

struct sl_scratchpad_request {
  struct sl_response response;
  uint16_t passes; /* cycles in the bank arbitration */
  uint16_t words;  /* accessed in the banks */
  uint32_t responds;
};

/* Computes the order in which the banks serve `lanes`: fills order[] and returns the number of passes. address holds
 * byte addresses; banks is a power of two from 1 to 64. */
unsigned sl_scratchpad_schedule(const uint32_t *address, sl_lanes lanes, unsigned banks, uint8_t order[SL_MAX_LANES]);

#endif
