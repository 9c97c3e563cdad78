/* An oracle's classification of each executed instruction of each warp of a launch, in execution order, a few bits
 * each. A hash of the warp's path is stored with them, to detect a warp that takes another path. */
#ifndef SL_PTX_ORACLE_PTX_MARKS_H
#define SL_PTX_ORACLE_PTX_MARKS_H

#include "base/types.h"

enum { SL_PTX_CHUNK = 64 /* instructions */ };

struct sl_ptx_chunk {
  uint64_t dropped; /* eliminated instructions */
  uint64_t alike;   /* of the others: all lanes read the same */
  uint64_t way;     /* hash of the PCs so far, including these */
};

/* Initialise with zeros. */
struct sl_ptx_marks {
  struct sl_ptx_chunk *chunk;
  size_t count, room;
  uint64_t *first; /* index in `chunk` by warp, block after block, and one for the end */
  size_t warps;
};

/* Prepares for a number of warps, which are appended in order. False: out of memory. */
bool sl_ptx_marks_open(struct sl_ptx_marks *marks, size_t warps);
bool sl_ptx_marks_append(struct sl_ptx_marks *marks, size_t warp, const struct sl_ptx_chunk *chunk, size_t count);
void sl_ptx_marks_free(struct sl_ptx_marks *marks);

/* A warp's current position. */
struct sl_ptx_place_of_marks {
  const struct sl_ptx_chunk *at; /* NULL: it took another path, or went past the end; nothing is classified */
  uint64_t left;                 /* remaining groups, including this one */
  uint64_t way;
  unsigned within; /* position in the group */
};

struct sl_ptx_place_of_marks sl_ptx_marks_begin(const struct sl_ptx_marks *marks, size_t warp);

static inline bool sl_ptx_marks_drop(const struct sl_ptx_place_of_marks *p)
{
  return p->at != NULL && p->at->dropped >> p->within & 1;
}
static inline bool sl_ptx_marks_alike(const struct sl_ptx_place_of_marks *p)
{
  return p->at != NULL && p->at->alike >> p->within & 1;
}

/* The warp executes the instruction at `pc`. False: it has just left the recorded path. */
bool sl_ptx_marks_next(struct sl_ptx_place_of_marks *place, uint32_t pc);

/* Extends the path hash with a PC. */
uint64_t sl_ptx_way(uint64_t way, uint32_t pc);

#endif
