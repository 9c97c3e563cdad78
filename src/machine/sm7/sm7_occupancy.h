/* Occupancy: the number of blocks of a kernel that an SM holds, its limiting resource, and the division of the SM's
 * storage between L1 and shared memory. A grid too small to fill all SMs is spread evenly. */
#ifndef SL_MACHINE_SM7_OCCUPANCY_H
#define SL_MACHINE_SM7_OCCUPANCY_H

#include "machine/machine.h"
#include "machine/sm7/sm7_spec.h"

struct sl_sm7_demand {
  uint64_t blocks;
  uint32_t threads, shared_bytes, registers; /* of a block; of a block; of a thread */
  uint32_t sm_registers, block_registers;    /* in addition: of the SM, of a block */
};

struct sl_sm7_occupancy {
  unsigned fits;     /* blocks per SM by the resources of a block */
  unsigned limited;  /* the limiting resources: all of enum sl_occupancy_limit that give this number */
  unsigned resident; /* blocks per SM in this grid */
  uint32_t l1_ways;
};

/* SL_FAULT if not even one block fits. */
enum sl_status sl_sm7_occupancy(const struct sl_sm7_spec *spec, const struct sl_sm7_demand *demand,
                                struct sl_sm7_occupancy *occupancy, struct sl_error *err);

#endif
