/* Live segments assigned to each physical register, in order, for a fast test whether another lifetime fits. */
#ifndef SL_BACKEND_OCCUPANCY_H
#define SL_BACKEND_OCCUPANCY_H

#include "compiler/isa64/allocate/lifetimes.h"
#include "compiler/isa64/allocate/registers.h"

struct sl_occupied {
  uint32_t start, end, reg; /* reg: owner of the segment */
};

struct sl_occupancy {
  struct sl_occupied *at[SL_REGISTERS]; /* ascending, disjoint */
  size_t count[SL_REGISTERS], room[SL_REGISTERS];
};

void sl_occupancy_free(struct sl_occupancy *o);

/* Add and remove the segments of reg. sl_occupy returns false if out of memory. */
bool sl_occupy(struct sl_occupancy *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg);
void sl_vacate(struct sl_occupancy *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg);

/* Calls found() for each register whose lifetime overlaps that of reg, possibly more than once, until found() returns
 * false. Returns whether it never did. */
typedef bool sl_occupancy_found(void *context, uint32_t other);
bool sl_occupancy_each(const struct sl_occupancy *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg,
                       sl_occupancy_found *found, void *context);

bool sl_is_free(const struct sl_occupancy *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg);

#endif
