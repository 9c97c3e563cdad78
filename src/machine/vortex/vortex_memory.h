/* The memory of a Vortex GPU behind the first-level caches: a second-level cache per cluster, the third-level cache,
 * and DRAM.
 *
 * Timing contract. A request that is due in cycle c reaches the level below in c + memory.delay. A cluster forwards one
 * request per cycle; its sockets take turns, and so do the caches of a socket. An answer of DRAM in cycle R reaches the
 * socket in R + memory.return_delay. A disabled level adds no cycles.
 *
 * Memory is simulated up to sl_vortex_lookahead() cycles ahead of the sockets, whose requests are known that early.
 * After cycle c it has delivered all answers up to c + 1. */
#ifndef SL_MACHINE_VORTEX_MEMORY_H
#define SL_MACHINE_VORTEX_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/types.h"
#include "machine/vortex/core/vortex_stages.h"
#include "timing/memory/memory_port.h"

/* A socket: cores that share their first-level caches, and those caches.
 *
 * Timing contract. The caches see a request of a core's cycle c in c. With several cores they see it in c +
 * socket_delay, one core per cycle and port in turn, and answers take as much longer. A cache takes a line that memory
 * returns in cycle R in R + fill_delay. Requests to memory wait in the caches' rings with their due cycle, which is at
 * least sl_vortex_lookahead() after the cycle of the request. Memory can be simulated that many cycles ahead of the
 * sockets. */

/* Tags of the caches: core and instruction, or with SL_PORT_TAG, core and number of an extension's line. */
enum { SL_CORE_SHIFT = 16, SL_CORE_MASK = 63, SL_OP_MASK = 0xffff, SL_PORT_TAG = 1 << 30 };

/* The requester of a line. */
enum sl_vortex_source { SL_SOURCE_ICACHE, SL_SOURCE_DCACHE, SL_SOURCE_IO, SL_SOURCE_COUNT };

struct sl_vortex_return {
  uint64_t cycle; /* of memory's answer */
  uint32_t line;  /* of an I/O access: its tag */
  uint8_t source;
};

/* An uncached access in transit to memory. */
struct sl_vortex_io {
  uint64_t cycle;
  uint32_t line, tag;
  bool write;
};

enum { SL_VORTEX_IOS = 512 /* further accesses wait in the LSU */ };

/* Checkpointed state of a socket, together with the rings and the caches. Plain data without pointers. */
struct sl_vortex_socket_state {
  uint64_t cycle;
  unsigned fetch_turn, line_turn;
  unsigned memory_turn; /* of the sources */
  uint32_t return_first, return_count;
  uint64_t return_from; /* first cycle in which memory can return another line */
  uint32_t io_first, io_count;
};

struct sl_vortex_socket {
  _Alignas(2 * SL_CACHE_LINE) const struct sl_vortex_spec *spec; /* avoids false sharing between host threads */
  struct sl_vortex_pipeline *core;                               /* `count` of them */
  unsigned count;
  struct sl_vortex_return *returns; /* ring with room for all reads of the caches and LSUs */
  uint32_t return_ring;
  struct sl_vortex_io *io;
  struct sl_cache icache, dcache;
  struct sl_vortex_socket_state s;
};

enum sl_status sl_vortex_socket_init(struct sl_vortex_socket *socket, const struct sl_vortex_spec *spec,
                                     struct sl_vortex_pipeline *core, unsigned count, struct sl_error *err);
void sl_vortex_socket_free(struct sl_vortex_socket *socket);
void sl_vortex_socket_start(struct sl_vortex_socket *socket);

/* Simulates the caches and all cores for a number of cycles. */
void sl_vortex_socket_run(struct sl_vortex_socket *socket, uint64_t cycles);

/* The same for a single plain core that is not watched, `cycles` a multiple of the quantum: ends earlier, after a
 * quantum with which the exchange between quanta has something to do. */
void sl_vortex_socket_run_quanta(struct sl_vortex_socket *socket, unsigned quantum, uint64_t cycles);

/* Cycles by which requests to memory are known before they are due. */
unsigned sl_vortex_lookahead(const struct sl_vortex_spec *spec);

/* Cycles from the first cycle that memory has not simulated until a socket can see an unknown answer. */
static inline unsigned sl_vortex_return_delay(const struct sl_vortex_spec *spec)
{
  return 1 + spec->memory_return_delay + spec->fill_delay;
}

/* Adds a line that memory returns in cycle `cycle`. Lines return in order of time, one per cycle. */
static inline void sl_vortex_return(struct sl_vortex_socket *socket, uint64_t cycle, uint32_t line, uint8_t source)
{
  if (cycle < socket->s.return_from)
    cycle = socket->s.return_from;
  socket->s.return_from = cycle + 1;
  socket->returns[(socket->s.return_first + socket->s.return_count++) & (socket->return_ring - 1)] =
      (struct sl_vortex_return){cycle, line, source};
  sl_vortex_look_at(socket->core, SL_STAGE_RETURN, cycle + socket->spec->fill_delay);
}

/* The console of a Vortex GPU. It collects the bytes that threads store, per slot, until a line is complete, and prints
 * it as "#slot: line" (as the authors' hosts do). The slot is the hart number modulo 64. */

enum { SL_VORTEX_SLOTS = 64, SL_VORTEX_LINE = 500 };

struct sl_vortex_console {
  struct sl_vortex_line {
    uint16_t length;
    char text[SL_VORTEX_LINE];
  } line[SL_VORTEX_SLOTS];
};

typedef void sl_byte_function(void *context, uint8_t byte);

/* Appends a byte to a slot's line. The line is printed at its end, or when it is full. */
void sl_vortex_console_put(struct sl_vortex_console *console, unsigned slot, uint8_t byte, sl_byte_function *print,
                           void *context);

const struct sl_schema *sl_vortex_console_schema(void);

/* Prints the lines that the program did not end. */
void sl_vortex_console_end(struct sl_vortex_console *console, sl_byte_function *print, void *context);

/* Tags name the socket, the cache or I/O path that asked, and for I/O the tag there; tags to DRAM add the line. */
enum {
  SL_SOURCE_BITS = 2,
  SL_SOURCE_MASK = 3, /* SL_SOURCE_COUNT names a cache level: a cluster's, or with the next bit set, the third level */
  SL_SOCKET_BITS = 6,
  SL_SOCKET_MASK = 63,
  SL_LINE_SHIFT = 32
};

/* A request in transit through a cluster. */
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

/* A cache level and the requests that wait for it. */
struct sl_vortex_level {
  bool enabled;
  struct sl_cache cache;
  struct sl_vortex_level_state s;
};

struct sl_vortex_memory_counts {
  uint64_t reads, writes, answers;
  uint64_t latency; /* sum of the answers' cycles minus sum of the reads' cycles */
};

/* Checkpointed state of memory, together with that of the levels, the arbiters and DRAM. Plain data without
 * pointers. */
struct sl_vortex_memory_state {
  uint64_t asking; /* sockets that have made requests; the others are not evaluated */
  uint64_t cycle;
  struct sl_vortex_memory_counts counts; /* to and from DRAM */
};

struct sl_vortex_memory {
  const struct sl_vortex_spec *spec;
  unsigned clusters, sockets; /* of a cluster */
  struct sl_vortex_level *l2; /* per cluster */
  struct sl_vortex_level l3;
  struct sl_memory_port dram;
  unsigned *slice; /* of the sockets of each cluster */
  uint64_t next;   /* without requests of sockets nothing happens before this cycle; not checkpointed */
  struct sl_vortex_memory_state s;
};

/* Peak bytes per cycle of DRAM and of the path to its queues. */
double sl_vortex_dram_peak(const struct sl_vortex_spec *spec);

enum sl_status sl_vortex_memory_init(struct sl_vortex_memory *m, const struct sl_vortex_spec *spec,
                                     struct sl_error *err);
void sl_vortex_memory_free(struct sl_vortex_memory *m);
void sl_vortex_memory_start(struct sl_vortex_memory *m);

/* Simulates everything behind the sockets up to cycle `end`; skips idle cycles. */
void sl_vortex_memory_run(struct sl_vortex_memory *m, struct sl_vortex_socket *sockets, uint64_t end);

/* Called after its state was changed from outside. */
static inline void sl_vortex_memory_derive(struct sl_vortex_memory *m)
{
  m->next = 0;
}

#endif
