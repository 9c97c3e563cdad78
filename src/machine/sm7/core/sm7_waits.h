/* Where slots go that wait for loads: to where the sector was, in that cycle, that came last. That is known when it has
 * come: until then the stretches of cycles in which a scheduler's slot went to a warp are kept. Packets note when they
 * go from one place to the next (memory/sm7_packet.h). Takes no part in timing. */
#ifndef SL_MACHINE_SM7_WAITS_H
#define SL_MACHINE_SM7_WAITS_H

#include "machine/sm7/core/sm7_warps.h"

enum sl_status sl_sm7_waits_init(struct sl_sm7_waits *w, struct sl_error *err);
void sl_sm7_waits_reset(struct sl_sm7_waits *w); /* nobody waits: a kernel begins */
void sl_sm7_waits_free(struct sl_sm7_waits *w);

/* The slot of a scheduler goes to a warp that waits for a load, from this cycle on, or, with SL_SM7_NONE, no longer. */
void sl_sm7_waits_turn(struct sl_sm7_sm *sm, unsigned scheduler, uint8_t warp, uint64_t cycle);

/* A stretch that is over, of cycles up to another. */
void sl_sm7_waits_add(struct sl_sm7_sm *sm, unsigned warp, uint64_t from, uint64_t to);

/* What a warp has waited for has come, from the place that is said, or, with `load`, from where that has been. */
void sl_sm7_waits_settle(struct sl_sm7_sm *sm, unsigned warp, enum sl_sm7_cause place, const struct sl_sm7_load *load,
                         uint64_t cycle);

/* The same if the instruction writes what the warp waits for. */
static inline void sl_sm7_waits_over(struct sl_sm7_sm *sm, unsigned warp, const struct sl_sm7_instruction *code,
                                     enum sl_sm7_cause place, const struct sl_sm7_load *load)
{
  if (!(sm->waits.warps & sl_sm7_bit(warp)))
    return;
  for (unsigned i = 0; i < code->writes; i++)
    if (code->write[i] == sm->warp[warp].waits_on) {
      sl_sm7_waits_settle(sm, warp, place, load, sl_sm7_this_cycle(sm));
      return;
    }
}

#endif
