/* The ends of Simty's pipeline: instruction fetch, and below it the path of loaded values to the register file.
 *
 * Fetch steering, fetch, predecode and instruction buffer. The buffer holds one instruction per warp.
 *
 * In cycle c the fetch wheel reads the speculative PC of one warp. It visits another warp every cycle, regardless of
 * the warps' states. The word is fetched in c+1 and predecoded in c+2. If the warp's buffer entry was empty at the
 * start of c+2, the word enters it and can be picked from c+3 on; the speculative PC advances to the next word.
 * Otherwise the word is dropped, and the wheel fetches it again in its next round. A redirect sets the speculative PC;
 * the wheel sees it in the same cycle.
 *
 * Words that are in flight or in the buffer when a redirect arrives stay there. They are on no path. They carry their
 * warp's redirect count, so that they neither advance the new PC nor cause another redirect.
 *
 * Source: Simty paper (RR-8944), section 3.2; published RTL. The redirect count is an addition of simtlab: with fewer
 * than eight warps the published pipeline lets an old word overwrite a new PC. */
#ifndef SL_UNIT_INSTRUCTION_FETCH_H
#define SL_UNIT_INSTRUCTION_FETCH_H

#include "base/types.h"

enum { SL_FETCH_STAGES = 4 /* a power of two greater than the number of cycles from the wheel to the buffer */ };

struct sl_fetched {
  uint32_t pc;
  uint8_t redirects; /* redirect count of the warp before the fetch, modulo 256 */
  uint8_t warp;
  bool valid;
};

struct sl_instruction_fetch {
  unsigned warps, word_bytes;
  sl_warps full; /* occupied buffer entries that can be picked */
  uint32_t pc[SL_MAX_WARPS];
  uint8_t redirects[SL_MAX_WARPS];
  struct sl_fetched stage[SL_FETCH_STAGES];   /* c % STAGES: the word that the wheel read in cycle c */
  struct sl_fetched buffer[SL_MAX_WARPS + 1]; /* the extra entry receives dropped words */
};

static inline void sl_fetch_start(struct sl_instruction_fetch *f, unsigned warps, unsigned word_bytes, uint32_t entry)
{
  *f = (struct sl_instruction_fetch){.warps = warps, .word_bytes = word_bytes};
  for (unsigned w = 0; w < warps; w++)
    f->pc[w] = entry;
}

/* Applies a redirect, if there is one. Call it before the cycle's predecode and wheel. The code avoids branches on
 * whether there is a redirect and whether a word enters the buffer: both are hard to predict. */
static inline void sl_fetch_redirect(struct sl_instruction_fetch *f, unsigned warp, uint32_t pc, bool redirects)
{
  f->pc[warp] = (uint32_t)sl_choose(redirects, pc, f->pc[warp]);
  f->redirects[warp] = (uint8_t)(f->redirects[warp] + redirects);
}

/* Whether a redirect has come since a word was fetched. */
static inline bool sl_fetch_outdated(const struct sl_instruction_fetch *f, const struct sl_fetched *word)
{
  return f->redirects[word->warp] != word->redirects;
}

/* Performs predecode and returns the warp whose word enters the buffer, as a set. The word can be picked in the next
 * cycle: the caller adds the set to `full` after this cycle's pick. */
static inline sl_warps sl_fetch_predecode(struct sl_instruction_fetch *f, uint64_t now)
{
  const struct sl_fetched *word = &f->stage[(now - 2) % SL_FETCH_STAGES];
  const unsigned warp = word->warp;
  const bool enters = (unsigned)word->valid & (unsigned)~(f->full >> warp);
  const bool moves = (unsigned)enters & !sl_fetch_outdated(f, word);
  f->buffer[sl_choose(enters, warp, SL_MAX_WARPS)] = *word;
  f->pc[warp] = (uint32_t)sl_choose(moves, word->pc + f->word_bytes, f->pc[warp]);
  return (sl_warps)enters << warp;
}

/* Performs the wheel's cycle. */
static inline void sl_fetch_steer(struct sl_instruction_fetch *f, uint64_t now)
{
  const unsigned warp = (unsigned)(now - 1) & (f->warps - 1);
  f->stage[now % SL_FETCH_STAGES] = (struct sl_fetched){f->pc[warp], f->redirects[warp], (uint8_t)warp, true};
}

/* Removes a warp's word from the buffer. */
static inline struct sl_fetched sl_fetch_take(struct sl_instruction_fetch *f, unsigned warp)
{
  f->full &= ~sl_bit(warp);
  return f->buffer[warp];
}

/* Simty's path from the data memory's answers to the register file: the gather register and the single-entry load FIFO.
 *
 * Memory answers in the order of requests. An answer of cycle a is gathered in a+1: the warp is woken, and can be
 * picked from a+2 on. The result is written from a+2 on, in the first cycle in which no ALU result goes to its bank.
 * While the FIFO behind the gather register is occupied and does not drain, the next answer waits. A warp is picked
 * only if its result will certainly be written by the cycle in which the instruction reads.
 *
 * Source: Simty paper (RR-8944), section 3.2, "operand collection"; published RTL. Waiting answers and the certainty of
 * the write are additions of simtlab: the published pipeline relies on neighbouring warps being in different banks. */

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
