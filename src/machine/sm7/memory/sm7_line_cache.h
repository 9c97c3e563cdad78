/* A read-only cache of whole lines, for instructions and constants. A miss waits in an MSHR of its line, where later
 * requests for the line join it, and leaves through the miss queue. L2 answers in sectors. The line is allocated when
 * its last sector arrives (allocation on fill) and replaces the least recently used line of its set. This module holds
 * state only; the owner provides the timing. */
#ifndef SL_MACHINE_SM7_LINE_CACHE_H
#define SL_MACHINE_SM7_LINE_CACHE_H

#include "machine/sm7/memory/sm7_packet.h"
#include "machine/sm7/sm7_spec.h"

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
