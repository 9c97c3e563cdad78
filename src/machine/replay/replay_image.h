/* Images of a machine's timing state, for the replay of timing that recurs (timing_replay.h).
 *
 * An image is a list of words. Two states with equal images go on equally: the same warps are picked in the same
 * cycles, as long as the instructions have the same outcomes. Times are relative to the cycle. A time in the past
 * counts as SL_IMAGE_PAST cycles ago if it is older, because no unit looks back further. An image leaves out values,
 * addresses, counters, and the places that items have in queues.
 *
 * Source of the idea: FastSim (Schnarr and Larus, Fast Out-of-Order Processor Simulation Using Memoization, ASPLOS
 * 1998). */
#ifndef SL_MACHINE_REPLAY_IMAGE_H
#define SL_MACHINE_REPLAY_IMAGE_H

#include "timing/memory/scratchpad.h"
#include "timing/pipeline/arithmetic_units.h"
#include "timing/pipeline/warp_scheduler.h"

enum { SL_IMAGE_WORDS = 4096, SL_IMAGE_PAST = 16 };

/* A walk over the state writes an image, or sets the state to one. Each step passes a field through these functions.
 * Writing changes nothing. */
struct sl_image_walk {
  uint64_t *word;
  unsigned count;
  bool reads; /* sets the state */
  bool fits;  /* the state has an image so far */
  int64_t now;
};

static inline uint64_t sl_image_number(struct sl_image_walk *w, uint64_t value)
{
  if (w->reads)
    return w->word[w->count++];
  if (w->count == SL_IMAGE_WORDS) {
    w->fits = false;
    return value;
  }
  return w->word[w->count++] = value;
}

#define SL_IMAGE_WORD(w, field) ((field) = (__typeof__(field))sl_image_number(w, (uint64_t)(field)))

/* A cycle. If it is more than `past` cycles ago, it does not matter when it was. */
static inline void sl_image_since(struct sl_image_walk *w, int64_t *cycle, int64_t past)
{
  const int64_t relative = *cycle >= SL_NEVER ? SL_NEVER : sl_later(*cycle - w->now, -past);
  const int64_t kept = (int64_t)sl_image_number(w, (uint64_t)relative);
  if (w->reads)
    *cycle = kept == SL_NEVER ? SL_NEVER : w->now + kept;
}

static inline void sl_image_moment(struct sl_image_walk *w, int64_t *cycle)
{
  sl_image_since(w, cycle, SL_IMAGE_PAST);
}

/* The same for a cycle whose distance to another matters however old both are. */
static inline void sl_image_recent(struct sl_image_walk *w, int64_t *cycle)
{
  w->fits = w->fits && (w->reads || *cycle > w->now - SL_IMAGE_PAST);
  sl_image_moment(w, cycle);
}

/* A queue's place relative to its head, and back; the head is 0 in an image. */
static inline unsigned sl_image_turned(const struct sl_image_walk *w, unsigned place, unsigned head, unsigned size)
{
  return w->reads ? place : (place - head) % size;
}

static inline void sl_image_mix(uint64_t *hash, uint64_t word)
{
  *hash = (*hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  *hash ^= *hash >> 32;
}

void sl_image_response(struct sl_image_walk *w, struct sl_response *r);
void sl_image_barrier(struct sl_image_walk *w, struct sl_barrier *b);
void sl_image_multiplier(struct sl_image_walk *w, struct sl_multiplier_events *m);
void sl_image_divider(struct sl_image_walk *w, struct sl_divider *d);
void sl_image_fpu(struct sl_image_walk *w, struct sl_fpu *f);
void sl_image_scratchpad(struct sl_image_walk *w, struct sl_scratchpad_events *s);

#endif
