/* A socket: cores that share their first-level caches, and those caches.
 *
 * Timing contract. The caches see a request of a core's cycle c in c. With several cores they see it in c +
 * socket_delay, one core per cycle and port in turn, and answers take as much longer. A cache takes a line that memory
 * returns in cycle R in R + fill_delay. Requests to memory wait in the caches' rings with their due cycle, which is at
 * least sl_vortex_lookahead() after the cycle of the request. Memory can be simulated that many cycles ahead of the
 * sockets. */
#ifndef SL_MACHINE_VORTEX_SOCKET_H
#define SL_MACHINE_VORTEX_SOCKET_H

#include "machine/vortex/core/vortex_stages.h"

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

#endif
