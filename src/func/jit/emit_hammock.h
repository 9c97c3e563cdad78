/* Run-time calls of JIT code at hammocks (hammock.h), when the lanes disagree on the branch. The code of the steps
 * follows there, compiled for a subset of lanes. */
#ifndef SL_WARP_JIT_EMIT_HAMMOCK_H
#define SL_WARP_JIT_EMIT_HAMMOCK_H

#include "func/jit/emit_frame.h"

/* Set the active lanes of the code and the values derived from them; sl_jit_activate_others is the general case. */
void sl_jit_activate_others(struct sl_jit_frame *f, sl_lanes active);

static inline void sl_jit_activate(struct sl_jit_frame *f, sl_lanes active)
{
  if (f->active != active)
    sl_jit_activate_others(f, active);
}

/* Encodes a hammock without its branch as an integer. */
uint32_t sl_jit_shape(const struct sl_hammock *h);

/* Activates the lanes that do not take the branch. Returns false if they cannot execute the steps alone. */
bool sl_jit_part(struct sl_jit_frame *f, uint32_t taken, uint32_t branch, uint32_t shape);

/* Activates all lanes again: after all steps, or outside the code after `done` steps. */
void sl_jit_join(struct sl_jit_frame *f);
void sl_jit_join_after(struct sl_jit_frame *f, uint32_t done);

#endif
