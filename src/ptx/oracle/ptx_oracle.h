/* Oracles: determine the warp instructions that a machine with perfect knowledge of all values would eliminate. They
 * are optimistic models of the two published machines that the R2D2 paper (ISCA 2023) compares with. They do not model
 * misses caused by limited tables or time.
 *
 * DAC: decoupled affine computation (K. Wang and C. Lin, ISCA 2017). Results of a block's warps at the same occurrence
 * of an instruction are computed once if they are affine: the step over lanes is the same for all warps, and the first
 * values are affine in the warp's number. Integer values only.
 *
 * DARSIE (T. Yeh et al., ASPLOS 2020): a warp eliminates an instruction that another warp of its block has executed
 * before with the same lanes and operands, at the same occurrence of the instruction. This includes loads, if the block
 * has neither written that address nor passed a barrier since. With the scalar pipeline, a remaining instruction needs
 * one lane if all lanes read the same operands. */
#ifndef SL_PTX_ORACLE_PTX_ORACLE_H
#define SL_PTX_ORACLE_PTX_ORACLE_H

#include "base/types.h"
#include "ptx/oracle/ptx_redundancy.h"
#include "ptx/run/ptx_grid.h"

/* An oracle's classification of each executed instruction of each warp of a launch, in execution order, a few bits
 * each. A hash of the warp's path is stored with them, to detect a warp that takes another path. */

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

/* Runs a grid without timing and reports each warp instruction with its operands. Used to count what a machine could
 * eliminate, and to classify instructions in advance. */

struct sl_ptx_seen {
  const struct sl_ptx_warp *warp;
  const struct sl_ptx_effect *effect;
  const struct sl_ptx_redundancy *before; /* the executed instruction */
  uint64_t occurrence;                    /* a hash of its PC and of the warp's number of visits to it */
};

/* False: out of memory. */
struct sl_ptx_tracer {
  bool (*begun)(void *context, const struct sl_ptx_block *block); /* before each block; may be NULL */
  bool (*seen)(void *context, const struct sl_ptx_seen *seen);
  void *context;
};

/* As sl_ptx_grid_run with the same bounds; their observers are notified first. */
enum sl_status sl_ptx_trace(const struct sl_ptx_launch *launch, const struct sl_ptx_bounds *bounds,
                            const struct sl_ptx_tracer *watcher, struct sl_ptx_counts *counts, struct sl_error *err);

enum sl_ptx_oracle { SL_PTX_NO_ORACLE, SL_PTX_DAC, SL_PTX_DARSIE, SL_PTX_DARSIE_SCALAR };

struct sl_ptx_spared {
  uint64_t warp_insns, thread_insns; /* eliminated */
  uint64_t scalar;                   /* of the others: warp instructions that need one lane */
};

/* Runs a grid without timing and classifies its instructions: totals, and for each warp if `marks` is not NULL. Counts
 * are not reduced by the eliminated instructions. */
enum sl_status sl_ptx_oracle_run(enum sl_ptx_oracle oracle, const struct sl_ptx_launch *launch,
                                 const struct sl_ptx_bounds *bounds, struct sl_ptx_marks *marks,
                                 struct sl_ptx_counts *counts, struct sl_ptx_spared *spared, struct sl_error *err);

#endif
