/* What emitted code calls where lanes that are together do not agree on a branch over a few steps (hammock.h): the
 * steps follow there, in the form for some lanes. */
#ifndef SL_WARP_EMITTED_EMIT_HAMMOCK_H
#define SL_WARP_EMITTED_EMIT_HAMMOCK_H

#include "warp/emitted/emit_frame.h"

/* The lanes that code works on, and what it has to know of them; the first is the general case. */
void sl_emitted_activate_others(struct sl_emitted_frame *f, sl_lanes active);

static inline void sl_emitted_activate(struct sl_emitted_frame *f, sl_lanes active)
{
  if (f->active != active)
    sl_emitted_activate_others(f, active);
}

/* A hammock but for its branch, as a number. */
uint32_t sl_emitted_shape(const struct sl_hammock *h);

/* Those that do not take the branch are active, if they can execute the steps. */
bool sl_emitted_part(struct sl_emitted_frame *f, uint32_t taken, uint32_t branch, uint32_t shape);

/* All are active again: the others have executed all steps; or, outside of code, so many. */
void sl_emitted_join(struct sl_emitted_frame *f);
void sl_emitted_join_after(struct sl_emitted_frame *f, uint32_t done);

#endif
