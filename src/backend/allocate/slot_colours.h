/* Slot colouring: slots that never hold a value at the same time share memory. The pass takes slots in order of their
 * start and gives each the first free place. The number of places is the largest number of slots in use at once. */
#ifndef SL_BACKEND_SLOT_COLOURS_H
#define SL_BACKEND_SLOT_COLOURS_H

#include "backend/allocate/lifetimes.h"

/* Writes the place of each slot to colour[], which has one element per register of the function. *count: number of
 * places. False: out of memory. */
bool sl_colour_slots(const struct sl_lir *lir, const struct sl_lifetimes *life, uint32_t *colour, uint32_t *count);

#endif
