/* Control flow of a function in numbers: blocks, edges, dominators, post-dominators and loops. It is a snapshot; code
 * that changes the function must recompute it. */
#ifndef SL_MARKS_FLOW_H
#define SL_MARKS_FLOW_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Sources of divergence: instructions whose result differs between lanes by itself, such as the lane's number, its own
 * stack and thread-local variables, and results of atomics and functions. For all others the operands decide. */

enum sl_lanes_get {
  SL_LANES_GET_SAME,    /* uniform, for any operands */
  SL_LANES_GET_OTHERS,  /* divergent */
  SL_LANES_BY_OPERANDS, /* uniform if all operands are */
};

enum sl_lanes_get sl_lanes_get(LLVMValueRef instruction);

/* Returns the text of an inline assembly call, or NULL. */
const char *sl_assembly_of(LLVMValueRef instruction);

/* Returns the name of the called intrinsic without "llvm.", or NULL. */
const char *sl_intrinsic_of(LLVMValueRef instruction);

#define SL_NO_BLOCK ((unsigned)-1)

/* Edges of block b: item[begin[b]] up to item[begin[b + 1]]. */
struct sl_edges {
  unsigned *begin, *item;
};

struct sl_flow {
  unsigned count;           /* of blocks; number `count` represents the function's end */
  LLVMBasicBlockRef *block; /* by number, in the order of the function */
  unsigned *order;          /* reachable blocks, in reverse post-order */
  unsigned reached;
  struct sl_edges successors, predecessors;
  unsigned *dominator;      /* the immediate one; SL_NO_BLOCK: none */
  unsigned *post_dominator; /* likewise; none for blocks without a path to the end */
  unsigned *loop;           /* header of the innermost enclosing loop, or SL_NO_BLOCK */
  unsigned *outer;          /* per header: header of the enclosing loop */
};

/* A function ends where it returns; one that never returns ends where it is unreachable. */
void sl_flow_make(struct sl_flow *flow, LLVMValueRef function);
void sl_flow_free(struct sl_flow *flow);

bool sl_flow_dominates(const struct sl_flow *flow, unsigned above, unsigned below);
bool sl_flow_in_loop(const struct sl_flow *flow, unsigned block, unsigned header);

/* Sets `in` for the blocks reachable from `from` without passing `stop`; `in` has an element per block and one for the
 * end. Blocks already set are not entered. */
void sl_flow_reach(const struct sl_flow *flow, unsigned from, unsigned stop, bool *in);

/* Divergence analysis: finds values of a function that may differ between the lanes at one place, by data flow to a
 * fixpoint. Three rules make a value divergent: it is computed from divergent values; it merges paths after a divergent
 * branch (control dependence); it is used after a loop that lanes leave in different iterations.
 *
 * The function is in LCSSA form: a value used after a loop passes through a PHI there. */

struct sl_divergence {
  LLVMValueRef *differing; /* hash table of 2^bits places */
  size_t bits, count;
  bool *meets; /* per block: diverged paths or iterations merge in it */
  bool *split; /* per block: it ends with a divergent branch */
};

/* `same_parameters`: the function's parameters are uniform, as a kernel's are. */
void sl_divergence_find(struct sl_divergence *divergence, const struct sl_flow *flow, LLVMValueRef function,
                        bool same_parameters);
void sl_divergence_free(struct sl_divergence *divergence);

bool sl_differs(const struct sl_divergence *divergence, LLVMValueRef value);

#endif
