/* Coefficient vectors: what each value of a kernel is as a linear combination of thread and block indices (R2D2,
 * sections 3.1.1 and 3.1.2). In a loop a value that grows by the same amount in each iteration is what it was at first
 * and the number of the iteration times the amount. */
#ifndef SL_LINEAR_LINEAR_VECTORS_H
#define SL_LINEAR_LINEAR_VECTORS_H

#include "linear/linear_poly.h"
#include "linear/linear_values.h"

enum sl_linear_reason {
  SL_LINEAR_YES,
  SL_LINEAR_NO_OPERATION, /* none of those that keep a combination linear */
  SL_LINEAR_NO_LOAD,
  SL_LINEAR_NO_OPERAND, /* what it is computed from is none */
  SL_LINEAR_NO_PRODUCT, /* both factors have indices, or one has and the other changes in a loop */
  SL_LINEAR_NO_GUARD,
  SL_LINEAR_NO_MERGE, /* ways that meet have different ones */
  SL_LINEAR_NO_STEP,  /* it changes by something else than the same amount in each iteration */
  SL_LINEAR_NO_CALL,
  SL_LINEAR_NO_ENTRY,    /* nobody has written the register */
  SL_LINEAR_NO_WIDTH,    /* it may wrap around before it is extended: assume=strict */
  SL_LINEAR_NO_SIZE,     /* too many terms */
  SL_LINEAR_NO_OUTSIDE,  /* of a loop that lanes may leave in different iterations */
  SL_LINEAR_NO_REGISTER, /* several instructions write it: multiwrite=regid */
  SL_LINEAR_REASONS
};

/* constant + index[TX] * thread x + ...; meaningless but if it is linear. */
struct sl_linear_vector {
  uint8_t reason; /* enum sl_linear_reason */
  sl_poly constant, index[SL_LINEAR_INDICES];
};

struct sl_linear_options {
  bool strict; /* extend only what is known not to wrap around; else all, as the paper does */
  /* A register that several instructions write is linear only if all but one of them add to it: the paper tells
   * definitions apart by registers (section 3.1.2), and not by where they are read. */
  bool by_register;
};

/* A merge at the header of a loop. */
struct sl_linear_induction {
  uint32_t value, loop;
  bool failed;
  sl_poly step; /* of an iteration */
};

struct sl_linear_analysis {
  const struct sl_linear_code *code;
  struct sl_linear_options options;
  struct sl_linear_flow flow;
  struct sl_linear_values values;
  struct sl_polys *polys;
  struct sl_linear_vector *vector; /* by value */
  bool *several;                   /* by register: see by_register; NULL: nobody asks */
  struct sl_linear_induction *induction;
  uint32_t inductions;
  uint32_t *induction_of; /* by value, UINT32_MAX: none */
};

/* Iterations of loop l, from 0, are symbol code->symbols + l. */
static inline uint16_t sl_linear_iteration(const struct sl_linear_analysis *a, uint32_t loop)
{
  return (uint16_t)(a->code->symbols + loop);
}

/* SL_USAGE with a sentence for a kernel that cannot be analysed. `code` must outlive the analysis. */
enum sl_status sl_linear_analyse(struct sl_linear_analysis *a, const struct sl_linear_code *code,
                                 const struct sl_linear_options *options, struct sl_error *err);
void sl_linear_analysis_free(struct sl_linear_analysis *a);

/* What a value is for those in a block: outside of its loop an induction is none. */
struct sl_linear_vector sl_linear_seen_from(const struct sl_linear_analysis *a, uint32_t value, uint32_t block);
/* What an operand is for an instruction. */
struct sl_linear_vector sl_linear_operand_vector(struct sl_linear_analysis *a, uint32_t insn, unsigned source);

/* Whether the constant has the number of an iteration in it, and of which loop. */
bool sl_linear_iterates(const struct sl_linear_analysis *a, const struct sl_linear_vector *v, uint32_t *loop);

bool sl_linear_is_uniform(const struct sl_linear_vector *v);

#endif
