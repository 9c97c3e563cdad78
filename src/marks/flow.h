/* The control flow of a function in numbers: blocks, edges, dominators, post-dominators and loops. It is that of the
 * moment it was made; who changes the function makes it anew. */
#ifndef SL_MARKS_FLOW_H
#define SL_MARKS_FLOW_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#define SL_NO_BLOCK ((unsigned)-1)

/* Of block b: item[begin[b]] up to item[begin[b + 1]]. */
struct sl_edges {
  unsigned *begin, *item;
};

struct sl_flow {
  unsigned count;           /* of blocks; number `count` stands for the end of the function */
  LLVMBasicBlockRef *block; /* by number, in the order of the function */
  unsigned *order;          /* numbers of those that can be reached, in reverse post-order */
  unsigned reached;
  struct sl_edges successors, predecessors;
  unsigned *dominator;      /* the immediate one; SL_NO_BLOCK: none */
  unsigned *post_dominator; /* likewise; none for blocks that lead to no end */
  unsigned *loop;           /* header of the innermost loop it is in, or SL_NO_BLOCK */
  unsigned *outer;          /* of a header: that of the loop around */
};

/* A function ends where it returns; one that never does, where it is unreachable. */
void sl_flow_make(struct sl_flow *flow, LLVMValueRef function);
void sl_flow_free(struct sl_flow *flow);

bool sl_flow_dominates(const struct sl_flow *flow, unsigned above, unsigned below);
bool sl_flow_in_loop(const struct sl_flow *flow, unsigned block, unsigned header);

/* Sets `in` for the blocks that can be reached from `from` on without `stop`; `in` has a place for each block and the
 * end. What is set already is not entered. */
void sl_flow_reach(const struct sl_flow *flow, unsigned from, unsigned stop, bool *in);

#endif
