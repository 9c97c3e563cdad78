/* Simty's path from the data memory's answers to the register file: the gather register and the single-entry load FIFO.
 *
 * Memory answers in the order of requests. An answer of cycle a is gathered in a+1: the warp is woken, and can be
 * picked from a+2 on. The result is written from a+2 on, in the first cycle in which no ALU result goes to its bank.
 * While the FIFO behind the gather register is occupied and does not drain, the next answer waits. A warp is picked
 * only if its result will certainly be written by the cycle in which the instruction reads.
 *
 * Source: Simty paper (RR-8944), section 3.2, "operand collection"; published RTL. Waiting answers and the certainty of
 * the write are additions of simtlab: the published pipeline relies on neighbouring warps being in different banks. */
#ifndef SL_UNIT_LOAD_FIFO_H
#define SL_UNIT_LOAD_FIFO_H

#include "base/types.h"

enum { SL_LOAD_NONE = -1 };

struct sl_load_fifo {
  int16_t gathered, waiting; /* warp in the gather register and in the FIFO behind it */
  unsigned head, count;      /* queue of expected answers */
  uint8_t warp[SL_MAX_WARPS];
  int64_t answer[SL_MAX_WARPS];
  unsigned finished_head, finished_count; /* queue of warps that have finished a wait other than memory */
  uint8_t finished[SL_MAX_WARPS];
};

static inline void sl_load_fifo_start(struct sl_load_fifo *f)
{
  *f = (struct sl_load_fifo){.gathered = SL_LOAD_NONE, .waiting = SL_LOAD_NONE};
}

/* Whether no answer is expected and no result waits for its write: the functions below have no effect. */
static inline bool sl_load_fifo_idle(const struct sl_load_fifo *f)
{
  return (f->count | f->finished_count) == 0 && (f->gathered & f->waiting) < 0;
}

/* Announces that memory will answer a warp in this cycle, which is not before the cycles of earlier requests. A warp
 * awaits at most one answer. */
static inline void sl_load_fifo_expect(struct sl_load_fifo *f, unsigned warp, int64_t answer)
{
  const unsigned place = (f->head + f->count++) % SL_MAX_WARPS;
  f->warp[place] = (uint8_t)warp;
  f->answer[place] = answer;
}

/* Announces that a warp has finished a wait other than memory. It is gathered as an answer of this cycle, after
 * memory's answers and in order of arrival. */
static inline void sl_load_fifo_finish(struct sl_load_fifo *f, unsigned warp)
{
  f->finished[(f->finished_head + f->finished_count++) % SL_MAX_WARPS] = (uint8_t)warp;
}

/* Writes a result if possible; bit b of `banks` is set if an ALU result goes to bank b. The code here and below has no
 * branch on whether there is a result: it is hard to predict. */
static inline void sl_load_fifo_write(struct sl_load_fifo *f, unsigned banks)
{
  const int gathered = f->gathered, waiting = f->waiting;
  const bool behind = waiting >= 0;
  const int first = behind ? waiting : gathered;
  const bool stays = (unsigned)(first >= 0) & banks >> (first & 1);
  const int next = behind ? gathered : SL_LOAD_NONE;
  f->waiting = (int16_t)(stays ? first : next);
  f->gathered = (int16_t)(stays ? next : SL_LOAD_NONE);
}

/* Performs the gather stage's cycle, after the write and before this cycle's finishes. Returns the woken warp as a
 * set. */
static inline sl_warps sl_load_fifo_gather(struct sl_load_fifo *f, int64_t now)
{
  const unsigned empty = f->gathered < 0;
  const unsigned answers = empty & (f->count > 0) & (f->answer[f->head] < now);
  const unsigned finishes = empty & ~answers & (f->finished_count > 0), woken = answers | finishes;
  const unsigned warp = (unsigned)sl_choose(answers, f->warp[f->head], f->finished[f->finished_head]);
  f->gathered = (int16_t)sl_choose(woken, warp, (uint16_t)f->gathered);
  f->head = (f->head + answers) % SL_MAX_WARPS;
  f->count -= answers;
  f->finished_head = (f->finished_head + finishes) % SL_MAX_WARPS;
  f->finished_count -= finishes;
  return (sl_warps)woken << warp;
}

/* Warps whose result may still be unwritten in the next cycle, in which ALU results go to `banks`. */
static inline sl_warps sl_load_fifo_unwritten(const struct sl_load_fifo *f, unsigned banks)
{
  const int gathered = f->gathered, waiting = f->waiting;
  const bool behind = waiting >= 0;
  const int first = behind ? waiting : gathered;
  const unsigned stays = (unsigned)(first >= 0) & banks >> (first & 1), next = (unsigned)behind & (gathered >= 0);
  return (sl_warps)stays << (first & (SL_MAX_WARPS - 1)) | (sl_warps)next << (gathered & (SL_MAX_WARPS - 1));
}

#endif
