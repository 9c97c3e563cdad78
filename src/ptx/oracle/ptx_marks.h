/* What an oracle says of each instruction of each warp of a launch, in the order in which the warp executes them: a few
 * bits. With them is a hash of the way that the warp took, so that one that takes another way is noticed. */
#ifndef SL_PTX_ORACLE_PTX_MARKS_H
#define SL_PTX_ORACLE_PTX_MARKS_H

#include "base/types.h"

enum { SL_PTX_STRETCH = 64 /* instructions */ };

struct sl_ptx_stretch {
  uint64_t dropped; /* instructions that are left out */
  uint64_t alike;   /* of the others: all lanes read the same */
  uint64_t way;     /* hash of the PCs so far, with these */
};

/* To be zero at first. */
struct sl_ptx_marks {
  struct sl_ptx_stretch *stretch;
  size_t count, room;
  uint64_t *first; /* by warp, those of a block one after the other, and behind the last: in `stretch` */
  size_t warps;
};

/* For so many warps, which are appended in order. False: no memory. */
bool sl_ptx_marks_open(struct sl_ptx_marks *marks, size_t warps);
bool sl_ptx_marks_append(struct sl_ptx_marks *marks, size_t warp, const struct sl_ptx_stretch *stretch, size_t count);
void sl_ptx_marks_free(struct sl_ptx_marks *marks);

/* Where a warp is. */
struct sl_ptx_place_of_marks {
  const struct sl_ptx_stretch *at; /* NULL: it went another way, or further; nothing is said of it */
  uint64_t left;                   /* stretches, with this one */
  uint64_t way;
  unsigned within; /* the stretch */
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

/* The warp executes the instruction at `pc`. False: this is where it is seen to have gone another way. */
bool sl_ptx_marks_next(struct sl_ptx_place_of_marks *place, uint32_t pc);

/* The way with another PC. */
uint64_t sl_ptx_way(uint64_t way, uint32_t pc);

#endif
