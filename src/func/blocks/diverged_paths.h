/* Diverged paths of a warp as integers that are fast to compare, for execution by basic blocks (path_blocks.h).
 *
 * A place holds the level above the address. Places of one level are in the order of their addresses, and their
 * difference says how far ahead a path waits. The functions give the same paths, in the same order, as those of
 * convergence/paths.h under nesting and depth-pc. */
#ifndef SL_WARP_BLOCKS_DIVERGED_PATHS_H
#define SL_WARP_BLOCKS_DIVERGED_PATHS_H

#include "convergence/paths.h"

struct sl_diverged {
  unsigned count;
  unsigned now; /* index of the running path */
  bool nesting; /* scheme: nesting, not depth and PC */
  uint64_t place[SL_MAX_LANES];
  sl_lanes lanes[SL_MAX_LANES];
};

/* Converts paths to places. Returns false if a sorter holds the paths or one of them must retry. */
bool sl_diverged_begin(struct sl_diverged *a, const struct sl_paths *paths);

/* Converts the places back to paths. */
void sl_diverged_end(const struct sl_diverged *a, struct sl_paths *paths);

/* Moves the running path to pc, where it may join another path. */
void sl_diverged_move(struct sl_diverged *a, uint32_t pc);

/* Splits the running path at a branch: `taken`, a non-empty proper subset of its lanes, goes to `pc`, the others to
 * `next`. */
void sl_diverged_split(struct sl_diverged *a, sl_lanes taken, uint32_t pc, uint32_t next);

/* Moves the running path to pc and changes its level. */
void sl_diverged_change_level(struct sl_diverged *a, int change, uint32_t pc);

static inline uint32_t sl_diverged_pc(const struct sl_diverged *a)
{
  return (uint32_t)a->place[a->now];
}

static inline sl_lanes sl_diverged_lanes(const struct sl_diverged *a)
{
  return a->lanes[a->now];
}

static inline int sl_diverged_level_of(uint64_t place)
{
  return (int16_t)(uint16_t)(place >> 32 ^ 0x8000);
}

static inline int sl_diverged_level(const struct sl_diverged *a)
{
  return sl_diverged_level_of(a->place[a->now]);
}

/* Returns the number of instructions (1 << word_shift bytes each) until the running path reaches a waiting one; at most
 * `count`. */
static inline uint32_t sl_diverged_alone(const struct sl_diverged *a, unsigned word_shift, uint32_t count)
{
  uint64_t least = (uint64_t)count << word_shift;
  for (unsigned j = 0; j < a->count; j++) {
    const uint64_t ahead = a->place[j] - a->place[a->now] - 1; /* for the running path itself: a huge distance */
    least = ahead < least ? ahead + 1 : least;
  }
  return (uint32_t)(least >> word_shift);
}

#endif
