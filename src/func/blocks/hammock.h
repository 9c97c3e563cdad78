/* Hammocks. A hammock is a short forward branch that the engine if-converts: the lanes that do not take it execute the
 * steps after it, and then all lanes continue together. So the warp does not split into two paths.
 *
 * Path selection (convergence/convergence.h) gives the same result when the branching lanes wait behind the steps. They
 * wait either because the other lanes are selected first, or because they soon reach a pop, which lowers their level.
 * In the second case they execute only computations (the tail) up to the pop, before the other lanes start. The
 * counters then include the tail twice. The order of loads, stores and possible faults does not change. */
#ifndef SL_WARP_BLOCKS_HAMMOCK_H
#define SL_WARP_BLOCKS_HAMMOCK_H

#include "convergence/convergence.h"
#include "func/blocks/basic_blocks.h"

enum { SL_HAMMOCK_STEPS = 16, SL_HAMMOCK_TAIL = 4 };

struct sl_hammock {
  uint32_t branch, steps; /* index of the branch; number of steps after it, 0: not a hammock */
  uint32_t tail;          /* computations after the steps, before an annotation that lowers the level */
  bool pops;              /* such an annotation exists */
  bool nesting;           /* selection by nesting level, not by depth and PC */
};

/* Returns the hammock of the branch with this index, under one of these two schemes. */
struct sl_hammock sl_hammock_at(struct sl_basic_blocks *s, const struct sl_code *code, uint32_t branch, bool nesting);

static inline uint32_t sl_hammock_join(const struct sl_hammock *h)
{
  return h->branch + 1 + h->steps;
}

/* Selection between two disjoint sets of lanes at one level prefers the set with the highest lane. */
static inline bool sl_hammock_taken_first(const struct sl_hammock *h, sl_lanes taken, sl_lanes others)
{
  return h->nesting && taken > others;
}

/* Returns true if the other lanes can execute the steps while the lanes that take the branch wait. `left`: number of
 * instructions that may follow the branch. If the limit falls inside, the warp splits into two paths instead. */
static inline bool sl_hammock_may(const struct sl_hammock *h, sl_lanes taken, sl_lanes others, int level, uint64_t left)
{
  const bool good = h->pops ? level > 0 : !sl_hammock_taken_first(h, taken, others);
  return h->steps > 0 && good && left >= h->steps + 2 * (h->tail + 1);
}

/* Warp and thread instructions executed after the branch when the other lanes have done `done` steps. */
struct sl_hammock_count {
  uint32_t instructions, thread_instructions;
};

struct sl_hammock_count sl_hammock_count(const struct sl_hammock *h, sl_lanes taken, sl_lanes others, uint32_t done);

/* Splits the warp's only path, whose lanes are the active ones, in two: the other lanes stop after `done` of the steps.
 */
void sl_hammock_part(const struct sl_hammock *h, struct sl_basic_blocks *s, struct sl_step_lanes *lanes,
                     struct sl_paths *paths, const struct sl_code *code, sl_lanes taken, uint32_t done);

#endif
