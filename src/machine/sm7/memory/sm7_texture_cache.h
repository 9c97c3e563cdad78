/* The cache of textures: its tags run ahead of its data. An access is looked up at once, a miss takes its line at once
 * and asks L2 for it; the access itself waits in a FIFO, from which accesses leave in order, a miss when all sectors of
 * its line have come. So a hit is no faster than the misses before it. Time is the owner's: this is state.
 *
 * Source: the published texture cache of GPGPU-Sim, after H. Igehy et al., Prefetching in a texture cache architecture
 * (1998). */
#ifndef SL_MACHINE_SM7_TEXTURE_CACHE_H
#define SL_MACHINE_SM7_TEXTURE_CACHE_H

#include "machine/sm7/memory/sm7_packet.h"
#include "machine/sm7/sm7_spec.h"

/* An access on its way through the FIFO. */
struct sl_sm7_fragment {
  uint32_t who;
  bool missed;
};

/* A line that has been asked for, in the order in which accesses leave. */
struct sl_sm7_texture_line {
  struct sl_sm7_packet request;
  uint32_t sectors; /* still to come */
};

/* Places of a ring: `head` is the first that is taken. */
struct sl_sm7_turn {
  uint32_t head, count;
};

struct sl_sm7_texture_cache {
  struct sl_sm7_texture_spec spec;
  uint64_t *tag, *used; /* of each way: number of its line plus 1, 0: none; when it was used last */
  struct sl_sm7_fragment *fragment;
  struct sl_sm7_texture_line *line;
  uint32_t *result;                             /* who: accesses that are over */
  struct sl_sm7_turn fragments, lines, results; /* places taken in these */
  uint32_t unsent;                              /* the last of the lines, not yet asked for */
  uint64_t accesses, missed;
};

enum sl_status sl_sm7_texture_cache_init(struct sl_sm7_texture_cache *c, const struct sl_sm7_texture_spec *spec,
                                         struct sl_error *err);
void sl_sm7_texture_cache_free(struct sl_sm7_texture_cache *c);

/* Takes an access for `who`; the packet is what is sent if the line misses. False: to be tried again. */
bool sl_sm7_texture_cache_read(struct sl_sm7_texture_cache *c, const struct sl_sm7_packet *p, uint32_t who,
                               uint64_t now);

/* The packet to be sent next, for a whole line; NULL: none. */
const struct sl_sm7_packet *sl_sm7_texture_cache_request(const struct sl_sm7_texture_cache *c);
void sl_sm7_texture_cache_sent(struct sl_sm7_texture_cache *c);

/* Sectors of a line have come: as many as the packet says. */
void sl_sm7_texture_cache_fill(struct sl_sm7_texture_cache *c, const struct sl_sm7_packet *p);

/* A cycle: one access leaves the FIFO if its line is there and there is room for it. */
void sl_sm7_texture_cache_cycle(struct sl_sm7_texture_cache *c);

static inline bool sl_sm7_texture_cache_has_answer(const struct sl_sm7_texture_cache *c)
{
  return c->results.count != 0;
}
uint32_t sl_sm7_texture_cache_answer(struct sl_sm7_texture_cache *c);

/* Whether the next cycle may matter without anything from outside. */
static inline bool sl_sm7_texture_cache_moves(const struct sl_sm7_texture_cache *c)
{
  return c->unsent || c->results.count ||
         (c->fragments.count && (!c->fragment[c->fragments.head].missed || c->line[c->lines.head].sectors == 0));
}

#endif
