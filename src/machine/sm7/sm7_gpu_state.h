/* State of the GPU, shared by the files that simulate it.
 *
 * It is divided into partitions, one per host thread: clusters with their SMs, and channels with their slices. In each
 * phase of a cycle a partition touches no state of another, so partitions can be simulated in parallel. */
#ifndef SL_MACHINE_SM7_GPU_STATE_H
#define SL_MACHINE_SM7_GPU_STATE_H

#include "base/thread_pool.h"
#include "base/types.h"
#include "machine/sm7/core/sm7_sm.h"
#include "machine/sm7/memory/sm7_dram.h"
#include "machine/sm7/memory/sm7_slice.h"
#include "machine/sm7/sm7_occupancy.h"

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

#endif
