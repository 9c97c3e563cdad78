/* Event-driven model of DRAM and of the coalescing unit's stages 5 and 6, which surround it. When stage 4 issues a
 * pass, the model computes the cycles that are known then, and the others when answers are taken.
 *
 * Tests and test builds compare it cycle by cycle with the cycle-stepped reference models in
 * tests/oracles/.
 *
 * Transactions j are reads and the beats of stores. An atomic is a read, then the beats of a store. Answers n are those
 * of reads, with b beats, and those of the stack cache, without beats. Unknown times are SL_NEVER. put       P(j) = the
 * latest of: the cycle after stage 4; B(j-1); P(j-1) + 1; and, with a full in-flight queue, L + 1 of the answer that
 * has to leave it on bus    B(j) = max(P(j) + 1, W(j-2) + 1) served    W(j) = max(B(j) + 1, W(j-1) + 1, or W(j-1) + b
 * after a read); later while too many beats are outstanding at head   L(n) = max(P(n) + 1, H(n-1)) beats     T(n) =
 * max(W(n) + latency + 3, L(n) + 1) for the first, then one per cycle; without beats L(n) + 1 answer    H(n) = max(T(n)
 * + b, the cycle after answer n-1 was taken) An answer is in the output register from the end of H(n) on. */
#ifndef SL_MEM_EVENTS_DRAM_EVENTS_H
#define SL_MEM_EVENTS_DRAM_EVENTS_H

#include "base/queues.h"

enum {
  SL_DRAM_READ_DELAY = 3, /* cycles from W to the first beat, beyond the latency */
  SL_DRAM_MOST_BEATS = 64,
  SL_DRAM_ON_THE_WAY = 3,     /* transactions put and not served: one in the request register, two on the bus */
  SL_DRAM_STORE = 1u << 15,   /* in transaction_beats */
  SL_DRAM_TRANSACTIONS = 128, /* a store's beats, and transactions not yet served; a power of two */
  SL_DRAM_ANSWERS = 128       /* in flight, at the head and in the output register; a power of two */
};

struct sl_dram_transaction_times {
  int64_t put, bus, served;
};

struct sl_dram_answer {
  struct sl_response response;
  int64_t put, served, head, first; /* P, W, L, T */
  uint64_t beats;
};

/* A pass that stage 4 has issued. */
struct sl_dram_pass {
  struct sl_response response;
  uint16_t beats; /* of the read or the store; 0: only an answer, in order */
  bool store;
  bool updates; /* an atomic: a read, then a store of as many beats */
};

struct sl_dram_events {
  int64_t answer; /* H of the oldest answer */
  int64_t stage5; /* stage 5 is full at the start of cycles up to this one */
  int64_t taken;  /* cycle in which the latest answer was taken */

  unsigned latency, limit, in_flight_depth;

  struct sl_dram_pass
      pass; /* the pass in stage 5; it has `unput` transactions or answers left to put from cycle `earliest` on */
  unsigned unput;
  int64_t earliest;

  unsigned count, unserved; /* transactions put, and the first one with unknown W; modulo the ring */
  int64_t put, line; /* P of the latest transaction, or of an answer without beats; first cycle with a free memory
                        request line */
  struct sl_dram_transaction_times transaction[SL_DRAM_TRANSACTIONS];
  uint16_t transaction_beats[SL_DRAM_TRANSACTIONS]; /* beats of the whole read or store, with SL_DRAM_STORE */
  uint8_t transaction_answer[SL_DRAM_TRANSACTIONS]; /* a read's answer */

  unsigned head, answers; /* index of the oldest answer, and number of answers; modulo the ring */
  unsigned open;          /* beats of served reads whose answers have not been taken */
  struct sl_dram_answer ring[SL_DRAM_ANSWERS];

  uint64_t beats; /* read and written beats, future ones of known time included */
};

const struct sl_schema *sl_dram_events_schema(void);

void sl_dram_events_init(struct sl_dram_events *d, unsigned latency, unsigned limit, unsigned in_flight_depth);

/* Stage 4 issues a pass in cycle now. */
void sl_dram_events_put(struct sl_dram_events *d, const struct sl_dram_pass *pass, int64_t now);

/* Whether stage 4 can issue a pass in cycle now. */
static inline bool sl_dram_events_can_put(const struct sl_dram_events *d, int64_t now)
{
  return d->stage5 < now;
}

/* Takes the oldest answer in cycle now. Call it before a put of the same cycle. */
struct sl_response sl_dram_events_take(struct sl_dram_events *d, int64_t now);

/* Whether events remain after the cycles before now. */
bool sl_dram_events_busy(const struct sl_dram_events *d, int64_t now);

/* Beats read and written in the cycles before now. */
uint64_t sl_dram_events_beats(const struct sl_dram_events *d, int64_t now);

#endif
