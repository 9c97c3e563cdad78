/* Immediate post-dominators of a flow graph: for each node, the nearest node on all paths from it to the end.
 *
 * Node 0 is the end. Every other node has one or two successors. The function computes dominators of the reversed graph
 * by iteration over reverse postorder. Source: Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm. */
#ifndef SL_BASE_POST_DOMINATORS_H
#define SL_BASE_POST_DOMINATORS_H

#include "base/types.h"

#define SL_NO_POST_DOMINATOR UINT32_MAX

/* next[n] holds the successors of node n; a single successor appears twice; next[0] is not read. ipdom[n] receives the
 * post-dominator of node n, or SL_NO_POST_DOMINATOR if no path leads to the end. Returns false if out of memory. */
bool sl_post_dominators(const uint32_t (*next)[2], uint32_t nodes, uint32_t *ipdom);

#endif
