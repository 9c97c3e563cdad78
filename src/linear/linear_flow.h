/* Blocks of a kernel, who dominates whom, and its loops. */
#ifndef SL_LINEAR_LINEAR_FLOW_H
#define SL_LINEAR_LINEAR_FLOW_H

#include "base/dominators.h"
#include "linear/linear_code.h"

#define SL_LINEAR_NO_LOOP UINT32_MAX

/* A natural loop: the header dominates all of it. */
struct sl_linear_loop {
  uint32_t header; /* block */
  uint32_t parent; /* loop around it, SL_LINEAR_NO_LOOP */
  uint32_t depth;  /* 1: in no other loop */
  bool together;   /* lanes that are in it are in the same iteration: ways part in it only to meet before the next */
};

struct sl_linear_flow {
  uint32_t blocks;                 /* number 0 is the entry, which has no instructions and one successor */
  uint32_t *first;                 /* instruction by block, and behind the last */
  uint32_t *block_of;              /* by instruction */
  uint32_t *to_first, *to;         /* successors, each once: as struct sl_graph */
  uint32_t *from_first, *from;     /* predecessors that are reached */
  struct sl_dominators dominators; /* blocks that are not reached have no place */
  struct sl_linear_loop *loop;
  uint32_t loops;
  uint32_t *loop_of; /* innermost loop by block */
};

/* SL_USAGE with a sentence for loops that have more than one entry. */
enum sl_status sl_linear_flow_find(struct sl_linear_flow *flow, const struct sl_linear_code *code,
                                   struct sl_error *err);
void sl_linear_flow_free(struct sl_linear_flow *flow);

/* Whether a block is in the loop, or in a loop inside it. */
bool sl_linear_in_loop(const struct sl_linear_flow *flow, uint32_t block, uint32_t loop);

/* Whether an edge leads back to the header of a loop from inside. */
bool sl_linear_is_back(const struct sl_linear_flow *flow, uint32_t from, uint32_t to);

#endif
