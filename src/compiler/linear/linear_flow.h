/* Control flow of a kernel: basic blocks, dominators and loops. */
#ifndef SL_LINEAR_LINEAR_FLOW_H
#define SL_LINEAR_LINEAR_FLOW_H

#include "base/dominators.h"
#include "compiler/linear/linear_code.h"

#define SL_LINEAR_NO_LOOP UINT32_MAX

/* A natural loop: the header dominates all its blocks. */
struct sl_linear_loop {
  uint32_t header; /* block */
  uint32_t parent; /* enclosing loop, SL_LINEAR_NO_LOOP */
  uint32_t depth;  /* 1: outermost */
  bool together;   /* lanes in the loop are in the same iteration: diverged lanes reconverge before the next one */
};

struct sl_linear_flow {
  uint32_t blocks;                 /* number 0 is the entry, which has no instructions and one successor */
  uint32_t *first;                 /* per block: first instruction; one more for the end */
  uint32_t *block_of;              /* per instruction */
  uint32_t *to_first, *to;         /* distinct successors: as struct sl_graph */
  uint32_t *from_first, *from;     /* reachable predecessors */
  struct sl_dominators dominators; /* unreachable blocks have no entry */
  struct sl_linear_loop *loop;
  uint32_t loops;
  uint32_t *loop_of; /* innermost loop per block */
};

/* SL_USAGE with a message for loops with several entries. */
enum sl_status sl_linear_flow_find(struct sl_linear_flow *flow, const struct sl_linear_code *code,
                                   struct sl_error *err);
void sl_linear_flow_free(struct sl_linear_flow *flow);

/* Whether a block is in the loop or in a nested loop. */
bool sl_linear_in_loop(const struct sl_linear_flow *flow, uint32_t block, uint32_t loop);

/* Whether an edge is a back edge: from inside a loop to its header. */
bool sl_linear_is_back(const struct sl_linear_flow *flow, uint32_t from, uint32_t to);

#endif
