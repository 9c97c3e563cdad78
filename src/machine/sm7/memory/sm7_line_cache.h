/* A read-only cache of whole lines, as for instructions and for constants: a miss waits in an MSHR of its line, where
 * later requests for the line join it, and leaves through the miss queue. L2 answers in sectors; the line is taken into
 * the cache when its last sector has come (allocation on fill), in place of the least recently used of its set. Time is
 * the owner's: this is state. */
#ifndef SL_MACHINE_SM7_LINE_CACHE_H
#define SL_MACHINE_SM7_LINE_CACHE_H

#include "machine/sm7/memory/sm7_packet.h"
#include "machine/sm7/sm7_spec.h"

/* A line that is on its way, or has come and still has requests to answer. */
struct sl_sm7_line_wait {
  uint64_t line;          /* its number; SL_SM7_NO_LINE: the MSHR is free */
  uint32_t first, count;  /* of those who wait: a ring of `merges` */
  uint32_t sectors;       /* still to come */
  struct sl_sm7_packet p; /* the request */
};
#define SL_SM7_NO_LINE UINT64_MAX

struct sl_sm7_line_cache {
  struct sl_sm7_line_spec spec;
  uint64_t *tag, *used;          /* number of the line in each way, and when it was used last */
  struct sl_sm7_line_wait *wait; /* the MSHRs */
  uint32_t *who;                 /* of each MSHR, `merges` */
  uint32_t *unsent, *answering;  /* MSHRs, rings: to be asked for, the miss queue; whose line has come */
  uint32_t unsent_head, unsent_count, answering_head, answering_count;
  uint64_t accesses, missed;
};

enum sl_status sl_sm7_line_cache_init(struct sl_sm7_line_cache *c, const struct sl_sm7_line_spec *spec,
                                      struct sl_error *err);
void sl_sm7_line_cache_free(struct sl_sm7_line_cache *c);

enum sl_sm7_line_outcome { SL_SM7_LINE_HIT, SL_SM7_LINE_MISS, SL_SM7_LINE_BLOCKED };

/* Looks a packet's address up. MISS: `who` waits; the packet is what is sent for the line, if nobody has asked for it.
 * BLOCKED: to be tried again. */
enum sl_sm7_line_outcome sl_sm7_line_cache_read(struct sl_sm7_line_cache *c, const struct sl_sm7_packet *p,
                                                uint32_t who, uint64_t now);

/* The packet at the front of the miss queue, for the whole line; NULL: none. */
const struct sl_sm7_packet *sl_sm7_line_cache_request(const struct sl_sm7_line_cache *c);
void sl_sm7_line_cache_sent(struct sl_sm7_line_cache *c);

/* Sectors of a line have come: as many as the packet says. */
void sl_sm7_line_cache_fill(struct sl_sm7_line_cache *c, const struct sl_sm7_packet *p, uint64_t now);

/* Takes one of those whose line has come. */
static inline bool sl_sm7_line_cache_has_answer(const struct sl_sm7_line_cache *c)
{
  return c->answering_count != 0;
}
/* What the next answer owes its time to. */
static inline struct sl_sm7_trip sl_sm7_line_cache_trip(const struct sl_sm7_line_cache *c)
{
  return c->wait[c->answering[c->answering_head]].p.trip;
}
uint32_t sl_sm7_line_cache_answer(struct sl_sm7_line_cache *c);

#endif
