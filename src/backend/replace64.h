/* Puts compiled functions in the place of those of a stock object, whose data and whatever else it has stay.
 *
 * By name: a function of `compiled` replaces the object's, which keeps its binding; one that the object does not have
 * is added. What else compiled functions refer to is the object's if it has it, also static variables and labels (.L),
 * except for labels that `compiled` has itself, such as those of its tables. The old code stays as long as data refers
 * into it; the linker leaves it out when nobody does, for which functions need sections of their own
 * (-ffunction-sections). */
#ifndef SL_BACKEND_REPLACE64_H
#define SL_BACKEND_REPLACE64_H

#include "backend/object64.h"

/* Takes everything over from `compiled`, which is empty afterwards; on failure both are as good as before, to be freed.
 */
enum sl_status sl_object64_replace(struct sl_object64 *object, struct sl_object64 *compiled, struct sl_error *err);

#endif
