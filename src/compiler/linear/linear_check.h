/* Dynamic check of the coefficient vectors: while a grid runs without timing, the checker compares the result of every
 * linear instruction with its vector, for each thread, block and iteration. */
#ifndef SL_LINEAR_LINEAR_CHECK_H
#define SL_LINEAR_LINEAR_CHECK_H

#include "compiler/linear/linear_code.h"
#include "compiler/linear/linear_vectors.h"
#include "ptx/run/ptx_grid.h"

/* Follows the lanes of a running grid through a kernel. It tracks each lane's loop iterations, evaluates every vector
 * for the lane, and compares instruction results with it. */

enum { SL_LINEAR_LANES = 32 };

struct sl_linear_tally {
  uint64_t compared; /* compared values, per lane */
  uint64_t iterated; /* of these, values that grow in loops */
  uint64_t wrong;    /* mismatches */
  uint64_t refused;  /* grids whose kernel cannot be analysed */
  char first[1024];  /* the first mismatch, as a sentence; empty: none */
};

struct sl_linear_follower {
  struct sl_linear_analysis *analysis;
  const char *kernel;
  bool addresses;  /* report places as addresses, else as lines */
  int64_t *values; /* per symbol, for the grid: the caller fills it */
  /* Per lane: its last block, and its iteration of each loop. */
  uint32_t *last, *iteration;
  uint32_t *uniform; /* per warp and loop: the iteration that a register of the warp has counted */
  size_t warps;
};

/* A warp of a thread block. */
struct sl_linear_warp {
  size_t warp;           /* index among the followed warps */
  unsigned within;       /* index within the block: threads from 32 times this on */
  const uint32_t *index; /* index of the block in the grid */
  const uint32_t *size;  /* size of the block */
};

/* Result of an instruction: 64 bits if `wide`. */
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

/* Allocates room for this many warps; false: out of memory. */
bool sl_linear_follow_warps(struct sl_linear_follower *f, size_t warps);

/* Places the warp's lanes before the kernel's first instruction. */
void sl_linear_follow_begin(struct sl_linear_follower *f, size_t warp);

/* Moves the given lanes of the warp to an instruction. */
void sl_linear_follow_enter(struct sl_linear_follower *f, size_t warp, uint32_t lanes, uint32_t insn);

/* Whether an instruction's result is a linear combination. */
bool sl_linear_follow_wants(const struct sl_linear_follower *f, uint32_t insn);

/* Compares the result with its vector. */
void sl_linear_follow_compare(struct sl_linear_follower *f, const struct sl_linear_warp *warp,
                              const struct sl_linear_result *result, struct sl_linear_tally *tally);

struct sl_linear_subject;

struct sl_linear_check {
  struct sl_linear_options options;
  struct sl_linear_tally tally;
  struct sl_linear_subject *subjects; /* linked list of the kernels so far */
};

/* Returns the engine that runs grids and compares. *check must be zero except for its options, and must outlive the
 * engine. */
struct sl_ptx_engine sl_linear_check_engine(struct sl_linear_check *check);
void sl_linear_check_free(struct sl_linear_check *check);

/* Counts the thread instructions of ideal redundancy-elimination machines (R2D2, section 2 and Fig. 4), while the grids
 * of a launch script run without timing.
 *
 * WP: a warp executes an instruction once if all its active lanes have the same operands. TB: a warp skips an
 * instruction that a warp of its block has executed before, at the same occurrence count, with the same lanes and
 * operands. Both cover values (ptx/oracle/ptx_oracle.h): arithmetic, predicates, moves and parameters. On request
 * they also cover loads: WP by address, TB by address and memory contents.
 *
 * LN: linear instructions are eliminated. One lane computes the coefficients, once per launch. One block per launch
 * computes the thread part, with one instruction per dimension and thread. Each block computes its block part, with one
 * instruction per dimension and one for the constant. Each warp writes registers that grow in loops once per iteration;
 * all active lanes execute copies. */

/* Thread instructions. */
struct sl_linear_ideals {
  uint64_t base, wp, tb, ln;
};

struct sl_linear_ideal_kernel {
  struct sl_linear_ideal_kernel *next;
  const struct sl_ptx_function *function; /* valid while the module exists */
  char name[SL_PTX_NAME];
  uint64_t launches;
  struct sl_linear_ideals counts;
  char refusal[SL_LINEAR_REFUSAL]; /* reason why it cannot be analysed (LN then equals the original count); empty: it
                                      can */
  struct sl_linear_ideal_subject *subject;
};

/* Must be zero except for the first two members. */
struct sl_linear_ideal {
  struct sl_linear_options options;
  bool loads;
  struct sl_linear_ideal_kernel *kernels; /* in the order of their first launches */
  struct sl_linear_ideals sum;
};

/* Returns the engine that runs grids and counts; `ideal` must outlive it. */
struct sl_ptx_engine sl_linear_ideal_engine(struct sl_linear_ideal *ideal);
void sl_linear_ideal_free(struct sl_linear_ideal *ideal);

#endif
