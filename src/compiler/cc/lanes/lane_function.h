/* Divergence analysis of a function's machine code: a fixed point over its basic blocks. It finds the branches at which
 * lanes of a warp may diverge, and those of them that no annotation guards. */
#ifndef SL_TOOLCHAIN_LANES_LANE_FUNCTION_H
#define SL_TOOLCHAIN_LANES_LANE_FUNCTION_H

#include "compiler/cc/lanes/lane_code.h"

/* Callbacks of the analysis at calls. */
struct sl_lane_calls {
  /* Returns true if the callee returns, and sets its divergent results. The address `target` is valid if `known`. Bits
   * of `arguments` and `results`: struct sl_lane_call. */
  bool (*returns)(void *context, uint32_t target, bool known, uint16_t arguments, uint16_t *results);
  void *context;
};

/* Blocks have the numbers of code.order. */
struct sl_lane_function {
  struct sl_lane_code code;
  struct sl_terms terms;
  struct sl_lane_slots slots;
  struct sl_lane_state *in_state;            /* by block: state at its entry */
  struct sl_lane_state *forward;             /* by block: the same from its forward edges only */
  struct sl_lane_state *out_state;           /* by block: state after its last instruction */
  uint32_t *block_of;                        /* by leader: number of its block */
  uint32_t *first_predecessor, *predecessor; /* by block: first index into predecessor[]; the predecessors' numbers */
  bool (*merges)[SL_LANE_PLACES];            /* by block: places that differ because diverged lanes reconverge here */
  bool *stale;                               /* by block: what its in state depends on has changed */
  bool evaluated;                            /* every block at least once */
  bool keeps;                                /* back edges are never ignored */
  bool widens;                               /* states only lose what is known */
  bool *uniform;                             /* by node: a branch at which lanes agree; set before solving */
  bool *diverges;                            /* by node: an annotated branch at which lanes may diverge */
  bool *unmarked;  /* by node: a branch or jump without annotation at which lanes may diverge */
  bool *in_region; /* by node: diverged lanes may execute it */
};

/* Reads a function and its control-flow graph. Close it also after an error. */
enum sl_status sl_lane_function_open(struct sl_lane_function *f, const struct sl_program *program, uint32_t address,
                                     uint32_t end, struct sl_error *err);

void sl_lane_function_close(struct sl_lane_function *f);

/* Computes the fixed point. `differ`: divergent arguments, with the bits of struct sl_lane_call. */
enum sl_status sl_lane_function_solve(struct sl_lane_function *f, bool kernel, uint16_t differ,
                                      const struct sl_lane_calls *calls, struct sl_error *err);

/* Returns the divergent results of a solved function, with the bits of struct sl_lane_call. */
uint16_t sl_lane_function_results(const struct sl_lane_function *f);

/* Calls `found` for each call of the solved function that has a known target, with the state before the call. */
void sl_lane_function_calls(struct sl_lane_function *f,
                            void (*found)(void *context, uint32_t node, uint32_t target,
                                          const struct sl_lane_state *state),
                            void *context);

#endif
