/* Liveness: the segments of a function in which each register, virtual or physical, holds a value that is still read.
 *
 * Instruction i reads at point 2 i and writes at 2 i + 1, so a result may share its operand's register. An
 * early-written result is live from 2 i. Registers have several definitions. From each block with an upward-exposed
 * read, the analysis follows the register upwards to its definitions, one register at a time (path exploration, which
 * does not need SSA: B. Boissinot et al., "Fast liveness checking" and "Computing liveness sets for SSA-form
 * programs"). Memory is proportional to the pairs of a block and a register live at its edges. */
#ifndef SL_BACKEND_LIFETIMES_H
#define SL_BACKEND_LIFETIMES_H

#include "compiler/isa64/lir/lir.h"

/* Weighted graph of register pairs: sources of the same instruction (the bank conflict graph of section 3.3 of the
 * paper on 64-bit instruction words), or the two sides of a copy. */

struct sl_neighbour {
  uint32_t reg;
  double weight; /* executions per call of the function */
};

struct sl_weighted_graph {
  struct sl_neighbour *neighbour; /* per register, by number */
  uint32_t *first;                /* per register, plus one */
};

/* Builds the graphs of sources that an instruction reads at once, and of copies. False: out of memory. */
bool sl_conflict_graph(struct sl_weighted_graph *graph, const struct sl_lir *lir);

bool sl_copy_graph(struct sl_weighted_graph *graph, const struct sl_lir *lir);

void sl_weighted_graph_free(struct sl_weighted_graph *graph);

/* Writes the sources that an instruction reads from the register file at once, including a slot's base register; at
 * most three. Returns their number. */
unsigned sl_lir_sources(const struct sl_lir *lir, const struct sl_lir_insn *insn, uint32_t source[3]);

/* From start to end, exclusive. */
struct sl_live_segment {
  uint32_t start, end;
};

struct sl_lifetimes {
  struct sl_live_segment *segment; /* per register, in ascending order */
  uint32_t *first;                 /* per register, plus one for the end of the last */
  uint32_t *call;                  /* calls, ascending instruction numbers */
  size_t segment_count, call_count;
};

bool sl_lifetimes_init(struct sl_lifetimes *lifetimes, const struct sl_lir *lir);
void sl_lifetimes_free(struct sl_lifetimes *lifetimes);

static inline uint32_t sl_segment_count(const struct sl_lifetimes *l, uint32_t reg)
{
  return l->first[reg + 1] - l->first[reg];
}

/* Whether a register is live at a point. */
bool sl_alive(const struct sl_lifetimes *lifetimes, uint32_t reg, uint32_t point);

/* Whether the register is live across a call. */
bool sl_alive_over_call(const struct sl_lifetimes *lifetimes, uint32_t reg);

#endif
