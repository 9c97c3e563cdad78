/* A non-blocking cache of the Vortex memory system: banks that each perform one operation per cycle, misses held in
 * MSHR entries, write-through without allocation. L1I, L1D, L2 and L3 are this block with different numbers.
 *
 * Timing contract. In a cycle a bank does the first of these that it can: replay a request whose line has arrived, take
 * a line from memory, clear its tags (flush), accept a request. A request accepted in cycle c is answered in c +
 * latency when it hits; when it misses, or writes, the memory request leaves in c + miss_latency. A line taken in cycle
 * f lets its requests replay from f + 1 + fill_bubble on, one per cycle, each answered `latency` later; until they
 * have, the bank does nothing else, the bubble included: a line with one request takes it 2 + fill_bubble cycles. Lines
 * wait for their banks, or, where fills are in order, one behind the other: then one is taken per cycle, and what is
 * behind a line whose bank is busy waits too. Contents are not modelled: values live in the memory image.
 *
 * Source: Vortex' published RTL and simulator (commit b5f541b8): VX_cache_bank and the simulator's cache. */
#ifndef SL_MEM_CACHE_H
#define SL_MEM_CACHE_H

#include "base/error.h"
#include "base/types.h"

enum { SL_LINE_BITS = 6, SL_LINE_BYTES = 1 << SL_LINE_BITS };

/* Which way of a full set a line takes. */
enum sl_replacement {
  SL_REPLACE_OLDEST,  /* the way longest unused */
  SL_REPLACE_ROTATING /* a pointer that moves every cycle */
};

struct sl_cache_spec {
  unsigned banks, ways, mshr; /* mshr: entries of a bank */
  uint32_t bytes;
  unsigned latency, miss_latency, fill_bubble;
  unsigned start_cycles; /* after power-on, in which it accepts nothing */
  unsigned flush_cycles; /* of a flush, beyond one per set */
  bool merges_writes;    /* a write to a line under way waits for it in the MSHR */
  bool fills_in_order;
  enum sl_replacement replacement;
};

/* What leaves the cache: an answer to the one who asked, or a request to the memory below. */
struct sl_cache_answer {
  uint64_t cycle;
  uint32_t tag, line;
};

struct sl_cache_miss {
  uint64_t cycle;
  uint32_t line; /* address >> SL_LINE_BITS */
  bool write;
};

struct sl_cache_way {
  uint32_t line; /* SL_NO_LINE: empty */
  uint32_t used; /* bank operation that used it last */
};

#define SL_NO_LINE UINT32_MAX

struct sl_cache_pending {
  uint32_t line, tag;
  bool write;
};

struct sl_cache_bank {
  unsigned pending_count;
  unsigned replay_count; /* the first so many of `ready` */
  uint64_t replay_from;  /* first cycle in which a replay can go */
  uint64_t used;         /* cycle of the last operation + 1 */
  uint32_t operations;
  uint64_t flush_until; /* 0: none under way */
  bool flush_waits;     /* asked for, and requests are pending */
  uint32_t flush_tag;
  unsigned fill_count; /* lines that have arrived */
};

struct sl_cache_counts {
  uint64_t reads, writes, read_misses, write_misses, mshr_stalls, bank_stalls;
};

/* Plain data: with the arrays below it, what a checkpoint holds of a cache. No pointers. */
struct sl_cache_state {
  uint64_t busy_banks; /* with something to do besides accepting */
  uint32_t answer_first, answer_count, miss_first, miss_count;
  uint32_t fill_count;
  uint64_t fill_from; /* first cycle in which the next line can be taken, where fills are in order */
  struct sl_cache_counts counts;
};

struct sl_cache {
  struct sl_cache_state s;
  /* Wiring: what follows from the spec. */
  struct sl_cache_spec spec;
  unsigned sets, set_bits, bank_bits;
  uint32_t ring;
  struct sl_cache_bank *bank;
  struct sl_cache_way *way;         /* banks x sets x ways */
  struct sl_cache_pending *pending; /* banks x mshr: requests that wait for a line, oldest first */
  struct sl_cache_pending *ready;   /* banks x mshr: those whose line is there */
  uint32_t *fill;                   /* banks x mshr: lines that have arrived, oldest first */
  struct sl_cache_answer *answers;  /* rings of `ring` entries, in order of time */
  struct sl_cache_miss *misses;
};

enum sl_status sl_cache_init(struct sl_cache *c, const struct sl_cache_spec *spec, struct sl_error *err);
void sl_cache_free(struct sl_cache *c);

/* Power-on. */
void sl_cache_start(struct sl_cache *c);

/* Performs what goes before requests in this cycle: replays, fills, flushes. To be called before accepting. */
void sl_cache_cycle_busy(struct sl_cache *c, uint64_t cycle);

static inline void sl_cache_cycle(struct sl_cache *c, uint64_t cycle)
{
  if (c->s.busy_banks)
    sl_cache_cycle_busy(c, cycle);
}

/* With room for so many answers behind its stages, whether the only bank stands still in this cycle: the room is taken
 * and another answer is about to come. What is in the stages is then delayed. To be asked before the cache's cycle, and
 * after answers have been taken in this cycle. */
bool sl_cache_hold_full(struct sl_cache *c, uint64_t cycle, unsigned queue);

static inline bool sl_cache_hold(struct sl_cache *c, uint64_t cycle, unsigned queue)
{
  return c->s.answer_count > queue && sl_cache_hold_full(c, cycle, queue);
}

/* Whether a bank can accept a request in this cycle. */
bool sl_cache_can_accept(const struct sl_cache *c, uint64_t cycle, unsigned bank);

/* Offers a request for a line; false when its bank cannot accept it in this cycle. Reads are answered with their tag.
 */
bool sl_cache_accept(struct sl_cache *c, uint64_t cycle, uint32_t line, bool write, uint32_t tag);

/* Nothing is under way in a cache of one bank, so that only requests can change what it holds. */
static inline bool sl_cache_rests(const struct sl_cache *c)
{
  return (c->s.busy_banks | c->s.answer_count | c->bank->pending_count) == 0;
}

/* A read in a cycle that may be to come, of such a cache: true when it finds its line and will be accepted. Whoever
 * asks knows the answer, which is not among the cache's. */
bool sl_cache_read_ahead(struct sl_cache *c, uint64_t cycle, uint32_t line);

/* Offers a flush of all banks, answered like a read of line 0 after all lines are gone. */
bool sl_cache_accept_flush(struct sl_cache *c, uint64_t cycle, uint32_t tag);

/* A request without its time: the line is there from now on, if it was a read, and used. Where a pointer that moves
 * every cycle says which way it takes, the requests of a bank move it. True: the level below is asked. */
bool sl_cache_touch(struct sl_cache *c, uint32_t line, bool write);

/* Likewise, all lines are gone. */
void sl_cache_forget(struct sl_cache *c);

/* A line comes back from memory; its bank takes it in this cycle at the earliest. */
void sl_cache_fill(struct sl_cache *c, uint32_t line);

/* The oldest answer or memory request that is due, NULL for none; the caller removes it when it has taken it. */
static inline const struct sl_cache_answer *sl_cache_answer(const struct sl_cache *c, uint64_t cycle)
{
  const struct sl_cache_answer *a = &c->answers[c->s.answer_first];
  return c->s.answer_count > 0 && a->cycle <= cycle ? a : NULL;
}

static inline void sl_cache_drop_answer(struct sl_cache *c)
{
  c->s.answer_first = (c->s.answer_first + 1) & (c->ring - 1);
  c->s.answer_count--;
}

static inline const struct sl_cache_miss *sl_cache_miss(const struct sl_cache *c, uint64_t cycle)
{
  const struct sl_cache_miss *m = &c->misses[c->s.miss_first];
  return c->s.miss_count > 0 && m->cycle <= cycle ? m : NULL;
}

static inline void sl_cache_drop_miss(struct sl_cache *c)
{
  c->s.miss_first = (c->s.miss_first + 1) & (c->ring - 1);
  c->s.miss_count--;
}

/* First cycle after `cycle` in which something happens without a new request; UINT64_MAX for never. */
uint64_t sl_cache_next_event(const struct sl_cache *c, uint64_t cycle);

static inline unsigned sl_cache_bank_of(const struct sl_cache *c, uint32_t line)
{
  return line & (c->spec.banks - 1);
}

#endif
