/* Simty's fetch steering, fetch, predecode and instruction buffer. The buffer holds one instruction per warp.
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

#endif
