/* What registers and words of the stack hold at an instruction: which of them differ between the lanes of a warp. */
#ifndef SL_TOOLCHAIN_LANES_LANE_STATE_H
#define SL_TOOLCHAIN_LANES_LANE_STATE_H

#include "toolchain/lanes/lane_code.h"
#include "toolchain/lanes/lane_terms.h"

enum { SL_LANE_REGISTERS = 256, SL_LANE_SLOTS = 128, SL_LANE_PLACES = SL_LANE_REGISTERS + SL_LANE_SLOTS };

enum sl_lane_kind {
  SL_LANE_ANY,
  SL_LANE_NUMBER, /* a constant */
  SL_LANE_STACK,  /* the stack pointer at entry and a number */
  SL_LANE_OBJECT, /* the kernel's object (struct simt_geometry and the arguments) and a number */
  SL_LANE_SHIFT,  /* by this a thread's number is shifted to become that of a slot: a warp has one */
};

/* `lane` is the part that differs between lanes: the value is the sum of it and of what is the same for all. So two
 * values with the same part have the same difference in all lanes. */
struct sl_lane_value {
  sl_term term, lane; /* lane 0: nothing differs */
  uint32_t number;
  uint8_t kind; /* enum sl_lane_kind */
};

struct sl_lane_state {
  bool reached;
  sl_term agreed; /* lanes that run have the same value of this: the predicate of a split or pred; 0: none */
  struct sl_lane_value place[SL_LANE_PLACES]; /* registers, then words of the stack */
};

/* Words of the stack have numbers in the order in which they are found. */
struct sl_lane_slots {
  uint32_t offset[SL_LANE_SLOTS];
  uint32_t count;
};

/* What a function is called with, and what it returns: bit i is a0 + i, bit 8 + i is fa0 + i. */
struct sl_lane_call {
  uint16_t arguments, results;
};

enum { SL_LANE_ZERO = 0, SL_LANE_RA = 1, SL_LANE_SP = 2, SL_LANE_TP = 4, SL_LANE_A0 = 10 };

/* At the entry: `differ` as in struct sl_lane_call; a kernel's a0 is its object. */
void sl_lane_state_enter(struct sl_lane_state *state, bool kernel, uint16_t differ);

/* Adds what comes from elsewhere to the state in front of a node. `mixed`, of each place, is 0 before the first. */
void sl_lane_state_join(struct sl_lane_state *state, const struct sl_lane_state *from, uint8_t *mixed, uint32_t node);

/* Lanes come to a node from different ways, of the nodes `in`, on which the places have changed: adds those that differ
 * for that to `spread`. True: there are new ones. */
bool sl_lane_state_find_spread(const struct sl_lane_state *state, const struct sl_terms *terms, const bool *in,
                               const bool *changed, uint32_t meet, bool *spread);
void sl_lane_state_spread(struct sl_lane_state *state, const bool *spread, uint32_t node);

bool sl_lane_state_equal(const struct sl_lane_state *a, const struct sl_lane_state *b);

/* The state behind an instruction that is no call. Returns the place that it writes, or SL_LANE_PLACES. */
uint32_t sl_lane_state_step(struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node,
                            struct sl_terms *terms, struct sl_lane_slots *slots);

/* The state behind a call. Sets `changed` for the places that it may change, which functions need not keep. */
void sl_lane_state_call(struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node, uint16_t results,
                        bool *changed);

/* Arguments that differ, as in struct sl_lane_call. */
uint16_t sl_lane_state_arguments(const struct sl_lane_state *state);

/* Where a call or jump goes, if that is one place. */
bool sl_lane_state_target(const struct sl_lane_state *state, const struct sl_lane_code *code, uint32_t node,
                          uint32_t *target);

#endif
