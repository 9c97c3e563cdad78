/* One direction of the crossbar between clusters and L2 slices. Every input and output has a FIFO; a packet is one
 * flit.
 *
 * In a cycle the outputs, in ascending order, each take one packet from the inputs whose front packet goes to them,
 * round robin from the input after the last. An input whose front packet has left offers its next packet at once, to
 * outputs that have not yet been served (iSLIP with one grant). A packet pushed before the cycle crosses in it.
 * Inputs may instead have a queue for each output (sm7_queues.c).
 *
 * Between cycles several host threads may use the crossbar. Each thread is a separate writer, pushes only into its own
 * inputs, and takes packets only from its own outputs. */
#ifndef SL_MACHINE_SM7_CROSSBAR_H
#define SL_MACHINE_SM7_CROSSBAR_H

#include <stdlib.h>

#include "base/error.h"
#include "base/types.h"

/* ---- ports ------------------------------------------------------------------------------------------------------- */

/* A set of crossbar ports, such as the clusters that send packets: one bit per port. */

enum { SL_SM7_PORTS = 128, SL_SM7_PORT_WORDS = SL_SM7_PORTS / 64 };

__extension__ typedef unsigned __int128 sl_sm7_ports;

static inline sl_sm7_ports sl_sm7_port(unsigned number)
{
  return (sl_sm7_ports)1 << number;
}

/* The lowest port of a non-empty set. */
static inline unsigned sl_sm7_first_port(sl_sm7_ports set)
{
  const uint64_t low = (uint64_t)set;
  return low != 0 ? sl_lowest(low) : 64 + sl_lowest((uint64_t)(set >> 64));
}

static inline int sl_sm7_count_ports(sl_sm7_ports set)
{
  return __builtin_popcountll((uint64_t)set) + __builtin_popcountll((uint64_t)(set >> 64));
}

/* Packets between SMs and L2 slices, and their ring queues. A packet is one flit whatever its size. */

enum sl_sm7_packet_kind { SL_SM7_READ_SECTOR, SL_SM7_WRITE_SECTOR, SL_SM7_ATOMIC_SECTOR, SL_SM7_WRITE_BACK };

/* The component of the SM that receives the answer. */
enum sl_sm7_client { SL_SM7_TO_L1, SL_SM7_TO_REGISTER, SL_SM7_TO_FETCH, SL_SM7_TO_CONSTANTS, SL_SM7_TO_TEXTURES };

/* Timestamps of a request, in cycles modulo 65,536: it left its SM, reached its slice, began to wait for DRAM, was
 * answered (for an L2 hit the same cycle), and returned. */
struct sl_sm7_trip {
  uint16_t sent, taken, missed, answered, arrived;
};

#define SL_SM7_NO_LOAD UINT32_MAX

struct sl_sm7_packet {
  uint64_t address; /* of the sector; of a write-back, of the line */
  uint64_t ready;   /* cycle in which its current delay ends */
  uint32_t bytes;   /* written bytes of the sector, a bit each */
  uint32_t load;    /* the SM's load that asks (sm7_lsu.c); SL_SM7_NO_LOAD: a prefetch */
  uint32_t line;    /* of a miss: index of the line to fill */
  uint16_t sm;
  struct sl_sm7_trip trip;
  uint8_t slice;
  uint8_t kind;
  uint8_t lanes; /* of an atomic */
  uint8_t warp;
  uint8_t client;  /* enum sl_sm7_client */
  uint8_t sectors; /* of a write-back, of a read for a whole line and of its answers */
  uint8_t beside;  /* distance in sectors from its address to the sector that L2 marks (memory/sm7_slice.h) */
};

/* A queue of packets with room for `size`. Its storage is a power of two. */
struct sl_sm7_ring {
  struct sl_sm7_packet *item;
  uint32_t size, mask, head, count;
};

static inline enum sl_status sl_sm7_ring_init(struct sl_sm7_ring *r, uint32_t size, struct sl_error *err)
{
  uint32_t room = 1;
  while (room < size)
    room *= 2;
  *r = (struct sl_sm7_ring){.size = size, .mask = room - 1};
  r->item = malloc(room * sizeof *r->item);
  return r->item ? SL_OK : sl_no_memory(err, room * sizeof *r->item);
}

static inline void sl_sm7_ring_free(struct sl_sm7_ring *r)
{
  free(r->item);
}

static inline bool sl_sm7_ring_full(const struct sl_sm7_ring *r)
{
  return r->count >= r->size;
}

static inline struct sl_sm7_packet *sl_sm7_ring_front(const struct sl_sm7_ring *r)
{
  return &r->item[r->head];
}

static inline void sl_sm7_ring_push(struct sl_sm7_ring *r, const struct sl_sm7_packet *p)
{
  r->item[(r->head + r->count++) & r->mask] = *p;
}

/* An empty ring restarts at its first place, which is still in the host's caches. */
static inline void sl_sm7_ring_pop(struct sl_sm7_ring *r)
{
  r->count--;
  r->head = r->count ? (r->head + 1) & r->mask : 0;
}

/* Moves the front packet of one ring to the end of another. */
static inline void sl_sm7_ring_move(struct sl_sm7_ring *from, struct sl_sm7_ring *to)
{
  sl_sm7_ring_push(to, sl_sm7_ring_front(from));
  sl_sm7_ring_pop(from);
}

enum { SL_SM7_WRITERS = 16 };

struct sl_sm7_crossbar {
  struct sl_sm7_ring in[SL_SM7_PORTS], out[SL_SM7_PORTS];
  uint8_t front[SL_SM7_PORTS];       /* destination of the front packet of an input */
  sl_sm7_ports asking[SL_SM7_PORTS]; /* inputs whose front packet goes to an output */
  uint8_t next[SL_SM7_PORTS];        /* the input at which an output begins its search */
  sl_sm7_ports asked, filled;        /* outputs that have requests; those that held packets at the end of the cycle */
  struct {
    _Alignas(SL_CACHE_LINE) sl_sm7_ports inputs;
  } fresh[SL_SM7_WRITERS]; /* inputs that were empty when a writer pushed a packet */
  unsigned inputs, outputs, writers;
  struct sl_sm7_queues *queues; /* NULL: an input has one FIFO */
};

enum sl_status sl_sm7_crossbar_init(struct sl_sm7_crossbar *x, unsigned inputs, unsigned outputs, uint32_t size,
                                    struct sl_error *err);
void sl_sm7_crossbar_free(struct sl_sm7_crossbar *x);
void sl_sm7_crossbar_push(struct sl_sm7_crossbar *x, unsigned writer, unsigned input, unsigned output,
                          const struct sl_sm7_packet *p);

/* The output of a packet. */
typedef unsigned sl_sm7_route(const void *context, const struct sl_sm7_packet *p);
void sl_sm7_crossbar_cycle(struct sl_sm7_crossbar *x, sl_sm7_route *route, const void *context);

/* The same with plain round robin: each input from `first` on sends a packet if no other has sent one to its output. */
void sl_sm7_crossbar_rotate(struct sl_sm7_crossbar *x, unsigned first, sl_sm7_route *route, const void *context);

/* ---- virtual output queues (sm7_queues.c) ------------------------------------------------------------------------ */

/* Virtual output queues of a crossbar: an input has a queue for each output, and its packets share its storage. With
 * one FIFO per input the front packet holds up those behind it, so that of uniform traffic at most 59 % crosses (Karol,
 * Hluchyj, Morgan: Input versus output queueing on a space-division packet switch, 1987).
 *
 * A cycle has iterations of three steps (McKeown: The iSLIP scheduling algorithm for input-queued switches, 1999): an
 * input requests all outputs for which it has packets; an output that has room grants one of its requests; an input
 * accepts one of its grants. Both choose round robin, and begin after the last that was accepted in a first iteration.
 * Inputs and outputs without a partner iterate until there is no further grant. An input sends one packet in a cycle.
 *
 * Sources for V100: its SMs read 2,155 GB/s from L2 (Jia et al., arXiv:1804.06826), 76 % of what its 64 slices
 * deliver at 1,380 MHz. That NVIDIA's crossbar has such queues and arbiters is not published. */

struct sl_sm7_queue {
  uint16_t first, last; /* slots of the input's storage */
};

struct sl_sm7_queues {
  struct sl_sm7_queue *queue; /* input x outputs + output; valid if the input wants the output */
  uint16_t *next;             /* input x packets + slot: the slot behind it in its queue, or in the free list */
  uint16_t free[SL_SM7_PORTS];
  sl_sm7_ports wants[SL_SM7_PORTS]; /* outputs for which an input has packets */
  uint8_t accept[SL_SM7_PORTS];     /* the output at which an input begins its search */
};

enum sl_status sl_sm7_queues_init(struct sl_sm7_crossbar *x, struct sl_error *err);
void sl_sm7_queues_free(struct sl_sm7_crossbar *x);
void sl_sm7_queues_push(struct sl_sm7_crossbar *x, unsigned writer, unsigned input, unsigned output,
                        const struct sl_sm7_packet *p);
void sl_sm7_queues_cycle(struct sl_sm7_crossbar *x);

/* The slot of the queue's first packet; `next` of it is the second's. */
static inline unsigned sl_sm7_queues_first(const struct sl_sm7_crossbar *x, unsigned input, unsigned output)
{
  return x->queues->queue[input * x->outputs + output].first;
}

static inline unsigned sl_sm7_queues_next(const struct sl_sm7_crossbar *x, unsigned input, unsigned slot)
{
  return x->queues->next[input * x->in[input].size + slot];
}

/* The last packet of a queue has no next one. */
static inline bool sl_sm7_queues_is_last(const struct sl_sm7_crossbar *x, unsigned input, unsigned output,
                                         unsigned slot)
{
  return slot == x->queues->queue[input * x->outputs + output].last;
}

#endif
