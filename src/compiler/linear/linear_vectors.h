/* Coefficient vectors: represent each value of a kernel as a linear combination of thread and block indices (R2D2,
 * sections 3.1.1 and 3.1.2). A value that grows by the same amount in each loop iteration is its initial value plus the
 * iteration number times the amount. */
#ifndef SL_LINEAR_LINEAR_VECTORS_H
#define SL_LINEAR_LINEAR_VECTORS_H

#include "base/dominators.h"
#include "base/error.h"
#include "base/types.h"
#include "compiler/linear/linear_code.h"

/* Polynomials with integer coefficients over symbols. A symbol has its value at kernel launch (arguments, sizes of
 * blocks and grids, addresses) or in a loop iteration. Each polynomial is stored once, so two are equal if and only if
 * their numbers are. Arithmetic is modulo 2^bits; coefficients are shown as signed numbers.
 *
 * They represent the coefficients of D. Ha, Y. Oh and W. W. Ro, R2D2 (ISCA 2023), section 3.1.1. */

/* Larger polynomials become SL_POLY_NONE, and so does every result with an operand SL_POLY_NONE. */
enum { SL_POLY_DEGREE = 4, SL_POLY_TERMS = 16 };

typedef uint32_t sl_poly;
#define SL_POLY_ZERO 0u
#define SL_POLY_NONE UINT32_MAX

/* A coefficient and its symbols in ascending order; symbol 0 means none and comes after the others. */
struct sl_poly_term {
  int64_t coefficient;
  uint16_t symbol[SL_POLY_DEGREE];
};

struct sl_polys;

/* NULL: out of memory. `bits` from 1 to 64. */
struct sl_polys *sl_polys_new(unsigned bits);
void sl_polys_free(struct sl_polys *all);
/* Whether memory was exhausted; then small polynomials may have become SL_POLY_NONE, too. */
bool sl_polys_failed(const struct sl_polys *all);

sl_poly sl_poly_number(struct sl_polys *all, int64_t number);
sl_poly sl_poly_symbol(struct sl_polys *all, uint16_t symbol);
sl_poly sl_poly_add(struct sl_polys *all, sl_poly a, sl_poly b);
sl_poly sl_poly_subtract(struct sl_polys *all, sl_poly a, sl_poly b);
sl_poly sl_poly_multiply(struct sl_polys *all, sl_poly a, sl_poly b);
/* Substitutes a polynomial for a symbol; `with` must not contain the symbol. */
sl_poly sl_poly_replace(struct sl_polys *all, sl_poly a, uint16_t symbol, sl_poly with);

/* Returns the terms without symbols from `first` on. */
sl_poly sl_poly_below(struct sl_polys *all, sl_poly a, uint16_t first);

/* Returns the terms, ordered by degree and symbols: at most SL_POLY_TERMS; zero has no terms. */
unsigned sl_poly_terms(const struct sl_polys *all, sl_poly a, const struct sl_poly_term **terms);
/* Whether the polynomial is a number; returns the number. */
bool sl_poly_is_number(const struct sl_polys *all, sl_poly a, int64_t *number);
/* Returns the largest number of symbols from `first` on in a term, counted with multiplicity. */
unsigned sl_poly_degree_from(const struct sl_polys *all, sl_poly a, uint16_t first);
/* Evaluates the polynomial with values[s] for symbol s; the result is reduced like the coefficients. */
int64_t sl_poly_value(const struct sl_polys *all, sl_poly a, const int64_t *values);

/* Writes it as "4*P1+4", with symbol names from name(), into text of `size` bytes; returns text. */
char *sl_poly_text(const struct sl_polys *all, sl_poly a, const char *(*name)(const void *context, uint16_t symbol),
                   const void *context, char *text, size_t size);

/* Values, by static single assignment: finds the definition that each operand of a kernel reads, since machine code
 * reuses registers (R. Cytron et al., Efficiently Computing Static Single Assignment Form, 1991; merges only where the
 * register is live). */

/* Control flow of a kernel: basic blocks, dominators and loops. */

#define SL_LINEAR_NO_LOOP UINT32_MAX

/* A natural loop: the header dominates all its blocks. */
struct sl_linear_loop {
  uint32_t header; /* block */
  uint32_t parent; /* enclosing loop, SL_LINEAR_NO_LOOP */
  uint32_t depth;  /* 1: outermost */
  bool together;   /* lanes in the loop are in the same iteration: diverged lanes reconverge before the next one */
};

struct sl_linear_flow {
  uint32_t blocks;                 /* number 0 is the entry, which has no instructions and one successor */
  uint32_t *first;                 /* per block: first instruction; one more for the end */
  uint32_t *block_of;              /* per instruction */
  uint32_t *to_first, *to;         /* distinct successors: as struct sl_graph */
  uint32_t *from_first, *from;     /* reachable predecessors */
  struct sl_dominators dominators; /* unreachable blocks have no entry */
  struct sl_linear_loop *loop;
  uint32_t loops;
  uint32_t *loop_of; /* innermost loop per block */
};

/* SL_USAGE with a message for loops with several entries. */
enum sl_status sl_linear_flow_find(struct sl_linear_flow *flow, const struct sl_linear_code *code,
                                   struct sl_error *err);
void sl_linear_flow_free(struct sl_linear_flow *flow);

/* Whether a block is in the loop or in a nested loop. */
bool sl_linear_in_loop(const struct sl_linear_flow *flow, uint32_t block, uint32_t loop);

/* Whether an edge is a back edge: from inside a loop to its header. */
bool sl_linear_is_back(const struct sl_linear_flow *flow, uint32_t from, uint32_t to);

enum sl_linear_definition {
  SL_LINEAR_AT_ENTRY, /* value of the register at entry */
  SL_LINEAR_BY_INSN,
  SL_LINEAR_BY_CALL, /* clobbered: unknown */
  SL_LINEAR_BY_MERGE /* merge of the values of the block's predecessors */
};

struct sl_linear_value {
  uint8_t definition; /* enum sl_linear_definition */
  uint8_t which;      /* BY_INSN: destination */
  uint32_t reg;
  uint32_t at;       /* BY_INSN, BY_CALL: instruction; BY_MERGE: block */
  uint32_t operands; /* BY_MERGE: index in `merged`, one element per predecessor in the order of flow->from */
};

#define SL_LINEAR_NO_VALUE UINT32_MAX

struct sl_linear_values {
  struct sl_linear_value *value; /* values at entry first, by register; then in preorder of the dominator tree */
  uint32_t count;
  uint32_t (*use)[SL_LINEAR_SOURCES];      /* values by instruction and source; NO_VALUE: a number, or unreachable */
  uint32_t (*def)[SL_LINEAR_DESTINATIONS]; /* values by instruction and destination */
  uint32_t *merge_first;                   /* per block: its merges in `merges` */
  uint32_t *merges;
  uint32_t *merged;
};

enum sl_status sl_linear_values_find(struct sl_linear_values *v, const struct sl_linear_code *code,
                                     const struct sl_linear_flow *flow, struct sl_error *err);
void sl_linear_values_free(struct sl_linear_values *v);

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
