/* Which slots share memory: those that never hold a value at the same time. Slots are taken by where they begin to, and
 * each gets the first place that is free by then, which needs no more places than there are slots in use at once. */
#ifndef SL_BACKEND_SLOT_COLOURS_H
#define SL_BACKEND_SLOT_COLOURS_H

#include "backend/allocate/lifetimes.h"

/* Into colour[], of each register of the function: the place of slots. *count: how many places. False without memory.
 */
bool sl_colour_slots(const struct sl_lir *lir, const struct sl_lifetimes *life, uint32_t *colour, uint32_t *count);

#endif
