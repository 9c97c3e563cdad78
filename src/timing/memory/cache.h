/* A non-blocking, banked cache of the Vortex memory system. L1I, L1D, L2 and L3 are instances with different
 * parameters. Each bank performs one operation per cycle. Misses wait in MSHR entries. Writes go through without
 * allocation.
 *
 * Timing contract. In each cycle a bank performs the first possible operation of this list: replay a request whose line
 * has arrived; take a line from memory; clear its tags (flush); accept a request. A request accepted in cycle c that
 * hits is answered in c + latency. For a miss or a write, the memory request leaves in c + miss_latency. A line taken
 * in cycle f enables the replay of its requests from f + 1 + fill_bubble on, one per cycle; each is answered `latency`
 * later. The bank does nothing else until the replays have finished, also during the bubble: a line with one request
 * occupies the bank for 2 + fill_bubble cycles. Lines wait for their banks. With in-order fills, lines form one queue:
 * one is taken per cycle, and a line whose bank is busy blocks those behind it. The model keeps no contents: the memory
 * image holds the values.
 *
 * Source: Vortex' published RTL and simulator (commit b5f541b8): VX_cache_bank and the simulator's cache. */
#ifndef SL_MEM_CACHE_H
#define SL_MEM_CACHE_H

#include "base/error.h"
#include "base/types.h"

enum { SL_LINE_BITS = 6, SL_LINE_BYTES = 1 << SL_LINE_BITS };

/* Which way of a full set a new line replaces. */
enum sl_replacement {
  SL_REPLACE_OLDEST,  /* the least recently used way */
  SL_REPLACE_ROTATING /* the way that a pointer selects; the pointer advances every cycle */
};

struct sl_cache_spec {
  unsigned banks, ways, mshr; /* mshr: entries per bank */
  uint32_t bytes;
  unsigned latency, miss_latency, fill_bubble;
  unsigned start_cycles; /* cycles after power-on in which the cache accepts nothing */
  unsigned flush_cycles; /* cycles of a flush, beyond one per set */
  bool merges_writes;    /* a write to a line in flight waits for it in the MSHR */
  bool fills_in_order;
  enum sl_replacement replacement;
};

/* Outputs of the cache: an answer to the requester, or a request to the memory below. */
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
  uint32_t used; /* number of the bank operation that used it last */
};

#define SL_NO_LINE UINT32_MAX

struct sl_cache_pending {
  uint32_t line, tag;
  bool write;
};

struct sl_cache_bank {
  unsigned pending_count;
  unsigned replay_count; /* number of replayable requests at the start of `ready` */
  uint64_t replay_from;  /* first cycle in which a replay is possible */
  uint64_t used;         /* cycle of the last operation + 1 */
  uint32_t operations;
  uint64_t flush_until; /* 0: no flush in progress */
  bool flush_waits;     /* a flush is requested and waits for pending requests */
  uint32_t flush_tag;
  unsigned fill_count; /* arrived lines */
};

struct sl_cache_counts {
  uint64_t reads, writes, read_misses, write_misses, mshr_stalls, bank_stalls;
};

/* The state of a cache, which a checkpoint holds with the arrays below. Plain data without pointers. */
struct sl_cache_state {
  uint64_t busy_banks; /* banks with work other than accepting */
  uint32_t answer_first, answer_count, miss_first, miss_count;
  uint32_t fill_count;
  uint64_t fill_from; /* first cycle in which the next line can be taken, with in-order fills */
  struct sl_cache_counts counts;
};

struct sl_cache {
  struct sl_cache_state s;
  /* Derived from the spec. */
  struct sl_cache_spec spec;
  unsigned sets, set_bits, bank_bits;
  uint32_t ring;
  struct sl_cache_bank *bank;
  struct sl_cache_way *way;         /* banks x sets x ways */
  struct sl_cache_pending *pending; /* banks x mshr: requests that wait for a line, oldest first */
  struct sl_cache_pending *ready;   /* banks x mshr: requests whose line has arrived */
  uint32_t *fill;                   /* banks x mshr: arrived lines, oldest first */
  struct sl_cache_answer *answers;  /* rings of `ring` entries, ordered by cycle */
  struct sl_cache_miss *misses;
};

enum sl_status sl_cache_init(struct sl_cache *c, const struct sl_cache_spec *spec, struct sl_error *err);
void sl_cache_free(struct sl_cache *c);

/* Puts the cache in its power-on state. */
void sl_cache_start(struct sl_cache *c);

/* Performs this cycle's replays, fills and flushes. Call it before accepting requests. */
void sl_cache_cycle_busy(struct sl_cache *c, uint64_t cycle);

static inline void sl_cache_cycle(struct sl_cache *c, uint64_t cycle)
{
  if (c->s.busy_banks)
    sl_cache_cycle_busy(c, cycle);
}

/* Whether the only bank stalls in this cycle because its output queue of `queue` answers is full and another answer is
 * due. The stall delays the answers in the pipeline. Call it before the cache's cycle and after taking this cycle's
 * answers. */
bool sl_cache_hold_full(struct sl_cache *c, uint64_t cycle, unsigned queue);

static inline bool sl_cache_hold(struct sl_cache *c, uint64_t cycle, unsigned queue)
{
  return c->s.answer_count > queue && sl_cache_hold_full(c, cycle, queue);
}

/* Whether a bank can accept a request in this cycle. */
bool sl_cache_can_accept(const struct sl_cache *c, uint64_t cycle, unsigned bank);

/* Offers a request for a line; returns false if its bank cannot accept it in this cycle. The answer to a read carries
 * its tag. */
bool sl_cache_accept(struct sl_cache *c, uint64_t cycle, uint32_t line, bool write, uint32_t tag);

/* Whether a cache of one bank is idle, so that only requests can change its state. */
static inline bool sl_cache_rests(const struct sl_cache *c)
{
  return (c->s.busy_banks | c->s.answer_count | c->bank->pending_count) == 0;
}

/* Performs a read in a cycle that may lie in the future, in an idle cache of one bank. Returns true if the line hits
 * and the bank will accept the read. The cache queues no answer: the caller knows it. */
bool sl_cache_read_ahead(struct sl_cache *c, uint64_t cycle, uint32_t line);

/* Offers a flush of all banks. It is answered as a read of line 0 after all lines are invalid. */
bool sl_cache_accept_flush(struct sl_cache *c, uint64_t cycle, uint32_t tag);

/* Applies a request without timing: a read allocates its line, and a hit updates its use. With the rotating pointer,
 * each request of a bank advances the pointer. Returns true if the request goes to the level below. */
bool sl_cache_touch(struct sl_cache *c, uint32_t line, bool write);

/* Invalidates all lines without timing. */
void sl_cache_forget(struct sl_cache *c);

/* Delivers a line from memory. Its bank takes it in this cycle at the earliest. */
void sl_cache_fill(struct sl_cache *c, uint32_t line);

/* Returns the oldest answer or memory request that is due, or NULL. The caller removes it after taking it. */
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

static inline unsigned sl_cache_bank_of(const struct sl_cache *c, uint32_t line)
{
  return line & (c->spec.banks - 1);
}

/* Checkpoints: cache.c. Tells the machine of each unanswered read, flushes included (sl_archive_read), and
 * expects each line that requests wait for in flight once: gives the lines that the cache itself has on the way, and
 * takes those awaited, of kind 0 and owner `reader`. Who holds such a read gives its line. */
void sl_cache_walk(struct sl_cache *c, uint32_t reader, struct sl_archive *archive);

#endif
