/* Static single assignment: finds the definition that each operand of a kernel reads, since machine code reuses
 * registers (R. Cytron et al., Efficiently Computing Static Single Assignment Form, 1991; merges only where the
 * register is live). */
#ifndef SL_LINEAR_LINEAR_VALUES_H
#define SL_LINEAR_LINEAR_VALUES_H

#include "base/dominators.h"
#include "compiler/linear/linear_code.h"

/* Control flow of a kernel: basic blocks, dominators and loops. */

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

enum sl_linear_definition {
  SL_LINEAR_AT_ENTRY, /* value of the register at entry */
  SL_LINEAR_BY_INSN,
  SL_LINEAR_BY_CALL, /* clobbered: unknown */
  SL_LINEAR_BY_MERGE /* merge of the values of the block's predecessors */
};

struct sl_linear_value {
  uint8_t definition; /* enum sl_linear_definition */
  uint8_t which;      /* BY_INSN: destination */
  uint32_t reg;
  uint32_t at;       /* BY_INSN, BY_CALL: instruction; BY_MERGE: block */
  uint32_t operands; /* BY_MERGE: index in `merged`, one element per predecessor in the order of flow->from */
};

#define SL_LINEAR_NO_VALUE UINT32_MAX

struct sl_linear_values {
  struct sl_linear_value *value; /* values at entry first, by register; then in preorder of the dominator tree */
  uint32_t count;
  uint32_t (*use)[SL_LINEAR_SOURCES];      /* values by instruction and source; NO_VALUE: a number, or unreachable */
  uint32_t (*def)[SL_LINEAR_DESTINATIONS]; /* values by instruction and destination */
  uint32_t *merge_first;                   /* per block: its merges in `merges` */
  uint32_t *merges;
  uint32_t *merged;
};

enum sl_status sl_linear_values_find(struct sl_linear_values *v, const struct sl_linear_code *code,
                                     const struct sl_linear_flow *flow, struct sl_error *err);
void sl_linear_values_free(struct sl_linear_values *v);

#endif
