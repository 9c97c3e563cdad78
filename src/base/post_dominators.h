/* Immediate post-dominators of a flow graph: of each node the nearest that every way from it to the end leads through.
 *
 * Node 0 is the end; every other node has one or two nodes behind it. Post-dominators are dominators of the reversed
 * graph, found by iteration over reverse postorder (Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm). */
#ifndef SL_BASE_POST_DOMINATORS_H
#define SL_BASE_POST_DOMINATORS_H

#include "base/types.h"

#define SL_NO_POST_DOMINATOR UINT32_MAX

/* The nodes behind each, the same twice where there is one; next[0] is not read. ipdom[n] becomes the post-dominator of
 * node n, SL_NO_POST_DOMINATOR where no way leads to the end. False: no memory. */
bool sl_post_dominators(const uint32_t (*next)[2], uint32_t nodes, uint32_t *ipdom);

#endif
