/* Without timing blocks run one after the other, all in the first block slot, unless one takes long. Then others begin
 * beside it, and they take turns: blocks may wait for each other. Block k of those that have begun is in SM k modulo
 * the SMs. */
#ifndef SL_MACHINE_SM7_TURNS_H
#define SL_MACHINE_SM7_TURNS_H

#include "machine/sm7/sm7_device.h"

/* A block to run is d->now, and lives. False: there is none, or a fault, which d->state tells. */
bool sl_sm7_turns_choose(struct sl_sm7_device *d);

static inline struct sl_sm7_rv_place sl_sm7_turns_place(const struct sl_sm7_device *d, unsigned resident)
{
  return (struct sl_sm7_rv_place){.sm = resident % d->rv.sms, .slot = resident / d->rv.sms};
}

#endif
