/* From the data memory's answers to the register file: gather, and the single-entry load FIFO.
 *
 * Memory answers in the order of requests. An answer that comes in cycle a is gathered in a+1: the warp is woken, and
 * can be picked from a+2 on. From a+2 on the result is written, in the first cycle in which no ALU result goes to the
 * bank; while the FIFO behind the gather register is occupied and does not drain, the next answer waits. A warp is not
 * picked before its result is certain to be written by the cycle in which the instruction reads.
 *
 * Source: Simty paper (RR-8944), section 3.2, "operand collection"; published RTL. That answers wait, and the
 * certainty, are ours: the published pipeline relies on neighbouring warps being in different banks. */
#ifndef SL_UNIT_LOAD_FIFO_H
#define SL_UNIT_LOAD_FIFO_H

#include "base/types.h"

enum { SL_LOAD_NONE = -1 };

struct sl_load_fifo {
  int16_t gathered, waiting; /* warp in the gather register and in the FIFO behind it */
  unsigned head, count;      /* answers to come */
  uint8_t warp[SL_MAX_WARPS];
  int64_t answer[SL_MAX_WARPS];
  unsigned finished_head, finished_count; /* warps done with something else than memory */
  uint8_t finished[SL_MAX_WARPS];
};

static inline void sl_load_fifo_start(struct sl_load_fifo *f)
{
  *f = (struct sl_load_fifo){.gathered = SL_LOAD_NONE, .waiting = SL_LOAD_NONE};
}

/* Nothing is to come, as far as it is known, and nothing is to be written: the cycles of what follows do nothing. */
static inline bool sl_load_fifo_idle(const struct sl_load_fifo *f)
{
  return (f->count | f->finished_count) == 0 && (f->gathered & f->waiting) < 0;
}

/* Memory will answer a warp in this cycle, which is not before that of any earlier request. A warp awaits one answer.
 */
static inline void sl_load_fifo_expect(struct sl_load_fifo *f, unsigned warp, int64_t answer)
{
  const unsigned place = (f->head + f->count++) % SL_MAX_WARPS;
  f->warp[place] = (uint8_t)warp;
  f->answer[place] = answer;
}

/* A warp is done with what it waited for, other than memory: it is gathered like an answer that came in this cycle,
 * after those of memory and in order of arrival. */
static inline void sl_load_fifo_finish(struct sl_load_fifo *f, unsigned warp)
{
  f->finished[(f->finished_head + f->finished_count++) % SL_MAX_WARPS] = (uint8_t)warp;
}

/* Writes what can be written in this cycle: `banks` has bit b set when an ALU result goes to bank b. What there is to
 * write is hard to foretell: here and below, no branch on it. */
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

/* The gather stage's cycle, after the write and before anything finishes in this cycle: returns the warp that is woken,
 * as a set. */
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

/* Warps whose result may still be unwritten in the next cycle, in which `banks` get ALU results. */
static inline sl_warps sl_load_fifo_unwritten(const struct sl_load_fifo *f, unsigned banks)
{
  const int gathered = f->gathered, waiting = f->waiting;
  const bool behind = waiting >= 0;
  const int first = behind ? waiting : gathered;
  const unsigned stays = (unsigned)(first >= 0) & banks >> (first & 1), next = (unsigned)behind & (gathered >= 0);
  return (sl_warps)stays << (first & (SL_MAX_WARPS - 1)) | (sl_warps)next << (gathered & (SL_MAX_WARPS - 1));
}

#endif
