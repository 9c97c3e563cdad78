/* Follows the lanes of a grid through a kernel while it runs: in which iteration of its loops each is, and so what
 * every vector is for it. What instructions compute is compared with that. */
#ifndef SL_LINEAR_LINEAR_FOLLOW_H
#define SL_LINEAR_LINEAR_FOLLOW_H

#include "linear/linear_vectors.h"

enum { SL_LINEAR_LANES = 32 };

struct sl_linear_tally {
  uint64_t compared; /* values of lanes */
  uint64_t iterated; /* of these, such as grow in loops */
  uint64_t wrong;    /* differ */
  uint64_t refused;  /* grids whose kernel cannot be analysed */
  char first[1024];  /* what differed first, as a sentence; empty: nothing */
};

struct sl_linear_follower {
  struct sl_linear_analysis *analysis;
  const char *kernel;
  bool addresses;  /* places are addresses, else lines */
  int64_t *values; /* by symbol, for the grid: to be filled in */
  /* By lane: the block of code it has been in last, and the iteration it is in of each loop. */
  uint32_t *last, *iteration;
  uint32_t *uniform; /* by warp and loop: the iteration that a register of the warp has counted */
  size_t warps;
};

/* A warp of a block of threads. */
struct sl_linear_warp {
  size_t warp;           /* among those that are followed */
  unsigned within;       /* the block: threads from 32 times this on */
  const uint32_t *index; /* of the block in the grid */
  const uint32_t *size;  /* of the block */
};

/* What an instruction has computed: 64 bits if `wide`. */
struct sl_linear_result {
  uint32_t insn, place;
  uint32_t active;
  bool wide;
  const void *registers; /* of 32 lanes */
};

/* The analysis must outlive the follower. */
enum sl_status sl_linear_follow(struct sl_linear_follower *f, struct sl_linear_analysis *analysis,
                                struct sl_error *err);
void sl_linear_follow_end(struct sl_linear_follower *f);

/* Room for so many warps; false: no memory. */
bool sl_linear_follow_warps(struct sl_linear_follower *f, size_t warps);

/* The warp's lanes are before the kernel's first instruction. */
void sl_linear_follow_begin(struct sl_linear_follower *f, size_t warp);

/* The warp's lanes come to an instruction. */
void sl_linear_follow_enter(struct sl_linear_follower *f, size_t warp, uint32_t lanes, uint32_t insn);

/* Whether an instruction's result is a linear combination. */
bool sl_linear_follow_wants(const struct sl_linear_follower *f, uint32_t insn);

/* Holds it to its vector. */
void sl_linear_follow_compare(struct sl_linear_follower *f, const struct sl_linear_warp *warp,
                              const struct sl_linear_result *result, struct sl_linear_tally *tally);

#endif
