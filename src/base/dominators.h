/* Immediate dominators of a graph, by iteration over reverse postorder. Source: K. D. Cooper, T. J. Harvey and K.
 * Kennedy, A Simple, Fast Dominance Algorithm, 2001. */
#ifndef SL_BASE_DOMINATORS_H
#define SL_BASE_DOMINATORS_H

#include "base/types.h"

/* Immediate post-dominators of a flow graph: for each node, the nearest node on all paths from it to the end.
 *
 * Node 0 is the end. Every other node has one or two successors. The function computes dominators of the reversed graph
 * by iteration over reverse postorder. Source: Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm. */

#define SL_NO_POST_DOMINATOR UINT32_MAX

/* next[n] holds the successors of node n; a single successor appears twice; next[0] is not read. ipdom[n] receives the
 * post-dominator of node n, or SL_NO_POST_DOMINATOR if no path leads to the end. Returns false if out of memory. */
bool sl_post_dominators(const uint32_t (*next)[2], uint32_t nodes, uint32_t *ipdom);

/* A graph. The successors of node n are to[first[n]] up to to[first[n + 1] - 1]. */
struct sl_graph {
  uint32_t nodes;
  const uint32_t *first, *to;
};

#define SL_NO_NODE UINT32_MAX

/* The nodes reachable from node 0. Arrays have one element per node. */
struct sl_dominators {
  uint32_t count;
  uint32_t *order;     /* the first `count` elements: reverse postorder, which begins with node 0 */
  uint32_t *place;     /* index in that order; SL_NO_NODE: not reachable */
  uint32_t *immediate; /* immediate dominator; node 0 has itself; SL_NO_NODE: not reachable */
};

/* Computes the dominators; returns false if out of memory. */
bool sl_dominators_find(struct sl_dominators *d, const struct sl_graph *graph);
void sl_dominators_free(struct sl_dominators *d);

/* Whether a dominates b. Both must be reachable. A node dominates itself. */
bool sl_dominates(const struct sl_dominators *d, uint32_t a, uint32_t b);

#endif
