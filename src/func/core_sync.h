/* Barrier and spawn synchronisation of a core's warps. The module keeps the sets of running and waiting warps. It has
 * no timing: a function returns the warps that an arrival, a spawn or an exit releases, and the caller decides when
 * they resume.
 *
 * Local barriers: the last arrival's count sets the number of warps. The barrier opens when that many have arrived. A
 * count below 2 does not wait. Global barriers: bit 31 of the id is set, and the count is of cores in a cluster. A core
 * has arrived when all of its running warps have. The low bits of the id choose a barrier; local and global barriers
 * are separate. A warp that exits counts at no barrier, so its exit can open one. WSPAWN waits until its warp is the
 * only running one.
 *
 * Source: published RTL, commit b5f541b8; docs/explanation/machines/vortex.md. */
#ifndef SL_WARP_CORE_SYNC_H
#define SL_WARP_CORE_SYNC_H

#include "base/types.h"

enum { SL_CORE_SYNC_BARRIERS = 64, SL_CORE_SYNC_CORES = 64 };

/* This bit of a barrier id marks a global barrier. */
#define SL_CORE_SYNC_GLOBAL UINT32_C(0x80000000)

struct sl_core_sync {
  unsigned barriers;   /* of each kind; a power of two */
  sl_warps active;     /* running warps, including those that wait */
  sl_warps started;    /* warps started since the program began */
  sl_warps at_barrier; /* warps that wait at a local or global barrier */
  sl_warps at_global;  /* subset of at_barrier: at a global barrier */
  sl_warps local[SL_CORE_SYNC_BARRIERS];
  sl_warps global[SL_CORE_SYNC_BARRIERS];
  uint32_t cores[SL_CORE_SYNC_BARRIERS]; /* number of cores that a global barrier waits for */
  /* Pending WSPAWNs. The hardware has one latch: a second WSPAWN overwrites the first, and then neither happens. */
  sl_warps asking;
  bool spawning;
  unsigned spawner;
  uint32_t spawn_count, spawn_pc;
};

/* Resets: only warp 0 runs. */
void sl_core_sync_start(struct sl_core_sync *sync, unsigned barriers);

/* A warp arrives at a barrier. Returns the released warps: none, or all that wait there and the warp itself.
 * sl_core_syncs_open releases the warps at global barriers. */
sl_warps sl_core_sync_arrive(struct sl_core_sync *sync, unsigned warp, uint32_t id, uint32_t count);

/* A warp requests that warps 1 to count - 1 start at `pc`, and waits. */
void sl_core_sync_ask(struct sl_core_sync *sync, unsigned warp, uint32_t count, uint32_t pc);

/* Performs the pending WSPAWN if the requesting warp is the only running one. Returns the released warps: the requester
 * and the started warps. Returns 0 if the request must still wait. */
sl_warps sl_core_sync_spawn(struct sl_core_sync *sync);

/* A warp exits. Call sl_core_sync_spawn and sl_core_syncs_open for the warps that this releases. */
void sl_core_sync_end(struct sl_core_sync *sync, unsigned warp);

/* Opens each global barrier that enough cores of the cluster have reached. Sets released[core] to the warps that it
 * releases. Returns false if none opens. */
bool sl_core_syncs_open(struct sl_core_sync *const sync[], unsigned cores, sl_warps released[]);

/* The running warps that do not wait. */
static inline sl_warps sl_core_sync_free(const struct sl_core_sync *sync)
{
  return sync->active & ~sync->at_barrier & ~sync->asking;
}

#endif
