/* Which segments of lifetimes each physical register has been given, in order, so that it is quickly known whether
 * another lifetime fits in between. */
#ifndef SL_BACKEND_OCCUPANCY_H
#define SL_BACKEND_OCCUPANCY_H

#include "backend/allocate/lifetimes.h"
#include "backend/allocate/registers.h"

struct sl_occupied {
  uint32_t start, end, reg; /* reg: which lifetime it is of */
};

struct sl_occupancy {
  struct sl_occupied *at[SL_REGISTERS]; /* ascending, apart from each other */
  size_t count[SL_REGISTERS], room[SL_REGISTERS];
};

void sl_occupancy_free(struct sl_occupancy *o);

/* Gives the segments of reg, or takes them back. False without memory. */
bool sl_occupy(struct sl_occupancy *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg);
void sl_vacate(struct sl_occupancy *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg);

/* Calls found() for each register whose lifetime meets that of reg, possibly more than once, until it returns false.
 * Whether it never did. */
typedef bool sl_occupancy_found(void *context, uint32_t other);
bool sl_occupancy_each(const struct sl_occupancy *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg,
                       sl_occupancy_found *found, void *context);

bool sl_is_free(const struct sl_occupancy *o, unsigned physical, const struct sl_lifetimes *l, uint32_t reg);

#endif
