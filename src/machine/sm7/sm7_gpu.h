/* The GPU: clusters of SMs, two crossbars, L2 slices and DRAM channels, and the dispatch of blocks.
 *
 * A core cycle: replies reach clusters and SMs; slices hand replies to the crossbar; DRAM ticks if its clock is due;
 * slices; the crossbars transfer; SMs; block dispatch. What has nothing to do is not looked at: SMs and slices are
 * woken by a calendar of the cycles to come, or by a packet. L2 and DRAM keep their state between launches. */
#ifndef SL_MACHINE_SM7_GPU_H
#define SL_MACHINE_SM7_GPU_H

#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/memory/sm7_dram.h"
#include "machine/sm7/memory/sm7_slice.h"
#include "machine/sm7/sm7_occupancy.h"

enum { SL_SM7_CALENDAR = 1024, SL_SM7_SM_WORDS = 2 * SL_SM7_MAX_CLUSTERS / 64 };

struct sl_sm7_gpu {
  struct sl_sm7_spec spec;
  struct sl_sm7_front front;
  unsigned sms, slices;
  struct sl_sm7_sm *sm;
  struct sl_sm7_slice *slice;
  struct sl_sm7_dram *dram;
  struct sl_sm7_ring ejection[SL_SM7_MAX_CLUSTERS];
  struct sl_sm7_crossbar requests, replies;
  uint64_t cycle, before; /* of this launch; of the launches before */
  double core_time, dram_time;
  uint64_t dram_ticks;
  uint64_t awake[SL_SM7_CALENDAR][SL_SM7_SM_WORDS]; /* SMs to look at, by cycle */
  uint64_t arriving[SL_SM7_CALENDAR];               /* slices whose delay ends */
  uint64_t ejecting, busy_slices, busy_channels;
  /* blocks */
  uint64_t blocks, next_block, running;
  unsigned last_cluster, last_sm[SL_SM7_MAX_CLUSTERS];
  bool room;                          /* some SM may have */
  uint64_t turn[SL_SM7_MAX_CLUSTERS]; /* cycles that a cluster was active in launches before */
  uint64_t active_until[SL_SM7_MAX_CLUSTERS];
  struct sl_sm7_occupancy occupancy;
  bool stop;
};

enum sl_status sl_sm7_gpu_create(struct sl_sm7_gpu **gpu, const struct sl_sm7_spec *spec, struct sl_error *err);
void sl_sm7_gpu_destroy(struct sl_sm7_gpu *gpu);

/* The host copies so many bytes to or from the device: they are in L2 afterwards, unless l2.warm is off. */
void sl_sm7_gpu_copy(struct sl_sm7_gpu *gpu, uint64_t address, uint64_t bytes);

/* Where its slots go from here on, by instruction: `count` + 1 of each SM, the SMs one after the other. NULL: nobody
 * asks. */
void sl_sm7_gpu_watch(struct sl_sm7_gpu *gpu, struct sl_sm7_slots *slots, uint32_t count);

/* Begins a kernel. */
enum sl_status sl_sm7_gpu_launch(struct sl_sm7_gpu *gpu, const struct sl_sm7_front *front,
                                 const struct sl_sm7_demand *demand, struct sl_error *err);

/* Simulates until the kernel ends or its cycle count is `until`. SL_PAUSED: the latter; SL_FAULT: the front end has met
 * a fault, which it knows; SL_INTERNAL: there is no memory. */
enum sl_status sl_sm7_gpu_run(struct sl_sm7_gpu *gpu, uint64_t until);

/* Sums over all launches. */
struct sl_sm7_totals {
  struct sl_sm7_counts sm; /* of all SMs */
  uint64_t l1_accesses, l1_misses, l2_accesses, l2_misses, dram_reads, dram_writes, activations;
};
struct sl_sm7_totals sl_sm7_gpu_totals(const struct sl_sm7_gpu *gpu);

#endif
