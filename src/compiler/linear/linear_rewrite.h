/* Writes a kernel with linear registers (ptx/run/ptx_linear.h) as PTX text: the three phases that compute the
 * registers, then the remaining instructions in their original text, with the plan's operands. */
#ifndef SL_LINEAR_LINEAR_REWRITE_H
#define SL_LINEAR_LINEAR_REWRITE_H

#include <stdio.h>

#include "compiler/linear/linear_vectors.h"
#include "ptx/ptx.h"

/* Rewriting plan for the linear combinations of a kernel: removed instructions, replaced operands, and register
 * assignment (R2D2, sections 3.1.3 and 3.1.4).
 *
 * A linear register (lr) is the sum of a thread register (tr), which each thread of a block has, and a block register
 * (br), which a block has. Combinations that differ only in their constants share one lr and add a coefficient register
 * (cr) or a number. A uniform register (ur) adds the part that grows in a loop. */

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

/* The original kernel. */
struct sl_linear_original {
  const struct sl_ptx_module *module;
  const struct sl_ptx_function *kernel;
  const char *text; /* text of the module */
  size_t length;
};

/* Writes the kernel NAME$r2d2. SL_USAGE: the message says why the kernel cannot be written; nothing has been
 * written. */
enum sl_status sl_linear_rewrite(FILE *out, struct sl_linear_plan *plan, const struct sl_linear_original *original,
                                 struct sl_error *err);

/* Modules of PTX whose kernels gain variants with linear registers. */

/* Text of a module; the caller frees `text`. */
struct sl_linear_module {
  char *text;
  size_t length;
};

/* Appends the variant of a kernel, and parses the module again: names may occur twice. `path`: for messages. SL_USAGE:
 * the kernel cannot be written; the module is unchanged. */
enum sl_status sl_linear_module_add(struct sl_linear_module *module, const char *path,
                                    const struct sl_ptx_module *original, const struct sl_ptx_function *kernel,
                                    struct sl_linear_plan *plan, struct sl_error *err);

/* Creates a module from a text, with variants of all kernels that can have them. */
enum sl_status sl_linear_module_rewrite(struct sl_linear_module *module, const char *path, const char *text,
                                        size_t length, struct sl_error *err);

/* Text of the three phases before the rest of a kernel with linear registers: coefficients, thread part, block part
 * (R2D2, section 3.2). */

/* A register of r2.sum: the text of the plan's operand. */
struct sl_linear_sum {
  struct sl_linear_source source;
  sl_poly coefficient; /* SL_POLY_ZERO: none */
  bool wide;
};

struct sl_linear_phases {
  struct sl_linear_plan *plan;
  const struct sl_ptx_function *kernel;
  const struct sl_linear_sum *sum;
  uint32_t sums;
};

/* Writes the name of the register of sum i. */
enum { SL_LINEAR_SUM_NAME = 24 };
const char *sl_linear_sum_name(const struct sl_linear_sum *sum, uint32_t i, char name[SL_LINEAR_SUM_NAME]);

/* Writes declarations and phases. SL_USAGE: there are too many coefficients. */
enum sl_status sl_linear_phases_write(FILE *out, const struct sl_linear_phases *phases, struct sl_error *err);

#endif
