/* What travels between SMs and L2 slices, and the rings it waits in. A packet is one flit whatever its size. */
#ifndef SL_MACHINE_SM7_PACKET_H
#define SL_MACHINE_SM7_PACKET_H

#include <stdlib.h>

#include "base/error.h"
#include "base/types.h"

enum sl_sm7_packet_kind { SL_SM7_READ_SECTOR, SL_SM7_WRITE_SECTOR, SL_SM7_ATOMIC_SECTOR, SL_SM7_WRITE_BACK };

/* What in its SM the answer goes to. */
enum sl_sm7_client { SL_SM7_TO_L1, SL_SM7_TO_REGISTER, SL_SM7_TO_FETCH, SL_SM7_TO_CONSTANTS, SL_SM7_TO_TEXTURES };

/* The cycles, modulo 65,536, in which a request left its SM, came to its slice, began to wait for DRAM, was answered
 * (these two are the same in L2), and came back. */
struct sl_sm7_trip {
  uint16_t sent, taken, missed, answered, arrived;
};

#define SL_SM7_NO_LOAD UINT32_MAX

struct sl_sm7_packet {
  uint64_t address; /* of the sector; of a write-back, of the line */
  uint64_t ready;   /* cycle in which it leaves the delay it is in */
  uint32_t bytes;   /* of the sector that are written, a bit each */
  uint32_t load;    /* of the SM: which of its loads asks (sm7_lsu.h); SL_SM7_NO_LOAD: none, it is a prefetch */
  uint32_t line;    /* of a miss: index of the line to fill */
  uint16_t sm;
  struct sl_sm7_trip trip;
  uint8_t slice;
  uint8_t kind;
  uint8_t lanes; /* of an atomic */
  uint8_t warp;
  uint8_t client;  /* enum sl_sm7_client */
  uint8_t sectors; /* of a write-back, of a read for a whole line and of answers to it */
  uint8_t beside;  /* how many sectors behind its address the one is that L2 marks (memory/sm7_slice.h) */
};

/* A queue of packets with room for `size`. Storage is a power of two. */
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

/* One that is empty begins again at its first place, which the host still has in its caches. */
static inline void sl_sm7_ring_pop(struct sl_sm7_ring *r)
{
  r->count--;
  r->head = r->count ? (r->head + 1) & r->mask : 0;
}

/* Takes the front of one ring to the end of another. */
static inline void sl_sm7_ring_move(struct sl_sm7_ring *from, struct sl_sm7_ring *to)
{
  sl_sm7_ring_push(to, sl_sm7_ring_front(from));
  sl_sm7_ring_pop(from);
}

#endif
