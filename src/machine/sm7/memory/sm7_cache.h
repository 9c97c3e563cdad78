/* A sectored cache with MSHRs per sector, used as L1 (write-through) and as L2 (write-back). Lines have 128 bytes;
 * sectors of 32 bytes are valid, reserved or dirty. A miss reserves its sector and waits in an MSHR, where later
 * requests for the sector join it. Requests to the next level leave through the miss queue. A write allocates its
 * sector without a fetch; the sector can be read once all its bytes have been written, or after a fetch. This module
 * holds state only; the owner provides the timing. */
#ifndef SL_MACHINE_SM7_CACHE_H
#define SL_MACHINE_SM7_CACHE_H

#include "machine/sm7/memory/sm7_crossbar.h"
#include "machine/sm7/sm7_spec.h"

enum sl_sm7_outcome { SL_SM7_HIT, SL_SM7_MISS, SL_SM7_PENDING, SL_SM7_BLOCKED };

struct sl_sm7_cache_spec {
  uint32_t sets, ways, mshrs, merges, queue;
  uint32_t dirty_percent; /* a dirty line is replaced only if at least this share of the lines is dirty */
  bool write_back;
  uint32_t replacement; /* enum sl_sm7_replacement */
};

/* A line's state, one bit per sector. A sector is reserved, clean, dirty, or invalid. */
struct sl_sm7_line {
  uint64_t used; /* time of last use; with FIFO, of allocation */
  uint8_t reserved, clean, dirty;
  uint8_t readable;                    /* if dirty */
  uint8_t dirty_on_fill, read_on_fill; /* written while it was reserved */
  uint8_t prefetched;                  /* and not requested since */
  bool unwritten;                      /* no byte was written since allocation; overrides struct sl_sm7_written */
};

/* The written bytes of a line. */
struct sl_sm7_written {
  uint32_t sector[SL_SM7_LINE_SECTORS];
};

/* What is known of a set's ways, to shorten searches. Ways are allocated from the last to the first. */
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
  struct sl_sm7_trip trip; /* of the packet that filled the sector */
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
  uint32_t hand; /* the line that early write-back looks at next */
  struct sl_sm7_mshr *mshr;
  int32_t *bucket, free_mshr;
  uint32_t buckets, mshrs_used;
  struct sl_sm7_waiting *waiting;
  uint32_t free_waiting, fresh_waiting;
  int32_t *ready; /* MSHRs whose sector has arrived, a ring */
  uint32_t ready_head, ready_count;
  struct sl_sm7_ring misses;
  uint32_t port_busy;                               /* cycles that the data port is occupied */
  bool in_use;                                      /* a line was filled or written since all were invalid */
  uint64_t random;                                  /* state of random replacement */
  uint64_t changes;                                 /* of lines, counted from 1; derived */
  uint64_t accesses, missed, writes, writes_missed; /* of all kinds; of writes */
  uint64_t prefetches, prefetch_hits;
};

enum sl_status sl_sm7_cache_init(struct sl_sm7_cache *c, const struct sl_sm7_cache_spec *spec, struct sl_error *err);
void sl_sm7_cache_free(struct sl_sm7_cache *c);
void sl_sm7_cache_invalidate(struct sl_sm7_cache *c);

/* Sets the number of ways; all lines become invalid. */
void sl_sm7_cache_resize(struct sl_sm7_cache *c, uint32_t ways);

/* Looks a sector up in a set. MISS and PENDING of reads wait in an MSHR; BLOCKED: the caller retries. For that, it
 * keeps c->changes; 0 before the first attempt. */
enum sl_sm7_outcome sl_sm7_cache_access(struct sl_sm7_cache *c, uint32_t set, const struct sl_sm7_packet *p,
                                        uint64_t now);

/* Whether the queue of misses has room for a miss: a read needs two places. */
static inline bool sl_sm7_cache_has_room(const struct sl_sm7_cache *c, bool write)
{
  return c->misses.count + (write ? 0 : 1) < c->spec.queue;
}

/* What a caller keeps of a blocked access: what the lines are, and whether it is a write. */
static inline uint64_t sl_sm7_cache_blocked(const struct sl_sm7_cache *c, const struct sl_sm7_packet *p)
{
  return c->changes << 1 | (p->kind == SL_SM7_WRITE_SECTOR);
}

/* Whether that access is blocked again: the lines are as they were, so that it misses, and there is no room for a miss.
 * 0: no access was blocked. */
static inline bool sl_sm7_cache_blocks_again(const struct sl_sm7_cache *c, uint64_t blocked)
{
  return blocked >> 1 == c->changes && !sl_sm7_cache_has_room(c, blocked & 1);
}

/* Prefetches a sector if it is neither present nor outstanding, and more than half of the MSHRs are free. */
void sl_sm7_cache_prefetch(struct sl_sm7_cache *c, uint32_t set, const struct sl_sm7_packet *p, uint64_t now);

/* Fills the sector that a packet from the miss queue requested. */
void sl_sm7_cache_fill(struct sl_sm7_cache *c, const struct sl_sm7_packet *p);

/* The MSHR of a sector; -1: there is none. */
int32_t sl_sm7_cache_find(const struct sl_sm7_cache *c, uint64_t sector);

/* Lets a packet wait for its sector, as after a miss. There must be room. */
void sl_sm7_cache_wait(struct sl_sm7_cache *c, const struct sl_sm7_packet *p);

/* Makes sectors of a line valid and clean, as copies by the host do. `now`: time of the first one; each takes 1. */
void sl_sm7_cache_warm(struct sl_sm7_cache *c, uint32_t set, uint64_t address, unsigned sectors, uint64_t now);

/* A sector is read or written without timing: it is in the cache afterwards, unless its set has no line to replace. The
 * line that it replaces is not written back. Outstanding sectors stay outstanding. Whether it was there, or
 * outstanding. */
bool sl_sm7_cache_visit(struct sl_sm7_cache *c, uint32_t set, uint64_t address, bool write, uint64_t now);

/* Makes a dirty line clean whose sectors can all be read. Its write-back gets the address and the number of sectors.
 * False: none of the next few lines is such a line. */
bool sl_sm7_cache_clean(struct sl_sm7_cache *c, struct sl_sm7_packet *write_back);

/* Takes one request that a fill has answered. */
static inline bool sl_sm7_cache_has_answer(const struct sl_sm7_cache *c)
{
  return c->ready_count != 0;
}
/* The timestamps of the next answer. */
static inline struct sl_sm7_trip sl_sm7_cache_trip(const struct sl_sm7_cache *c)
{
  return c->mshr[c->ready[c->ready_head]].trip;
}
struct sl_sm7_packet sl_sm7_cache_answer(struct sl_sm7_cache *c);

#endif
