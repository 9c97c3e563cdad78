/* Checks plans: the linear register that an operand reads instead has the operand's polynomial. */
#ifndef SL_TESTS_LINEAR_PLANS_H
#define SL_TESTS_LINEAR_PLANS_H

#include <string.h>

#include "compiler/linear/linear_rewrite.h"

/* The polynomial that an operand reads under the plan. */
static inline sl_poly planned(struct sl_linear_analysis *a, const struct sl_linear_plan *plan,
                              const struct sl_linear_source *s)
{
  sl_poly sum = sl_poly_number(a->polys, s->number);
  if (s->lr != SL_LINEAR_NONE)
    sum = sl_poly_add(a->polys, sum, plan->lr[s->lr].constant);
  if (s->cr != SL_LINEAR_NONE)
    sum = sl_poly_add(a->polys, sum, plan->cr[s->cr]);
  if (s->ur != SL_LINEAR_NONE) {
    const struct sl_linear_ur *ur = &plan->ur[s->ur];
    const sl_poly iteration = sl_poly_symbol(a->polys, sl_linear_iteration(a, ur->loop));
    sum = sl_poly_add(a->polys, sum, ur->start);
    sum = sl_poly_add(a->polys, sum, sl_poly_multiply(a->polys, iteration, ur->step));
  }
  return sum;
}

/* Fails at the first operand with another polynomial, and prints `text`. */
static inline void plan_is_right(struct sl_linear_analysis *a, const char *text)
{
  struct sl_error err;
  struct sl_linear_plan plan;
  assert_int_equal(sl_linear_plan_make(&plan, a, &err), SL_OK);
  assert_true(plan.lrs <= SL_LINEAR_REGISTERS);
  for (uint32_t i = 0; i < a->code->count; i++)
    for (unsigned k = 0; k < a->code->insn[i].srcs; k++) {
      const struct sl_linear_source *s = &plan.source[i][k];
      if (s->kind == SL_LINEAR_ORDINARY)
        continue;
      const struct sl_linear_vector v = sl_linear_operand_vector(a, i, k);
      if (v.reason != SL_LINEAR_YES || planned(a, &plan, s) != v.constant ||
          (s->lr != SL_LINEAR_NONE && memcmp(plan.lr[s->lr].index, v.index, sizeof v.index) != 0))
        fail_msg("instruction %u, operand %u\n%s", i, k, text);
    }
  sl_linear_plan_free(&plan);
}

#endif
