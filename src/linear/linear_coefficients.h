/* Numbers of coefficient registers (R2D2, section 3.2). Numbers from 16 * s on are slice s, one lane per linear
 * register: slice 0 constants, the others what is multiplied with the block's index in each dimension that occurs; then
 * what the rest of the kernel adds, then what the part of the thread needs. */
#ifndef SL_LINEAR_LINEAR_COEFFICIENTS_H
#define SL_LINEAR_LINEAR_COEFFICIENTS_H

#include "linear/linear_plan.h"

enum { SL_LINEAR_COEFFICIENTS = 255, SL_LINEAR_SLICES = 4, SL_LINEAR_NO_COEFFICIENT = -1 };

struct sl_linear_coefficients {
  sl_poly cr[SL_LINEAR_COEFFICIENTS];
  bool used[SL_LINEAR_COEFFICIENTS];
  unsigned crs; /* of all, with the gaps of slices */
  unsigned slices;
  unsigned dimension[SL_LINEAR_SLICES]; /* of the block, by slice */
  unsigned offsets;                     /* first number behind the slices */
  bool full;                            /* more than there can be are needed */
};

/* `added`: what the rest of the kernel adds, SL_POLY_ZERO for nothing. Factors of thread indices that are signed
 * numbers of so many bits need no register. */
void sl_linear_coefficients_number(struct sl_linear_coefficients *c, const struct sl_linear_plan *plan,
                                   const sl_poly *added, uint32_t count, unsigned bits);

/* The first register from `from` on that has it; SL_LINEAR_NO_COEFFICIENT. */
int sl_linear_coefficient(const struct sl_linear_coefficients *c, sl_poly poly, unsigned from);

/* Whether a factor of a thread index is such a number, and which. */
bool sl_linear_is_immediate(const struct sl_linear_plan *plan, sl_poly factor, unsigned bits, int64_t *number);

#endif
