/* Pairs of registers of which it matters how often they meet: in the same instruction as sources (the bank conflict
 * graph of section 3.3 of the paper on 64-bit instruction words), or as the two sides of a copy. */
#ifndef SL_BACKEND_WEIGHTED_GRAPH_H
#define SL_BACKEND_WEIGHTED_GRAPH_H

#include "backend/lir/lir.h"

struct sl_neighbour {
  uint32_t reg;
  double weight; /* executions per call of the function */
};

struct sl_weighted_graph {
  struct sl_neighbour *neighbour; /* of each register, by number */
  uint32_t *first;                /* of each register, and one more */
};

/* Sources that an instruction reads at once. False without memory, as below. */
bool sl_conflict_graph(struct sl_weighted_graph *graph, const struct sl_lir *lir);

bool sl_copy_graph(struct sl_weighted_graph *graph, const struct sl_lir *lir);

void sl_weighted_graph_free(struct sl_weighted_graph *graph);

/* The sources of an instruction that are read from the register file at once, including what a slot is addressed by; at
 * most three. How many they are. */
unsigned sl_lir_sources(const struct sl_lir *lir, const struct sl_lir_insn *insn, uint32_t source[3]);

#endif
