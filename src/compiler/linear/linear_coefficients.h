/* Numbering of coefficient registers (R2D2, section 3.2). Numbers from 16 * s on are slice s, with one lane per linear
 * register. Slice 0 holds constants; each other slice holds the factors of one block index dimension in use. The
 * addends of the rest of the kernel follow, then the inputs of the thread phase. */
#ifndef SL_LINEAR_LINEAR_COEFFICIENTS_H
#define SL_LINEAR_LINEAR_COEFFICIENTS_H

#include "compiler/linear/linear_plan.h"

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
