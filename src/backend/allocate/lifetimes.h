/* Where in a function each register, virtual or physical, holds a value that is still read: its segments.
 *
 * Instruction i reads at point 2 i and writes at 2 i + 1, so that a result may be where an operand was; a result that
 * is written early is there from 2 i on. Registers have several definitions. From each block that reads a register
 * before it writes it, the register is followed upwards to its definitions, one register at a time (B. Boissinot et
 * al., "Fast liveness checking" and "Computing liveness sets for SSA-form programs", path exploration, which does not
 * need SSA). Memory is in proportion to the pairs of a block and a register alive at its edges. */
#ifndef SL_BACKEND_LIFETIMES_H
#define SL_BACKEND_LIFETIMES_H

#include "backend/lir/lir.h"

/* From start to end, exclusive. */
struct sl_segment {
  uint32_t start, end;
};

struct sl_lifetimes {
  struct sl_segment *segment; /* of each register in ascending order */
  uint32_t *first;            /* of each register, and one more for the end of the last */
  uint32_t *call;             /* instructions that are calls, ascending */
  size_t segment_count, call_count;
};

bool sl_lifetimes_init(struct sl_lifetimes *lifetimes, const struct sl_lir *lir);
void sl_lifetimes_free(struct sl_lifetimes *lifetimes);

static inline uint32_t sl_segment_count(const struct sl_lifetimes *l, uint32_t reg)
{
  return l->first[reg + 1] - l->first[reg];
}

/* Whether a register is alive at a point. */
bool sl_alive(const struct sl_lifetimes *lifetimes, uint32_t reg, uint32_t point);

/* Whether it holds a value over a call. */
bool sl_alive_over_call(const struct sl_lifetimes *lifetimes, uint32_t reg);

#endif
