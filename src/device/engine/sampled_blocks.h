/* Sampled timing of the blocks of a launch of machine code on sm7 (device/engine/block_sampling.h). */
#ifndef SL_ENGINE_SAMPLED_BLOCKS_H
#define SL_ENGINE_SAMPLED_BLOCKS_H

#include "device/device_state.h"

/* Simulates the current launch, whose blocks the device samples, for at most `cycles` cycles. */
enum sl_sm_state sl_sampled_blocks_run(struct sl_device *device, uint64_t cycles);

/* Ends the launch, if it has ended: estimates replace its counters. */
void sl_sampled_blocks_end(struct sl_device *device, struct sl_launch *launch);

/* Forgets a launch that did not end. */
void sl_sampled_blocks_forget(struct sl_device *device);

#endif
