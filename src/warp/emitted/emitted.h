/* Blocks of a warp's code that have been executed often, as machine code of the host (tier 2 of the functional engine).
 *
 * Who executes stretches (warp/blocks/stretches.h) asks here first. A block becomes machine code after some executions,
 * with all it leads to; what has no code, and what may be a fault, is left to steps, so that nothing can be told from
 * a run without. There is none of this on hosts that have neither AVX-512 nor AVX2, or whose system lets no process
 * execute what it has written; nor for warps of other than 4, 8, 16 and 32 lanes, nor where memory is not flat. */
#ifndef SL_WARP_EMITTED_EMITTED_H
#define SL_WARP_EMITTED_EMITTED_H

#include "warp/blocks/hammock.h"

/* Whether there is any of it on this host, as far as its processor goes. */
bool sl_emitted_here(void);

/* How warps use code beside its steps. */
struct sl_emitted_rules {
  unsigned lanes, slot_shift; /* of interleaved stacks: log2 of the bytes of a slot */
  int level_max; /* marks of convergence change a path's level, from 0 to this; 0: they do nothing; -1: are no steps */
  bool calls;    /* jumps with a link change nothing else */
  bool hammocks; /* lanes that do not agree may wait for each other (warp/blocks/hammock.h) */
};

/* For stretches that have been made, if the tier says so and it can be. */
void sl_emitted_open(struct sl_stretches *b, const struct sl_emitted_rules *rules, enum sl_tier tier, bool portable);
void sl_emitted_close(struct sl_stretches *b);

/* The general case of what follows: forgets all blocks. */
void sl_emitted_renew(struct sl_stretches *b, const struct sl_code *code);

/* Before all else, when stretches are of the code (sl_stretches_of()): its blocks, or NULL. */
static inline struct sl_emitted *sl_emitted_of(struct sl_stretches *b, const struct sl_code *code)
{
  if (b->emitted != NULL && __builtin_expect(b->emitted_edition != b->edition, 0))
    sl_emitted_renew(b, code);
  return b->emitted;
}

/* Other paths of the warp, whose code the running one must not enter: false if one waits where blocks do not look. */
bool sl_emitted_wait(struct sl_emitted *e, uint32_t index);
void sl_emitted_go(struct sl_emitted *e, uint32_t index);
bool sl_emitted_waits(const struct sl_emitted *e, uint32_t index);

/* What lanes that parted have left to do: `idle` of them there were in instructions that have been executed; where
 * `hammock` has steps, those that did not take its branch have executed `steps` of them. */
struct sl_emitted_parting {
  uint64_t idle;
  struct sl_hammock hammock;
  sl_lanes taken;
  uint32_t steps;
};

/* Executes at most so many instructions from `index` on, which becomes the number of the next one; returns how many.
 * `some`: not all lanes are active, or other paths wait. `level`: of the path. `turn`: what is left of the warp's
 * (warp/blocks/turn.h), unless it ends with the last of them. Where lanes parted, b->parting tells of it. */
uint64_t sl_emitted_run(struct sl_stretches *b, const struct sl_code *code, struct sl_step_lanes *s, bool some,
                        int16_t *level, uint32_t *index, uint64_t *turn, uint64_t most);

#endif
