/* The free interleaving of the lanes of a program: any lane may go next. It knows no warp and no scheme. What a scheme
 * does must be one of its runs. */
#ifndef SL_TESTS_PROGRESS_FREE_H
#define SL_TESTS_PROGRESS_FREE_H

#include "graph.h"
#include "program.h"

struct free_runs {
  uint64_t memories; /* final ones, program_memory(); none: the program can end in no order of its lanes */
  bool stays;        /* some run in which each lane goes on does not end, or some run comes to a stop */
};

/* Explores all runs. Returns false if the graph has no room for them. */
bool free_explore(struct graph *g, const struct program *p, struct free_runs *runs);

#endif
