/* A read-only cache of whole lines, for instructions and constants. A miss waits in an MSHR of its line, where later
 * requests for the line join it, and leaves through the miss queue. L2 answers in sectors. The line is allocated when
 * its last sector arrives (allocation on fill) and replaces the least recently used line of its set. This module holds
 * state only; the owner provides the timing. */
#ifndef SL_MACHINE_SM7_LINE_CACHE_H
#define SL_MACHINE_SM7_LINE_CACHE_H

#include "machine/sm7/memory/sm7_crossbar.h"
#include "machine/sm7/sm7_spec.h"

/* The texture cache: its tags run ahead of its data. An access is looked up at once. A miss allocates its line at once
 * and requests it from L2. The access waits in a FIFO, which accesses leave in order, a miss when all sectors of its
 * line have arrived. A hit is therefore no faster than the misses before it. This module holds state only; the owner
 * provides the timing.
 *
 * Source: the published texture cache of GPGPU-Sim, after H. Igehy et al., Prefetching in a texture cache architecture
 * (1998). */

/* An access in the FIFO. */
struct sl_sm7_fragment {
  uint32_t who;
  bool missed;
};

/* A requested line, in the order in which accesses leave. */
struct sl_sm7_texture_line {
  struct sl_sm7_packet request;
  uint32_t sectors; /* outstanding */
};

/* Indices of a ring: `head` is the first entry in use. */
struct sl_sm7_turn {
  uint32_t head, count;
};

struct sl_sm7_texture_cache {
  struct sl_sm7_texture_spec spec;
  uint64_t *tag, *used; /* of each way: line number plus 1, 0: none; time of last use */
  struct sl_sm7_fragment *fragment;
  struct sl_sm7_texture_line *line;
  uint32_t *result;                             /* `who` of completed accesses */
  struct sl_sm7_turn fragments, lines, results; /* entries in use */
  uint32_t unsent;                              /* last of the lines, not yet requested */
  uint64_t accesses, missed;
};

enum sl_status sl_sm7_texture_cache_init(struct sl_sm7_texture_cache *c, const struct sl_sm7_texture_spec *spec,
                                         struct sl_error *err);
void sl_sm7_texture_cache_free(struct sl_sm7_texture_cache *c);

/* Accepts an access for `who`; if its line misses, the packet is sent. False: the caller retries. */
bool sl_sm7_texture_cache_read(struct sl_sm7_texture_cache *c, const struct sl_sm7_packet *p, uint32_t who,
                               uint64_t now);

/* The next packet to send, for a whole line; NULL: none. */
const struct sl_sm7_packet *sl_sm7_texture_cache_request(const struct sl_sm7_texture_cache *c);
void sl_sm7_texture_cache_sent(struct sl_sm7_texture_cache *c);

/* Sectors of a line have arrived; the packet gives their number. */
void sl_sm7_texture_cache_fill(struct sl_sm7_texture_cache *c, const struct sl_sm7_packet *p);

/* Simulates a cycle: one access leaves the FIFO if its line has arrived and there is room for it. */
void sl_sm7_texture_cache_cycle(struct sl_sm7_texture_cache *c);

static inline bool sl_sm7_texture_cache_has_answer(const struct sl_sm7_texture_cache *c)
{
  return c->results.count != 0;
}
uint32_t sl_sm7_texture_cache_answer(struct sl_sm7_texture_cache *c);

/* Whether the next cycle may change the state without external input. */
static inline bool sl_sm7_texture_cache_moves(const struct sl_sm7_texture_cache *c)
{
  return c->unsent || c->results.count ||
         (c->fragments.count && (!c->fragment[c->fragments.head].missed || c->line[c->lines.head].sectors == 0));
}

/* A line that is outstanding, or that has arrived and still has requests to answer. */
struct sl_sm7_line_wait {
  uint64_t line;          /* its number; SL_SM7_NO_LINE: the MSHR is free */
  uint32_t first, count;  /* of the waiting requests: a ring of `merges` */
  uint32_t sectors;       /* outstanding */
  struct sl_sm7_packet p; /* the request */
};
#define SL_SM7_NO_LINE UINT64_MAX

struct sl_sm7_line_cache {
  struct sl_sm7_line_spec spec;
  uint64_t *tag, *used;          /* line number of each way, and its time of last use */
  struct sl_sm7_line_wait *wait; /* the MSHRs */
  uint32_t *who;                 /* of each MSHR, `merges` */
  uint32_t *unsent, *answering;  /* rings of MSHRs: to be sent (the miss queue); with an arrived line */
  uint32_t unsent_head, unsent_count, answering_head, answering_count;
  uint64_t accesses, missed;
};

enum sl_status sl_sm7_line_cache_init(struct sl_sm7_line_cache *c, const struct sl_sm7_line_spec *spec,
                                      struct sl_error *err);
void sl_sm7_line_cache_free(struct sl_sm7_line_cache *c);

enum sl_sm7_line_outcome { SL_SM7_LINE_HIT, SL_SM7_LINE_MISS, SL_SM7_LINE_BLOCKED };

/* Looks up a packet's address. MISS: `who` waits; the packet requests the line unless the line is already outstanding.
 * BLOCKED: the caller retries. */
enum sl_sm7_line_outcome sl_sm7_line_cache_read(struct sl_sm7_line_cache *c, const struct sl_sm7_packet *p,
                                                uint32_t who, uint64_t now);

/* The packet at the front of the miss queue, for the whole line; NULL: none. */
const struct sl_sm7_packet *sl_sm7_line_cache_request(const struct sl_sm7_line_cache *c);
void sl_sm7_line_cache_sent(struct sl_sm7_line_cache *c);

/* Sectors of a line have arrived; the packet gives their number. */
void sl_sm7_line_cache_fill(struct sl_sm7_line_cache *c, const struct sl_sm7_packet *p, uint64_t now);

/* Takes a request whose line has arrived. */
static inline bool sl_sm7_line_cache_has_answer(const struct sl_sm7_line_cache *c)
{
  return c->answering_count != 0;
}
/* The timestamps of the next answer. */
static inline struct sl_sm7_trip sl_sm7_line_cache_trip(const struct sl_sm7_line_cache *c)
{
  return c->wait[c->answering[c->answering_head]].p.trip;
}
uint32_t sl_sm7_line_cache_answer(struct sl_sm7_line_cache *c);

#endif
