/* A branch forward over a few steps, on which the lanes of a warp that are all together do not agree: those that do not
 * take it execute the steps, and all go on together behind them, so that the warp need not be listed as two paths.
 *
 * That is what selection (warp/paths.h) comes to if the lanes that branch wait behind the steps: because the others are
 * selected before them, or because they soon come to a pop, which puts them on a lower level. In the second case they
 * have come to the pop, over nothing but computations (the tail), before the others begin; what has been executed twice
 * by then is counted twice. Loads, stores and all that may be a fault are in the order they are always in. */
#ifndef SL_WARP_BLOCKS_HAMMOCK_H
#define SL_WARP_BLOCKS_HAMMOCK_H

#include "warp/blocks/stretches.h"
#include "warp/paths.h"

enum { SL_HAMMOCK_STEPS = 16, SL_HAMMOCK_TAIL = 4 };

struct sl_hammock {
  uint32_t branch, steps; /* numbers of the branch, and of steps behind it; 0: it is none */
  uint32_t tail;          /* computations behind those, before a mark that lowers the level */
  bool pops;              /* there is such a mark */
  bool nesting;           /* the lanes are selected by their nesting level, not by depth and PC */
};

/* The branch of that number under one of these two schemes. */
struct sl_hammock sl_hammock_at(struct sl_stretches *s, const struct sl_code *code, uint32_t branch, bool nesting);

static inline uint32_t sl_hammock_join(const struct sl_hammock *h)
{
  return h->branch + 1 + h->steps;
}

/* Of two disjoint sets of lanes at one level those with the highest lane are selected. */
static inline bool sl_hammock_taken_first(const struct sl_hammock *h, sl_lanes taken, sl_lanes others)
{
  return h->nesting && taken > others;
}

/* Whether the steps can be executed by the others while those that take the branch wait. `left`: instructions that may
 * be executed behind the branch; where they end in between, the paths are told apart. */
static inline bool sl_hammock_may(const struct sl_hammock *h, sl_lanes taken, sl_lanes others, int level, uint64_t left)
{
  const bool good = h->pops ? level > 0 : !sl_hammock_taken_first(h, taken, others);
  return h->steps > 0 && good && left >= h->steps + 2 * (h->tail + 1);
}

/* Instructions executed behind the branch, by how many lanes in all, when the others have done so many steps. */
struct sl_hammock_count {
  uint32_t instructions, thread_instructions;
};

struct sl_hammock_count sl_hammock_count(const struct sl_hammock *h, sl_lanes taken, sl_lanes others, uint32_t done);

/* The one path of a warp, whose lanes are the active ones, becomes two, since the others stop after so many steps, not
 * all of them. */
void sl_hammock_part(const struct sl_hammock *h, struct sl_stretches *s, struct sl_step_lanes *lanes,
                     struct sl_paths *paths, const struct sl_code *code, sl_lanes taken, uint32_t done);

#endif
