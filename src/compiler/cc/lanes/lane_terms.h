/* Symbolic values (terms): equal terms denote equal values. The table records the operands of each computed term. */
#ifndef SL_TOOLCHAIN_LANES_LANE_TERMS_H
#define SL_TOOLCHAIN_LANES_LANE_TERMS_H

#include "base/types.h"

/* 0: no term. */
typedef uint64_t sl_term;

struct sl_term_entry {
  sl_term term, of[3]; /* operands; 0: none */
};

struct sl_terms {
  struct sl_term_entry *entry; /* hash table; its size is a power of two */
  size_t room, count;
  bool lost; /* memory was exhausted: the operands of some terms are unknown */
};

void sl_terms_free(struct sl_terms *terms);

/* Returns the term of an operation on up to three terms (0: none) and an immediate. */
sl_term sl_term_of(struct sl_terms *terms, unsigned operation, const sl_term of[3], uint32_t number);

/* Returns the term without operands that has these two numbers; kind < 256. */
sl_term sl_term_leaf(uint32_t kind, uint32_t number);

/* Returns true if the condition holds for the numbers of all leaves of a term. Returns false if the term has too many
 * operands to check. */
bool sl_term_depends_only_on(const struct sl_terms *terms, sl_term term,
                             bool (*holds)(const void *context, uint32_t kind, uint32_t number), const void *context);

/* Returns true if `part` is `whole` or an operand of it, within a limited depth. */
bool sl_term_has(const struct sl_terms *terms, sl_term whole, sl_term part);

#endif
