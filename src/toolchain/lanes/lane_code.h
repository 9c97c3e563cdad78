/* The machine code of a function as a flow graph of instructions. */
#ifndef SL_TOOLCHAIN_LANES_LANE_CODE_H
#define SL_TOOLCHAIN_LANES_LANE_CODE_H

#include "base/error.h"
#include "isa/isa.h"
#include "program/program.h"

/* Node 0 is the end of the function; node i + 1 is its instruction i. */
struct sl_lane_code {
  uint32_t address, count; /* of instructions */
  unsigned bytes;          /* of each */
  struct sl_insn *insn;
  uint32_t (*next)[2]; /* nodes behind each, the same twice where there is one */
  uint32_t *meets;     /* of each node: that all ways from it lead through, SL_NO_POST_DOMINATOR */
  bool *head;          /* of each node: others lead to it than the one before */
  uint32_t *order;     /* heads, in an order in which what leads to one mostly comes before it; the end is last */
  uint32_t heads;
  bool masks; /* it sets masks of lanes by hand (TMC) */
};

enum sl_status sl_lane_code_read(struct sl_lane_code *code, const struct sl_program *program, uint32_t address,
                                 uint32_t end, struct sl_error *err);
void sl_lane_code_free(struct sl_lane_code *code);

static inline uint32_t sl_lane_code_at(const struct sl_lane_code *code, uint32_t node)
{
  return code->address + (node - 1) * code->bytes;
}

/* Whether an instruction is a branch with two ways; and whether a jump returns, or leaves the function otherwise. */
bool sl_lane_branches(const struct sl_lane_code *code, uint32_t node);

/* The last node of the stretch that begins with a head: what follows it is another head. */
uint32_t sl_lane_stretch_end(const struct sl_lane_code *code, uint32_t head);

/* Whether a function has a call of another one. */
bool sl_lane_code_calls(const struct sl_lane_code *code, uint32_t target);

/* Sets `in` for the nodes that a branch leads to before its ways meet; there is a place for each node. False: no
 * memory. */
bool sl_lane_region(const struct sl_lane_code *code, uint32_t branch, bool *in);

#endif
