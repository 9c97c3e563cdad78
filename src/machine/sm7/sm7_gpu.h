/* The GPU: clusters of SMs, two crossbars, L2 slices and DRAM channels, and the dispatch of blocks.
 *
 * Order within a core cycle: replies reach clusters and SMs; slices hand replies to the crossbar; DRAM ticks if its
 * clock is due; slices; the crossbars transfer; SMs; block dispatch. Idle components are not evaluated: a calendar of
 * future cycles, or a packet, wakes SMs and slices. L2 and DRAM keep their state between launches. */
#ifndef SL_MACHINE_SM7_GPU_H
#define SL_MACHINE_SM7_GPU_H

#include "base/thread_pool.h"
#include "base/types.h"
#include "machine/machine.h"
#include "machine/sm7/core/sm7_events.h"
#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/memory/sm7_dram.h"
#include "machine/sm7/memory/sm7_slice.h"
#include "machine/sm7/riscv/sm7_rv_warps.h"
#include "machine/sm7/sm7_spec.h"

/* ---- state ------------------------------------------------------------------------------------------------------- */

/* State of the GPU, shared by the files that simulate it.
 *
 * It is divided into partitions, one per host thread: clusters with their SMs, and channels with their slices. In each
 * phase of a cycle a partition touches no state of another, so partitions can be simulated in parallel. */

enum { SL_SM7_CALENDAR = 1024, SL_SM7_SM_WORDS = 2 * SL_SM7_MAX_CLUSTERS / 64 };

/* What all partitions do before one thread continues: the SMs' cycle, and the memory side of the next cycle if that
 * cycle is already known to happen. */
enum sl_sm7_phase { SL_SM7_PHASE_MEMORY, SL_SM7_PHASE_SMS, SL_SM7_PHASE_SMS_AND_MEMORY };

/* The partition of one host thread, with its calendars. */
struct sl_sm7_partition {
  _Alignas(SL_CACHE_LINE) unsigned number;
  sl_sm7_ports clusters; /* set of its clusters */
  uint64_t slices;
  uint64_t awake[SL_SM7_CALENDAR][SL_SM7_SM_WORDS]; /* SMs to evaluate, by cycle */
  uint64_t arriving[SL_SM7_CALENDAR];               /* slices whose delay ends */
  sl_sm7_ports ejecting;
  uint64_t busy_slices, busy_channels;
  /* results of its SMs in a cycle */
  unsigned ended; /* blocks */
  unsigned died;  /* SMs whose last warp has exited */
  bool stop;
  bool wrote;                     /* a deferred access writes */
  uint64_t late[SL_SM7_SM_WORDS]; /* SMs with deferred accesses */
};

struct sl_sm7_gpu {
  struct sl_sm7_spec spec;
  struct sl_sm7_front front;
  struct sl_sm7_operands *operands; /* of the kernel's code, with registers.model=volta */
  unsigned sms, slices, sm_words;   /* sm_words: used words of a set of SMs */
  struct sl_sm7_sm *sm;
  struct sl_sm7_slice *slice;
  struct sl_sm7_dram *dram;
  struct sl_sm7_ring ejection[SL_SM7_MAX_CLUSTERS];
  struct sl_sm7_crossbar requests, replies;
  uint64_t cycle, before; /* of this launch; of the launches before */
  double core_time, dram_time;
  uint64_t dram_ticks; /* so far */
  unsigned ticks_due;  /* in memory's current cycle */
  bool ahead;          /* memory has already simulated this cycle */
  /* partitions */
  struct sl_sm7_partition *part;
  unsigned parts;
  uint8_t part_of[SL_SM7_MAX_CLUSTERS]; /* of a cluster */
  struct sl_thread_pool *pool;          /* NULL: the caller simulates all partitions */
  enum sl_sm7_phase phase;
  /* blocks */
  uint64_t blocks, next_block, running;
  unsigned living; /* SMs with warps that have not ended */
  unsigned last_cluster, last_sm[SL_SM7_MAX_CLUSTERS];
  bool room;                          /* some SM may have room */
  bool hold;                          /* no block begins; of sampled runs, which checkpoints do not store */
  uint64_t turn[SL_SM7_MAX_CLUSTERS]; /* cycles in which a cluster was active in earlier launches */
  uint64_t active_until[SL_SM7_MAX_CLUSTERS];
  struct sl_sm7_occupancy occupancy;
  bool stop;
  /* With an observer: the launch's observation, and the tables of the SMs; else NULL. */
  struct sl_sm7_observation *observation;
  struct sl_sm7_events *events;
};

enum sl_status sl_sm7_gpu_create(struct sl_sm7_gpu **gpu, const struct sl_sm7_spec *spec, struct sl_error *err);
void sl_sm7_gpu_destroy(struct sl_sm7_gpu *gpu);

/* Adds the work of a partition for the clusters and slices of another to that. */
void sl_sm7_hand_over(const struct sl_sm7_gpu *gpu, const struct sl_sm7_partition *from, struct sl_sm7_partition *to);

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
  /* Sampled timing: the blocks up to `end_block` execute without timing while the GPU holds others (sm7_engine.h). */
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

/* ---- sm7_partition.c --------------------------------------------------------------------------------------------- */

/* The cycle of a partition of the GPU. Between the phases one thread moves packets across
 * the crossbars and dispatches blocks. */

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

/* ---- sm7_look.c -------------------------------------------------------------------------------------------------- */

/* What a debugger shows of the GPU while a kernel runs: why a warp does not issue, and what its queues and units hold.
 * The state is that of the cycle, as far as the SM has simulated it. */

/* What the warp of this number over all SMs waits for, as a part of a sentence: "waits at a barrier". */
const char *sl_sm7_wait_of(const struct sl_sm7_gpu *gpu, unsigned warp);

/* The queues and units of an SM, then those of the memory that all SMs share. Returns their number. */
unsigned sl_sm7_holdings(const struct sl_sm7_gpu *gpu, unsigned sm, struct sl_holding holding[SL_HOLDINGS]);

/* The machine `sm7`: a Volta-class GPU as GPGPU-Sim's configuration SM7_TITANV describes it. It runs PTX grids
 * (machine/sm7/sm7_engine.h), and RISC-V programs like the machines with a host CPU. */

extern const struct sl_counters sl_sm7_counters;
extern const struct sl_energy_source sl_sm7_energy[];
extern const struct sl_stall_reasons sl_sm7_stall_reasons;
extern const struct sl_stages sl_sm7_stages; /* enum sl_sm7_stage (core/sm7_events.h) */

/* Counter number `index` of the list, summed over all launches. */
uint64_t sl_sm7_counter(const struct sl_sm7_totals *t, uint64_t cycles, size_t index);

#endif
