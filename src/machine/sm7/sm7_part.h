/* What a part of the GPU does in a cycle (machine/sm7/sm7_gpu_state.h). Between the phases one thread moves packets
 * across the crossbars and dispatches blocks. */
#ifndef SL_MACHINE_SM7_PART_H
#define SL_MACHINE_SM7_PART_H

#include "machine/sm7/sm7_gpu_state.h"

/* Where packets go: sl_sm7_route of the two crossbars, with the GPU as context. */
unsigned sl_sm7_to_cluster(const void *gpu, const struct sl_sm7_packet *p);
unsigned sl_sm7_to_slice(const void *gpu, const struct sl_sm7_packet *p);

/* An SM is to be looked at in a cycle. */
void sl_sm7_wake(struct sl_sm7_gpu *gpu, unsigned sm, uint64_t cycle);

/* What is behind the SMs in a cycle: replies reach its clusters and SMs, slices hand replies to the crossbar, its DRAM
 * channels tick, its slices work. */
void sl_sm7_part_memory(struct sl_sm7_gpu *gpu, struct sl_sm7_part *part, uint64_t cycle);

/* The cycle of its SMs that are awake, after the accesses that they have still put off. */
void sl_sm7_part_sms(struct sl_sm7_gpu *gpu, struct sl_sm7_part *part);

/* The accesses of SMs that have put them off, in the order in which the SMs had their cycles. */
void sl_sm7_settle(struct sl_sm7_gpu *gpu, uint64_t late[SL_SM7_SM_WORDS]);

#endif
