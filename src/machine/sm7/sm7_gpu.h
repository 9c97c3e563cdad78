/* The GPU: clusters of SMs, two crossbars, L2 slices and DRAM channels, and the dispatch of blocks.
 *
 * Order within a core cycle: replies reach clusters and SMs; slices hand replies to the crossbar; DRAM ticks if its
 * clock is due; slices; the crossbars transfer; SMs; block dispatch. Idle components are not evaluated: a calendar of
 * future cycles, or a packet, wakes SMs and slices. L2 and DRAM keep their state between launches. */
#ifndef SL_MACHINE_SM7_GPU_H
#define SL_MACHINE_SM7_GPU_H

#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"
#include "machine/sm7/sm7_gpu_state.h"

enum sl_status sl_sm7_gpu_create(struct sl_sm7_gpu **gpu, const struct sl_sm7_spec *spec, struct sl_error *err);
void sl_sm7_gpu_destroy(struct sl_sm7_gpu *gpu);

/* Sets the maximum number of host threads. More than one needs a front end with `settle`. Results do not depend on the
 * number. Call it between launches. */
enum sl_status sl_sm7_gpu_share(struct sl_sm7_gpu *gpu, unsigned threads, struct sl_error *err);

/* The host copies bytes to or from the device: they are in L2 afterwards, unless l2.warm is off. */
void sl_sm7_gpu_copy(struct sl_sm7_gpu *gpu, uint64_t address, uint64_t bytes);

/* An access to global memory without timing. */
struct sl_sm7_visit {
  const uint32_t *block, *grid; /* its block's place in the grid, and the grid's size */
  uint32_t active;
  const uint64_t *address; /* by lane */
  unsigned bytes;          /* of a lane */
  bool write;
};

/* L2 sees the access. If it reads, so does L1 of an SM that may have the block, and the row in DRAM is open. */
void sl_sm7_gpu_visit(struct sl_sm7_gpu *gpu, const struct sl_sm7_visit *visit);

/* Reports the events of the kernel that has begun to an observer, from now on to its end. The caller keeps the
 * observation until then. The GPU needs one host thread. SL_INTERNAL: out of memory. */
enum sl_status sl_sm7_gpu_observe(struct sl_sm7_gpu *gpu, struct sl_sm7_observation *observation, struct sl_error *err);

/* The kernel will not go on: reports the events that are complete, and no more. */
void sl_sm7_gpu_observe_no_more(struct sl_sm7_gpu *gpu);

/* Begins a kernel. */
enum sl_status sl_sm7_gpu_launch(struct sl_sm7_gpu *gpu, const struct sl_sm7_front *front,
                                 const struct sl_sm7_demand *demand, struct sl_error *err);

/* Simulates until the kernel ends, its cycle count is `until`, or the observer has stopped it. SL_PAUSED: the latter
 * two; SL_FAULT: the front end has
 * recorded a fault; SL_INTERNAL: out of memory. */
enum sl_status sl_sm7_gpu_run(struct sl_sm7_gpu *gpu, uint64_t until);

/* Between two cycles of a kernel: whether a livelock is proved, so that no warp can continue and no block begin. The
 * front end has then recorded the fault. */
bool sl_sm7_gpu_is_livelocked(struct sl_sm7_gpu *gpu);

/* Sums over all launches. */
struct sl_sm7_totals {
  struct sl_sm7_counts sm; /* of all SMs */
  uint64_t icache_accesses, icache_misses, ccache_accesses, ccache_misses;
  uint64_t texture_accesses, texture_misses;
  uint64_t l1_accesses, l1_misses, l1_writes, l1_write_misses, l2_writes, l2_write_misses, l1_prefetches,
      l1_prefetch_hits, l2_accesses, l2_misses, dram_reads, dram_writes, activations;
};
struct sl_sm7_totals sl_sm7_gpu_totals(const struct sl_sm7_gpu *gpu);

/* Checkpoints: valid between two runs of a kernel, or between two kernels. The state is restored into a new GPU; if a
 * kernel is running, it must have been launched there. The front end's warps must be restored first. After a bad
 * archive the GPU can only be freed. */
void sl_sm7_gpu_archive(struct sl_archive *archive, struct sl_sm7_gpu *gpu, bool in_kernel);

/* The SM7 GPU that runs RISC-V programs, as machine/sm7/sm7.c hosts it and checkpoints store it. */

/* Warps of a block, without timing. */
struct sl_sm7_resident {
  uint64_t live, waiting;
};

struct sl_sm7_device {
  struct sl_sm base;
  struct sl_sm7_spec spec;
  struct sl_sm7_gpu *gpu;
  struct sl_sm7_rv rv;
  bool begun; /* begun: the GPU has the kernel */
  bool code_lost;
  struct sl_sm7_totals before; /* the GPU's totals at the kernel's start */
  /* Without timing (sm7_engine.h): the blocks that have begun; `now` runs up to warp instruction `until`. */
  uint64_t next_block, until;
  struct sl_sm7_resident *resident; /* sms x SL_SM7_MAX_BLOCKS */
  uint32_t residents, now;
  struct sl_sm7_in_flight *arrived; /* by warp: the barrier where it has arrived, for observers */
  struct sl_sm7_totals steps;
  /* Sampled timing: the blocks up to `end_block` execute without timing while the GPU holds others (sm7_turns.h). */
  bool skips, warms;
  uint64_t end_block;
  struct sl_sm7_rv_aside aside;
  struct sl_probes warm; /* by which the caches see accesses */
  struct sl_basic_blocks observed;
  struct sl_sm7_device *restored; /* state of the last validated checkpoint; NULL: none */
  bool ended;                     /* the kernel has ended, and these are the totals: its counters are read one by one */
  struct sl_sm7_totals after;
};

static inline struct sl_sm7_device *sl_sm7_device_of(struct sl_sm *sm)
{
  return (struct sl_sm7_device *)sm;
}

static inline const struct sl_sm7_device *sl_sm7_device_of_const(const struct sl_sm *sm)
{
  return (const struct sl_sm7_device *)sm;
}

/* Checkpoints (struct sl_machine_checkpoint): sm7_state.c. */
void sl_sm7_walk(struct sl_sm *sm, struct sl_archive *archive);
enum sl_status sl_sm7_state_fits(struct sl_sm *sm, bool timing, const uint8_t *bytes, size_t size);
void sl_sm7_state_restore(struct sl_sm *sm, const uint8_t *bytes, size_t size);

#endif
