/* Immediate dominators of the nodes of a graph (K. D. Cooper, T. J. Harvey and K. Kennedy, A Simple, Fast Dominance
 * Algorithm, 2001): by iteration over reverse postorder. */
#ifndef SL_BASE_DOMINATORS_H
#define SL_BASE_DOMINATORS_H

#include "base/types.h"

/* Successors of node n are to[first[n]] up to to[first[n + 1] - 1]. */
struct sl_graph {
  uint32_t nodes;
  const uint32_t *first, *to;
};

#define SL_NO_NODE UINT32_MAX

/* The nodes that node 0 leads to. Arrays have an element per node. */
struct sl_dominators {
  uint32_t count;
  uint32_t *order;     /* the first `count`: in reverse postorder, which begins with node 0 */
  uint32_t *place;     /* in that order, SL_NO_NODE: not reached */
  uint32_t *immediate; /* dominator; of node 0 itself; SL_NO_NODE: not reached */
};

/* False: no memory. */
bool sl_dominators_find(struct sl_dominators *d, const struct sl_graph *graph);
void sl_dominators_free(struct sl_dominators *d);

/* Whether a dominates b, both reached; a node dominates itself. */
bool sl_dominates(const struct sl_dominators *d, uint32_t a, uint32_t b);

#endif
