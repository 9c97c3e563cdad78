/* The memory of a Vortex GPU behind the first-level caches: second-level cache per cluster, third-level cache, DRAM.
 *
 * Timing contract. A request that is due in cycle c reaches the level below in c + memory.delay; a cluster passes on
 * one request per cycle, its sockets in turn, and in a socket the caches in turn. What DRAM answers in cycle R comes
 * back to the socket in R + memory.return_delay. A disabled level is a wire.
 *
 * Memory is simulated up to sl_vortex_lookahead() cycles before the sockets: their requests are known that early. After
 * its cycle c it has delivered all answers up to c + 1. */
#ifndef SL_MACHINE_VORTEX_MEMORY_H
#define SL_MACHINE_VORTEX_MEMORY_H

#include "machine/vortex/vortex_socket.h"
#include "mem/memory_port.h"

/* Tags name the socket, the cache or I/O path that asked, and of I/O its tag there; to DRAM with the line above. */
enum {
  SL_SOURCE_BITS = 2,
  SL_SOURCE_MASK = 3, /* SL_SOURCE_COUNT stands for a cache level: that of a cluster, or with a bit behind, the third */
  SL_SOCKET_BITS = 6,
  SL_SOCKET_MASK = 63,
  SL_LINE_SHIFT = 32
};

/* A request on its way through a cluster. */
struct sl_vortex_request {
  uint64_t cycle;
  uint32_t line, tag;
  bool write;
};

enum { SL_VORTEX_REQUESTS = 256 };

struct sl_vortex_level_state {
  struct sl_vortex_request waiting[SL_VORTEX_REQUESTS];
  uint32_t first, count;
};

/* A cache level and what waits for it. */
struct sl_vortex_level {
  bool enabled;
  struct sl_cache cache;
  struct sl_vortex_level_state s;
};

struct sl_vortex_memory_counts {
  uint64_t reads, writes, answers;
  uint64_t latency; /* cycles of answers less those of reads */
};

/* Plain data: with the levels, the turns and DRAM, what a checkpoint holds of memory. No pointers. */
struct sl_vortex_memory_state {
  uint64_t asking; /* sockets that have made requests; the others need not be looked at */
  uint64_t cycle;
  struct sl_vortex_memory_counts counts; /* to and from DRAM */
};

struct sl_vortex_memory {
  const struct sl_vortex_spec *spec;
  unsigned clusters, sockets; /* of a cluster */
  struct sl_vortex_level *l2; /* per cluster */
  struct sl_vortex_level l3;
  struct sl_memory_port dram;
  unsigned *turn; /* of the sockets of each cluster */
  uint64_t next;  /* until sockets ask, nothing happens before this cycle; no part of the state */
  struct sl_vortex_memory_state s;
};

/* Bytes that DRAM and what is before its queues move in a cycle at most. */
double sl_vortex_dram_peak(const struct sl_vortex_spec *spec);

enum sl_status sl_vortex_memory_init(struct sl_vortex_memory *m, const struct sl_vortex_spec *spec,
                                     struct sl_error *err);
void sl_vortex_memory_free(struct sl_vortex_memory *m);
void sl_vortex_memory_start(struct sl_vortex_memory *m);

/* The cycles up to `end` of everything behind the sockets; those in which nothing happens are passed over. */
void sl_vortex_memory_run(struct sl_vortex_memory *m, struct sl_vortex_socket *sockets, uint64_t end);

/* Its state has been changed from outside. */
static inline void sl_vortex_memory_derive(struct sl_vortex_memory *m)
{
  m->next = 0;
}

#endif
