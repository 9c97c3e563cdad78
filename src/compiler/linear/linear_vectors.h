/* Coefficient vectors: represent each value of a kernel as a linear combination of thread and block indices (R2D2,
 * sections 3.1.1 and 3.1.2). A value that grows by the same amount in each loop iteration is its initial value plus the
 * iteration number times the amount. */
#ifndef SL_LINEAR_LINEAR_VECTORS_H
#define SL_LINEAR_LINEAR_VECTORS_H

#include "compiler/linear/linear_poly.h"
#include "compiler/linear/linear_values.h"

enum sl_linear_reason {
  SL_LINEAR_YES,
  SL_LINEAR_NO_OPERATION, /* the operation does not keep a combination linear */
  SL_LINEAR_NO_LOAD,
  SL_LINEAR_NO_OPERAND, /* an operand is not linear */
  SL_LINEAR_NO_PRODUCT, /* both factors have indices, or one has and the other changes in a loop */
  SL_LINEAR_NO_GUARD,
  SL_LINEAR_NO_MERGE, /* paths that meet have different vectors */
  SL_LINEAR_NO_STEP,  /* it does not change by the same amount in each iteration */
  SL_LINEAR_NO_CALL,
  SL_LINEAR_NO_ENTRY,    /* the register is uninitialised */
  SL_LINEAR_NO_WIDTH,    /* it may wrap around before it is extended: assume=strict */
  SL_LINEAR_NO_SIZE,     /* too many terms */
  SL_LINEAR_NO_OUTSIDE,  /* of a loop that lanes may leave in different iterations */
  SL_LINEAR_NO_REGISTER, /* several instructions write it: multiwrite=regid */
  SL_LINEAR_REASONS
};

/* constant + index[TX] * thread x + ...; undefined unless it is linear. */
struct sl_linear_vector {
  uint8_t reason; /* enum sl_linear_reason */
  sl_poly constant, index[SL_LINEAR_INDICES];
};

struct sl_linear_options {
  bool strict; /* extend only values that cannot wrap around; else all, as the paper does */
  /* A register that several instructions write is linear only if all but one of them add to it. The paper distinguishes
   * definitions by register (section 3.1.2), not by reader. */
  bool by_register;
};

/* A merge at the header of a loop. */
struct sl_linear_induction {
  uint32_t value, loop;
  bool failed;
  sl_poly step; /* per iteration */
};

struct sl_linear_analysis {
  const struct sl_linear_code *code;
  struct sl_linear_options options;
  struct sl_linear_flow flow;
  struct sl_linear_values values;
  struct sl_polys *polys;
  struct sl_linear_vector *vector; /* by value */
  bool *several;                   /* per register: see by_register; NULL: unused */
  struct sl_linear_induction *induction;
  uint32_t inductions;
  uint32_t *induction_of; /* by value, UINT32_MAX: none */
};

/* Returns the symbol for the iterations of a loop, which count from 0. */
static inline uint16_t sl_linear_iteration(const struct sl_linear_analysis *a, uint32_t loop)
{
  return (uint16_t)(a->code->symbols + loop);
}

/* SL_USAGE with a message for a kernel that cannot be analysed. `code` must outlive the analysis. */
enum sl_status sl_linear_analyse(struct sl_linear_analysis *a, const struct sl_linear_code *code,
                                 const struct sl_linear_options *options, struct sl_error *err);
void sl_linear_analysis_free(struct sl_linear_analysis *a);

/* Returns a value's vector as seen from a block: outside its loop an induction is not linear. */
struct sl_linear_vector sl_linear_seen_from(const struct sl_linear_analysis *a, uint32_t value, uint32_t block);
/* Returns the vector of an instruction's operand. */
struct sl_linear_vector sl_linear_operand_vector(struct sl_linear_analysis *a, uint32_t insn, unsigned source);

/* Whether the constant contains an iteration number; returns its loop. */
bool sl_linear_iterates(const struct sl_linear_analysis *a, const struct sl_linear_vector *v, uint32_t *loop);

bool sl_linear_is_uniform(const struct sl_linear_vector *v);

/* ---- text -------------------------------------------------------------------------------------------------------- */

/* Readable text of vectors and reasons. */

/* Returns the name of a symbol, for sl_poly_text; the context is the analysis. Iterations are i, j, k by loop depth. */
const char *sl_linear_symbol_name(const void *analysis, uint16_t symbol);

/* Writes "{P5+4*P1, 4, 4*P1+4, 0, 0, 64*P1+64, 0}": constant, thread x, y, z, block x, y, z. */
enum { SL_LINEAR_TEXT = 1024 };
char *sl_linear_vector_text(const struct sl_linear_analysis *a, const struct sl_linear_vector *v,
                            char text[SL_LINEAR_TEXT]);

/* Returns why a value is no linear combination. */
const char *sl_linear_reason_text(enum sl_linear_reason reason);

#endif
