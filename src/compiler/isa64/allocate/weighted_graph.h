/* Weighted graph of register pairs: sources of the same instruction (the bank conflict graph of section 3.3 of the
 * paper on 64-bit instruction words), or the two sides of a copy. */
#ifndef SL_BACKEND_WEIGHTED_GRAPH_H
#define SL_BACKEND_WEIGHTED_GRAPH_H

#include "compiler/isa64/lir/lir.h"

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

#endif
