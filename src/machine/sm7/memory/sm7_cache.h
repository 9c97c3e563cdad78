/* A sectored cache with MSHRs per sector, as L1 (write-through) and as L2 (write-back): lines of 128 bytes, valid,
 * reserved or dirty in sectors of 32. A miss reserves its sector and waits in an MSHR, where later requests for the
 * sector join it; what goes below leaves through the miss queue. A write takes its sector without fetching it; the
 * sector can be read once all its bytes have been written, or after a fetch. Time is the owner's: this is state. */
#ifndef SL_MACHINE_SM7_CACHE_H
#define SL_MACHINE_SM7_CACHE_H

#include "machine/sm7/memory/sm7_packet.h"
#include "machine/sm7/sm7_spec.h"

enum sl_sm7_outcome { SL_SM7_HIT, SL_SM7_MISS, SL_SM7_PENDING, SL_SM7_BLOCKED };

struct sl_sm7_cache_spec {
  uint32_t sets, ways, mshrs, merges, queue;
  uint32_t dirty_percent; /* dirty lines are not replaced while fewer of the lines are dirty */
  bool write_back;
  uint32_t replacement; /* enum sl_sm7_replacement */
};

/* Of a line, a bit per sector. A sector is one of reserved, clean, dirty, or invalid. */
struct sl_sm7_line {
  uint64_t used; /* last; with FIFO when it came */
  uint8_t reserved, clean, dirty;
  uint8_t readable;                    /* if dirty */
  uint8_t dirty_on_fill, read_on_fill; /* written while it was reserved */
  uint8_t prefetched;                  /* and not asked for since */
  bool unwritten;                      /* no byte since it was taken, whatever struct sl_sm7_written says */
};

/* Of a line, the bytes that have been written. */
struct sl_sm7_written {
  uint32_t sector[SL_SM7_LINE_SECTORS];
};

/* Of a set, what is known of its ways so that not all are to be looked at. Ways are taken from the last to the first.
 */
struct sl_sm7_ways {
  uint32_t valid_from;   /* those before are invalid */
  uint32_t invalid_till; /* those from here on are valid */
};

struct sl_sm7_mshr {
  uint64_t sector;
  uint32_t first, last; /* of the waiting packets */
  uint32_t count;
  int32_t next; /* in the bucket, or free */
  bool atomic;
  struct sl_sm7_trip trip; /* of what has filled the sector */
};

struct sl_sm7_waiting {
  struct sl_sm7_packet packet;
  uint32_t next;
};

struct sl_sm7_cache {
  struct sl_sm7_cache_spec spec;
  uint32_t *tag;
  struct sl_sm7_line *line;
  struct sl_sm7_written *written;
  struct sl_sm7_ways *ways;
  uint32_t dirty_lines;
  struct sl_sm7_mshr *mshr;
  int32_t *bucket, free_mshr;
  uint32_t buckets, mshrs_used;
  struct sl_sm7_waiting *waiting;
  uint32_t free_waiting, fresh_waiting;
  int32_t *ready; /* MSHRs whose sector has come, a ring */
  uint32_t ready_head, ready_count;
  struct sl_sm7_ring misses;
  uint32_t port_busy; /* cycles that the data port is occupied */
  bool in_use;        /* some line has been filled or written since all were invalid */
  uint64_t random;    /* state of random replacement */
  uint64_t accesses, missed;
  uint64_t prefetches, prefetch_hits;
};

enum sl_status sl_sm7_cache_init(struct sl_sm7_cache *c, const struct sl_sm7_cache_spec *spec, struct sl_error *err);
void sl_sm7_cache_free(struct sl_sm7_cache *c);
void sl_sm7_cache_invalidate(struct sl_sm7_cache *c);

/* Ways that the sets have from now on; all lines become invalid. */
void sl_sm7_cache_resize(struct sl_sm7_cache *c, uint32_t ways);

/* Looks a sector up in a set. MISS and PENDING of reads wait in an MSHR; BLOCKED: to be tried again. */
enum sl_sm7_outcome sl_sm7_cache_access(struct sl_sm7_cache *c, uint32_t set, const struct sl_sm7_packet *p,
                                        uint64_t now);

/* Asks for a sector that nobody has asked for, if it is not there or on its way, and half of the MSHRs are free. */
void sl_sm7_cache_prefetch(struct sl_sm7_cache *c, uint32_t set, const struct sl_sm7_packet *p, uint64_t now);

/* The sector that a packet from the miss queue has asked for has come. */
void sl_sm7_cache_fill(struct sl_sm7_cache *c, const struct sl_sm7_packet *p);

/* The MSHR of a sector, -1: there is none. */
int32_t sl_sm7_cache_find(const struct sl_sm7_cache *c, uint64_t sector);

/* A packet waits for its sector, as if it had missed. There must be room. */
void sl_sm7_cache_wait(struct sl_sm7_cache *c, const struct sl_sm7_packet *p);

/* Makes a sector valid and clean, as copies by the host do. */
void sl_sm7_cache_warm(struct sl_sm7_cache *c, uint32_t set, uint64_t address, uint64_t now);

/* Takes one request that a fill has answered. */
static inline bool sl_sm7_cache_has_answer(const struct sl_sm7_cache *c)
{
  return c->ready_count != 0;
}
/* What the next answer owes its time to. */
static inline struct sl_sm7_trip sl_sm7_cache_trip(const struct sl_sm7_cache *c)
{
  return c->mshr[c->ready[c->ready_head]].trip;
}
struct sl_sm7_packet sl_sm7_cache_answer(struct sl_sm7_cache *c);

#endif
