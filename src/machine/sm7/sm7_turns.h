/* Order of blocks in runs without timing. Blocks run one after the other, all in the first block slot. If one takes
 * long, others begin beside it and they alternate in time slices, because blocks may wait for each other. The k-th
 * begun block is in SM k modulo the number of SMs. */
#ifndef SL_MACHINE_SM7_TURNS_H
#define SL_MACHINE_SM7_TURNS_H

#include "machine/sm7/sm7_gpu.h"

/* Begins with a block. */
void sl_sm7_turns_start(struct sl_sm7_device *d, uint64_t block);

/* Selects the block to run, a live one, in d->now. False: there is none, or a fault; see d->state. */
bool sl_sm7_turns_choose(struct sl_sm7_device *d);

/* The most blocks that run at a time. */
unsigned sl_sm7_turns_most(const struct sl_sm7_device *d);

/* The first block that does not run without timing. */
static inline uint64_t sl_sm7_turns_end(const struct sl_sm7_device *d)
{
  return d->skips ? d->end_block : sl_sm7_rv_blocks(&d->rv);
}

/* Sampled timing of the launch that the GPU has begun: the next `blocks` execute without timing from now on, in other
 * storage than those that the GPU holds. With `warms`, L2 sees their accesses to global memory. False: out of
 * memory. */
bool sl_sm7_turns_skip(struct sl_sm7_device *d, uint64_t blocks, bool warms);

void sl_sm7_turns_free(struct sl_sm7_device *d);

/* Ends this when they have ended, or must not go on; d->steps has what was executed. */
void sl_sm7_turns_resume(struct sl_sm7_device *d);

static inline struct sl_sm7_rv_place sl_sm7_turns_place(const struct sl_sm7_device *d, unsigned resident)
{
  return (struct sl_sm7_rv_place){.sm = resident % d->rv.sms, .slot = resident / d->rv.sms};
}

#endif
