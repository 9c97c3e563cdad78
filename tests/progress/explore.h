/* All runs of warps under a scheme, and the verdict on them. */
#ifndef SL_TESTS_PROGRESS_EXPLORE_H
#define SL_TESTS_PROGRESS_EXPLORE_H

#include "free.h"
#include "warp.h"

struct runs {
  uint64_t memories; /* final ones */
  bool stays;        /* a run in which each warp goes on does not end */
  unsigned starved;  /* lanes that need not execute any more, though they are eligible */
  unsigned faults;   /* enum outcome, a bit each */
  bool filled, held; /* as in struct model */
  const char *broken;
  unsigned states;
  bool too_many; /* states */
};

struct explorer {
  struct graph free, graph;
  struct waiting *waiting; /* states whose edges are not known yet */
  unsigned room;
};

bool explorer_make(struct explorer *e);
void explorer_free(struct explorer *e);

/* Explores all runs: the order of the warps, and what is retried, are free. */
void explore(struct explorer *e, const struct warp_run *run, struct runs *runs);

/* What the runs contradict, or NULL. `ends_together`: all lanes end at one instruction. */
const char *runs_contradict(const struct setting *set, const struct free_runs *all, const struct runs *runs,
                            bool ends_together);

#endif
