/* The warps of a core as one another's company: which of them run, and which wait for others, at a barrier or with a
 * WSPAWN. No time here: functions say whom an arrival, a spawn or an end lets go on; when it goes on is the caller's.
 *
 * A local barrier opens when as many warps as the last that arrived asks for are there; one that asks for less than two
 * does not wait. A global barrier, whose id has its highest bit set, counts cores of a cluster: a core is there when
 * all of its warps that run are. An id's low bits choose the barrier, as many as number them, local and global ones
 * apart. A warp that ends counts nowhere any more: what others wait for can have come with it. WSPAWN waits until its
 * warp is the only one that runs. (Published RTL, commit b5f541b8; docs/explanation/machines/vortex.md.) */
#ifndef SL_WARP_GANG_H
#define SL_WARP_GANG_H

#include "base/types.h"

enum { SL_GANG_BARRIERS = 64, SL_GANG_CORES = 64 };

/* Bit of the ids of global barriers. */
#define SL_GANG_GLOBAL UINT32_C(0x80000000)

struct sl_gang {
  unsigned barriers;   /* of each kind, a power of two */
  sl_warps active;     /* warps that run, waiting ones included */
  sl_warps started;    /* since the program began */
  sl_warps at_barrier; /* warps that wait at one, local or global */
  sl_warps at_global;  /* of them, at a global one */
  sl_warps local[SL_GANG_BARRIERS];
  sl_warps global[SL_GANG_BARRIERS];
  uint32_t cores[SL_GANG_BARRIERS]; /* that a global barrier waits for */
  /* WSPAWNs that have not happened yet. There is one latch: of two that wait the later is there, and neither happens.
   */
  sl_warps asking;
  bool spawning;
  unsigned spawner;
  uint32_t spawn_count, spawn_pc;
};

/* Warp 0 runs, alone. */
void sl_gang_start(struct sl_gang *gang, unsigned barriers);

/* A warp is at a barrier. Returns the warps that go on: none, or all that were there, itself included. Those at a
 * global one go on with sl_gangs_open. */
sl_warps sl_gang_arrive(struct sl_gang *gang, unsigned warp, uint32_t id, uint32_t count);

/* A warp asks for warps 1 to count - 1 to begin at `pc`, and waits. */
void sl_gang_ask(struct sl_gang *gang, unsigned warp, uint32_t count, uint32_t pc);

/* What has been asked for happens, if the warp that asked is the only one that runs. Returns the warps that go on,
 * itself and those that begin; none: not yet. */
sl_warps sl_gang_spawn(struct sl_gang *gang);

/* A warp ends. Whom that lets go on sl_gang_spawn and sl_gangs_open say. */
void sl_gang_end(struct sl_gang *gang, unsigned warp);

/* Opens the global barriers that enough cores of a cluster are at, and says which warps of each go on. False: none. */
bool sl_gangs_open(struct sl_gang *const gang[], unsigned cores, sl_warps released[]);

/* Warps that run and wait for no other. */
static inline sl_warps sl_gang_free(const struct sl_gang *gang)
{
  return gang->active & ~gang->at_barrier & ~gang->asking;
}

#endif
