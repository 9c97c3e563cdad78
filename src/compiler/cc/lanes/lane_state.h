/* Abstract state before an instruction: for each place (a register or a word of the stack) its symbolic value, and
 * whether it differs between the lanes of a warp. */
#ifndef SL_TOOLCHAIN_LANES_LANE_STATE_H
#define SL_TOOLCHAIN_LANES_LANE_STATE_H

#include "compiler/cc/lanes/lane_code.h"
#include "compiler/cc/lanes/lane_terms.h"

enum { SL_LANE_REGISTERS = 256, SL_LANE_SLOTS = 128, SL_LANE_PLACES = SL_LANE_REGISTERS + SL_LANE_SLOTS };

enum sl_lane_kind {
  SL_LANE_ANY,
  SL_LANE_NUMBER, /* a constant */
  SL_LANE_STACK,  /* the stack pointer at entry plus a number */
  SL_LANE_OBJECT, /* address of the kernel's object (struct simt_geometry and the arguments) plus a number */
  SL_LANE_SHIFT,  /* shift from a thread's number to its block slot's, which is uniform in a warp */
};

/* A value is the sum of a uniform part and a part that differs between lanes, `lane`. Two values with equal `lane` have
 * the same difference in all lanes. */
struct sl_lane_value {
  sl_term term, lane; /* lane 0: the value is uniform */
  uint32_t number;
  uint8_t kind; /* enum sl_lane_kind */
};

struct sl_lane_state {
  bool reached;
  sl_term predicate; /* predicate of the last split or pred: uniform in active lanes; 0: none */
  struct sl_lane_value place[SL_LANE_PLACES]; /* registers, then stack words */
};

/* Stack words, numbered in the order in which the analysis finds them. */
struct sl_lane_slots {
  uint32_t offset[SL_LANE_SLOTS];
  uint32_t count;
};

/* Divergent arguments and results of a call: bit i is register a0 + i, bit 8 + i is fa0 + i. */
struct sl_lane_call {
  uint16_t arguments, results;
};

enum { SL_LANE_ZERO = 0, SL_LANE_RA = 1, SL_LANE_SP = 2, SL_LANE_TP = 4, SL_LANE_A0 = 10 };

/* Sets the state at the entry. `differ`: divergent arguments (struct sl_lane_call). A kernel's a0 points to its object.
 */
void sl_lane_state_enter(struct sl_lane_state *state, bool kernel, uint16_t differ);

/* Joins a predecessor's out state into the in state of a node. `mixed` has an element per place; 0 before the first
 * predecessor. */
void sl_lane_state_join(struct sl_lane_state *state, const struct sl_lane_state *from, uint8_t *mixed, uint32_t node);

/* Finds places that differ after diverged lanes reconverge at node `join`. `in`: nodes of the divergent region;
 * `changed`: places that they write. Adds these places to `merges`; returns true if it has added any. */
bool sl_lane_state_find_merges(const struct sl_lane_state *state, const struct sl_terms *terms, const bool *in,
                               const bool *changed, uint32_t join, bool *merges);

/* Makes the places of `merges` divergent at the node. */
void sl_lane_state_set_merges(struct sl_lane_state *state, const bool *merges, uint32_t node);

bool sl_lane_state_equal(const struct sl_lane_state *a, const struct sl_lane_state *b);

/* Applies an instruction other than a call. Returns the place that it writes, or SL_LANE_PLACES. */
uint32_t sl_lane_state_step(struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node,
                            struct sl_terms *terms, struct sl_lane_slots *slots);

/* Applies a call with these divergent results (struct sl_lane_call). Sets `changed` for the caller-saved registers. */
void sl_lane_state_call(struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node, uint16_t results,
                        bool *changed);

/* Returns the divergent arguments (struct sl_lane_call). */
uint16_t sl_lane_state_arguments(const struct sl_lane_state *state);

/* Sets the target of a call or jump. Returns false if it is not constant. */
bool sl_lane_state_target(const struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node,
                          uint32_t *target);

#endif
