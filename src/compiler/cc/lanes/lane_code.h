/* Control-flow graph of a function's machine code. */
#ifndef SL_TOOLCHAIN_LANES_LANE_CODE_H
#define SL_TOOLCHAIN_LANES_LANE_CODE_H

#include "base/error.h"
#include "isa/isa.h"
#include "program/program.h"

/* Node 0 is the end of the function; node i + 1 is its instruction i. */
struct sl_lane_code {
  uint32_t address, count; /* number of instructions */
  unsigned bytes;          /* per instruction */
  struct sl_insn *insn;
  uint32_t (*next)[2];      /* by node: its successors; twice the same if there is one */
  uint32_t *post_dominator; /* by node: the immediate one, or SL_NO_POST_DOMINATOR */
  bool *leader;             /* by node: it begins a basic block */
  uint32_t *order;          /* leaders of the reachable blocks in reverse postorder; the end is last */
  uint32_t blocks;          /* number of reachable blocks */
  bool sets_masks;          /* the function sets lane masks itself (TMC) */
};

/* Reads a function of the program. Free the code also after an error. */
enum sl_status sl_lane_code_read(struct sl_lane_code *code, const struct sl_program *program, uint32_t address,
                                 uint32_t end, struct sl_error *err);

void sl_lane_code_free(struct sl_lane_code *code);

/* Returns the address of a node's instruction. */
static inline uint32_t sl_lane_code_at(const struct sl_lane_code *code, uint32_t node)
{
  return code->address + (node - 1) * code->bytes;
}

/* Returns true if the node is a conditional branch with two different successors. */
bool sl_lane_is_branch(const struct sl_lane_code *code, uint32_t node);

/* Returns the last node of the basic block that begins with `leader`. */
uint32_t sl_lane_block_end(const struct sl_lane_code *code, uint32_t leader);

/* Returns true if the function calls the function at `target`. */
bool sl_lane_code_calls(const struct sl_lane_code *code, uint32_t target);

/* Sets `in` for the nodes on the paths from a branch to its post-dominator. `in` has an element per node. Returns false
 * if memory is exhausted. */
bool sl_lane_region(const struct sl_lane_code *code, uint32_t branch, bool *in);

#endif
