/* DRAM, and stages 5 and 6 of the coalescing unit before and behind it, by events: the cycles of a pass are worked out
 * when stage 4 hands it on, as far as they are known then, and the rest when answers are taken.
 *
 * The boxes are those of dram.h and coalescer.h. Transactions j are reads and the beats of stores, answers n are those
 * of reads, of b beats, and of what the stack cache answers, of none:
 *   put      P(j) = the latest of: the cycle after stage 4, B(j-1), P(j-1) + 1, and L + 1 of the answer that has to
 * leave a full in-flight queue on bus   B(j) = max(P(j) + 1, W(j-2) + 1) served   W(j) = max(B(j) + 1, W(j-1) + 1, or +
 * b behind a read), later while too many beats are outstanding at head  L(n) = max(P(n) + 1, H(n-1)) beats    T(n) =
 * max(W(n) + latency + 3, L(n) + 1) the first, then one per cycle; without beats T(n) = L(n) + 1 answer   H(n) =
 * max(T(n) + b, the cycle after answer n-1 was taken) An answer is in the output register from the end of H(n) on. What
 * is not known yet is SL_NEVER.
 *
 * Compared with the boxes, cycle by cycle, in tests and in test builds. */
#ifndef SL_MEM_EVENTS_DRAM_EVENTS_H
#define SL_MEM_EVENTS_DRAM_EVENTS_H

#include "base/event_time.h"
#include "base/queues.h"

enum {
  SL_DRAM_READ_DELAY = 3, /* from W to the first beat, beyond the latency */
  SL_DRAM_MOST_BEATS = 64,
  SL_DRAM_ON_THE_WAY = 3,     /* transactions put and not served: the request register's, and two on the bus */
  SL_DRAM_STORE = 1u << 15,   /* in transaction_beats */
  SL_DRAM_TRANSACTIONS = 128, /* a store's beats, and those on their way; a power of two */
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

/* A pass that stage 4 has handed on. */
struct sl_dram_pass {
  struct sl_response response;
  uint16_t beats; /* of the read or the store; 0: only an answer, in its turn */
  bool store;
};

struct sl_dram_events {
  int64_t answer; /* H of the oldest answer */
  int64_t stage5; /* stage 5 is full at the start of cycles up to this one */
  int64_t taken;  /* the latest answer was */

  unsigned latency, limit, in_flight_depth;

  struct sl_dram_pass pass; /* in stage 5, with so many transactions or answers to be put from a cycle on: */
  unsigned unput;
  int64_t earliest;

  unsigned count, unserved; /* transactions put, and the first of them whose W is not known; modulo the ring */
  int64_t put, line;        /* P of the latest, or of an answer without beats; the memory's line is free */
  struct sl_dram_transaction_times transaction[SL_DRAM_TRANSACTIONS];
  uint16_t transaction_beats[SL_DRAM_TRANSACTIONS]; /* of the whole read or store, and SL_DRAM_STORE */
  uint8_t transaction_answer[SL_DRAM_TRANSACTIONS]; /* a read's */

  unsigned head, answers; /* the oldest, and how many: modulo the ring */
  unsigned open;          /* beats of reads that have been served and whose answers have not been taken */
  struct sl_dram_answer ring[SL_DRAM_ANSWERS];

  uint64_t beats; /* read and written, those to come of known time among them */
};

void sl_dram_events_init(struct sl_dram_events *d, unsigned latency, unsigned limit, unsigned in_flight_depth);

/* Stage 4 hands a pass on in cycle now. */
void sl_dram_events_put(struct sl_dram_events *d, struct sl_dram_pass pass, int64_t now);

/* Whether it can. */
static inline bool sl_dram_events_can_put(const struct sl_dram_events *d, int64_t now)
{
  return d->stage5 < now;
}

static inline bool sl_dram_events_can_take(const struct sl_dram_events *d, int64_t now)
{
  return d->answer < now;
}

/* Takes the oldest answer, in cycle now, before a pass is put in it. */
struct sl_response sl_dram_events_take(struct sl_dram_events *d, int64_t now);

/* Whether anything is to come after the cycles before now. */
bool sl_dram_events_busy(const struct sl_dram_events *d, int64_t now);

/* Beats read and written in the cycles before now. */
uint64_t sl_dram_events_beats(const struct sl_dram_events *d, int64_t now);

#endif
