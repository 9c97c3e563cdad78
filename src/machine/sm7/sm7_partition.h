/* The cycle of a partition of the GPU (machine/sm7/sm7_gpu_state.h). Between the phases one thread moves packets across
 * the crossbars and dispatches blocks. */
#ifndef SL_MACHINE_SM7_PART_H
#define SL_MACHINE_SM7_PART_H

#include "machine/sm7/sm7_gpu_state.h"

/* sl_sm7_route of the two crossbars, with the GPU as context. */
unsigned sl_sm7_to_cluster(const void *gpu, const struct sl_sm7_packet *p);
unsigned sl_sm7_to_slice(const void *gpu, const struct sl_sm7_packet *p);

/* Schedules an SM for evaluation in a cycle. */
void sl_sm7_wake(struct sl_sm7_gpu *gpu, unsigned sm, uint64_t cycle);

/* The memory side of a cycle: replies reach the partition's clusters and SMs, slices hand replies to the crossbar, its
 * DRAM channels tick, its slices work. */
void sl_sm7_partition_memory(struct sl_sm7_gpu *gpu, struct sl_sm7_partition *part, uint64_t cycle);

/* The cycle of the partition's awake SMs, after their deferred accesses. */
void sl_sm7_partition_sms(struct sl_sm7_gpu *gpu, struct sl_sm7_partition *part);

/* The same, with events for the observer. */
void sl_sm7_partition_sms_observed(struct sl_sm7_gpu *gpu, struct sl_sm7_partition *part);

/* Performs the deferred accesses of SMs, in the order of the SMs' cycles. */
void sl_sm7_settle(struct sl_sm7_gpu *gpu, uint64_t late[SL_SM7_SM_WORDS]);

#endif
