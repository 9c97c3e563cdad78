/* Attribution of slots that wait for loads. Each slot is charged to the place, in that cycle, of the sector that
 * arrives last. That is known only on arrival, so the intervals of cycles in which a scheduler's slot was charged to a
 * warp are kept until then. Packets record when they move from one place to the next (memory/sm7_crossbar.h). The
 * attribution does not affect timing. */
#ifndef SL_MACHINE_SM7_WAITS_H
#define SL_MACHINE_SM7_WAITS_H

#include "machine/sm7/core/sm7_warps.h"

enum sl_status sl_sm7_waits_init(struct sl_sm7_waits *w, struct sl_error *err);
void sl_sm7_waits_reset(struct sl_sm7_waits *w); /* no warp waits: a kernel begins */
void sl_sm7_waits_free(struct sl_sm7_waits *w);

/* A scheduler's slot is charged to a warp that waits for a load, from this cycle on; SL_SM7_NONE: no longer. */
void sl_sm7_waits_turn(struct sl_sm7_sm *sm, unsigned scheduler, uint8_t warp, uint64_t cycle);

/* Adds a finished interval; its end cycle is not part of it. */
void sl_sm7_waits_add(struct sl_sm7_sm *sm, unsigned warp, uint64_t from, uint64_t to);

/* The data that a warp waited for has arrived: from the given place, or with `load`, from the places of that load. */
void sl_sm7_waits_settle(struct sl_sm7_sm *sm, unsigned warp, enum sl_sm7_stall_reason place,
                         const struct sl_sm7_load *load, uint64_t cycle);

/* The same, if the instruction writes the register that the warp waits for. */
static inline void sl_sm7_waits_over(struct sl_sm7_sm *sm, unsigned warp, const struct sl_sm7_instruction *code,
                                     enum sl_sm7_stall_reason place, const struct sl_sm7_load *load)
{
  if (!(sm->waits.warps & sl_sm7_bit(warp)))
    return;
  for (; code != NULL; code = sl_sm7_rest(code))
    for (unsigned i = 0; i < code->writes; i++)
      if (code->write[i] == sm->warp[warp].waits_on) {
        sl_sm7_waits_settle(sm, warp, place, load, sl_sm7_this_cycle(sm));
        return;
      }
}

#endif
