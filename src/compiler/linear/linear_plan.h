/* Rewriting plan for the linear combinations of a kernel: removed instructions, replaced operands, and register
 * assignment (R2D2, sections 3.1.3 and 3.1.4).
 *
 * A linear register (lr) is the sum of a thread register (tr), which each thread of a block has, and a block register
 * (br), which a block has. Combinations that differ only in their constants share one lr and add a coefficient register
 * (cr) or a number. A uniform register (ur) adds the part that grows in a loop. */
#ifndef SL_LINEAR_LINEAR_PLAN_H
#define SL_LINEAR_LINEAR_PLAN_H

#include "compiler/linear/linear_vectors.h"

enum { SL_LINEAR_REGISTERS = 16 };

enum sl_linear_fate {
  SL_LINEAR_STAYS,
  SL_LINEAR_GOES,  /* removed: its result has no readers, or they read one of these registers */
  SL_LINEAR_COPIES /* its result is also read as an ordinary register: lr and ur are copied there */
};

enum sl_linear_source_kind {
  SL_LINEAR_ORDINARY,
  SL_LINEAR_IMMEDIATE,
  SL_LINEAR_COEFFICIENT, /* cr */
  SL_LINEAR_COMBINATION, /* lr, optionally cr or ur, and a number */
  SL_LINEAR_GROWING      /* ur, and a number */
};

#define SL_LINEAR_NONE UINT16_MAX

/* Replacement of an operand. */
struct sl_linear_source {
  uint8_t kind;
  uint16_t lr, cr, ur; /* SL_LINEAR_NONE */
  int64_t number;
};

struct sl_linear_lr {
  sl_poly index[SL_LINEAR_INDICES]; /* of all combinations that share it */
  sl_poly constant;
  uint16_t tr; /* SL_LINEAR_NONE: no thread index */
  uint32_t uses;
  double benefit;
};

struct sl_linear_tr {
  sl_poly index[SL_LINEAR_BX];
};

/* Starts at `start` and grows by `step` with each iteration. */
struct sl_linear_ur {
  uint32_t loop;
  sl_poly start, step;
};

/* Copy of a combination to an ordinary register: where paths meet, or for readers outside a loop. */
struct sl_linear_copy {
  uint32_t value; /* what is copied */
  uint32_t block; /* at the block's end; `at_header`: at its beginning */
  bool at_header;
  struct sl_linear_source source; /* what it reads */
};

struct sl_linear_plan {
  const struct sl_linear_analysis *analysis;
  bool *ordinary; /* by value: linear, but computed as before, because the linear registers are exhausted */
  uint8_t *fate;  /* by instruction, enum sl_linear_fate */
  struct sl_linear_source (*source)[SL_LINEAR_SOURCES];
  struct sl_linear_source *result; /* per instruction that COPIES: the source of the copy */
  struct sl_linear_lr *lr;
  struct sl_linear_tr *tr;
  sl_poly *cr;
  struct sl_linear_ur *ur;
  struct sl_linear_copy *copy;
  uint32_t lrs, trs, crs, urs, copies;
  uint32_t most_wanted; /* lr before some combinations were dropped */
  /* Number of reachable instructions; of these linear ones and removed ones; added copies and updates. */
  uint32_t reached, linear, gone, added;
};

/* If there are more than 16 combinations, the least useful ones are computed as before. */
enum sl_status sl_linear_plan_make(struct sl_linear_plan *plan, struct sl_linear_analysis *analysis,
                                   struct sl_error *err);
void sl_linear_plan_free(struct sl_linear_plan *plan);

/* ---- coefficients ------------------------------------------------------------------------------------------------ */

/* Numbering of coefficient registers (R2D2, section 3.2). Numbers from 16 * s on are slice s, with one lane per linear
 * register. Slice 0 holds constants; each other slice holds the factors of one block index dimension in use. The
 * addends of the rest of the kernel follow, then the inputs of the thread phase. */

enum { SL_LINEAR_COEFFICIENTS = 255, SL_LINEAR_SLICES = 4, SL_LINEAR_NO_COEFFICIENT = -1 };

struct sl_linear_coefficients {
  sl_poly cr[SL_LINEAR_COEFFICIENTS];
  bool used[SL_LINEAR_COEFFICIENTS];
  unsigned crs; /* of all, with the gaps between slices */
  unsigned slices;
  unsigned dimension[SL_LINEAR_SLICES]; /* block dimension per slice */
  unsigned offsets;                     /* first number after the slices */
  bool full;                            /* the kernel needs more than the hardware has */
};

/* `added`: addends of the rest of the kernel, SL_POLY_ZERO for none. Factors of thread indices that are signed numbers
 * of at most this many bits need no register. */
void sl_linear_coefficients_number(struct sl_linear_coefficients *c, const struct sl_linear_plan *plan,
                                   const sl_poly *added, uint32_t count, unsigned bits);

/* Returns the first register from `from` on that holds the polynomial; SL_LINEAR_NO_COEFFICIENT: none. */
int sl_linear_coefficient(const struct sl_linear_coefficients *c, sl_poly poly, unsigned from);

/* Whether a factor of a thread index is such a number; returns the number. */
bool sl_linear_is_immediate(const struct sl_linear_plan *plan, sl_poly factor, unsigned bits, int64_t *number);

#endif
