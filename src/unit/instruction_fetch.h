/* Fetch steering, fetch, predecode and the instruction buffer: from a wheel over the warps to one waiting instruction
 * per warp.
 *
 * In cycle c the wheel reads the speculative PC of one warp, another one every cycle whatever the warps are doing; the
 * word is fetched in c+1 and predecoded in c+2. If the warp's buffer entry was empty at the start of c+2, the
 * word goes there and can be picked from c+3 on, and the speculative PC moves to the next word. Else it is dropped, and
 * fetched again when the wheel comes round. A redirect sets the speculative PC, in its own cycle for the wheel too.
 *
 * Words that were under way or in the buffer when a redirect came stay: they will turn out to belong to no path. They
 * carry the count of redirects of their warp, so that they do not move the new PC, and cause no redirect in turn.
 *
 * Source: Simty paper (RR-8944), section 3.2; published RTL. The count is ours: with fewer than eight warps the
 * published pipeline lets an old word overwrite a new PC. */
#ifndef SL_UNIT_INSTRUCTION_FETCH_H
#define SL_UNIT_INSTRUCTION_FETCH_H

#include "base/types.h"

enum { SL_FETCH_STAGES = 4 /* a power of two above the cycles from the wheel to the buffer */ };

struct sl_fetched {
  uint32_t pc;
  uint8_t redirects; /* of the warp before it was fetched, modulo 256 */
  uint8_t warp;
  bool valid;
};

struct sl_instruction_fetch {
  unsigned warps, word_bytes;
  sl_warps full; /* buffer entries that can be picked */
  uint32_t pc[SL_MAX_WARPS];
  uint8_t redirects[SL_MAX_WARPS];
  struct sl_fetched stage[SL_FETCH_STAGES];   /* what the wheel read in cycle c at c % STAGES */
  struct sl_fetched buffer[SL_MAX_WARPS + 1]; /* and what is dropped */
};

static inline void sl_fetch_start(struct sl_instruction_fetch *f, unsigned warps, unsigned word_bytes, uint32_t entry)
{
  *f = (struct sl_instruction_fetch){.warps = warps, .word_bytes = word_bytes};
  for (unsigned w = 0; w < warps; w++)
    f->pc[w] = entry;
}

/* Before the cycle's predecode and wheel, if there is one. Whether there is one, and whether a word has a place below,
 * is hard to foretell: no branch on it. */
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

/* Predecode: the warp whose word enters the buffer in this cycle, as a set. It can be picked in the next one: the
 * caller adds the set to `full` after this cycle's pick. */
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

/* The wheel's cycle. */
static inline void sl_fetch_steer(struct sl_instruction_fetch *f, uint64_t now)
{
  const unsigned warp = (unsigned)(now - 1) & (f->warps - 1);
  f->stage[now % SL_FETCH_STAGES] = (struct sl_fetched){f->pc[warp], f->redirects[warp], (uint8_t)warp, true};
}

/* Takes a warp's word out of the buffer. */
static inline struct sl_fetched sl_fetch_take(struct sl_instruction_fetch *f, unsigned warp)
{
  f->full &= ~sl_bit(warp);
  return f->buffer[warp];
}

#endif
