/* The texture cache: its tags run ahead of its data. An access is looked up at once. A miss allocates its line at once
 * and requests it from L2. The access waits in a FIFO, which accesses leave in order, a miss when all sectors of its
 * line have arrived. A hit is therefore no faster than the misses before it. This module holds state only; the owner
 * provides the timing.
 *
 * Source: the published texture cache of GPGPU-Sim, after H. Igehy et al., Prefetching in a texture cache architecture
 * (1998). */
#ifndef SL_MACHINE_SM7_TEXTURE_CACHE_H
#define SL_MACHINE_SM7_TEXTURE_CACHE_H

#include "machine/sm7/memory/sm7_packet.h"
#include "machine/sm7/sm7_spec.h"

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

#endif
