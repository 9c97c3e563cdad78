/* Packets between SMs and L2 slices, and their ring queues. A packet is one flit whatever its size. */
#ifndef SL_MACHINE_SM7_PACKET_H
#define SL_MACHINE_SM7_PACKET_H

#include <stdlib.h>

#include "base/error.h"
#include "base/types.h"

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
  uint32_t load;    /* the SM's load that asks (sm7_lsu.h); SL_SM7_NO_LOAD: a prefetch */
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

#endif
