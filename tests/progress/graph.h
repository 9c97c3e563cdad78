/* A graph of states. An edge is what one agent does: it has a slot of its node, the agents that take part, and the
 * lanes that execute an instruction. */
#ifndef SL_TESTS_PROGRESS_GRAPH_H
#define SL_TESTS_PROGRESS_GRAPH_H

#include "base/types.h"

enum { GRAPH_SLOTS = 4, GRAPH_NONE = -1 };

struct graph_node {
  int32_t to[GRAPH_SLOTS];    /* GRAPH_NONE: no edge */
  uint8_t who[GRAPH_SLOTS];   /* agents */
  uint8_t lanes[GRAPH_SLOTS]; /* that execute */
  uint8_t needs;              /* agents that a fair run must let run some time, if it stays */
  uint8_t eligible;           /* lanes that must execute some time */
};

struct graph {
  unsigned count, room, table_room;
  bool revisited; /* an edge leads to a node that was known, so there may be cycles */
  struct graph_node *node;
  uint64_t (*key)[2];
  uint32_t *table; /* number + 1, by key */
  int32_t *low, *index, *stack, *todo;
  uint8_t *next, *open;
};

bool graph_make(struct graph *g, unsigned room);
void graph_free(struct graph *g);
void graph_clear(struct graph *g);

/* Returns the node of a key. If it is new, *added is true and the node has no edges. GRAPH_NONE: there are too many. */
int32_t graph_node_of(struct graph *g, uint64_t key0, uint64_t key1, bool *added);

/* Whether a run from node 0 can stay for ever in a part of the graph in which each agent that must run does. With
 * `starved`, a set of one lane: in which all agents of `needs` run, but the lane, always eligible, does not. */
bool graph_stays(struct graph *g, unsigned starved, unsigned needs);

#endif
