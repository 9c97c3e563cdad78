/* Where lanes of a warp part in a function: a fixed point over its instructions. */
#ifndef SL_TOOLCHAIN_LANES_LANE_FUNCTION_H
#define SL_TOOLCHAIN_LANES_LANE_FUNCTION_H

#include "toolchain/lanes/lane_state.h"

/* What the analysis asks about a call, to `target` if that is known: whether it returns, and the results that differ.
 */
struct sl_lane_calls {
  bool (*returns)(void *context, uint32_t target, bool known, uint16_t arguments, uint16_t *results);
  void *context;
};

struct sl_lane_function {
  struct sl_lane_code code;
  struct sl_terms terms;
  struct sl_lane_slots slots;
  struct sl_lane_state *state;    /* in front of each head */
  struct sl_lane_state *front;    /* what comes to it from before, without loops */
  struct sl_lane_state *behind;   /* behind its stretch */
  uint32_t *state_of;             /* of each node: number of its states */
  uint32_t *from_first, *from;    /* of each state: numbers of those whose stretches lead to it */
  bool (*spread)[SL_LANE_PLACES]; /* of each state: places that differ because lanes come by different ways */
  bool *parts, *unmarked;         /* of each node: lanes may part there, and no mark agrees on it */
  bool *within;                   /* of each node: it is run by lanes that have parted */
};

enum sl_status sl_lane_function_open(struct sl_lane_function *f, const struct sl_program *program, uint32_t address,
                                     uint32_t end, struct sl_error *err);
void sl_lane_function_close(struct sl_lane_function *f);

/* Finds what differs, called with arguments of which `differ` do. */
enum sl_status sl_lane_function_solve(struct sl_lane_function *f, bool kernel, uint16_t differ,
                                      const struct sl_lane_calls *calls, struct sl_error *err);

/* Results that differ, of a function that is solved. */
uint16_t sl_lane_function_results(const struct sl_lane_function *f);

/* Calls `found` for each call of the solved function, with the state in front of it. */
void sl_lane_function_calls(struct sl_lane_function *f,
                            void (*found)(void *context, uint32_t node, uint32_t target,
                                          const struct sl_lane_state *state),
                            void *context);

#endif
